"""Measure support checking on labelled pairs of claim and evidence, beside token coverage and public checkers."""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from hashlib import sha1
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from ..reasoners.support.alignment import align
from ..reasoners.support.check import Opinion, check_support, examine, weigh
from ..reasoners.support.ranking import Ranker, sentence_signs
from ..reasoners.support.reading import read, read_sentences
from ..reasoners.support.scoring import Model
from .boosting import Matrix, fit_logistic, fit_random_trees, fit_trees, predict_logistic, predict_trees
from .rivals import rivals
from .scores import auroc, balanced_accuracy, best_threshold, f1_unsupported
from .verifier import margins_of, together

FOLDS = 5
TREES = 150
# Many signs say nearly the same: only a strong pull to zero keeps their weights steady.
PENALTY = 100.0
Pair = dict[str, Any]
Embed = Callable[[list[str]], Any]
_embed: Embed | None = None


@dataclass(frozen=True)
class Measured:
    """What is kept of one pair after the layers ran."""

    values: dict[str, float]
    hard: bool
    nearness: float
    first: tuple[tuple[int, int, int], ...]


def load(path: Path) -> list[Pair]:
    """Return the pairs of `claims.jsonl`."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def folds_of(pairs: Sequence[Pair]) -> list[int]:
    """Return the fold of each pair; pairs that share a question, a claim or a first passage stay together."""
    parent = list(range(len(pairs)))

    def root(place: int) -> int:
        while parent[place] != place:
            place = parent[place]
        return place

    seen: dict[tuple[str, str], int] = {}
    for place, pair in enumerate(pairs):
        for key in (("question", pair["question"]), ("claim", pair["claim"]), ("evidence", pair["evidence"][0])):
            if key[1]:
                parent[root(place)] = root(seen.setdefault(key, place))
    return [int(sha1(str(root(place)).encode()).hexdigest(), 16) % FOLDS for place in range(len(pairs))]


def passages_of(pair: Pair) -> list[str]:
    """Return the passages that hold anything."""
    return [text for text in pair["evidence"] if text.strip()]


def look(pair: Pair, ranker: Ranker) -> Measured:
    """Run the layers over one pair."""
    opinion = examine(pair["claim"], passages_of(pair), question=pair["question"] or "", embed=_embed, ranker=ranker)
    places = [index for index, text in enumerate(pair["evidence"]) if text.strip()]
    first = tuple(
        (places[g.passage], g.reading.at, g.reading.at + len(g.reading.text)) for g in opinion.signs.grounds[:3]
    )
    return Measured(opinion.signs.values, bool(opinion.hard), opinion.nearness, first)


def score(measured: Measured, model: Model) -> float:
    """Return the score that `check_support` gives, from what was kept."""
    stand_in = Opinion(
        signs=_Signs(measured.values),  # type: ignore[arg-type]
        findings=_HARD if measured.hard else (),
        nearness=measured.nearness,
        rows=(),
    )
    return weigh(stand_in, model)


@dataclass(frozen=True)
class _Signs:
    values: dict[str, float]


def _hard_marker() -> tuple[Any, ...]:
    from ..reasoners.support.exact import Finding

    return (Finding("number", "", True),)


_HARD = _hard_marker()


def carries_rationale(pair: Pair, place: tuple[int, int, int]) -> bool:
    """Whether a sentence is one of the pair's rationale: more than half of the shorter of the two is in common."""
    index, start, end = place
    return any(
        other == index and min(end, last) - max(start, first) > 0.5 * min(end - start, last - first)
        for choice in pair["rationale_sets"]
        for other, first, last in choice
    )


