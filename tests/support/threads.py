"""Which threads are there, for tests of what leaves none behind."""

import threading


def connection_threads() -> set[threading.Thread]:
    """The threads of database connections; the event loop's own workers stay until it ends."""
    return {thread for thread in threading.enumerate() if "_connection_worker_thread" in thread.name}
