"""The Bot API's methods for messages: what the bot sends, edits, deletes and answers."""

from typing import Any
from urllib.parse import urlsplit

from infra.local.errors import ApiError, bad_request, forbidden, upgraded
from infra.local.formatting import ParseError, clean, finish, parse_html, utf16
from infra.local.params import Params
from infra.local.state import DAY, State, chat_shape
from infra.local.store import Json
from infra.local.weather import Gauge

# A press can be answered for so many seconds; Telegram documents no number, people saw 10 to 15.
ANSWER_WINDOW = 15.0
_LATE = "query is too old and response timeout expired or query ID is invalid"
_SAME = (
    "message is not modified: specified new message content and reply markup are exactly the same "
    "as a current content and reply markup of the message"
)


class Messages(State):
    """The bot's side, as far as it is about messages."""

    gauge: Gauge

    def send_message(self, params: Params) -> Any:
        """Send a text."""
        chat = self.open_chat(params)
        keyboard = params.keyboard()
        content = self._content(params)
        content |= self._thread(chat, params) | self._reply(chat, params)
        for name in ("link_preview_options", "effect_id"):
            if (value := params.value(name)) is not None:
                content[name] = value
        if params.flag("protect_content"):
            content["has_protected_content"] = True
        if keyboard is not None:
            content["reply_markup"] = keyboard
        self.gauge.count(chat["id"], "sends")
        return self.new_message(chat, self.bot.shape(), **content)

    def edit_message_text(self, params: Params) -> Any:
        """Replace text and keyboard of an own message; a keyboard that is not given goes away."""
        chat = self.open_chat(params)
        message = self._own_message(chat, params)
        content = self._content(params)
        keyboard = params.keyboard()
        kept = {k: v for k, v in message.items() if k not in ("text", "entities", "reply_markup")}
        edited = {**kept, **content}
        if keyboard is not None:
            edited["reply_markup"] = keyboard
        if edited == message:
            raise bad_request(_SAME)
        self.gauge.count(chat["id"], "edits")
        # Telegram shows "edited" for the text only, and hides it if nothing but the keyboard changed.
        if any(edited.get(part) != message.get(part) for part in ("text", "entities")):
            edited["edit_date"] = int(self.now())
        self.put_message(edited)
        return edited

    def edit_message_reply_markup(self, params: Params) -> Any:
        """Replace the keyboard of an own message, or take it off."""
        chat = self.open_chat(params)
        message = self._own_message(chat, params)
        keyboard = params.keyboard()
        if message.get("reply_markup") == keyboard:
            raise bad_request(_SAME)
        self.gauge.count(chat["id"], "edits")
        edited = {k: v for k, v in message.items() if k != "reply_markup"}
        if keyboard is not None:
            edited["reply_markup"] = keyboard
        self.put_message(edited)
        return edited

    def delete_message(self, params: Params) -> Any:
        """Delete an own message, or anybody's if the bot may, not older than 48 hours."""
        chat = self.open_chat(params)
        message = self.message(chat["id"], params.required("message_id"))
        if message is None:
            raise bad_request("message to delete not found")
        rights = self.membership(chat["id"], self.bot.id).get("rights", {})
        mine = message["from"]["id"] == self.bot.id or chat["type"] == "private"
        if message["date"] < self.now() - 2 * DAY or not (mine or rights.get("can_delete_messages")):
            raise bad_request("message can't be deleted")
        self.store.delete("message", chat["id"], message["message_id"])
        self.note("deleted", {"chat_id": chat["id"], "message_id": message["message_id"]})
        return True

    def answer_callback_query(self, params: Params) -> Any:
        """Answer a press, once and in time: a toast, a pop-up, or a link to the bot itself."""
        query = self.store.get("query", params.text("callback_query_id"))
        if query is None or "answer" in query or query["date"] < self.now() - ANSWER_WINDOW:
            raise bad_request(_LATE)
        text, url = params.text("text"), params.text("url")
        if utf16(text) > 200:
            raise bad_request("MESSAGE_TOO_LONG")
        parts = urlsplit(url)
        if url and (parts.hostname != "t.me" or parts.path.strip("/").lower() != self.bot.username.lower()):
            raise bad_request("URL_INVALID")
        query["answer"] = {"text": text, "show_alert": params.flag("show_alert"), "url": url}
        self.store.put("query", query["id"], 0, query)
        self.note("answer", query)
        return True

    def send_chat_action(self, params: Params) -> Any:
        """Show that the bot is writing."""
        chat = self.open_chat(params)
        self.note("action", {"chat_id": chat["id"], "action": params.text("action")})
        return True

    def set_message_reaction(self, params: Params) -> Any:
        """Put the bot's reaction on a message, or take it off."""
        chat = self.open_chat(params)
        reactions = params.value("reaction") or []
        if len(reactions) > 1:
            raise bad_request("REACTIONS_TOO_MANY")
        message_id = params.required("message_id")
        if self.message(chat["id"], message_id) is None:
            raise bad_request("message to react not found")
        record = {"chat_id": chat["id"], "message_id": message_id, "reaction": reactions}
        self.store.put("reaction", chat["id"], message_id, record)
        self.note("reaction", record)
        return True

    def pin_chat_message(self, params: Params) -> Any:
        """Pin a message; in a group the bot needs the right."""
        chat = self.open_chat(params)
        rights = self.membership(chat["id"], self.bot.id).get("rights", {})
        if chat["type"] != "private" and not rights.get("can_pin_messages"):
            raise bad_request("not enough rights to manage pinned messages in the chat")
        message = self.message(chat["id"], params.required("message_id"))
        if message is None:
            raise bad_request("message to pin not found")
        self.put_chat({**self.chat(chat["id"]), "pinned": message["message_id"]})
        self.new_message(chat, self.bot.shape(), pinned_message=message)
        return True

    def find_chat(self, params: Params) -> Json:
        """Return the record of the chat a call is about."""
        given = params.text("chat_id")
        if not given:
            raise bad_request("chat_id is empty")
        if given.startswith("@"):
            named = (chat for chat in self.chats() if chat.get("username", "").lower() == given[1:].lower())
            chat = next(named, None)
        else:
            chat_id = params.required("chat_id")
            chat = self.store.get("chat", chat_id)
            if chat is None and self.store.get("user", chat_id) is not None:
                raise forbidden("bot can't initiate conversation with a user")
        if chat is None:
            raise bad_request("chat not found")
        return chat

    def open_chat(self, params: Params) -> Json:
        """Return the chat a call is about if the bot may write there."""
        chat = self.find_chat(params)
        if "migrated_to" in chat:
            raise upgraded(chat["migrated_to"])
        status = self.membership(chat["id"], self.bot.id)["status"]
        if status == "kicked":
            raise _kicked(chat)
        if status == "left":
            raise forbidden(f"bot is not a member of the {chat['type']} chat")
        return chat

    def _own_message(self, chat: Json, params: Params) -> Json:
        message = self.message(chat["id"], params.required("message_id"))
        if message is None:
            raise bad_request("message to edit not found")
        if message["from"]["id"] != self.bot.id or "text" not in message:
            raise bad_request("message can't be edited")
        return message

    def _content(self, params: Params) -> Json:
        source, mode = clean(params.text("text")), params.text("parse_mode").lower()
        entities: list[Json] = params.value("entities") or []
        if mode == "html":
            try:
                source, entities = parse_html(source, self.known)
            except ParseError as error:
                raise bad_request(f"can't parse entities: {error}") from None
        elif mode:
            raise bad_request("unsupported parse_mode")
        text, entities = finish(source, entities)
        if not text:
            raise bad_request("message text is empty")
        if utf16(text) > 4096:
            raise bad_request("message is too long")
        return {"text": text, "entities": entities} if entities else {"text": text}

    def _thread(self, chat: Json, params: Params) -> Json:
        thread_id = params.number("message_thread_id")
        if thread_id is None:
            return {}
        if not chat.get("is_forum"):
            raise bad_request("message thread not found")
        return {"message_thread_id": thread_id, "is_topic_message": True}

    def _reply(self, chat: Json, params: Params) -> Json:
        reply = params.value("reply_parameters")
        if not reply:
            return {}
        replied = self.message(chat["id"], int(reply.get("message_id", 0)))
        if replied is None:
            if reply.get("allow_sending_without_reply"):
                return {}
            raise bad_request("message to be replied not found")
        return {"reply_to_message": {k: v for k, v in replied.items() if k != "reply_to_message"}}


def _kicked(chat: Json) -> ApiError:
    if chat["type"] == "private":
        return forbidden("bot was blocked by the user")
    return forbidden(f"bot was kicked from the {chat_shape(chat)['type']} chat")
