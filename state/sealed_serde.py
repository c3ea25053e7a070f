"""The serializer of checkpoints: our records and LangGraph's own types, each value with a checksum."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zlib import crc32

import ormsgpack
from langgraph.checkpoint.base import Checkpoint
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from ..errors import CitewellError

_MARK = "+crc32:"


def intact(kind: str, data: bytes) -> bool:
    """Whether the bytes of a value are what its type was written with; one without a checksum passes."""
    _, sealed, held = kind.partition(_MARK)
    return not sealed or held == f"{crc32(data):08x}"


class SealedSerializer(JsonPlusSerializer):
    """Writes the CRC-32 of a value behind its type; a value from before there were seals has none and is read."""

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Return type, with the checksum, and bytes of a value."""
        kind, data = super().dumps_typed(obj)
        return f"{kind}{_MARK}{crc32(data):08x}", data

    def packed(self, value: Any) -> bytes:
        """Return a value as it stands inside a list or a dict that is written."""
        # A list of one is a byte that says so, and its item.
        return super().dumps_typed([value])[1][1:]

    def checkpoint_of(self, checkpoint: Checkpoint, packed: Mapping[str, bytes]) -> tuple[str, bytes]:
        """Return type and bytes of a checkpoint, the very ones of `dumps_typed`, from its packed channel values."""
        values = {channel: ormsgpack.Fragment(data) for channel, data in packed.items()}
        return self.dumps_typed({**checkpoint, "channel_values": values})

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Return the value.  Raises: CitewellError where its bytes are not what was written."""
        if not intact(*data):
            raise CitewellError(
                "a saved step was changed by the disk: its thread cannot be gone on with; ask again under another "
                "--thread"
            )
        return super().loads_typed((data[0].partition(_MARK)[0], data[1]))
