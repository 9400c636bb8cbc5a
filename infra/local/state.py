"""What the small Telegram consists of: users, chats, memberships, messages, updates that wait for the bot."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Concatenate, ParamSpec, TypeVar, cast

from infra.local.errors import WorldError
from infra.local.store import Json, Store

DAY = 86400.0
# Telegram gives up on telling the bot of a press after this many seconds.
PRESS_LIFETIME = 150.0
FIRST_UPDATE = 857192578
FIRST_USER = 439000001
FIRST_GROUP = 4000000001
FIRST_SUPERGROUP = 2000000001

# What Telegram delivers to a bot that did not say what it wants.
_DEFAULT_UPDATES = frozenset({"message", "callback_query", "my_chat_member"})
RIGHTS = (
    "can_manage_chat",
    "can_change_info",
    "can_delete_messages",
    "can_invite_users",
    "can_restrict_members",
    "can_pin_messages",
    "can_promote_members",
    "can_manage_video_chats",
    "can_post_stories",
    "can_edit_stories",
    "can_delete_stories",
)

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S", bound="State")


@dataclass(frozen=True)
class BotAccount:
    """The bot's account; with `privacy` it hears only what is meant for bots, as BotFather sets it up."""

    id: int = 7000000001
    first_name: str = "Nightfall"
    username: str = "NightfallBot"
    privacy: bool = True

    def shape(self) -> Json:
        """Return the User object other people see."""
        return {
            "id": self.id,
            "is_bot": True,
            "first_name": self.first_name,
            "username": self.username,
        }


@dataclass(frozen=True)
class Change:
    """Something that happened, for whoever watches: its kind and what it is about."""

    kind: str
    body: Json


@dataclass(frozen=True)
class Waiting:
    """An update the bot has not taken yet, with the queue it stands in and when Telegram would drop it."""

    update: Json
    queue: str
    expires: float

    @property
    def update_id(self) -> int:
        """The number of the update."""
        return int(self.update["update_id"])


