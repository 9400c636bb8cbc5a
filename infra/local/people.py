"""What people do in the small Telegram; each act queues what Telegram would tell the bot."""

import re
from urllib.parse import parse_qs, urlsplit

from infra.local.errors import WorldError
from infra.local.formatting import clean, find_entities, finish, utf16
from infra.local.state import (
    FIRST_GROUP,
    FIRST_SUPERGROUP,
    FIRST_USER,
    State,
    change,
    chat_shape,
    no_rights,
    seen,
)
from infra.local.store import Json

_ANONYMOUS = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
_PAYLOAD = re.compile(r"[A-Za-z0-9_-]{0,64}")


class People(State):
    """The people's side. What a client would not let its user do raises `WorldError`."""

    @change
    def new_member(
        self,
        first_name: str,
        language_code: str = "zh-hans",
        *,
        user_id: int | None = None,
        last_name: str = "",
        username: str = "",
    ) -> int:
        """Register a user and return his id; what is empty is not told of him."""
        if user_id is None:
            user_id = self.store.next_number("user", FIRST_USER)
        names = {"last_name": last_name, "username": username, "language_code": language_code}
        user: Json = {"id": user_id, "is_bot": False, "first_name": first_name}
        user |= {name: value for name, value in names.items() if value}
        self.store.put("user", user_id, 0, user)
        self.note("user", user)
        return user_id

    @change
    def new_group(
        self, title: str, creator: int, *, kind: str = "supergroup", is_forum: bool = False, chat_id: int = 0
    ) -> int:
        """Found a "group" or "supergroup" without the bot and return its id."""
        if not chat_id:
            chat_id = (
                self._supergroup_id() if kind == "supergroup" else -self.store.next_number("group", FIRST_GROUP)
            )
        chat: Json = {"id": chat_id, "type": kind, "title": title}
        if is_forum:
            chat["is_forum"] = True
        self.put_chat(chat)
        self.set_membership(chat_id, creator, "creator")
        return chat_id

    @change
    def join_group(self, user_id: int, chat_id: int) -> None:
        """Come into a group by its link."""
        if self.is_member(chat_id, user_id):
            return
        self._change_member(user_id, chat_id, "member")
        self._announce(chat_id, user_id, _entrance(seen(self.user(user_id))))

    @change
    def leave_group(self, user_id: int, chat_id: int) -> None:
        """Go out of a group."""
        self._must_be_in(user_id, chat_id)
        self._change_member(user_id, chat_id, "left")
        self._announce(chat_id, user_id, _exit(seen(self.user(user_id))))

    @change
    def promote_member(self, user_id: int, chat_id: int) -> None:
        """Make a member an administrator."""
        self._must_be_in(user_id, chat_id)
        self._change_member(user_id, chat_id, "administrator", no_rights())

    @change
    def add_bot(self, chat_id: int, by: int) -> None:
        """Invite the bot into a group."""
        self._must_be_in(by, chat_id)
        if self.is_member(chat_id, self.bot.id):
            return
        self._change_bot(chat_id, by, "member")
        self._announce(chat_id, by, _entrance(self.bot.shape()))

    @change
    def remove_bot(self, chat_id: int, by: int) -> None:
        """Throw the bot out of a group."""
        self._must_be_in(by, chat_id)
        if not self.is_member(chat_id, self.bot.id):
            return
        self.new_message(self.chat(chat_id), seen(self.user(by)), **_exit(self.bot.shape()))
        self._change_bot(chat_id, by, "kicked")

    @change
    def promote_bot(self, chat_id: int, by: int, *rights: str) -> None:
        """Make the bot an administrator with the rights named, such as "can_delete_messages"."""
        self._must_be_in(by, chat_id)
        self._change_bot(chat_id, by, "administrator", no_rights() | dict.fromkeys(rights, True))

    @change
    def demote_bot(self, chat_id: int, by: int) -> None:
        """Make the bot an ordinary member again."""
        self._change_bot(chat_id, by, "member")

    @change
    def start_bot(self, user_id: int, payload: str = "") -> Json:
        """Open the private chat, or open it again after a block, and send /start; returns the message."""
        if not _PAYLOAD.fullmatch(payload):
            raise WorldError("a start parameter is up to 64 letters, digits, _ and -")
        user = self.user(user_id)
        before = self.membership(user_id, self.bot.id)
        if self.store.get("chat", user_id) is None:
            names: Json = {key: user[key] for key in ("first_name", "last_name", "username") if key in user}
            self.put_chat({"id": user_id, "type": "private", **names})
        if before["status"] != "member":
            self.set_membership(user_id, self.bot.id, "member")
        if before["status"] == "kicked":
            after = self.membership(user_id, self.bot.id)
            self.deliver_bot_status(self.chat(user_id), user, before, after)
        return self.say(user_id, user_id, f"/start {payload}".strip())

    @change
    def block_bot(self, user_id: int) -> None:
        """Block the bot; the private chat stays, the bot cannot write to it."""
        before = self.membership(user_id, self.bot.id)
        if before["status"] != "member":
            raise WorldError("there is no chat to block")
        self.set_membership(user_id, self.bot.id, "kicked")
        after = self.membership(user_id, self.bot.id)
        self.deliver_bot_status(self.chat(user_id), self.user(user_id), before, after)

    @change
    def open_link(self, user_id: int, url: str) -> bool:
        """Follow a link to the bot (t.me/<bot>?start=…) as its user would; False if it leads elsewhere."""
        parts = urlsplit(url)
        query = {key: values[0] for key, values in parse_qs(parts.query, keep_blank_values=True).items()}
        name = query.get("domain", "") if parts.scheme == "tg" else parts.path.strip("/")
        ours = parts.scheme == "tg" or parts.hostname in ("t.me", "telegram.me")
        if not ours or name.lower() != self.bot.username.lower() or "startgroup" in query:
            return False
        self.start_bot(user_id, query.get("start", ""))
        return True

    @change
    def say(
        self,
        user_id: int,
        chat_id: int,
        text: str,
        *,
        reply_to: int | None = None,
        thread_id: int | None = None,
    ) -> Json:
        """Write a message, as an answer to another or into a forum's topic if given; returns it."""
        self._must_be_in(user_id, chat_id)
        text, entities = finish(clean(text), [])
        if not text or utf16(text) > 4096:
            raise WorldError("a message has 1 to 4096 characters")
        content: Json = {"text": text}
        if entities:
            content["entities"] = entities
        if thread_id is not None:
            content |= {"message_thread_id": thread_id, "is_topic_message": True}
        replied = self.message(chat_id, reply_to) if reply_to is not None else None
        if replied is not None:
            content["reply_to_message"] = {k: v for k, v in replied.items() if k != "reply_to_message"}
        message = self.new_message(self.chat(chat_id), self.user(user_id), **content)
        if self._bot_hears(message):
            self.deliver_message(message)
        return message

    @change
    def press(self, user_id: int, chat_id: int, message_id: int, callback_data: str) -> str:
        """Press a button (of an old view of the message, perhaps) and return the id of the callback query."""
        self._must_be_in(user_id, chat_id)
        message = self.message(chat_id, message_id)
        if message is None or message["from"]["id"] != self.bot.id:
            raise WorldError("there is no such button")
        query_id = str(self.store.next_number("query", 1886000000000000001))
        query = {
            "id": query_id,
            "user_id": user_id,
            "chat_id": chat_id,
            "message_id": message_id,
            "data": callback_data,
            "date": self.now(),
        }
        self.store.put("query", query_id, 0, query)
        self.note("press", query)
        if self.is_member(chat_id, self.bot.id):
            body = {
                "id": query_id,
                "from": self.user(user_id),
                "message": message,
                "chat_instance": str(5_000_000_000_000_000_000 + chat_id),
                "data": callback_data,
            }
            self.deliver("callback_query", body)
        return query_id

    @change
    def migrate(self, chat_id: int) -> int:
        """Turn a group into a supergroup and return its new id; the bot gets both service messages."""
        chat = self.chat(chat_id)
        if chat["type"] != "group" or "migrated_to" in chat:
            raise WorldError("only a living group can become a supergroup")
        new_id = self._supergroup_id()
        self.put_chat({"id": new_id, "type": "supergroup", "title": chat["title"], "migrated_from": chat_id})
        creator = self.bot.id
        for member in self.store.under("member", chat_id):
            if member["status"] == "creator":
                creator = member["user"]
            self.set_membership(new_id, member["user"], member["status"], member.get("rights"))
        last = self.new_message(chat, seen(self.user(creator)), migrate_to_chat_id=new_id)
        self.put_chat({**self.chat(chat_id), "migrated_to": new_id})
        new = self.chat(new_id)
        first = self.new_message(
            new,
            _ANONYMOUS,
            sender_chat={key: new[key] for key in ("id", "title", "type")},
            migrate_from_chat_id=chat_id,
        )
        if self.is_member(new_id, self.bot.id):
            self.deliver_message(last)
            self.deliver_message(first)
        return new_id

    def _supergroup_id(self) -> int:
        return -1000000000000 - self.store.next_number("supergroup", FIRST_SUPERGROUP)

    def _must_be_in(self, user_id: int, chat_id: int) -> None:
        chat = self.chat(chat_id)
        if chat["type"] == "private":
            if chat_id != user_id or not self.is_member(chat_id, self.bot.id):
                raise WorldError("this private chat is closed to you")
        elif "migrated_to" in chat:
            raise WorldError("this group lives on as a supergroup")
        elif not self.is_member(chat_id, user_id):
            raise WorldError("you are not in this group")

    def _change_member(self, user_id: int, chat_id: int, status: str, rights: Json | None = None) -> None:
        before = self.membership(chat_id, user_id)
        self.set_membership(chat_id, user_id, status, rights)
        if self.membership(chat_id, self.bot.id)["status"] == "administrator":
            body = {
                "chat": chat_shape(self.chat(chat_id)),
                "from": self.user(user_id),
                "date": int(self.now()),
                "old_chat_member": self.member_shape(before),
                "new_chat_member": self.member_shape(self.membership(chat_id, user_id)),
            }
            self.deliver("chat_member", body)

    def _change_bot(self, chat_id: int, by: int, status: str, rights: Json | None = None) -> None:
        before = self.membership(chat_id, self.bot.id)
        self.set_membership(chat_id, self.bot.id, status, rights)
        after = self.membership(chat_id, self.bot.id)
        self.deliver_bot_status(self.chat(chat_id), self.user(by), before, after)

    def _announce(self, chat_id: int, user_id: int, content: Json) -> None:
        message = self.new_message(self.chat(chat_id), seen(self.user(user_id)), **content)
        if self.is_member(chat_id, self.bot.id):
            self.deliver_message(message)

    def _bot_hears(self, message: Json) -> bool:
        chat_id = message["chat"]["id"]
        status = self.membership(chat_id, self.bot.id)["status"]
        if status in ("left", "kicked"):
            return False
        if message["chat"]["type"] == "private" or status == "administrator" or not self.bot.privacy:
            return True
        if message.get("reply_to_message", {}).get("from", {}).get("id") == self.bot.id:
            return True
        return _meant_for(message["text"], f"@{self.bot.username}".lower())


def _meant_for(text: str, me: str) -> bool:
    """Tell whether privacy mode lets a text of a group through: commands to no other bot, and mentions."""
    for entity in find_entities(text):
        units = text.encode("utf-16-le", "surrogatepass")
        begin, end = 2 * entity["offset"], 2 * (entity["offset"] + entity["length"])
        word = units[begin:end].decode("utf-16-le", "surrogatepass").lower()
        if entity["type"] == "mention" and word == me:
            return True
        if entity["type"] == "bot_command" and entity["offset"] == 0:
            return "@" not in word or word.endswith(me)
    return False


def _entrance(user: Json) -> Json:
    return {"new_chat_participant": user, "new_chat_member": user, "new_chat_members": [user]}


def _exit(user: Json) -> Json:
    return {"left_chat_participant": user, "left_chat_member": user}