def fit_ranker(pairs: Sequence[Pair]) -> Ranker:
    """Fit the order of sentences on pairs with rationale sentences."""
    rows: list[list[float]] = []
    labels: list[float] = []
    for pair in pairs:
        if not pair["rationale_sets"]:
            continue
        claim = read(pair["claim"])
        sentences = [(i, reading) for i, text in enumerate(pair["evidence"]) for reading in read_sentences(text)]
        readings = [reading for _, reading in sentences]
        cosines: list[float] = []
        if _embed is not None:
            vectors = _embed([claim.text, *(reading.text for reading in readings)])
            cosines = (vectors[1:] @ vectors[0]).tolist()
        rows.extend(sentence_signs(claim, readings, [align(claim, reading) for reading in readings], cosines))
        labels.extend(float(carries_rationale(pair, (i, r.at, r.at + len(r.text)))) for i, r in sentences)
    fitted = fit_logistic(np.array(rows), np.array(labels), penalty=10.0)
    return Ranker(tuple(round(weight, 4) for weight in fitted["weights"]))


def fit(measured: Sequence[Measured], labels: Matrix, folds: Sequence[int]) -> dict[str, Any]:
    """Fit model, calibration and threshold; the latter two on scores of models that did not see the pair."""
    names = sorted(measured[0].values)
    rows = np.array([[m.values[name] for name in names] for m in measured])
    inner = np.zeros(len(rows))
    for fold in sorted(set(folds)):
        held = np.array([other == fold for other in folds])
        inner[held] = _margin(_fit_margin(rows[~held], labels[~held], names), rows[held])
    calibration = fit_logistic(inner[:, None], labels, penalty=0.0)
    data = _fit_margin(rows, labels, names)
    data |= {"names": names, "slope": calibration["weights"][0], "shift": calibration["intercept"], "threshold": 0.5}
    chance = 1 / (1 + np.exp(-(calibration["weights"][0] * inner + calibration["intercept"])))
    shell = Model.read(_rounded(data))
    weighed = [score(m, _Fixed(shell, float(c))) for m, c in zip(measured, chance, strict=True)]  # type: ignore[arg-type]
    data["threshold"] = best_threshold(np.array(weighed), labels)
    rounded: dict[str, Any] = _rounded(data)
    return rounded


@dataclass(frozen=True)
class _Fixed:
    """A model whose score is known already."""

    model: Model
    chance: float

    @property
    def threshold(self) -> float:
        return 0.45

    def score(self, _: Any) -> float:
        return self.chance


def _fit_margin(rows: Matrix, labels: Matrix, names: Sequence[str]) -> dict[str, Any]:
    # Meaning tells little against contradiction: one of the boosted forests looks at the words alone.
    words = rows.copy()
    words[:, [place for place, name in enumerate(names) if name.startswith("cos_")]] = 0.0
    boosted = [fit_trees(seen, labels, trees=TREES, seed=seed) for seed, seen in enumerate((rows, words))]
    drawn = [fit_random_trees(rows, labels, seed=seed) for seed in range(2)]
    return {"logistic": fit_logistic(rows, labels, penalty=PENALTY), "forests": [*boosted, *drawn]}


def _margin(data: dict[str, Any], rows: Matrix) -> Matrix:
    grown = [predict_trees(forest, rows) for forest in data["forests"]]
    return np.asarray((predict_logistic(data["logistic"], rows) + sum(grown) / len(grown)) / 2)


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return value


def cross_validate(
    pairs: Sequence[Pair], folds: Sequence[int], layers: Layers
) -> tuple[Matrix, Matrix, list[Measured]]:
    """Return each pair's score by models that did not see it, whether it passed its fold's threshold, the layers."""
    labels = np.array([float(pair["supported"]) for pair in pairs])
    scores, passed = np.zeros(len(pairs)), np.zeros(len(pairs))
    kept: list[Measured | None] = [None] * len(pairs)
    for fold in range(FOLDS):
        inside = [place for place in range(len(pairs)) if folds[place] != fold]
        measured = layers.by_fold[fold]
        data = fit([measured[p] for p in inside], labels[inside], [folds[p] for p in inside])
        model = Model.read(data)
        for place in range(len(pairs)):
            if folds[place] == fold:
                scores[place] = score(measured[place], model)
                passed[place] = scores[place] >= model.threshold and not measured[place].hard
                kept[place] = measured[place]
        print(f"fold {fold + 1} of {FOLDS}: threshold {model.threshold:.2f}", flush=True)
    return scores, passed, [m for m in kept if m is not None]


