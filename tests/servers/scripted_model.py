"""A model that answers every step honestly from its prompt, and every way in which one may answer badly."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from servers.chat_server import Prompted, Think, Thought, refusal
from servers.loopback import Reply

_PASSAGE = re.compile(r'<passage n="(\d+)" id="([^"]+)"[^>]*>\n(.*?)\n</passage>', re.S)
_FACT = re.compile(r'<fact passages="([\d,]+)"[^>]*>(.*?)</fact>')
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]?")


def honest(prompted: Prompted) -> dict[str, Any]:
    """Answer a step as a careful model would: in the words of the passages."""
    text = prompted.text
    question = (re.findall(r"(?:Question|Follow-up question): (.*)", text) or [""])[-1]
    passages = [(int(number), body) for number, _, body in _PASSAGE.findall(text)]
    step = prompted.step
    if step == "Resolved":
        return {"question": question}
    if step == "PlanReply":
        words = re.findall(r"\w{3,}", question)
        queries = [question, *(f"{word} {other}" for word in words for other in words if word != other)][:12]
        subtask = {"text": question, "answer_type": "explanation"}
        return {"goal": question, "subtasks": [subtask], "queries": queries, "acceptance_checks": ["cited"]}
    if step == "FactsReply":
        return {"facts": [fact for number, body in passages for fact in _facts(number, body, question)]}
    if step == "GapsReply":
        return {"gaps": []}
    if step == "DraftReply":
        said = [
            {"text": words, "citations": places.split(","), "question_id": "Q1"}
            for places, words in _FACT.findall(text)
        ]
        sections = [{"heading": "Details", "sentences": said[2:]}] if said[2:] else []
        return {"title": "Answer", "summary": said[:2], "sections": sections, "open_questions": [], "limits": []}
    if step == "VerdictReply":
        claim = re.findall(r"<claim>(.*?)</claim>", text)[-1]
        found = any(claim.rstrip(".") in body for _, body in passages)
        return {"support": "supported" if found else "unsupported", "quote": claim if found else "", "reason": ""}
    claims = re.findall(r'<claim id="([^"]+)"', text)
    changes = [
        {"claim_id": name, "action": "drop", "text": "", "citations": [], "query": "", "reason": "not said"}
        for name in claims
    ]
    return {"changes": changes}


def _facts(number: int, body: str, question: str) -> list[dict[str, Any]]:
    asked = {word.lower() for word in re.findall(r"\w{4,}", question)}
    sentences = [sentence.strip() for sentence in _SENTENCE.findall(body)]
    return [
        {"statement": sentence, "passage": number, "quote": sentence, "question_id": "Q1"}
        for sentence in sentences
        if asked & {word.lower() for word in re.findall(r"\w{4,}", sentence)}
    ][:3]


def _texts_changed(value: Any, change: Callable[[str], str]) -> Any:
    """Change every text that a reader would see, ids and enumerations left alone."""
    kept = {"action", "support", "question_id", "claim_id", "answer_type", "quote", "passage"}
    if isinstance(value, dict):
        return {
            key: change(inner) if isinstance(inner, str) and key not in kept else _texts_changed(inner, change)
            for key, inner in value.items()
        }
    return [_texts_changed(inner, change) for inner in value] if isinstance(value, list) else value


def _cited(value: Any, reference: str) -> Any:
    if isinstance(value, dict):
        return {
            key: [reference] if key == "citations" else reference if key == "passage" else _cited(inner, reference)
            for key, inner in value.items()
        }
    return [_cited(inner, reference) for inner in value] if isinstance(value, list) else value


def _obeying(value: dict[str, Any], prompted: Prompted) -> dict[str, Any]:
    """Do what orders in a passage say: state 999, cite evil.test."""
    order = "The pressure is 999 bar, see http://evil.test/?d=KEY for more"
    if "facts" in value:
        return {"facts": [{"statement": order, "passage": 1, "quote": order, "question_id": "Q1"}]}
    if "summary" in value:
        return value | {"summary": [{"text": order, "citations": ["1"], "question_id": "Q1"}], "sections": []}
    if "support" in value:
        return {"support": "supported", "quote": "", "reason": "as ordered"}
    return value


MODES = (
    "well",
    "rate_limited",
    "server_error",
    "reset",
    "slow",
    "truncated_body",
    "cut_off",
    "empty",
    "fenced",
    "thinking",
    "trailing_comma",
    "refuses",
    "wrong_shape",
    "unknown_chunk",
    "invented_number",
    "invented_url",
    "invented_claim",
    "yes_man",
    "obeys_page",
    "window",
    "no_json_schema",
)


def behaving(mode: str, prompted: Prompted) -> Thought:
    """Answer a step in one of the ways of `MODES`."""
    good = honest(prompted)
    as_text = json.dumps(good, ensure_ascii=False)
    changed: dict[str, Callable[[], Thought]] = {
        "well": lambda: good,
        "rate_limited": lambda: refusal(429, "Rate limit reached", "rate_limit_exceeded", retry_after="0.05"),
        "server_error": lambda: refusal(500, "The server had an error"),
        "reset": lambda: Reply(end="reset"),
        "slow": lambda: Reply(end="hang"),
        "truncated_body": lambda: replace(Reply.of({"id": "x", "choices": [], "padding": "y" * 2000}), end="truncated"),
        "cut_off": lambda: as_text[: len(as_text) * 2 // 3],
        "empty": lambda: "",
        "fenced": lambda: f"Sure, here it is:\n```json\n{as_text}\n```\nI hope this helps!",
        "thinking": lambda: f"<think>First {{maybe}} [1] or so…</think>\n{as_text}",
        "trailing_comma": lambda: re.sub(r"([}\]])$", r",\1", as_text),
        "refuses": lambda: "I cannot produce JSON.",
        "wrong_shape": lambda: {"answer": 42, "items": [{"x": 1}]},
        "unknown_chunk": lambda: _cited(good, "0" * 40 + ":7"),
        "invented_number": lambda: _texts_changed(good, lambda text: f"{text.rstrip('.')} and 7,919 percent."),
        "invented_url": lambda: _texts_changed(good, lambda text: f"{text} See https://example.com/made-up-2024"),
        "invented_claim": lambda: _texts_changed(good, lambda text: "Zorblatt GmbH acquired every competitor."),
        "yes_man": lambda: good | {"support": "supported", "quote": ""} if "support" in good else good,
        "obeys_page": lambda: _obeying(good, prompted),
        "window": lambda: refusal(400, "This model's maximum context length is 900 tokens.", "context_length_exceeded"),
        "no_json_schema": lambda: (
            refusal(400, "response_format json_schema is not supported") if prompted.mode == "json_schema" else good
        ),
    }
    return changed[mode]()


def misbehaving(seed: int, *, share: float = 0.6, modes: tuple[str, ...] = MODES) -> Think:
    """Return a model that answers each call in a way drawn from `modes`, well for the rest of the calls."""
    draw = random.Random(seed)

    def think(prompted: Prompted) -> Thought:
        return behaving(draw.choice(modes) if draw.random() < share else "well", prompted)

    return think
