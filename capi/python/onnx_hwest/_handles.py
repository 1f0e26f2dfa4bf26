"""Owners of C handles."""

from __future__ import annotations

from typing import Any, Callable, Optional, TypeVar


class Handle:
    """Frees its pointer once the last reference goes, in any order. A call in another thread holds a reference."""

    def __init__(self, pointer: Any, free: Callable[[Any], None]) -> None:
        self.pointer, self._free = pointer, free

    def __del__(self) -> None:
        pointer, self.pointer = getattr(self, "pointer", None), None
        if pointer:
            self._free(pointer)


Self = TypeVar("Self", bound="Owner")


class Owner:
    """Owns one handle; closed at the end of a `with` block, by close(), or when collected."""

    def __init__(self, handle: Handle) -> None:
        self._handle: Optional[Handle] = handle

    def _open(self) -> Handle:
        handle = self._handle
        if handle is None:
            raise ValueError(f"the {type(self).__name__.lower()} is closed")
        return handle

    def _closed(self) -> bool:
        return self._handle is None

    def close(self) -> None:
        """Releases the memory. Closing twice is fine."""
        self._handle = None

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