@dataclass(frozen=True)
class Layers:
    """What the layers found on every pair.

    Attributes:
        by_fold: For each fold, with the order of sentences fitted on the others.
        shipped: With the order fitted on all pairs, and that order.
    """

    by_fold: Sequence[Sequence[Measured]]
    shipped: tuple[Ranker, Sequence[Measured]]


def look_at_all(pairs: Sequence[Pair], folds: Sequence[int], jobs: int) -> Layers:
    """Run the layers over all pairs, each once for every order of sentences."""
    rankers = [fit_ranker([p for p, f in zip(pairs, folds, strict=True) if f != fold]) for fold in range(FOLDS)]
    rankers.append(fit_ranker(pairs))
    work = partial(_look_each, rankers=rankers)
    if jobs <= 1:
        rows = [work(pair) for pair in pairs]
    else:
        with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as pool:
            rows = list(pool.map(work, pairs, chunksize=40))
    columns = list(zip(*rows, strict=True))
    return Layers(columns[:-1], (rankers[-1], columns[-1]))


def _look_each(pair: Pair, rankers: Sequence[Ranker]) -> list[Measured]:
    return [look(pair, ranker) for ranker in rankers]


def embedder(pairs: Sequence[Pair], cache: Path | None) -> Embed:
    """Return the bundled embedder behind a table of all texts of the set, kept in `cache` between runs."""
    from ..retrievers.minilm import MiniLM

    texts: dict[str, None] = {}
    for pair in pairs:
        texts[pair["claim"]] = None
        for passage in pair["evidence"]:
            texts.update(dict.fromkeys(reading.text for reading in read_sentences(passage)))
    model = MiniLM()
    table: dict[str, Any] = {}
    if cache is not None and cache.is_file():
        stored = np.load(cache, allow_pickle=False)
        table = dict(zip(stored["keys"].tolist(), stored["rows"], strict=True))
    missing = [text for text in texts if _key(text) not in table]
    if missing:
        print(f"embedding {len(missing)} texts", flush=True)
        table |= dict(zip(map(_key, missing), model.embed(missing), strict=True))
        if cache is not None:
            np.savez(cache, keys=np.array(list(table)), rows=np.stack(list(table.values())))

    def embed(wanted: list[str]) -> Any:
        return np.stack(
            [row if (row := table.get(_key(text))) is not None else model.embed([text])[0] for text in wanted]
        )

    return embed


def _key(text: str) -> str:
    return sha1(text.encode()).hexdigest()


def table_row(name: str, scores: Matrix, passed: Matrix | None, pairs: Sequence[Pair]) -> str:
    """Return a line AUROC overall and by label kind, balanced accuracy, F1 of unsupported; by source."""
    labels = np.array([float(pair["supported"]) for pair in pairs])
    kinds = np.array([pair["label"] for pair in pairs])
    sources = np.array([pair["source"].split("/")[-1] for pair in pairs])
    cells = [f"{auroc(scores, labels):.3f}"]
    for kind in ("contradicted", "not_enough"):
        chosen = (kinds == "supported") | (kinds == kind)
        cells.append(f"{auroc(scores[chosen], labels[chosen]):.3f}")
    cells.append(f"{balanced_accuracy(passed, labels):.3f}" if passed is not None else "–")
    cells.append(f"{f1_unsupported(passed, labels):.3f}" if passed is not None else "–")
    cells.extend(f"{auroc(scores[sources == s], labels[sources == s]):.2f}" for s in sorted(set(sources.tolist())))
    return f"| {name} | " + " | ".join(cells) + " |"


def header(pairs: Sequence[Pair]) -> str:
    """Return the head of the table."""
    sources = sorted({pair["source"].split("/")[-1] for pair in pairs})
    columns = ["", "AUROC", "against contradicted", "against not enough", "bal. acc.", "F1 unsupported", *sources]
    return "| " + " | ".join(columns) + " |\n|" + " --- |" * len(columns)


