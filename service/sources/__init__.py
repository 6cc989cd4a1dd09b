"""Agents' session files on disk: read-only, no store."""
