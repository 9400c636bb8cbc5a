"""House players and whole games between them, without people and platforms: `nightfall simulate`.

The players (`players.py` and what it is made of) see what a seat is shown and what is said aloud, nothing
else: of the engine they may import only what `sight.py` hands them. The game itself is held by `table.py`.
"""
