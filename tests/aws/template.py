"""What a template of CloudFormation gives to whom."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

PACKAGED = Path(".serverless/cloudformation-template-update-stack.json")
"""The template of the last `serverless package` or `deploy`."""

BY_THE_PLATFORM = frozenset(
    {
        "logs:CreateLogStream",
        "logs:PutLogEvents",
        "sqs:ReceiveMessage",
        "sqs:DeleteMessage",
        "sqs:GetQueueAttributes",
    }
)
"""What the platform does in a function's name: writing its log, taking messages out of the queue for it."""

Json = dict[str, Any]


def resources(path: Path = PACKAGED) -> dict[str, Json]:
    """Return the resources by their logical names."""
    found: dict[str, Json] = json.loads(path.read_text())["Resources"]
    return found


def allowed(found: dict[str, Json]) -> dict[str, set[str]]:
    """Return the actions that the role of each function allows, by the function's name."""
    actions = {}
    for resource in found.values():
        if resource["Type"] == "AWS::Lambda::Function":
            properties = resource["Properties"]
            role = found[properties["Role"]["Fn::GetAtt"][0]]
            statements = [
                statement
                for policy in role["Properties"]["Policies"]
                for statement in policy["PolicyDocument"]["Statement"]
            ]
            actions[properties["FunctionName"]] = {
                action
                for statement in statements
                for action in (
                    [statement["Action"]] if isinstance(statement["Action"], str) else statement["Action"]
                )
            }
    return actions
