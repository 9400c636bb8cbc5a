"""Where the secrets of the bot come from, and how they are kept out of everything that is printed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_boto3_ssm.client import SSMClient

TOKEN_VARIABLE = "TELEGRAM_BOT_TOKEN"  # noqa: S105 - the name, not the value
WEBHOOK_VARIABLE = "NIGHTFALL_WEBHOOK_SECRET"
USERNAME_VARIABLE = "TELEGRAM_BOT_USERNAME"


class MissingSecretError(Exception):
    """A secret is needed and was not given; the text is the name of its variable."""


class Hidden:
    """A text that no `repr`, `str`, format, pickle or dump of attributes shows; only `reveal` does."""

    __slots__ = ("_reveal",)

    def __init__(self, text: str) -> None:
        # Behind a function, because what prints an object's attributes one by one would find a plain one.
        self._reveal: Callable[[], str] = lambda: text

    def reveal(self) -> str:
        """Return the text."""
        return self._reveal()

    def __repr__(self) -> str:
        return "Hidden()"


class EnvSecrets:
    """`Secrets` from a mapping such as `os.environ`, read once; space around a value is not part of it.

    The bot's name is no secret, but it belongs to the token and is kept with it. Each is missed only when it is
    asked for: polling needs no webhook secret.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._found = {
            name: Hidden(text)
            for name in (TOKEN_VARIABLE, WEBHOOK_VARIABLE, USERNAME_VARIABLE)
            if (text := environ.get(name, "").strip())
        }

    def telegram_token(self) -> str:
        """Return the token of the bot, or raise MissingSecretError."""
        return self._get(TOKEN_VARIABLE)

    def webhook_secret(self) -> str:
        """Return what Telegram's header has to say, or raise MissingSecretError."""
        return self._get(WEBHOOK_VARIABLE)

    def username(self) -> str:
        """Return the name of the bot, without @, or raise MissingSecretError."""
        return self._get(USERNAME_VARIABLE)

    def _get(self, name: str) -> str:
        hidden = self._found.get(name)
        if hidden is None:
            raise MissingSecretError(name)
        return hidden.reveal()


def parameter_name(stage: str) -> str:
    """Return the name of the one parameter that holds a stage's secrets."""
    return f"/nightfall/{stage}"


def read_parameter(name: str, client: SSMClient) -> EnvSecrets:
    """Return the secrets in an encrypted parameter, which is an object of the names of variables, in one call."""
    answer = client.get_parameter(Name=name, WithDecryption=True)
    return EnvSecrets(json.loads(answer["Parameter"].get("Value", "")))


def write_parameter(name: str, variables: Mapping[str, str], client: SSMClient) -> None:
    """Put secrets into the encrypted parameter, in the place of those that were there."""
    client.put_parameter(Name=name, Value=json.dumps(dict(variables)), Type="SecureString", Overwrite=True)
