"""The small Telegram as a whole: people on one side, the bot's methods on the other."""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from infra.local.errors import ApiError, ConnectionDropped
from infra.local.params import Params
from infra.local.people import People
from infra.local.settings import Settings
from infra.local.state import BotAccount, change
from infra.local.store import Store
from infra.local.weather import Faults, Gauge, Limits

_CALLS_KEPT = 10_000

METHODS: Final[Mapping[str, Callable[["World", Params], Any]]] = {
    "getMe": Settings.get_me,
    "sendMessage": Settings.send_message,
    "editMessageText": Settings.edit_message_text,
    "editMessageReplyMarkup": Settings.edit_message_reply_markup,
    "deleteMessage": Settings.delete_message,
    "answerCallbackQuery": Settings.answer_callback_query,
    "getChat": Settings.get_chat,
    "getChatMember": Settings.get_chat_member,
    "getChatAdministrators": Settings.get_chat_administrators,
    "getChatMemberCount": Settings.get_chat_member_count,
    "setMyCommands": Settings.set_my_commands,
    "getMyCommands": Settings.get_my_commands,
    "deleteMyCommands": Settings.delete_my_commands,
    "setWebhook": Settings.set_webhook,
    "deleteWebhook": Settings.delete_webhook,
    "getWebhookInfo": Settings.get_webhook_info,
    "getUpdates": Settings.get_updates,
    "sendChatAction": Settings.send_chat_action,
    "pinChatMessage": Settings.pin_chat_message,
    "leaveChat": Settings.leave_chat,
    "setMessageReaction": Settings.set_message_reaction,
}
_BY_LOWER = {name.lower(): name for name in METHODS}


@dataclass(frozen=True)
class Call:
    """One call of the bot: what it asked and what it was answered."""

    method: str
    params: Mapping[str, Any]
    result: Any = None
    error: ApiError | None = None


class World(People, Settings):
    """Users, chats, messages and updates in a store; `now` gives epoch seconds, `limits` None sets none."""

    def __init__(
        self,
        store: Store,
        now: Callable[[], float],
        *,
        bot: BotAccount | None = None,
        limits: Limits | None = None,
    ) -> None:
        super().__init__(store, now, bot or BotAccount())
        self.gauge = Gauge(limits, now)
        self.faults = Faults()
        self.calls: deque[Call] = deque(maxlen=_CALLS_KEPT)

    def call(self, method: str, params: Mapping[str, Any]) -> Any:
        """Carry out one method of the Bot API and return its result.

        Raises `ApiError`, or `ConnectionDropped` if a test ordered that nobody may hear of it.
        """
        name = _BY_LOWER.get(method.lower())
        if name is None:
            raise ApiError(404, "Not Found")
        read = Params(params)
        fault = self.faults.take(name, read.number("chat_id"))
        try:
            if fault is not None and fault.error is not None:
                raise fault.error
            result = self._carry_out(name, read)
        except ApiError as error:
            self.calls.append(Call(name, params, error=error))
            raise
        self.calls.append(Call(name, params, result))
        if fault is not None:
            raise ConnectionDropped
        return result

    def close(self) -> None:
        """Close the store."""
        self.store.close()

    @change
    def _carry_out(self, name: str, params: Params) -> Any:
        return METHODS[name](self, params)
