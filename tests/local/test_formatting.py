import pytest

from infra.local.formatting import ParseError, clean, finish, parse_html, utf16
from infra.local.store import Json

USER = {"id": 7, "is_bot": False, "first_name": "甲"}


def parse(source: str) -> tuple[str, list[Json]]:
    return finish(*parse_html(source, lambda user_id: USER if user_id == 7 else None))


def test_lengths_are_utf16_units() -> None:
    assert utf16("a狼🐺") == 4


@pytest.mark.parametrize(
    ("tag", "kind"),
    [
        ("b", "bold"),
        ("strong", "bold"),
        ("i", "italic"),
        ("u", "underline"),
        ("s", "strikethrough"),
        ("code", "code"),
        ("pre", "pre"),
        ("tg-spoiler", "spoiler"),
        ("blockquote", "blockquote"),
    ],
)
def test_simple_tags(tag: str, kind: str) -> None:
    text, entities = parse(f"🐺 <{tag}>狼</{tag.upper()}>!")
    assert text == "🐺 狼!"
    assert entities == [{"offset": 3, "length": 1, "type": kind}]


def test_references_and_nesting() -> None:
    text, entities = parse("<b>&lt;a&gt; <i>&amp;</i></b> &quot;&#39;&#x27; &nbsp;")
    assert text == "<a> & \"'' &nbsp;"
    assert entities == [
        {"offset": 0, "length": 5, "type": "bold"},
        {"offset": 4, "length": 1, "type": "italic"},
    ]


def test_links_and_mentions() -> None:
    source = '<a href="https://a.example/?x=1&amp;y=2">q</a> <a href="tg://user?id=7">甲</a>'
    text, entities = parse(source + ' <a href="tg://user?id=8">nobody</a>')
    assert text == "q 甲 nobody"
    assert entities == [
        {"offset": 0, "length": 1, "type": "text_link", "url": "https://a.example/?x=1&y=2"},
        {"offset": 2, "length": 1, "type": "text_mention", "user": USER},
    ]


def test_moments() -> None:
    text, entities = parse('<tg-time unix="1796000042" format="r">42 秒</tg-time>')
    assert text == "42 秒"
    assert entities == [
        {
            "offset": 0,
            "length": 4,
            "type": "date_time",
            "unix_time": 1796000042,
            "date_time_format": "r",
        }
    ]


def test_other_rich_tags() -> None:
    source = (
        '<tg-emoji emoji-id="12">🐺</tg-emoji><blockquote expandable>x</blockquote>'
        '<pre><code class="language-py">y</code></pre><span class="tg-spoiler">z</span>'
    )
    _, entities = parse(source)
    assert [entity["type"] for entity in entities] == [
        "custom_emoji",
        "expandable_blockquote",
        "pre",
        "spoiler",
    ]
    assert entities[0]["custom_emoji_id"] == "12"
    assert entities[2]["language"] == "py"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("<狼>", 'Unsupported start tag "狼" at byte offset 0'),
        ("狼<img src=x>", 'Unsupported start tag "img" at byte offset 3'),
        ("a < b", 'Unsupported start tag "" at byte offset 2'),
        ("<b", "Unclosed start tag at byte offset 0"),
        ("<b>x", 'Can\'t find end tag corresponding to start tag "b"'),
        ("x</b>", "Unexpected end tag at byte offset 1"),
        ("<b>x</i>", 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'),
        ("<b>x</b", "Unclosed end tag at byte offset 4"),
        ("<span>x</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'),
        ('<tg-time format="r">x</tg-time>', "Invalid date-time specified"),
        ('<tg-time unix="1" format="zz">x</tg-time>', "Invalid date-time format specified"),
    ],
)
def test_bad_html(source: str, reason: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse(source)
    assert str(caught.value) == reason


def test_trimming_moves_entities() -> None:
    assert finish(" \n🐺 x \n", [{"type": "bold", "offset": 2, "length": 7}]) == (
        "🐺 x",
        [{"type": "bold", "offset": 0, "length": 4}],
    )


def test_what_telegram_finds_by_itself() -> None:
    _, entities = finish("/start x, @NightfallBot https://a.example/b a/b", [])
    assert [(e["type"], e["offset"], e["length"]) for e in entities] == [
        ("bot_command", 0, 6),
        ("mention", 10, 13),
        ("url", 24, 19),
    ]


def test_overrides_of_direction_are_taken_out() -> None:
    assert clean("a\u202eb\r\nc\x07") == "ab\nc "
