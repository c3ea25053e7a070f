"""What the campaign of kills has done in a process of its own: a run, an index, its compaction, memory writes."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from importlib.metadata import entry_points
from multiprocessing import get_context
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Any

from ..graph.run import research, resume
from ..retrievers.chroma import ChromaStore
from ..retrievers.corpus import Corpus
from ..retrievers.memory import Memory
from ..settings import Environment
from .fault_points import Points

QUESTION = "How deep is Lake Baikal, and which river drains it?"
THREAD = "t-1"
FIXED = "2026-01-05T12:00:00Z"
FILES = {
    "depth.txt": "Lake Baikal is 1,642 m deep. It is the deepest lake on Earth.",
    "rivers.md": "# Rivers\n\nThe Angara is the only river that drains Lake Baikal.\n",
    "towns.csv": "town;people\nListvyanka;1882\nSlyudyanka;18574\n",
    "copy.txt": "Lake Baikal is 1,642 m deep. It is the deepest lake on Earth.",
}
MEMORIES = (
    "Ann's office is in Oslo.",
    "The ferry Marit carries 32 cars.",
    "Ann's office is in Bergen.",
    "The quay is 420 metres long.",
)
PARTS = ("run", "index", "compact", "memory")


def warm_processes() -> ForkServerContext:
    """Return a server that forks: each of its processes starts with everything loaded and no thread running."""
    context = get_context("forkserver")
    assert isinstance(context, ForkServerContext)
    context.set_forkserver_preload([__name__])
    return context


def work(part: str, folder: str, deadly: int, address: str) -> None:
    """Do one part in a folder, from where it was left, and write `done.json` there.

    Args:
        deadly: The point to be killed at; 0 for none.
        address: The model's server, for `run`.
    """
    home = Path(folder)
    Points(home / "points.log", deadly).install()
    do: Callable[[Path, str], Any] = dict(zip(PARTS, (_run, _index, _compact, _memory), strict=True))[part]
    (home / "done.json").write_text(json.dumps(do(home, address)), encoding="utf-8")


def call(folder: str, command: Sequence[str], out: str, err: str) -> None:
    """Run a command of citewell in a folder, its streams into files.  The process ends with its exit code."""
    os.chdir(folder)
    os.environ |= {"CITEWELL_HOME": str(Path(folder, "home")), "CITEWELL_FIXED_TIME": FIXED, "CITEWELL_TRACE": "false"}
    for path, number in ((out, 1), (err, 2)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), number)
    sys.argv = ["citewell", *command]
    # As a console does it: the command line stands above all rooms.
    next(iter(entry_points(group="console_scripts", name="citewell"))).load()()


def written(folder: Path) -> Path:
    """Write the sources down and return their folder."""
    docs = folder / "docs"
    docs.mkdir(parents=True, exist_ok=True)
    for name, text in FILES.items():
        (docs / name).write_text(text, encoding="utf-8")
    return docs


def _run(folder: Path, address: str) -> Any:
    environment = Environment(home=folder / "home", openai_api_key="k", openai_base_url=address)
    options: dict[str, Any] = {"environment": environment, "engine": "chat", "fixed_time": FIXED, "trace": False}
    if _known(folder / "home" / "checkpoints.sqlite"):
        report = resume(THREAD, **options)
    else:  # killed before anything was saved: there is no thread to take up yet
        report = research(QUESTION, docs=[folder / "docs"], thread_id=THREAD, **options)
    with closing(sqlite3.connect(folder / "home" / "episodes.sqlite")) as episodes:
        count = episodes.execute("SELECT count(*) FROM episodes").fetchone()[0] if _episodes(episodes) else 0
    return {"report": report.model_dump(mode="json"), "episodes": count}


def _known(checkpoints: Path) -> bool:
    if not checkpoints.exists():
        return False
    with closing(sqlite3.connect(checkpoints)) as database:
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
        return "checkpoints" in tables and bool(database.execute("SELECT count(*) FROM checkpoints").fetchone()[0])


def _episodes(database: sqlite3.Connection) -> bool:
    return bool(database.execute("SELECT count(*) FROM sqlite_master WHERE name = 'episodes'").fetchone()[0])


def _index(folder: Path, _: str) -> Any:
    """Index, change a file, take one away, index again; then count every row in every store."""
    docs, kept = folder / "docs", folder / "kept"
    changed = folder / "changed"
    with Corpus.open(kept, environment=Environment(home=folder / "home")) as corpus:
        if not changed.exists():
            corpus.add_path(docs)
            (docs / "depth.txt").write_text("Lake Baikal is 1,642 m deep, and its volume is 23,615 km3.")
            (docs / "towns.csv").unlink()
            changed.touch()
        corpus.add_path(docs)
        corpus.embed_pending()
        found = {query: [hit.chunk_id for hit in corpus.search(query)] for query in ("depth of Baikal", "river")}
        return {"found": found, "sources": sorted(source.uri for source in corpus.sources()), "rows": rows_of(corpus)}


def _compact(folder: Path, _: str) -> Any:
    """Index, take most files away, give the disk back what they took; then search and count every row."""
    kept, filled = folder / "kept", folder / "filled"
    with Corpus.open(kept, environment=Environment(home=folder / "home")) as corpus:
        if not filled.exists():
            corpus.add_path(folder / "docs")
            corpus.remove(["towns.csv", "rivers.md"])
            filled.touch()
        corpus.compact()
        found = [(hit.chunk_id, hit.score) for hit in corpus.search("depth of Baikal")]
        return {"found": found, "rows": rows_of(corpus), "problems": list(corpus.problems())}


def rows_of(corpus: Corpus) -> dict[str, int]:
    """Count chunks in every store that holds them: all must agree."""
    index = corpus._index
    store, dense = index._store, index._dense
    assert dense is not None
    assert index._tantivy is not None
    chroma = ChromaStore(store.folder / "chroma", dense.model, serial=store.vectors_of(dense.model).collection())
    counts = {
        "chunks": len(corpus),
        "index": store.totals()[0],
        "sparse": index._tantivy.n_rows,
        "vectors": store.vectors_of(dense.model).count(),
        "chroma": chroma.count(),
    }
    chroma.close()
    return counts


def _memory(folder: Path, _: str) -> Any:
    """Remember the texts that are not acknowledged yet, forget one, and list everything."""
    acknowledged = folder / "acknowledged.txt"
    done = acknowledged.read_text().splitlines() if acknowledged.exists() else []
    memory = Memory.open(folder / "memory", user="ann")
    for text in MEMORIES:
        if text not in done:
            memory.store(text, "fact")
            _note(acknowledged, text)
    if "forgotten" not in done:
        for hit in memory.search("quay metres", 1):
            if "quay" in hit.item.text:
                memory.forget(hit.item.memory_id)
        _note(acknowledged, "forgotten")
    listed = sorted((item.text, item.current) for item in memory.list())
    hits = [hit.item.text for hit in memory.search("Where is Ann's office?", 3)]
    memory.close()
    return {"listed": listed, "hits": hits}


def _note(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as stream:
        stream.write(f"{text}\n")
