"""What every test needs before the first import of the bot's library."""

import os

# Waits come as durations, as they will by default; without it the library warns, and warnings are errors here.
os.environ["PTB_TIMEDELTA"] = "1"
