"""Owners of C handles."""


class Handle:
    """Frees its pointer when the last reference goes: once, in any order. A call in another thread holds one."""

    def __init__(self, pointer, free):
        self.pointer, self._free = pointer, free

    def __del__(self):
        pointer, self.pointer = getattr(self, "pointer", None), None
        if pointer:
            self._free(pointer)


class Owner:
    """An object over one handle, closed at the end of a `with` block, by close(), or when collected."""

    def __init__(self, handle):
        self._handle = handle

    def _open(self):
        handle = self._handle
        if handle is None:
            raise ValueError(f"the {type(self).__name__.lower()} is closed")
        return handle

    def close(self):
        """Lets go of the memory. Closing twice is fine."""
        self._handle = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
