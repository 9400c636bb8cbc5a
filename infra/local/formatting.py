"""Telegram's formatted text: HTML into plain text with entities, lengths counted in UTF-16 units."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from infra.local.store import Json

_STYLES = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "tg-spoiler": "spoiler",
    "span": "spoiler",
    "code": "code",
    "pre": "pre",
    "blockquote": "blockquote",
    "a": "text_link",
    "tg-emoji": "custom_emoji",
    "tg-time": "date_time",
}
_REFERENCES = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
_REFERENCE = re.compile(r"&(?:#(\d+)|#[xX]([0-9a-fA-F]+)|(lt|gt|amp|quot)(?![a-zA-Z]));?")
_ATTRIBUTE = re.compile(r"""\s+([^\s=>/"']+)(?:\s*=\s*("[^"]*"|'[^']*'|[a-zA-Z0-9.-]+))?""")
_TIME_FORMAT = re.compile(r"r|w?[dD]?[tT]?")
_MENTION_LINK = re.compile(r"tg://user/?\?id=(\d+)")
_FOUND = re.compile(
    r"(?P<url>https?://[^\s<>]+)"
    r"|(?<![\w@])(?P<mention>@[a-zA-Z0-9_]{3,32})(?!\w)"
    r"|(?<![\w/<>])(?P<bot_command>/[a-zA-Z0-9_]{1,64}(?:@[a-zA-Z0-9_]{3,32})?)(?![\w/])"
)
_DROPPED = re.compile("[\r\u2028-\u202e]")
_BLANKED = re.compile("[\x00-\x09\x0b-\x1f]")

UserOf = Callable[[int], Json | None]


class ParseError(ValueError):
    """The text is not what Telegram accepts as HTML; its message is Telegram's own."""


def utf16(text: str) -> int:
    """Count the UTF-16 units of a text, as Telegram does for lengths and offsets."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def clean(text: str) -> str:
    """Take out what Telegram takes out of every text: control characters and overrides of direction."""
    return _BLANKED.sub(" ", _DROPPED.sub("", text))


@dataclass
class _Open:
    tag: str
    attributes: dict[str, str]
    offset: int
    begin: int


@dataclass
class _Parser:
    source: str
    user_of: UserOf
    out: list[str] = field(default_factory=list)
    length: int = 0
    stack: list[_Open] = field(default_factory=list)
    entities: list[Json] = field(default_factory=list)

    def run(self) -> tuple[str, list[Json]]:
        position = 0
        while position < len(self.source):
            character = self.source[position]
            if character == "<":
                closes = self.source.startswith("</", position)
                position = self._end(position) if closes else self._start(position)
            elif character == "&" and (reference := _REFERENCE.match(self.source, position)):
                self._append(_dereference(reference))
                position = reference.end()
            else:
                self._append(character)
                position += 1
        if self.stack:
            raise ParseError(f'Can\'t find end tag corresponding to start tag "{self.stack[-1].tag}"')
        return "".join(self.out), self.entities

    def _append(self, text: str) -> None:
        self.out.append(text)
        self.length += utf16(text)

    def _bytes(self, position: int) -> int:
        return len(self.source[:position].encode("utf-8", "surrogatepass"))

    def _start(self, begin: int) -> int:
        name = re.compile(r"[^\s>]*").match(self.source, begin + 1)
        if name is None or name.end() == len(self.source):
            raise ParseError(f"Unclosed start tag at byte offset {self._bytes(begin)}")
        tag = name.group().lower()
        if tag not in _STYLES:
            raise ParseError(f'Unsupported start tag "{tag}" at byte offset {self._bytes(begin)}')
        attributes: dict[str, str] = {}
        position = name.end()
        while found := _ATTRIBUTE.match(self.source, position):
            value = found.group(2) or ""
            value = value[1:-1] if value[:1] in ('"', "'") else value
            attributes[found.group(1).lower()] = _REFERENCE.sub(_dereference, value)
            position = found.end()
        rest = re.compile(r"\s*>").match(self.source, position)
        if rest is None:
            raise ParseError(f'Unclosed start tag "{tag}" at byte offset {self._bytes(begin)}')
        if tag == "span" and attributes.get("class") != "tg-spoiler":
            raise ParseError(f'Tag "span" must have class "tg-spoiler" at byte offset {self._bytes(begin)}')
        self.stack.append(_Open(tag, attributes, self.length, len(self.out)))
        return rest.end()

    def _end(self, begin: int) -> int:
        found = re.compile(r"</([^\s>]*)\s*>").match(self.source, begin)
        if found is None:
            raise ParseError(f"Unclosed end tag at byte offset {self._bytes(begin)}")
        if not self.stack:
            raise ParseError(f"Unexpected end tag at byte offset {self._bytes(begin)}")
        opened = self.stack.pop()
        name = found.group(1).lower()
        if name not in ("", opened.tag):
            raise ParseError(
                f"Unmatched end tag at byte offset {self._bytes(begin)}, "
                f'expected "</{opened.tag}>", found "</{name}>"'
            )
        entity = self._entity(opened)
        if entity is not None and self.length > opened.offset:
            span = {"offset": opened.offset, "length": self.length - opened.offset}
            self.entities.append({**span, **entity})
        return found.end()

    def _entity(self, opened: _Open) -> Json | None:
        tag, given = opened.tag, opened.attributes
        inside = "".join(self.out[opened.begin :])
        if tag == "a":
            return _link(given.get("href") or inside, self.user_of)
        if tag == "tg-emoji":
            if not given.get("emoji-id", "").isdigit():
                raise ParseError("Invalid custom emoji identifier specified")
            return {"type": "custom_emoji", "custom_emoji_id": given["emoji-id"]}
        if tag == "tg-time":
            return _moment(given)
        if tag == "blockquote" and "expandable" in given:
            return {"type": "expandable_blockquote"}
        if tag == "code" and self.stack and self.stack[-1].tag == "pre":
            language = given.get("class", "").removeprefix("language-")
            self.stack[-1].attributes["language"] = language
            return None
        if tag == "pre" and given.get("language"):
            return {"type": "pre", "language": given["language"]}
        return {"type": _STYLES[tag]}


def _dereference(found: re.Match[str]) -> str:
    decimal, hexadecimal, name = found.groups()
    if name:
        return _REFERENCES[name]
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else found.group()


def _link(address: str, user_of: UserOf) -> Json | None:
    if mention := _MENTION_LINK.fullmatch(address):
        # Telegram makes a mention only of somebody it knows; of anybody else it keeps the plain text.
        user = user_of(int(mention.group(1)))
        return None if user is None else {"type": "text_mention", "user": user}
    if re.match(r"[a-z]+:", address):
        return {"type": "text_link", "url": address}
    return {"type": "text_link", "url": f"http://{address}"} if "." in address else None


def _moment(given: dict[str, str]) -> Json:
    if not given.get("unix", "").isdigit():
        raise ParseError("Invalid date-time specified")
    shape = given.get("format", "")
    if not _TIME_FORMAT.fullmatch(shape):
        raise ParseError("Invalid date-time format specified")
    moment: Json = {"type": "date_time", "unix_time": int(given["unix"])}
    if shape:
        moment["date_time_format"] = shape
    return moment


def parse_html(source: str, user_of: UserOf) -> tuple[str, list[Json]]:
    """Turn Telegram's HTML into text and entities, or raise `ParseError`."""
    return _Parser(source, user_of).run()


def find_entities(text: str) -> list[Json]:
    """Find what Telegram marks by itself: commands, mentions and addresses."""
    return [
        {"offset": utf16(text[: found.start()]), "length": utf16(found.group()), "type": found.lastgroup}
        for found in _FOUND.finditer(text)
    ]


def finish(text: str, entities: list[Json]) -> tuple[str, list[Json]]:
    """Trim a text, move its entities along, add the ones Telegram finds, and sort them as Telegram does."""
    lead = utf16(text) - utf16(text.lstrip())
    text = text.strip()
    size = utf16(text)
    kept = []
    for entity in entities:
        begin = max(entity["offset"] - lead, 0)
        end = min(entity["offset"] + entity["length"] - lead, size)
        if end > begin:
            kept.append({**entity, "offset": begin, "length": end - begin})
    for found in find_entities(text):
        end = found["offset"] + found["length"]
        if not any(k["offset"] < end and found["offset"] < k["offset"] + k["length"] for k in kept):
            kept.append(found)
    kept.sort(key=lambda entity: (entity["offset"], -entity["length"]))
    return text, kept[:100]