def change(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """Make a method one transaction; watchers hear of it after it is stored, or not at all."""

    @functools.wraps(method)
    def changing(self: S, *args: P.args, **kwargs: P.kwargs) -> R:
        if self.changing:
            return method(self, *args, **kwargs)
        self.changing = True
        try:
            with self.store.transaction():
                result = method(self, *args, **kwargs)
        except BaseException:
            self.notes.clear()
            raise
        finally:
            self.changing = False
        self.publish()
        return result

    return cast("Callable[Concatenate[S, P], R]", changing)


class State:
    """The records and the few things done to them from both sides, people's and the bot's."""

    def __init__(self, store: Store, now: Callable[[], float], bot: BotAccount) -> None:
        self.store = store
        self.now = now
        self.bot = bot
        self.changing = False
        self.notes: list[Change] = []
        self._listeners: list[Callable[[Change], None]] = []

    def subscribe(self, listener: Callable[[Change], None]) -> Callable[[], None]:
        """Tell `listener` of every change from now on; returns what ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def note(self, kind: str, body: Json) -> None:
        """Remember a change for the listeners."""
        self.notes.append(Change(kind, body))

    def tell(self, kind: str, body: Json) -> None:
        """Tell the listeners of something that needs no record here."""
        self.note(kind, body)
        if not self.changing:
            self.publish()

    def publish(self) -> None:
        """Tell the listeners what was noted."""
        notes, self.notes = self.notes, []
        for note in notes:
            for listener in tuple(self._listeners):
                listener(note)

    # People and chats

    def user(self, user_id: int) -> Json:
        """Return a user's own record: a User object with his language."""
        if user_id == self.bot.id:
            return self.bot.shape()
        user = self.store.get("user", user_id)
        if user is None:
            raise WorldError(f"no user {user_id}")
        return user

    def known(self, user_id: int) -> Json | None:
        """Return a User object as others see it, or None."""
        user = self.bot.shape() if user_id == self.bot.id else self.store.get("user", user_id)
        return None if user is None else seen(user)

    def members(self) -> list[Json]:
        """Return everybody who has an account, the bot excepted."""
        return self.store.all("user")

    def chat(self, chat_id: int) -> Json:
        """Return the record of a chat."""
        chat = self.store.get("chat", chat_id)
        if chat is None:
            raise WorldError(f"no chat {chat_id}")
        return chat

    def chats(self) -> list[Json]:
        """Return the records of all chats."""
        return self.store.all("chat")

    def put_chat(self, chat: Json) -> None:
        """Store a chat."""
        self.store.put("chat", chat["id"], 0, chat)
        self.note("chat", self.chat_view(chat))

    def chat_view(self, chat: Json) -> Json:
        """Return a chat with the memberships in it, for those who look at it from outside."""
        return {
            **chat,
            "members": {str(m["user"]): m["status"] for m in self.store.under("member", chat["id"])},
        }

    def membership(self, chat_id: int, user_id: int) -> Json:
        """Return somebody's membership: user, status and, of an administrator, rights."""
        return self.store.get("member", chat_id, user_id) or {"user": user_id, "status": "left"}

    def is_member(self, chat_id: int, user_id: int) -> bool:
        """Tell whether somebody is in a chat now."""
        return self.membership(chat_id, user_id)["status"] not in ("left", "kicked")

    def set_membership(self, chat_id: int, user_id: int, status: str, rights: Json | None = None) -> None:
        """Store a membership."""
        record: Json = {"user": user_id, "status": status}
        if rights is not None:
            record["rights"] = rights
        self.store.put("member", chat_id, user_id, record)
        self.put_chat(self.chat(chat_id))

    def member_shape(self, membership: Json) -> Json:
        """Return the ChatMember object of a membership."""
        status = membership["status"]
        shape: Json = {"user": self.known(membership["user"]), "status": status}
        if status == "creator":
            shape["is_anonymous"] = False
        elif status == "administrator":
            shape |= {"can_be_edited": False, "is_anonymous": False, **membership.get("rights", {})}
        elif status == "kicked":
            shape["until_date"] = 0
        return shape

    # Messages

    def message(self, chat_id: int, message_id: int) -> Json | None:
        """Return a message or None."""
        return self.store.get("message", chat_id, message_id)

    def messages(self, chat_id: int, last: int = -1) -> list[Json]:
        """Return the messages of a chat in order; only the `last` ones if given."""
        return self.store.under("message", chat_id, last)

    def put_message(self, message: Json) -> None:
        """Store a message, new or changed."""
        self.store.put("message", message["chat"]["id"], message["message_id"], message)
        self.note("message", {"message": message})

    def new_message(self, chat: Json, sender: Json, **content: object) -> Json:
        """Store a new message and return it."""
        # A supergroup counts its own messages; all other chats of an account share one count.
        counter = f"message{chat['id']}" if chat["type"] == "supergroup" else "message"
        message = {
            "message_id": self.store.next_number(counter, 1),
            "from": sender,
            "chat": chat_shape(chat),
            "date": int(self.now()),
            **content,
        }
        self.put_message(message)
        return message

    # What waits for the bot

    def webhook(self) -> Json:
        """Return what the bot has set: url, secret_token, max_connections, allowed_updates."""
        unset = {"url": "", "secret_token": "", "max_connections": 40, "allowed_updates": []}
        return self.store.get("setting", "webhook") or unset

    def wants(self, kind: str) -> bool:
        """Tell whether the bot asked for updates of this kind, or never said what it wants."""
        return kind in (self.webhook()["allowed_updates"] or _DEFAULT_UPDATES)

    @change
    def queue_update(self, kind: str, body: Json, queue: str, lifetime: float = DAY) -> int:
        """Append an update of any kind to a queue; it is dropped after `lifetime` seconds. Returns its id."""
        update_id = self.store.next_number("update", FIRST_UPDATE)
        record = {
            "update": {"update_id": update_id, kind: body},
            "queue": queue,
            "expires": self.now() + lifetime,
        }
        self.store.put("update", update_id, 0, record)
        self.note("update", {"update_id": update_id, "queue": queue})
        return update_id

    def waiting(self) -> list[Waiting]:
        """Return the updates the bot has not taken yet, oldest first."""
        return [Waiting(r["update"], r["queue"], r["expires"]) for r in self.store.all("update")]

    @change
    def taken(self, update_id: int) -> None:
        """Forget an update: the bot has it, or it is too old."""
        self.store.delete("update", update_id)

    def deliver(self, kind: str, body: Json) -> None:
        """Queue an update if the bot wants its kind."""
        if self.wants(kind):
            self.queue_update(kind, body, queue_of(kind, body), lifetime_of(kind))

    def deliver_message(self, message: Json) -> None:
        """Queue a message for the bot."""
        self.deliver("message", message)

    def deliver_bot_status(self, chat: Json, by: Json, before: Json, after: Json) -> None:
        """Queue the change of the bot's own membership."""
        body = {
            "chat": chat_shape(chat),
            "from": by,
            "date": int(self.now()),
            "old_chat_member": self.member_shape(before),
            "new_chat_member": self.member_shape(after),
        }
        self.deliver("my_chat_member", body)


def queue_of(kind: str, body: Json) -> str:
    """Return the queue an update stands in: of each queue only the first is on its way to the bot."""
    match kind:
        case "callback_query":
            return f"press {body['from']['id']}"
        case "my_chat_member":
            return f"status {body['chat']['id']}"
        case "chat_member":
            return f"member {body['new_chat_member']['user']['id']}"
    return f"chat {body['chat']['id']}" if "chat" in body else kind


def lifetime_of(kind: str) -> float:
    """Return after how many seconds Telegram drops an update that the bot does not take."""
    return PRESS_LIFETIME if kind == "callback_query" else DAY


def seen(user: Json) -> Json:
    """Return a User object as others see it: the language is told of the acting person only."""
    return {key: value for key, value in user.items() if key != "language_code"}


def chat_shape(chat: Json) -> Json:
    """Return the Chat object of a chat's record."""
    keys = ("id", "title", "username", "first_name", "last_name", "type", "is_forum")
    shape = {key: chat[key] for key in keys if key in chat}
    if chat["type"] == "group":
        shape["all_members_are_administrators"] = False
    return shape


def no_rights() -> Json:
    """Return an administrator's rights, all of them off but the one every administrator has."""
    return {right: right == "can_manage_chat" for right in RIGHTS}
