"""Pure rules: no I/O, no clock, no SQL, no HTTP."""
