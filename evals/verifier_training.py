"""Train a small verifier on made pairs and export it as int8 ONNX; runs beside the product, in an environment with
torch, transformers, tokenizers, onnx and onnxruntime: `python evals/verifier_training.py --help`.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from torch import nn
from transformers import BertModel

VOCABULARY = Path(__file__).parent.parent / "retrievers" / "data" / "minilm" / "vocab.txt"
LENGTH = 112
CLAIM_LENGTH = 48
BATCH = 16
# The embeddings and so many of the six layers stay as they are.
FROZEN = 2
RATE = 1e-4
CLS, SEP = 101, 102
Row = tuple[list[int], list[int], float]


class Verifier(nn.Module):
    """MiniLM over `[CLS] claim [SEP] passage [SEP]`, one number out of the mean of its last states and the first."""

    def __init__(self, weights: Path) -> None:
        super().__init__()
        self.body = BertModel.from_pretrained(weights, add_pooling_layer=False, attn_implementation="eager")
        self.head = nn.Linear(2 * self.body.config.hidden_size, 1)
        for part in (self.body.embeddings.word_embeddings, *self.body.encoder.layer[:FROZEN]):
            part.requires_grad_(False)

    def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any) -> Any:
        states = self.body(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(states.dtype)
        mean = (states * mask).sum(1) / mask.sum(1)
        return self.head(torch.cat([mean, states[:, 0]], dim=1)).squeeze(-1)


def rows_of(path: Path) -> list[Row]:
    """Return (word pieces, which sequence each belongs to, 1 or 0) of each made pair."""
    words = {word: number for number, word in enumerate(VOCABULARY.read_text(encoding="utf-8").splitlines())}
    tokenizer = Tokenizer(WordPiece(words, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer, tokenizer.pre_tokenizer = BertNormalizer(lowercase=True), BertPreTokenizer()
    rows: list[Row] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)
        claim = tokenizer.encode(pair["claim"], add_special_tokens=False).ids[:CLAIM_LENGTH]
        passage = tokenizer.encode(pair["passage"], add_special_tokens=False).ids[: LENGTH - 3 - len(claim)]
        ids = [CLS, *claim, SEP, *passage, SEP]
        rows.append((ids, [0] * (len(claim) + 2) + [1] * (len(passage) + 1), float(pair["supported"])))
    return rows


def batches(rows: Sequence[Row], chance: random.Random) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Yield batches of rows of about one length, in another order each time."""
    order = sorted(range(len(rows)), key=lambda place: (len(rows[place][0]) // 8, chance.random()))
    groups = [order[at : at + BATCH] for at in range(0, len(order), BATCH)]
    chance.shuffle(groups)
    for group in groups:
        chosen = [rows[place] for place in group]
        width = max(len(ids) for ids, _, _ in chosen)
        ids = torch.tensor([row + [0] * (width - len(row)) for row, _, _ in chosen])
        kinds = torch.tensor([kind + [0] * (width - len(kind)) for _, kind, _ in chosen])
        mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row, _, _ in chosen])
        yield ids, mask, kinds, torch.tensor([label for _, _, label in chosen])


def train(
    model: Verifier, rows: Sequence[Row], held: Sequence[Row], minutes: float, wall_minutes: float, seed: int
) -> int:
    """Train until the time is used up, the rate falling with it; return how many pairs were seen."""
    chance = random.Random(seed)
    optimiser = torch.optim.AdamW(
        [part for part in model.parameters() if part.requires_grad], lr=RATE, weight_decay=0.01
    )
    loss_of = nn.BCEWithLogitsLoss()
    began, started, seen, step, mean = time.process_time(), time.monotonic(), 0, 0, 0.0
    model.train()
    while True:
        for ids, mask, kinds, labels in batches(rows, chance):
            used, passed = time.process_time() - began, time.monotonic() - started
            share = max(used / (60 * minutes), passed / (60 * wall_minutes))
            if share >= 1:
                return seen
            for group in optimiser.param_groups:
                group["lr"] = RATE * min(1.0, (step + 1) / 30) * 0.5 * (1 + math.cos(math.pi * share))
            loss = loss_of(model(ids, mask, kinds), labels)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            seen, step = seen + len(labels), step + 1
            mean += (loss.item() - mean) / min(step, 50)
            if step % 50 == 0:
                print(
                    f"{share:.0%} of the time, {seen} pairs, loss {mean:.3f}, held out {tested(model, held):.3f}",
                    flush=True,
                )


def tested(model: Verifier, rows: Sequence[Row]) -> float:
    """Return the share of held-out pairs that are judged right."""
    model.eval()
    right = 0.0
    with torch.no_grad():
        for ids, mask, kinds, labels in batches(rows, random.Random(0)):
            right += float(((model(ids, mask, kinds) > 0) == (labels > 0.5)).sum())
    model.train()
    return right / len(rows)


def export(model: Verifier, path: Path) -> None:
    """Write the model as ONNX, its weights in int8."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    model.eval()
    whole = path.with_suffix(".fp32.onnx")
    names = ["input_ids", "attention_mask", "token_type_ids"]
    sample = tuple(torch.ones(2, 16, dtype=torch.long) for _ in names)
    axes = {name: {0: "batch", 1: "length"} for name in names} | {"margin": {0: "batch"}}
    torch.onnx.export(
        model, sample, str(whole), input_names=names, output_names=["margin"], dynamic_axes=axes, dynamo=False
    )
    quantize_dynamic(str(whole), str(path), weight_type=QuantType.QInt8)
    whole.unlink()


def main() -> None:
    """Read the arguments, train, export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--pairs", type=Path, required=True, help="JSON lines of `python -m citewell.evals.verifier_pairs`"
    )
    parser.add_argument("--weights", type=Path, required=True, help="folder with all-MiniLM-L6-v2 as safetensors")
    parser.add_argument("--out", type=Path, required=True, help="the .onnx file to write")
    parser.add_argument("--minutes", type=float, default=40.0, help="of processor time, all threads together")
    parser.add_argument("--wall-minutes", type=float, default=120.0, help="by the clock, whatever comes first")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    np.random.seed(args.seed)
    torch.set_num_threads(args.threads)
    rows = rows_of(args.pairs)
    held, rows = rows[:160], rows[160:]
    model = Verifier(args.weights)
    seen = train(model, rows, held, args.minutes, args.wall_minutes, args.seed)
    used = time.process_time() / 60
    print(f"{seen} pairs seen, {used:.1f} minutes of the processor; held out {tested(model, held):.3f}", flush=True)
    torch.save(model.state_dict(), args.out.with_suffix(".pt"))
    export(model, args.out)


if __name__ == "__main__":
    main()
