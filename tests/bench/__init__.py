"""What the program costs, beside its aims: `python -m tests.bench [SUBJECT …]`, `make bench`."""
