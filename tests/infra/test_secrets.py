"""Secrets are given to whoever asks for them, and to nobody who only prints."""

import pickle

import pytest

from infra.ports import Secrets
from infra.secrets import TOKEN_VARIABLE, WEBHOOK_VARIABLE, EnvSecrets, Hidden, MissingSecretError

TOKEN = ":".join(["123456789", "AA" + "x-_" * 11])
SECRET = "-".join(["knock"] * 4)


def test_both_come_from_the_environment() -> None:
    secrets: Secrets = EnvSecrets({TOKEN_VARIABLE: f" {TOKEN}\n", WEBHOOK_VARIABLE: SECRET, "HOME": "/"})
    assert secrets.telegram_token() == TOKEN
    assert secrets.webhook_secret() == SECRET


@pytest.mark.parametrize("environ", [{}, {WEBHOOK_VARIABLE: ""}, {WEBHOOK_VARIABLE: " \n"}])
def test_a_missing_secret_is_missed_when_asked_for(environ: dict[str, str]) -> None:
    secrets = EnvSecrets({TOKEN_VARIABLE: TOKEN, **environ})
    assert secrets.telegram_token() == TOKEN
    with pytest.raises(MissingSecretError, match=f"^{WEBHOOK_VARIABLE}$"):
        secrets.webhook_secret()


def test_nothing_printed_shows_them() -> None:
    secrets = EnvSecrets({TOKEN_VARIABLE: TOKEN, WEBHOOK_VARIABLE: SECRET})
    printed = f"{secrets} {secrets!r} {vars(secrets)}"
    assert TOKEN not in printed
    assert SECRET not in printed


def test_a_hidden_text_shows_only_when_revealed() -> None:
    hidden = Hidden(TOKEN)
    assert hidden.reveal() == TOKEN
    shown = f"{hidden} {hidden!r} {hidden!s:>40} {[hidden]} {getattr(hidden, '_reveal', None)}"
    assert TOKEN not in shown
    with pytest.raises((pickle.PicklingError, AttributeError, TypeError)):
        pickle.dumps(hidden)
