"""Secrets are given to whoever asks for them, and to nobody who only prints."""

import os
import pickle
from unittest import mock

import pytest
from moto import mock_aws

from infra.aws.clients import open_client
from infra.ports import Secrets
from infra.secrets import (
    TOKEN_VARIABLE,
    USERNAME_VARIABLE,
    WEBHOOK_VARIABLE,
    EnvSecrets,
    Hidden,
    MissingSecretError,
    parameter_name,
    read_parameter,
    write_parameter,
)

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


def test_a_parameter_gives_back_what_was_put_there() -> None:
    with mock_aws(), mock.patch.dict(os.environ, {"AWS_DEFAULT_REGION": "eu-central-1"}):
        client = open_client("ssm")
        for token in ("old", TOKEN):
            write_parameter(parameter_name("prod"), {TOKEN_VARIABLE: token, WEBHOOK_VARIABLE: SECRET}, client)
        (described,) = client.describe_parameters()["Parameters"]
        assert (described["Name"], described["Type"]) == ("/nightfall/prod", "SecureString")
        secrets = read_parameter("/nightfall/prod", client)
    assert secrets.telegram_token() == TOKEN
    assert secrets.webhook_secret() == SECRET
    with pytest.raises(MissingSecretError, match=f"^{USERNAME_VARIABLE}$"):
        secrets.username()
