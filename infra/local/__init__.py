"""Everything for one machine: the playground and what the bot needs beside it."""
