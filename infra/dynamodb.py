"""The store of the cloud: the rows of `infra.ports` in one DynamoDB table.

Every call is one round trip: a write carries its condition with it, and a lost race brings the row that is
there back in the refusal. Only a listing and the sweep make one more for each further page. GetItem, PutItem
and Query (of the table and of its index) are all that a bot ever calls; an operator's search is a Scan.
"""

from __future__ import annotations

import builtins
from itertools import islice
from typing import TYPE_CHECKING, cast

from infra.aws.clients import open_client
from infra.ports import Clock, Item, Missing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from mypy_boto3_dynamodb.client import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef, CreateTableInputTypeDef, QueryInputTypeDef

    Row = Mapping[str, AttributeValueTypeDef]

DUE_INDEX = "due"
TTL_ATTRIBUTE = "expires"

# The partition of the index: one for all, so that one query finds what is due, and on no other row. It takes
# a thousand changes of a due time a second; a bot that outgrows that spreads them over several values.
_SWEPT: AttributeValueTypeDef = {"S": "due"}

# The largest magnitude of a number there; infinity is none.
_MOST = 9e125


def table_definition(table_name: str) -> CreateTableInputTypeDef:
    """Return what CreateTable is to be told; that rows expire by `TTL_ATTRIBUTE` is set by another call."""
    return {
        "TableName": table_name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
            {"AttributeName": "key", "AttributeType": "S"},
            {"AttributeName": "sort", "AttributeType": "S"},
            {"AttributeName": "swept", "AttributeType": "S"},
            {"AttributeName": "due", "AttributeType": "N"},
        ],
        "KeySchema": [
            {"AttributeName": "key", "KeyType": "HASH"},
            {"AttributeName": "sort", "KeyType": "RANGE"},
        ],
        "GlobalSecondaryIndexes": [
            {
                "IndexName": DUE_INDEX,
                "KeySchema": [
                    {"AttributeName": "swept", "KeyType": "HASH"},
                    {"AttributeName": "due", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            }
        ],
    }


class DynamoStore:
    """`Store` in the table `table_name`; `clock` decides what has expired, the table deletes it days later.

    Where an answer is lost on the way, the client repeats the write by itself, and the repetition is refused
    because the first one was written: `put` then returns the row just written as if the race were lost. Only
    the caller can tell, by a mark of its own in the body. A table that is throttled, gone or out of reach
    raises what botocore raises.
    """

    def __init__(self, table_name: str, clock: Clock, client: DynamoDBClient | None = None) -> None:
        self._table = table_name
        self._clock = clock
        self._client = open_client("dynamodb") if client is None else client

    def get(self, key: str, sort: str) -> Item | None:
        """Return the row, or None if it is absent or expired."""
        answer = self._client.get_item(
            TableName=self._table, Key={"key": {"S": key}, "sort": {"S": sort}}, ConsistentRead=True
        )
        row = answer.get("Item")
        return None if row is None or _expired(row, self._clock.now()) else _item(row)

    def put(self, item: Item) -> Item | None:
        """Write the row if its version follows the stored one; see `Store.put`."""
        now = self._clock.now()
        names = {"#expires": "expires"}
        values = {":now": _number(now)}
        if item.version == 1:
            condition = "attribute_not_exists(#key) OR #expires <= :now"
            names["#key"] = "key"
        else:
            condition = "#version = :before AND (attribute_not_exists(#expires) OR #expires > :now)"
            names["#version"] = "version"
            values[":before"] = _number(item.version - 1)
        try:
            self._client.put_item(
                TableName=self._table,
                Item=_row(item),
                ConditionExpression=condition,
                ExpressionAttributeNames=names,
                ExpressionAttributeValues=values,
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
            )
        except self._client.exceptions.ConditionalCheckFailedException as refusal:
            there = cast("Mapping[str, Row]", refusal.response).get("Item")
        else:
            return None
        if there is None or _expired(there, now):
            raise Missing(item.key, item.sort)
        return _item(there)

    def put_same(self, item: Item) -> None:
        """Write the row whatever is there."""
        self._client.put_item(TableName=self._table, Item=_row(item))

    def list(self, key: str, sort_prefix: str) -> builtins.list[Item]:
        """Return the rows of `key` whose sort begins so, in the order of the bytes of their sort."""
        condition = "#key = :key"
        names = {"#key": "key"}
        values: dict[str, AttributeValueTypeDef] = {":key": {"S": key}}
        if sort_prefix:  # an empty one is refused
            condition += " AND begins_with(#sort, :prefix)"
            names["#sort"] = "sort"
            values[":prefix"] = {"S": sort_prefix}
        rows = self._query(
            {
                "TableName": self._table,
                "KeyConditionExpression": condition,
                "ExpressionAttributeNames": names,
                "ExpressionAttributeValues": values,
                "ConsistentRead": True,
            }
        )
        now = self._clock.now()
        return [_item(row) for row in rows if not _expired(row, now)]

    def due(self, until: float, limit: int) -> builtins.list[str]:
        """Return at most `limit` keys with a row due by `until`, oldest first; may lag behind.

        The index holds nothing but keys: it is written where a due time changes, and by no other write.
        """
        rows = self._query(
            {
                "TableName": self._table,
                "IndexName": DUE_INDEX,
                "KeyConditionExpression": "#swept = :swept AND #due <= :until",
                "ExpressionAttributeNames": {"#swept": "swept", "#due": "due"},
                "ExpressionAttributeValues": {":swept": _SWEPT, ":until": _number(min(until, _MOST))},
                "Limit": limit,
            }
        )
        return builtins.list(islice(_each_once(row["key"]["S"] for row in rows), limit))

    def keys(self, prefix: str) -> builtins.list[str]:
        """Return the keys that begin so, each once; see `WholeStore.keys`."""
        pages = self._client.get_paginator("scan").paginate(
            TableName=self._table,
            FilterExpression="begins_with(#key, :prefix)",
            ProjectionExpression="#key, #expires",
            ExpressionAttributeNames={"#key": "key", "#expires": "expires"},
            ExpressionAttributeValues={":prefix": {"S": prefix}},
        )
        now = self._clock.now()
        return builtins.list(
            _each_once(row["key"]["S"] for page in pages for row in page["Items"] if not _expired(row, now))
        )

    def _query(self, request: QueryInputTypeDef) -> Iterator[Row]:
        """Yield the rows that are found; a page is asked for when the rows of the last one are used up."""
        while True:
            page = self._client.query(**request)
            yield from page["Items"]
            if "LastEvaluatedKey" not in page:
                return
            request = {**request, "ExclusiveStartKey": page["LastEvaluatedKey"]}


def _each_once(keys: Iterable[str]) -> Iterator[str]:
    seen: set[str] = set()
    for key in keys:
        if key not in seen:
            seen.add(key)
            yield key


def _row(item: Item) -> Row:
    row: dict[str, AttributeValueTypeDef] = {
        "key": {"S": item.key},
        "sort": {"S": item.sort},
        "version": _number(item.version),
        "body": {"B": item.body},
    }
    if item.due is not None:
        row["due"] = _number(item.due)
        row["swept"] = _SWEPT
    if item.expires is not None:
        row["expires"] = _number(item.expires)
    return row


def _item(row: Row) -> Item:
    return Item(
        row["key"]["S"],
        row["sort"]["S"],
        int(row["version"]["N"]),
        row["body"]["B"],
        float(row["due"]["N"]) if "due" in row else None,
        float(row["expires"]["N"]) if "expires" in row else None,
    )


def _expired(row: Row, now: float) -> bool:
    return "expires" in row and float(row["expires"]["N"]) <= now


def _number(number: float) -> AttributeValueTypeDef:
    """Return the shortest digits that give the same float again; 17 at most, of the 38 that are kept."""
    return {"N": repr(number)}
