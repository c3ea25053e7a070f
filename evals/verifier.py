"""Run the trained local verifier over a claim and its passages, alone or beside the rules."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..reasoners.support.reading import read_sentences
from ..retrievers import minilm
from .boosting import Matrix, fit_logistic, predict_logistic

LENGTH = 160
CLAIM_LENGTH = 56
CLS, SEP = 101, 102


class LocalVerifier:
    """The trained cross-encoder: one number for a claim and a passage, higher where the passage supports it.

    Args:
        model: ONNX file of `verifier_training.py`.
    """

    def __init__(self, model: Path) -> None:
        import onnxruntime

        vocabulary = Path(minilm.__file__).with_name("data") / "minilm" / "vocab.txt"
        self._tokenizer = minilm._wordpiece(vocabulary)
        self._session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])

    def margin(self, claim: str, passages: Sequence[str]) -> float:
        """Return the log-odds of the best stretch of sentences; each stretch fills the model's window."""
        asked = self._ids(claim)[:CLAIM_LENGTH]
        room = LENGTH - 3 - len(asked)
        stretches = [stretch for passage in passages for stretch in self._stretches(passage, room)]
        return max((self._one(asked, stretch) for stretch in stretches), default=-10.0)

    def _stretches(self, passage: str, room: int) -> list[list[int]]:
        found: list[list[int]] = [[]]
        for sentence in read_sentences(passage):
            ids = self._ids(sentence.text)[:room]
            if found[-1] and len(found[-1]) + len(ids) > room:
                found.append([])
            found[-1] = found[-1] + ids
        return [stretch for stretch in found if stretch]

    def _one(self, claim: list[int], stretch: list[int]) -> float:
        ids = np.array([[CLS, *claim, SEP, *stretch, SEP]], dtype=np.int64)
        kinds = np.array([[0] * (len(claim) + 2) + [1] * (len(stretch) + 1)], dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": kinds}
        return float(self._session.run(None, feed)[0].reshape(-1)[0])

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return ids


def margins_of(model: Path, pairs: Sequence[dict[str, Any]]) -> tuple[Matrix, float]:
    """Return the margin of each pair, and how many pairs a second of one process were judged."""
    verifier = LocalVerifier(model)
    began = time.process_time()
    margins = np.array([verifier.margin(pair["claim"], pair["evidence"]) for pair in pairs])
    return margins, len(pairs) / max(1e-9, time.process_time() - began)


def together(scores: Matrix, margins: Matrix, labels: Matrix, folds: Sequence[int]) -> Matrix:
    """Return the chance by the rules' score and the verifier's margin, weighed on the folds that are not scored."""
    clipped = np.clip(scores, 1e-4, 1 - 1e-4)
    rows = np.stack([np.log(clipped / (1 - clipped)), margins], axis=1)
    where, result = np.array(folds), np.zeros(len(labels))
    for fold in sorted(set(folds)):
        inside = where != fold
        model = fit_logistic(rows[inside], labels[inside], penalty=1.0)
        result[~inside] = predict_logistic(model, rows[~inside])
    return result
