"""The Bot API's methods that are not about messages: chats, members, commands, the webhook."""

import json
import re
from typing import Any

from infra.local.errors import ApiError, bad_request
from infra.local.methods import Messages
from infra.local.params import Params
from infra.local.state import chat_shape
from infra.local.store import Json

_COMMAND = re.compile(r"[a-z0-9_]{1,32}")
_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")
_UPDATE_LIMIT = 100
_CONFLICT = (
    "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
)


class Settings(Messages):
    """The bot's side, as far as it is about chats and about itself."""

    def get_me(self, params: Params) -> Any:
        """Return the bot's own User object."""
        return {
            **self.bot.shape(),
            "can_join_groups": True,
            "can_read_all_group_messages": not self.bot.privacy,
            "supports_inline_queries": False,
            "can_connect_to_business": False,
            "has_main_web_app": False,
        }

    def get_chat(self, params: Params) -> Any:
        """Return the ChatFullInfo object of a chat."""
        chat = self.find_chat(params)
        gifts = dict.fromkeys(
            (
                "unlimited_gifts",
                "limited_gifts",
                "unique_gifts",
                "premium_subscription",
                "gifts_from_channels",
            ),
            False,
        )
        full = {
            **chat_shape(chat),
            "accent_color_id": 0,
            "max_reaction_count": 11,
            "accepted_gift_types": gifts,
        }
        pinned = self.message(chat["id"], chat.get("pinned", 0))
        if pinned is not None:
            full["pinned_message"] = pinned
        if chat["type"] != "private":
            allowed = ("can_send_messages", "can_send_polls", "can_send_other_messages", "can_invite_users")
            full["permissions"] = dict.fromkeys(allowed, True)
        return full

    def get_chat_member(self, params: Params) -> Any:
        """Return somebody's ChatMember object."""
        chat = self.open_chat(params)
        user_id = params.required("user_id")
        if self.known(user_id) is None:
            raise bad_request("PARTICIPANT_ID_INVALID")
        return self.member_shape(self.membership(chat["id"], user_id))

    def get_chat_administrators(self, params: Params) -> Any:
        """Return creator and administrators of a group."""
        chat = self.open_chat(params)
        if chat["type"] == "private":
            raise bad_request("there are no administrators in the private chat")
        everybody = self.store.under("member", chat["id"])
        return [self.member_shape(m) for m in everybody if m["status"] in ("creator", "administrator")]

    def get_chat_member_count(self, params: Params) -> Any:
        """Return the number of members, the bot included."""
        chat = self.open_chat(params)
        if chat["type"] == "private":
            return 2
        everybody = self.store.under("member", chat["id"])
        return sum(m["status"] not in ("left", "kicked") for m in everybody)

    def leave_chat(self, params: Params) -> Any:
        """Go out of a group."""
        chat = self.open_chat(params)
        if chat["type"] == "private":
            raise bad_request("chat not found")
        before = self.membership(chat["id"], self.bot.id)
        self.new_message(chat, self.bot.shape(), left_chat_member=self.bot.shape())
        self.set_membership(chat["id"], self.bot.id, "left")
        after = self.membership(chat["id"], self.bot.id)
        self.deliver_bot_status(chat, self.bot.shape(), before, after)
        return True

    def set_my_commands(self, params: Params) -> Any:
        """Set the list of commands for a scope and a language."""
        commands = params.value("commands") or []
        for command in commands:
            if not _COMMAND.fullmatch(str(command.get("command", ""))):
                raise bad_request("BOT_COMMAND_INVALID")
            if not 1 <= len(str(command.get("description", ""))) <= 256:
                raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
        scope, language = _scope(params)
        self.store.put("commands", scope, language, {"commands": commands})
        self.note("commands", {})
        return True

    def get_my_commands(self, params: Params) -> Any:
        """Return the list of commands of exactly this scope and language."""
        return (self.store.get("commands", *_scope(params)) or {"commands": []})["commands"]

    def delete_my_commands(self, params: Params) -> Any:
        """Forget the list of commands of exactly this scope and language."""
        self.store.delete("commands", *_scope(params))
        self.note("commands", {})
        return True

    def set_webhook(self, params: Params) -> Any:
        """Set where updates go, which kinds, and the secret that is sent along."""
        url, secret = params.text("url"), params.text("secret_token")
        if url and not re.match(r"https?://[^/\s]+", url):
            raise bad_request("bad webhook: An HTTPS URL must be provided for webhook")
        if secret and not _SECRET.fullmatch(secret):
            raise bad_request("secret token contains unallowed characters")
        allowed = params.value("allowed_updates")
        webhook = {
            "url": url,
            "secret_token": secret,
            "max_connections": params.number("max_connections") or 40,
            "allowed_updates": self.webhook()["allowed_updates"] if allowed is None else allowed,
        }
        self._put_webhook(webhook, params)
        return True

    def delete_webhook(self, params: Params) -> Any:
        """Stop the delivery; what waits is kept unless the call says otherwise."""
        self._put_webhook({**self.webhook(), "url": "", "secret_token": ""}, params)
        return True

    def get_webhook_info(self, params: Params) -> Any:
        """Return where updates go and how many wait."""
        webhook = self.webhook()
        info: Json = {
            "url": webhook["url"],
            "has_custom_certificate": False,
            "pending_update_count": len(self.waiting()),
        }
        if webhook["url"]:
            info |= {key: webhook[key] for key in ("max_connections", "allowed_updates") if webhook[key]}
        return info

    def get_updates(self, params: Params) -> Any:
        """Return the oldest updates that wait, after forgetting those before `offset`."""
        if self.webhook()["url"]:
            raise ApiError(409, _CONFLICT)
        allowed = params.value("allowed_updates")
        if allowed is not None:
            self.store.put("setting", "webhook", 0, {**self.webhook(), "allowed_updates": allowed})
        waiting = self.waiting()
        offset = params.number("offset") or 0
        if offset < 0:
            offset = ([w.update_id for w in waiting] or [0])[max(offset, -len(waiting)) :][0]
        for old in waiting:
            if old.update_id < offset or old.expires <= self.now():
                self.taken(old.update_id)
        limit = min(max(params.number("limit") or _UPDATE_LIMIT, 1), _UPDATE_LIMIT)
        return [w.update for w in self.waiting()][:limit]

    def commands_for(self, chat_id: int, user_id: int) -> list[Json]:
        """Return the commands a member sees in a chat: of the narrowest scope, his language first."""
        chat = self.store.get("chat", chat_id)
        admin = self.membership(chat_id, user_id)["status"] in ("creator", "administrator")
        scopes: list[Json] = [{"type": "chat_member", "chat_id": chat_id, "user_id": user_id}]
        scopes += [{"type": "chat_administrators", "chat_id": chat_id}] if admin else []
        scopes += [{"type": "chat", "chat_id": chat_id}]
        scopes += [{"type": "all_chat_administrators"}] if admin else []
        if chat is None or chat["type"] == "private":
            scopes = [{"type": "chat", "chat_id": chat_id}, {"type": "all_private_chats"}]
        else:
            scopes += [{"type": "all_group_chats"}]
        language = str(self.user(user_id).get("language_code", ""))[:2]
        for scope in [*scopes, {"type": "default"}]:
            for code in (language, ""):
                found = self.store.get("commands", json.dumps(scope, sort_keys=True), code)
                if found and found["commands"]:
                    return list(found["commands"])
        return []

    def _put_webhook(self, webhook: Json, params: Params) -> None:
        self.store.put("setting", "webhook", 0, webhook)
        self.note("webhook", {})
        if params.flag("drop_pending_updates"):
            for old in self.waiting():
                self.taken(old.update_id)


def _scope(params: Params) -> tuple[str, str]:
    scope = params.value("scope") or {"type": "default"}
    return json.dumps(scope, sort_keys=True), params.text("language_code")
