"""What was packed of the values of threads before: what a step leaves as it is is not packed again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .records import Record

THREADS_KEPT = 128
"""Threads whose last values are kept at hand; those of another one are packed anew at its next step."""

Thread = tuple[str, str]
"""Id and namespace."""


@dataclass
class _Packed:
    channels: dict[str, tuple[Any, Any, bytes]] = field(default_factory=dict)
    """Version, value and bytes by channel, as the last checkpoint had them."""
    written: dict[int, tuple[Any, bytes]] = field(default_factory=dict)
    """What steps wrote since then and nobody can change, by identity."""


class PackedValues:
    """Packs the channel values of checkpoints, each once.

    Args:
        pack: Gives the bytes of a value.
    """

    def __init__(self, pack: Callable[[Any], bytes]) -> None:
        self._pack = pack
        self._threads: OrderedDict[Thread, _Packed] = OrderedDict()

    def note(self, thread: Thread, value: Any, data: bytes) -> None:
        """Keep the bytes of a value that a step wrote: most such values are what their channel then holds."""
        if isinstance(value, (tuple, Record)):
            self._of(thread).written[id(value)] = value, data

    def of_checkpoint(self, thread: Thread, values: Mapping[str, Any], versions: Mapping[str, Any]) -> dict[str, bytes]:
        """Return the bytes of a checkpoint's values by channel.

        Bytes are taken over where a channel has its last version and the very value that it had then.
        """
        kept = self._of(thread)
        channels = {}
        for channel, value in values.items():
            version = versions.get(channel)
            before = kept.channels.get(channel)
            if before is not None and before[1] is value and before[0] == version:
                channels[channel] = before
            else:
                written = kept.written.get(id(value))
                channels[channel] = version, value, written[1] if written else self._pack(value)
        kept.channels, kept.written = channels, {}
        return {channel: data for channel, (_, _, data) in channels.items()}

    def _of(self, thread: Thread) -> _Packed:
        kept = self._threads.setdefault(thread, _Packed())
        self._threads.move_to_end(thread)
        if len(self._threads) > THREADS_KEPT:
            self._threads.popitem(last=False)
        return kept
