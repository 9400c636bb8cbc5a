from collections.abc import Iterator

import pytest

from tests.local.support import close_worlds


@pytest.fixture(autouse=True)
def _closed_worlds() -> Iterator[None]:
    yield
    close_worlds()
