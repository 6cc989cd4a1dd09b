"""Session Summary: why a person asked, what is true now, what to do next, for every chat session."""
