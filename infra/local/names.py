"""Names for house players."""

from collections.abc import Set

_CHINESE = (
    "阿哲 小雨 老周 豆豆 林夕 大鹏 七七 木木 石头 晚晴 小北 圆圆",
    "阿飞 南风 西瓜 三金 夏天 阿离 米粒 长安 青柠 半夏 云舟 十一",
)
_ENGLISH = (
    "Ada Ben Cleo Dora Emil Fay Gus Hana Ivo June Kai Lena",
    "Max Nora Otto Pia Quinn Rosa Sam Tess Udo Vera Will Zoe",
)


def fresh_name(language_code: str, taken: Set[str]) -> str:
    """Return a name for a player who speaks this language that nobody has yet."""
    names = " ".join(_CHINESE if language_code.startswith("zh") else _ENGLISH).split()
    lap = 1
    while True:
        for name in names:
            numbered = name if lap == 1 else f"{name} {lap}"
            if numbered not in taken:
                return numbered
        lap += 1
