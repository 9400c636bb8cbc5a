"""The resources that serverless.yml includes say what the code says; what only a deployment shows is rehearsed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from handlers import aws
from handlers.table import LEASE_S
from infra.dynamodb import TTL_ATTRIBUTE, table_definition
from infra.log import FIELDS
from infra.sqs import MOST_DELAY_S

ROOT = Path(str(aws.__file__)).parent.parent
AWS = ROOT / "infra" / "aws"

Json = dict[str, Any]


class _Loader(yaml.SafeLoader):
    """Reads the short forms of the template's functions as what they are of."""


def _short(loader: yaml.SafeLoader, _tag: str, node: yaml.Node) -> object:
    if isinstance(node, yaml.ScalarNode):
        return loader.construct_scalar(node)
    return loader.construct_sequence(node) if isinstance(node, yaml.SequenceNode) else None


_Loader.add_multi_constructor("!", _short)


def read(path: Path) -> Json:
    found: Json = yaml.load(path.read_text(), _Loader)  # noqa: S506 - a safe loader's child
    return found


@pytest.fixture(scope="module")
def service() -> Json:
    return read(ROOT / "serverless.yml")


@pytest.fixture(scope="module")
def resources() -> dict[str, Json]:
    return {name: each for path in sorted(AWS.glob("*.yml")) for name, each in read(path)["Resources"].items()}


def of_type(resources: dict[str, Json], kind: str) -> Iterator[Json]:
    return (each["Properties"] for each in resources.values() if each["Type"] == kind)


def test_every_resource_file_is_included(service: Json) -> None:
    included = {each for each in service["resources"] if isinstance(each, str)}
    assert included == {f"${{file(./infra/aws/{path.name})}}" for path in AWS.glob("*.yml")}


def test_the_table_is_the_one_of_the_code(resources: dict[str, Json]) -> None:
    properties = resources["Table"]["Properties"]
    definition = dict(table_definition("any"))
    assert {name: properties[name] for name in definition if name != "TableName"} == {
        name: each for name, each in definition.items() if name != "TableName"
    }
    assert properties["TimeToLiveSpecification"] == {"AttributeName": TTL_ATTRIBUTE, "Enabled": True}
    assert properties["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
    assert resources["Table"]["DeletionPolicy"] == resources["Table"]["UpdateReplacePolicy"] == "Retain"


def test_the_ladder_of_times(service: Json, resources: dict[str, Json]) -> None:
    """Who waits for somebody waits longer than that one may take."""
    function, queue = service["provider"]["timeout"], resources["Timers"]["Properties"]
    assert LEASE_S < function < 30 < queue["VisibilityTimeout"] <= 60
    assert queue["MessageRetentionPeriod"] > 10 * MOST_DELAY_S
    assert resources["DeadTimers"]["Properties"]["MessageRetentionPeriod"] > queue["MessageRetentionPeriod"]
    assert resources["OldTimersAlarm"]["Properties"]["Threshold"] > MOST_DELAY_S


def test_functions_name_doors_that_exist_and_have_a_role_each(service: Json, resources: dict[str, Json]) -> None:
    roles = [each["role"] for each in service["functions"].values()]
    assert len(set(roles)) == len(roles) == 3
    assert {name for name, each in resources.items() if each["Type"] == "AWS::IAM::Role"} == set(roles)
    for name, each in service["functions"].items():
        assert each["handler"] == f"handlers.aws.{name}"
        assert callable(getattr(aws, name))


def test_they_are_given_what_they_read(service: Json) -> None:
    tree = ast.parse(Path(str(aws.__file__)).read_text())
    names = {
        node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    asked = {name for name in names if re.fullmatch(r"NIGHTFALL_[A-Z]+", name)}
    given = set(service["provider"]["environment"])
    assert asked <= given | {"NIGHTFALL_SECRETS"}
    assert "NIGHTFALL_SECRETS" not in service["functions"]["sweep"].get("environment", {})
    assert given >= {"ALLOWED_CHATS", "MAX_TABLES", "TELEGRAM_API", "PTB_TIMEDELTA"}


def test_no_role_may_do_everything(resources: dict[str, Json]) -> None:
    for properties in of_type(resources, "AWS::IAM::Role"):
        for statement in properties["Policies"][0]["PolicyDocument"]["Statement"]:
            actions = statement["Action"] if isinstance(statement["Action"], list) else [statement["Action"]]
            assert all(re.fullmatch(r"[a-z]+:[A-Z][A-Za-z]+", action) for action in actions)
            assert statement["Resource"] != "*"


def logged() -> set[str]:
    """The events that the code logs."""
    found = set()
    for path in (*(ROOT / "handlers").rglob("*.py"), *(ROOT / "infra").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "log" and node.args:
                event = node.args[0]
                found |= {str(event.value)} if isinstance(event, ast.Constant) else set()
    return found


def test_numbers_are_read_off_lines_that_are_written(resources: dict[str, Json]) -> None:
    metrics = set()
    for properties in of_type(resources, "AWS::Logs::MetricFilter"):
        pattern = properties["FilterPattern"]
        (event,) = re.findall(r'\$\.event = "(\w+)"', pattern)
        assert event in logged()
        (transformation,) = properties["MetricTransformations"]
        fields = {*re.findall(r"\$\.(\w+)", pattern), *re.findall(r"\$\.(\w+)", transformation["MetricValue"])}
        assert fields - {"event"} <= FIELDS
        metrics.add(transformation["MetricName"])
    assert metrics == {"Decisions", "Refusals", "Conflicts", "Sends", "Floods", "Lateness", "Sweeps"}


def test_alarms_watch_what_there_is_and_the_runbook_has_each(resources: dict[str, Json]) -> None:
    runbook = (ROOT / "docs" / "deploying.md").read_text()
    own = {p["MetricTransformations"][0]["MetricName"] for p in of_type(resources, "AWS::Logs::MetricFilter")}
    alarms = list(of_type(resources, "AWS::CloudWatch::Alarm"))
    assert len(alarms) <= 10, "more than are free"
    for properties in alarms:
        assert properties["AlarmActions"] == ["Alarms"]
        name = properties["AlarmName"].rpartition("}-")[2]
        assert f"`{name}`" in runbook, name
        if properties["Namespace"].startswith("${"):
            assert properties["MetricName"] in own
