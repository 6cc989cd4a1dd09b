"""What happens around a turn: passes, their queue, and the mirror of agents' files."""
