"""A conversation without a model: intents become tool calls, and replies quote what the tools returned."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from ...dialogue import Move, OnText, ToolCall, ToolResult, Turn
from ...relevance import bearing, question_stems
from .forgetting import ASK, HOW_TO_ANSWER, MAX_SHOWN, Forgetting, meant, read_forgetting
from .graph_questions import asks_for_change, names_asked, predicates_asked
from .intents import Intent, read_intents
from .rewriting import as_asked

RECALL_K = 5
OVERVIEW_K = 20
MAX_QUOTED = 3
MAX_FACTS = 12
GREETING = "Hello. Ask me something, say `remember: …`, or give me something to compute, search or research."
NOTHING_KNOWN = "Nothing in memory answers that. Tell me with `remember: …`, or ask me to search or research it."
NOT_STORED = (
    "I did nothing with that and keep nothing of it beyond this conversation. Say `remember: …` to store it, "
    "`forget …` to remove a memory, or ask me something."
)
NO_FORGETTING = "Nothing is forgotten: the tool memory_forget is not at hand."
_GRAPH_TOOLS = ("trend_analysis", "factual_qa")
_TOOL_OF = {
    "remember": "memory_store",
    "compute": "calculator",
    "search": "web_search",
    "research": "research",
    "recall": "memory_search",
    "overview": "memory_search",
}


class IntentDialogue:
    """Rules in place of a model: the same message and memory give the same calls and the same reply."""

    name = "embedded"

    async def move(self, turn: Turn, on_text: OnText) -> Move:
        """Return the calls that the message asks for; once they ran, the reply that quotes them."""
        if forgetting := read_forgetting(turn.message, turn.history):
            move = _forget(turn, forgetting)
            if move.text:
                on_text(move.text)
            return move
        message = as_asked(turn.message, turn.history)
        asked, turn = turn.message.strip(), replace(turn, message=message)
        intents = read_intents(message)
        if not turn.rounds:
            move = _first_move(turn, intents)
        elif found := _graph_call(turn, intents):
            move = Move("", (found,))
        elif _may_research(turn, intents):
            move = Move("", (_call("research", {"question": turn.message.strip()}, len(turn.rounds), 0),))
        else:
            reply = _reply(turn, intents)
            researched = turn.rounds[-1].results[-1].call.name == "research"
            # The report of a run has the question that it answers for its title.
            move = Move(reply if message == asked or researched else f"Read as: {message}\n{reply}")
        if move.text:
            on_text(move.text)
        return move


def _first_move(turn: Turn, intents: list[Intent]) -> Move:
    kind = intents[0].kind
    if kind == "greeting":
        return Move(GREETING)
    if kind == "none":
        return Move(NOT_STORED)
    if kind == "tools":
        lines = [f"- {tool['function']['name']}: {tool['function']['description']}" for tool in turn.tools]
        return Move("\n".join(["The tools at hand:", *lines]))
    calls, missing = [], []
    for number, intent in enumerate(intents):
        name = _tool_for(turn, intent)
        if turn.has_tool(name):
            arguments = {"question": intent.text} if name == "research" else _arguments(intent)
            calls.append(_call(name, arguments, 0, number))
        else:
            missing.append(name)
    if calls:
        return Move("", tuple(calls))
    return Move(f"That needs the tool {missing[0]}, which is not at hand.")


def _tool_for(turn: Turn, intent: Intent) -> str:
    """Return the tool of an intent; a search looks into the sources given unless it names the web."""
    if intent.kind == "search" and intent.note != "web" and turn.has_sources and turn.has_tool("research"):
        return "research"
    return _TOOL_OF[intent.kind]


def _forget(turn: Turn, forgetting: Forgetting) -> Move:
    """Look for what is meant, forget it where it is one thing, and ask where it may be several."""
    if forgetting.problem:
        return Move(forgetting.problem)
    if not turn.has_tool("memory_forget"):
        return Move(NO_FORGETTING)
    if not turn.rounds:
        if forgetting.ids:
            return Move("", (_call("memory_forget", {"memory_ids": list(forgetting.ids)}, 0, 0),))
        query = {"query": forgetting.what[:2_000], "top_k": OVERVIEW_K}
        return Move("", (_call("memory_search", query, 0, 0),))
    last = turn.rounds[-1].results[-1]
    if last.error:
        return Move(f"Nothing is forgotten: {last.content}")
    if last.call.name == "memory_forget":
        gone = _object(last.content).get("forgotten", [])
        return Move("\n".join(f"Forgotten [{each['memory_id']}]: {each['text']}" for each in gone))
    found = _listed(last.content)
    fits, near = meant(forgetting.what, found)
    if len(fits) == 1 or (fits and forgetting.every):
        arguments = {"memory_ids": fits, "with_older": True}
        return Move("", (_call("memory_forget", arguments, 1, 0),))
    shown = (fits or near)[:MAX_SHOWN]
    if not shown:
        return Move(f"Nothing in memory is about {forgetting.what}; nothing is forgotten.")
    lines = [f"- {_quote(each)}" for each in found if each["memory_id"] in shown]
    return Move("\n".join([ASK, *lines, HOW_TO_ANSWER]))


def _arguments(intent: Intent) -> dict[str, Any]:
    if intent.kind == "remember":
        return {"text": intent.text, "category": intent.note}
    if intent.kind == "compute":
        return {"expression": intent.text}
    if intent.kind == "search":
        return {"query": intent.text[:400]}
    if intent.kind == "research":
        return {"question": intent.text}
    if intent.kind == "overview":
        return {"query": "everything known about the user", "top_k": OVERVIEW_K}
    return {"query": intent.text[:2_000], "top_k": RECALL_K}


def _call(name: str, arguments: dict[str, Any], round_: int, number: int) -> ToolCall:
    return ToolCall(
        call_id=f"call_{round_ + 1}_{number + 1}", name=name, arguments=json.dumps(arguments, ensure_ascii=False)
    )


def _memory_had_nothing(turn: Turn, intents: list[Intent]) -> bool:
    if any(intent.kind != "recall" for intent in intents):
        return False
    results = turn.rounds[0].results
    return not any(_quoted(intent.text, result) for intent, result in zip(intents, results, strict=False))


def _graph_call(turn: Turn, intents: list[Intent]) -> ToolCall | None:
    """Return a call of the temporal graph for a question about facts that memory had nothing on."""
    if len(turn.rounds) != 1 or not turn.has_facts or not _memory_had_nothing(turn, intents):
        return None
    question = turn.message.strip()
    names, asked = names_asked(question), predicates_asked(question)
    if asks_for_change(question) and turn.has_tool("trend_analysis"):
        return _call("trend_analysis", {"question": question[:2_000], "companies": list(names[:5])}, 1, 0)
    if names and asked and turn.has_tool("factual_qa"):
        return _call("factual_qa", {"entity": names[0], "predicate": asked[0]}, 1, 0)
    return None


def _may_research(turn: Turn, intents: list[Intent]) -> bool:
    """Whether neither memory nor the graph had anything on a question and there are sources to look into."""
    if not turn.has_sources or not turn.has_tool("research") or not _memory_had_nothing(turn, intents):
        return False
    last = turn.rounds[-1].results[-1]
    return len(turn.rounds) == 1 or (last.call.name in _GRAPH_TOOLS and not _facts(last))


def _reply(turn: Turn, intents: list[Intent]) -> str:
    results = [result for done in turn.rounds for result in done.results]
    if results and results[-1].call.name == "research":
        where = f"Looked in {', '.join(turn.sources)}.\n\n" if intents[0].kind == "search" and turn.sources else ""
        return f"{where}{results[-1].content}"
    if results and results[-1].call.name in _GRAPH_TOOLS:
        return "\n".join(_facts(results[-1])) or NOTHING_KNOWN
    parts: list[str] = []
    said: set[str] = set()
    for intent, result in zip([each for each in intents if turn.has_tool(_TOOL_OF[each.kind])], results, strict=False):
        part = _part(intent, result, said)
        if part and part not in parts:
            parts.append(part)
    answered = [part for part in parts if part != NOTHING_KNOWN]
    if answered and len(answered) < len(parts):
        answered.append("Nothing in memory answers the rest.")
    return "\n".join(answered or parts[:1]) or NOTHING_KNOWN


def _part(intent: Intent, result: ToolResult, said: set[str]) -> str:
    """Return what a result says to an intent.

    Args:
        said: Ids of memories quoted in this reply already; those quoted now are added.
    """
    if result.error:
        return result.content
    if intent.kind == "compute":
        return f"{intent.text} = {result.content}{_unit(intent.note)}"
    if intent.kind == "remember":
        return _remembered(result.content)
    if intent.kind == "search":
        return _searched(intent.text, result.content)
    if intent.kind == "overview":
        found = _listed(result.content)
        return "\n".join(_quote(each) for each in found) or "Nothing is stored yet."
    quoted = _quoted(intent.text, result)
    fresh = [each for each in quoted if each["memory_id"] not in said]
    said |= {each["memory_id"] for each in fresh}
    if quoted and not fresh:
        return ""
    return "\n".join(_quote(each) for each in fresh) or NOTHING_KNOWN


def _quoted(question: str, result: ToolResult) -> list[dict[str, Any]]:
    """Return the memories that bear on a question: the best one, then each that covers more of what is asked."""
    if result.error:
        return []
    found = _listed(result.content)
    places = bearing(question, [(str(each["text"]), each.get("cosine")) for each in found])
    open_stems = question_stems(question)
    quoted: list[dict[str, Any]] = []
    for each in _newest_first([found[place] for place in places], open_stems):
        stems = question_stems(each["text"]) & open_stems
        if (not quoted or stems) and len(quoted) < MAX_QUOTED:
            quoted.append(each)
            open_stems -= stems
    return quoted


def _newest_first(found: list[dict[str, Any]], asked: set[str]) -> list[dict[str, Any]]:
    """Put the newest of the memories that tell the same of one thing (`Ann drinks tea`, `Ann drinks coffee`) first."""
    if not found:
        return found
    words = str(found[0]["text"]).casefold().split()[:2]
    told = question_stems(str(found[0]["text"])) & asked
    same = [
        each
        for each in found
        if str(each["text"]).casefold().split()[:2] == words and question_stems(str(each["text"])) & asked == told
    ]
    newest = max(
        same, key=lambda each: (str(each.get("date", "")), len(str(each["memory_id"])), str(each["memory_id"]))
    )
    return [newest, *(each for each in found if each is not newest)]


def _facts(result: ToolResult) -> list[str]:
    """Return the facts that the temporal graph told, each with its time and source."""
    told = [] if result.error else _object(result.content).get("facts", [])
    current = [each for each in told if not each.get("invalid_at") or each.get("temporal_type") == "STATIC"]
    shown = told if result.call.name == "trend_analysis" else current or told
    lines: dict[str, str] = {}
    for each in shown:
        until = f" to {each['invalid_at']}" if each["invalid_at"] else ""
        stated = f", {each['stated_at']}" if each["stated_at"] else ""
        told_so = f"- {each['statement']} (from {each['valid_at'] or '?'}{until}; {each['uri']}{stated})"
        # A sentence that states several facts is told once.
        lines.setdefault(f"{each['statement']} {each['uri']}", told_so)
    return list(lines.values())[:MAX_FACTS]


def _quote(memory: dict[str, Any]) -> str:
    closed = f"; since replaced by {memory['superseded_by']}" if memory.get("superseded_by") else ""
    return f"{memory['text']} [{memory['memory_id']}{closed}]"


def _remembered(content: str) -> str:
    told = _object(content)
    if told.get("action") == "merged":
        return f"I know that already [{told['memory_id']}]: {told['text']}"
    if told.get("closed"):
        return f"Noted [{told['memory_id']}], in place of [{told['closed']}]: {told['text']}"
    return f"Noted [{told.get('memory_id', '')}]: {told.get('text', '')}"


def _searched(query: str, content: str) -> str:
    found = _listed(content)
    if not found:
        return f"The web search found nothing on {query}."
    lines = [f"- {each.get('title', '')}: {each.get('snippet', '')} ({each.get('url', '')})" for each in found]
    return "\n".join([f"The web search on {query} gives:", *lines])


def _unit(note: str) -> str:
    return f" {note}" if note else ""


def _listed(content: str) -> list[dict[str, Any]]:
    try:
        values = json.loads(content)
    except json.JSONDecodeError:
        return []
    return [value for value in values if isinstance(value, dict)] if isinstance(values, list) else []


def _object(content: str) -> dict[str, Any]:
    try:
        value = json.loads(content)
    except json.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}
