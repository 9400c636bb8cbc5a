"""The refusals of the Bot API, word for word, and those of the playground itself."""

from infra.local.store import Json


class ApiError(Exception):
    """A method of the Bot API was refused: code, description and, for some, parameters for the caller."""

    def __init__(self, code: int, description: str, **parameters: int) -> None:
        super().__init__(f"{code} {description}")
        self.code = code
        self.description = description
        self.parameters = parameters

    def body(self) -> Json:
        """Return the JSON answer."""
        answer: Json = {"ok": False, "error_code": self.code, "description": self.description}
        if self.parameters:
            answer["parameters"] = dict(self.parameters)
        return answer


class ConnectionDropped(Exception):
    """The method was carried out, but its caller must not hear of it."""


class WorldError(Exception):
    """A person of the playground tried what his client would not have let him do."""


def bad_request(reason: str) -> ApiError:
    """400 with Telegram's prefix."""
    return ApiError(400, f"Bad Request: {reason}")


def forbidden(reason: str) -> ApiError:
    """403 with Telegram's prefix."""
    return ApiError(403, f"Forbidden: {reason}")


def too_many(seconds: int) -> ApiError:
    """429: come back in so many seconds."""
    return ApiError(429, f"Too Many Requests: retry after {seconds}", retry_after=seconds)


def upgraded(chat_id: int) -> ApiError:
    """400: the group lives on as the supergroup `chat_id`."""
    reason = "Bad Request: group chat was upgraded to a supergroup chat"
    return ApiError(400, reason, migrate_to_chat_id=chat_id)
