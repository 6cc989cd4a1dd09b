"""What turns a rendered transcript into a draft summary: one protocol, two implementations."""
