"""Telegram: from updates to triggers, from effects to messages."""
