"""`doctor`: what is found on this machine, what is in force, and what is wrong."""

def doctor() -> None:
    """x"""
