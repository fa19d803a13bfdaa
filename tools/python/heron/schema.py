"""The descriptions of columns."""

from __future__ import annotations

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from typing import Any


class Field:
    """The description of a column: name, type, encoding, nullable, readable, reason, metadata. Two fields are equal if
    their names and types are."""

    __slots__ = {"name": "The name of the column.",
                 "type": "What its values are, such as \"int64\" or \"list<text>\".",
                 "encoding": "How the format stores it, in the format's words.",
                 "nullable": "Whether a value can be null.",
                 "readable": "Whether it can be read.",
                 "reason": "Why it cannot be read, else empty.",
                 "metadata": "What the format stores of it besides its values, as a dict."}

    def __init__(self, name: str, type: str, encoding: str, nullable: bool, readable: bool, reason: str,
                 metadata: dict[str, Any]) -> None:
        self.name, self.type, self.encoding, self.nullable = name, type, encoding, nullable
        self.readable, self.reason, self.metadata = readable, reason, metadata

    def __repr__(self) -> str:
        return f"{self.name}: {self.type}" + ("" if self.readable else f" (unreadable: {self.reason})")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Field) and (self.name, self.type) == (other.name, other.type)


class Schema(list[Field]):
    """A list of the fields of all columns, also unreadable ones."""

    def __init__(self, fields: list[Field], capsule: Any) -> None:
        super().__init__(fields)
        self._capsule = capsule

    @property
    def names(self) -> list[str]:
        """Returns the names of all columns."""
        return [field.name for field in self]

    @property
    def types(self) -> list[str]:
        """Returns the types of all columns."""
        return [field.type for field in self]

    def field(self, name: str) -> Field:
        """Returns the field of that name. KeyError if there is none."""
        for field in self:
            if field.name == name:
                return field
        raise KeyError(name)

    def __arrow_c_schema__(self) -> object:
        return self._capsule()

    def __repr__(self) -> str:
        return "\n".join(map(repr, self))
