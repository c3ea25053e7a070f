"""Texts to vectors: the bundled MiniLM, OpenAI, or any LangChain embeddings, behind one protocol."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import CitewellError, EmbeddingMismatch, ProviderError, ProviderUnavailable, UsageError
from ..settings import Environment, Settings
from .minilm import MiniLM

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

Vectors = NDArray[np.float32]

OPENAI_BATCH = 96
OPENAI_PARALLEL = 3
OPENAI_MAX_CHARS = 7_000


class Embedder(Protocol):
    """Turns texts into vectors of one space.

    Attributes:
        name: Names the space: vectors of two embedders with one name may be compared.
    """

    name: str

    @property
    def dim(self) -> int:
        """Length of each vector."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return float32, shape (len(texts), dim), rows of unit length.  Raises: ProviderError, EmbeddingMismatch."""
        ...


class LangChainEmbedder:
    """Any LangChain embeddings as an `Embedder`: batched, a few at once, every row accounted for."""

    def __init__(
        self,
        embeddings: Embeddings,
        name: str,
        *,
        batch: int = OPENAI_BATCH,
        parallel: int = OPENAI_PARALLEL,
        max_chars: int = OPENAI_MAX_CHARS,
    ) -> None:
        self.name = name
        self._embeddings = embeddings
        self._batch, self._parallel, self._max_chars = batch, parallel, max_chars
        self._dim = 0

    @property
    def dim(self) -> int:
        """Length of each vector; asks the model once where it is not known yet."""
        if not self._dim:
            self.embed(["dimension"])
        return self._dim

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector per text.  Raises: EmbeddingMismatch when rows are missing or of another length."""
        if not texts:
            return np.zeros((0, self._dim), dtype=np.float32)
        # An empty input is refused by OpenAI; a blank stands for it.
        cut = [text[: self._max_chars] or " " for text in texts]
        batches = [cut[at : at + self._batch] for at in range(0, len(cut), self._batch)]
        with ThreadPoolExecutor(self._parallel, thread_name_prefix="embed") as pool:
            rows = np.vstack(list(pool.map(self._embed_batch, batches)))
        if self._dim and rows.shape[1] != self._dim:
            raise EmbeddingMismatch(f"{self._dim} numbers", f"{rows.shape[1]} from {self.name}")
        self._dim = rows.shape[1]
        return unit_rows(rows)

    def _embed_batch(self, texts: list[str]) -> Vectors:
        try:
            rows = self._embeddings.embed_documents(texts)
        except CitewellError:
            raise
        except Exception as error:  # each provider raises errors of its own
            raise _provider_error(self.name, error) from error
        if len(rows) != len(texts) or len({len(row) for row in rows}) != 1:
            raise EmbeddingMismatch(f"{len(texts)} texts", f"{len(rows)} rows from {self.name}")
        return np.asarray(rows, dtype=np.float32)


def unit_rows(rows: Vectors) -> Vectors:
    """Return the rows scaled to unit length; a row of zeros stays."""
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(norms > 0, norms, 1)).astype(np.float32)


def _provider_error(name: str, error: Exception) -> ProviderError:
    status = getattr(error, "status_code", None)
    told = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
    if status in (408, 409, 429) or (isinstance(status, int) and status >= 500) or "Connection" in type(error).__name__:
        return ProviderUnavailable(name, told)
    setting = "OPENAI_API_KEY" if status in (401, 403) else "CITEWELL_EMBEDDINGS"
    return ProviderError(name, told, setting=setting)


class Refused:
    """An embedder that may not be asked: a hosted model in a run that is offline or has no key."""

    def __init__(self, name: str, reason: str, setting: str | None = None) -> None:
        self.name, self._reason, self._setting = name, reason, setting

    @property
    def dim(self) -> int:
        """Unknown.  Raises: ProviderError."""
        raise ProviderError(self.name, self._reason, setting=self._setting)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Refuse.  Raises: ProviderError."""
        raise ProviderError(self.name, self._reason, setting=self._setting)


@lru_cache(maxsize=1)
def bundled() -> MiniLM:
    """Return the process's one MiniLM; its model is loaded at first use."""
    return MiniLM()


def load_embedder(settings: Settings, environment: Environment) -> Embedder:
    """Return the embedder that the settings name.

    A hosted model that may not be asked is returned all the same and refuses with a reason when it is used, so that
    sparse search alone can answer.
    Raises: UsageError for a name that no embedder has.
    """
    name = settings.embeddings
    provider, _, model = name.partition(":")
    if name == "minilm":
        return bundled()
    if provider == "openai" and model:
        if settings.offline:
            return Refused(name, "not asked, this run is offline")
        if not environment.has_chat_model:
            return Refused(name, "no key", "OPENAI_API_KEY")
        return LangChainEmbedder(_openai(model, environment), name)
    if provider and model:
        if settings.offline:
            return Refused(name, "not asked, this run is offline")
        return LangChainEmbedder(_by_provider(name), name)
    raise UsageError(f"embeddings = {name!r}: use `minilm` or provider:name, e.g. openai:text-embedding-3-small")


def _openai(model: str, environment: Environment) -> Embeddings:
    from langchain_openai import OpenAIEmbeddings
    from pydantic import SecretStr

    return OpenAIEmbeddings(
        model=model,
        openai_api_key=SecretStr(environment.openai_api_key or "none"),
        openai_api_base=environment.openai_base_url,
        chunk_size=OPENAI_BATCH,
        # Cutting by tokens needs a tokenizer file from the network; we cut by characters.
        check_embedding_ctx_length=False,
    )


def _by_provider(name: str) -> Embeddings:
    try:
        from langchain.embeddings import init_embeddings
    except ImportError as error:
        raise UsageError(f"embeddings = {name!r} needs the package `langchain` and the provider's own") from error
    initialise: Callable[[str], Any] = init_embeddings
    try:
        made: Embeddings = initialise(name)
    except (ImportError, ValueError) as error:
        raise UsageError(f"embeddings = {name!r}: {error}") from error
    return made


def as_embedder(embeddings: Embedder | Embeddings) -> Embedder:
    """Return an embedder as it is, and LangChain embeddings wrapped under the name of their class and model."""
    from langchain_core.embeddings import Embeddings

    if not isinstance(embeddings, Embeddings):
        return embeddings
    model = getattr(embeddings, "model", "") or getattr(embeddings, "model_name", "")
    return LangChainEmbedder(embeddings, f"{type(embeddings).__name__}:{model}".rstrip(":"))