def hits(pairs: Sequence[Pair], measured: Sequence[Measured]) -> tuple[float, float]:
    """Return hit@1 and hit@3 of the chosen sentence on pairs with rationale."""
    chosen = [
        [carries_rationale(pair, place) for place in m.first]
        for pair, m in zip(pairs, measured, strict=True)
        if pair["rationale_sets"]
    ]
    return sum(c[0] for c in chosen) / len(chosen), sum(any(c) for c in chosen) / len(chosen)


def fold_thresholds(scores: Matrix, labels: Matrix, folds: Sequence[int]) -> Matrix:
    """Return whether each score passes the best threshold of the other folds."""
    where = np.array(folds)
    passed = np.zeros(len(scores))
    for fold in range(FOLDS):
        inside = where != fold
        passed[~inside] = scores[~inside] >= best_threshold(scores[inside], labels[inside])
    return passed


def throughput(pairs: Sequence[Pair], embed: Embed | None, jobs: int) -> float:
    """Return claims a second on pairs with one passage of at most 400 characters, `jobs` processes, nothing cached."""
    short = [pair for pair in pairs if len(pair["claim"]) <= 160 and sum(map(len, pair["evidence"])) <= 400]
    began = time.perf_counter()
    if jobs <= 1 or embed is not None:
        for pair in short:
            check_support(pair["claim"], pair["evidence"], embed=embed)
    else:
        with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as pool:
            list(pool.map(_check, short, chunksize=25))
    return len(short) / (time.perf_counter() - began)


def _check(pair: Pair) -> str:
    return check_support(pair["claim"], pair["evidence"]).support


def run(args: argparse.Namespace) -> None:
    """Print the table; with `--write` also fit on all folds and write the weights."""
    global _embed
    pairs = load(args.data / "claims" / "claims.jsonl")
    folds = folds_of(pairs)
    labels = np.array([float(pair["supported"]) for pair in pairs])
    lines = [header(pairs)]
    for name, scores in rivals(pairs):
        lines.append(table_row(name, scores, fold_thresholds(scores, labels, folds), pairs))
    shipped: dict[str, Any] = {}
    notes: list[str] = []
    for kind, title in (("words", "rules, words alone"), ("meaning", "rules with embeddings")):
        if kind not in args.kinds:
            continue
        _embed = embedder(pairs, args.cache) if kind == "meaning" else None
        layers = look_at_all(pairs, folds, args.jobs)
        scores, passed, measured = cross_validate(pairs, folds, layers)
        lines.append(table_row(title, scores, passed, pairs))
        one, three = hits(pairs, measured)
        notes.append(f"{title}: evidence sentence hit@1 {one:.3f}, hit@3 {three:.3f}")
        if args.verifier and kind == "meaning":
            margins, speed = margins_of(args.verifier, pairs)
            for name, chance in (
                ("local verifier alone", margins),
                ("rules and local verifier", together(scores, margins, labels, folds)),
            ):
                lines.append(table_row(name, chance, fold_thresholds(chance, labels, folds), pairs))
            notes.append(f"local verifier: {speed:.0f} pairs a second of one core")
        if args.write:
            ranker, found = layers.shipped
            shipped[kind] = fit(found, labels, folds) | {"ranker": list(ranker.weights)}
    print("\n".join([*lines, "", *notes]))
    if args.write:
        args.write.write_text(json.dumps(shipped, separators=(",", ":")), encoding="utf-8")
    speed = throughput(pairs, None, args.jobs)
    print(f"throughput, words alone, short claims: {speed:.0f} a second, {args.jobs} processes")


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(prog="python -m citewell.evals.claims", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder that holds claims/claims.jsonl")
    parser.add_argument("--kinds", nargs="+", default=["words", "meaning"], choices=["words", "meaning"])
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--cache", type=Path, help="file (.npz) to keep embeddings in")
    parser.add_argument("--verifier", type=Path, help="ONNX file of verifier_training.py, measured beside the rules")
    parser.add_argument("--write", type=Path, help="fit on all folds and write the weights here")
    run(parser.parse_args())


if __name__ == "__main__":
    main()
