"""Which corpus a run reads: a kept one by its folder, or one under the home that belongs to a set of sources."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..settings import Environment, Settings
from ..state.records import Document
from .folder import named_path

if TYPE_CHECKING:
    from .corpus import Corpus


def holds_corpus(folder: Path) -> bool:
    """Whether a folder holds a corpus, if only an empty one."""
    return (folder / "corpus.sqlite").is_file()


@dataclass
class CorpusShelf:
    """Opens corpora and keeps them open while the process lives; folders are made when something is written."""

    environment: Environment
    _open: dict[tuple[str, str], Corpus] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def open(self, folder: Path, settings: Settings) -> Corpus:
        """Open a corpus folder; the same folder and embedding model give the same object.

        One of the home follows the model; a kept one of another model is refused, since its owner pays for vectors.
        Raises: what `Corpus.open` raises.
        """
        from .corpus import Corpus

        key = (str(folder.resolve()), settings.embeddings)
        with self._lock:
            if key not in self._open:
                kept = not folder.resolve().is_relative_to(self._home.resolve())
                self._open[key] = Corpus.open(
                    folder,
                    settings=settings,
                    environment=self.environment,
                    sparse="tantivy" if kept else "memory",
                    reembed=not kept,
                )
            return self._open[key]

    def folder_for(
        self,
        docs: Sequence[str],
        urls: Sequence[str],
        settings: Settings,
        *,
        corpus: str = "",
        web_run: str = "",
        graph: Sequence[Document] = (),
    ) -> Path:
        """Return the folder of the corpus that holds exactly these sources.

        Args:
            docs: Files and folders, as given.
            urls: Pages, cleaned.
            settings: Chunk sizes and the embedding model, which are part of the identity.
            corpus: A kept corpus; where given it is the folder, and further sources are added to it.
            web_run: Id of a run that searches the web, whose pages no other run may see.
            graph: Passages of the temporal graph that it holds beside them.
        Raises: UsageError where a named file or folder, or a corpus to be read only, does not exist.
        """
        if corpus:
            folder = Path(corpus).expanduser()
            if not folder.is_dir() and not (docs or urls):
                raise UsageError(f"{corpus}: no such corpus folder; make it with `citewell index`")
            return folder
        roots = []
        for doc in docs:
            path = named_path(doc)
            if not path.exists():
                raise UsageError(f"{doc}: no such file or folder")
            roots.append(str(path.resolve()))
        identity: list[object] = [
            roots,
            list(urls),
            web_run,
            settings.chunk_chars,
            settings.chunk_overlap,
            settings.embeddings,
        ]
        if graph:
            identity.append([[document.uri, document.text] for document in graph])
        return self._home / sha256(json.dumps(identity).encode()).hexdigest()[:16]

    @property
    def _home(self) -> Path:
        return self.environment.home / "corpora"
