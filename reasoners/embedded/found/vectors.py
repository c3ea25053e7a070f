"""Unit vectors of short texts, asked for in one batch and remembered, so that no text is embedded twice."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ....errors import CitewellError

Vectors = NDArray[np.float32]
Embed = Callable[[list[str]], Awaitable[Vectors]]
_REMEMBERED = 8_192


class TextVectors:
    """Embeds texts through the port it is handed; without one, or where it fails, there are no vectors.

    A text has the same vector whenever it is asked for, so what is remembered changes nothing but the time it takes.
    """

    def __init__(self, embed: Embed | None) -> None:
        self._embed = embed
        self._known: OrderedDict[str, Vectors] = OrderedDict()

    @property
    def available(self) -> bool:
        """Whether texts can be embedded."""
        return self._embed is not None

    async def cosines(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return the cosine of a query with each text, 0 for all of them where nothing can be embedded."""
        rows = await self.rows([query, *texts])
        if rows is None:
            return [0.0] * len(texts)
        return [float(value) for value in rows[1:] @ rows[0]]

    async def rows(self, texts: Sequence[str]) -> Vectors | None:
        """Return float32 rows of unit length, shape (len(texts), dim); None where dense search is unavailable."""
        if self._embed is None or not texts:
            return None
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        fresh: dict[str, Vectors] = {}
        if missing:
            try:
                rows = await self._embed(missing)
            except CitewellError:
                # The run goes on with words alone; the retriever reports that dense search is unavailable.
                return None
            fresh = dict(zip(missing, rows, strict=True))
        wanted = np.stack([fresh[text] if text in fresh else self._known[text] for text in texts])
        self._known.update(fresh)
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return wanted
