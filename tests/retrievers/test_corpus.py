"""The corpus: in step with its folders, one bad file never stops the rest, nothing lost when killed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from citewell.errors import CorpusError, EmbeddingMismatch, UsageError
from citewell.retrievers import corpus as corpus_module
from citewell.retrievers import corpus_following
from citewell.retrievers.corpus import Corpus
from citewell.retrievers.parsers import Extraction
from citewell.settings import Environment, Settings
from citewell.state.records import Document, Source, chunk_id_of
from hashed_embedder import HashedEmbedder

TESTS = Path(__file__).parents[1]


def open_corpus(folder: Path, embedder: HashedEmbedder | None = None, **settings: object) -> Corpus:
    return Corpus.open(
        folder,
        settings=Settings.model_validate(settings),
        environment=Environment(),
        embedder=embedder or HashedEmbedder(),
    )


@pytest.fixture
def corpus(tmp_path):
    opened = open_corpus(tmp_path / "corpus")
    yield opened
    opened.close()


@pytest.fixture
def room(tmp_path):
    folder = tmp_path / "room"
    (folder / "2022").mkdir(parents=True)
    (folder / "2023").mkdir()
    (folder / "2022" / "report.txt").write_text("Head count at the mill was 140.")
    (folder / "2023" / "report.txt").write_text("Head count at the mill was 171.")
    (folder / "2023" / "report.md").write_text("# Quarry\n\nHead count at the quarry was 64.\n")
    return folder


def uris(corpus: Corpus, query: str, **options: object) -> list[str]:
    return [chunk.uri for chunk in corpus.read([hit.chunk_id for hit in corpus.search(query, **options)])]


def test_files_of_one_name_stay_apart_and_a_second_ingest_adds_nothing(corpus, room):
    first = corpus.add_path(room)
    assert first.added == ("2022/report.txt", "2023/report.md", "2023/report.txt")
    again = corpus.add_path(room)
    assert (again.added, again.updated, again.removed, again.unchanged) == ((), (), (), first.added)
    assert len(corpus) == 3


def test_chunk_ids_and_offsets_follow_the_contract(corpus, room):
    corpus.add_path(room)
    for uri in ("2022/report.txt", "2023/report.md"):
        text = corpus.source_text(uri)
        for index, chunk in enumerate(corpus.chunks_of(uri)):
            assert (chunk.chunk_id, chunk.index) == (chunk_id_of(uri, index), index)
            assert chunk.text == text[chunk.start : chunk.end]


def test_a_changed_file_replaces_its_chunks_and_a_removed_one_leaves(corpus, room):
    corpus.add_path(room)
    (room / "2022" / "report.txt").write_text("Head count at the mill was 150, after a recount.")
    (room / "2023" / "report.md").unlink()
    report = corpus.add_path(room)
    assert (report.updated, report.removed) == (("2022/report.txt",), ("2023/report.md",))
    assert "2023/report.md" not in uris(corpus, "quarry")
    texts = [chunk.text for chunk in corpus.read([hit.chunk_id for hit in corpus.search("mill", k=9)])]
    assert not any("140" in text for text in texts)
    with pytest.raises(CorpusError, match="not in the corpus"):
        corpus.source("2023/report.md")


def test_a_duplicate_is_skipped_and_takes_over_when_the_first_copy_changes(corpus, room):
    shutil.copy(room / "2022" / "report.txt", room / "copy.txt")
    report = corpus.add_path(room)
    assert [(source.uri, source.reason) for source in report.failed] == [
        ("copy.txt", "the same content as 2022/report.txt")
    ]
    assert corpus.add_path(room).failed == report.failed
    (room / "2022" / "report.txt").write_text("Another text altogether.")
    assert "copy.txt" in corpus.add_path(room).updated
    assert uris(corpus, "mill 140", k=1) == ["copy.txt"]


def test_a_second_root_is_prefixed_by_its_name_and_a_part_of_a_root_is_that_part(corpus, room, tmp_path):
    corpus.add_path(room)
    other = tmp_path / "elsewhere" / "2022"
    other.mkdir(parents=True)
    (other / "note.txt").write_text("The ferry leaves at nine.")
    assert corpus.add_path(other).added == ("2022-2/note.txt",)
    (room / "2023" / "new.txt").write_text("A pump was bought.")
    (room / "2022" / "report.txt").unlink()
    part = corpus.add_path(room / "2023")
    assert (part.added, part.removed) == (("2023/new.txt",), ())
    assert corpus.add_path(room).removed == ("2022/report.txt",)


def test_one_file_by_itself_has_its_name_as_uri(corpus, room):
    assert corpus.add_path(room / "2022" / "report.txt").added == ("report.txt",)
    assert corpus.add_path(room / "2023" / "report.txt").added == ("report-2.txt",)


def test_unreadable_files_are_named_with_a_reason_and_the_good_one_answers(corpus, tmp_path):
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "good.txt").write_text("The warehouse holds 4,120 pallets.")
    (folder / "empty.txt").write_bytes(b"")
    (folder / "blank.md").write_text(" \n\n ")
    (folder / "cut.pdf").write_bytes(b"%PDF-1.7\n1 0 obj\n<<")
    (folder / "picture.txt").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    report = corpus.add_path(folder)
    assert report.added == ("good.txt",)
    assert {source.uri: source.status for source in report.failed} == {
        "blank.md": "skipped",
        "cut.pdf": "failed",
        "empty.txt": "skipped",
        "picture.txt": "failed",
    }
    assert all(source.reason for source in report.failed)
    assert uris(corpus, "how many pallets") == ["good.txt"]


@pytest.mark.skipif(sys.platform == "darwin", reason="names are UTF-8 there")
def test_a_file_whose_name_is_no_text_is_read_like_the_others_and_kept(corpus, tmp_path):
    folder = tmp_path / "room"
    folder.mkdir()
    (folder / os.fsdecode(b"harbo\xfcr.md")).write_text("The harbour wall is 640 metres long.")
    (folder / "plan.md").write_text("The plan was approved in March.")
    assert corpus.add_path(folder).added == ("harbo%FCr.md", "plan.md")
    assert corpus.add_path(folder).unchanged == ("harbo%FCr.md", "plan.md")
    assert corpus.search("harbour wall")[0].chunk_id.startswith(chunk_id_of("harbo%FCr.md", 0).rpartition(":")[0])
    (folder / os.fsdecode(b"harbo\xfcr.md")).unlink()
    assert corpus.add_path(folder).removed == ("harbo%FCr.md",)


def test_an_index_over_nothing_finds_nothing(corpus, tmp_path):
    assert corpus.search("anything?") == []
    (tmp_path / "empty.txt").write_bytes(b"")
    (tmp_path / "blank.md").write_text("\n")
    corpus.add_path(tmp_path / "empty.txt", tmp_path / "blank.md")
    assert corpus.search("anything?") == []
    assert corpus.route("anything?") == []


def test_a_term_in_half_of_a_tiny_corpus_still_ranks_first(corpus):
    corpus.add([Document(uri="a", text="The tidal barrier opens at noon."), Document(uri="b", text="The night ferry.")])
    first = corpus.search("When does the tidal barrier open?")[0]
    assert (first.chunk_id, first.score_sparse > 0) == (chunk_id_of("a", 0), True)


def test_odd_metadata_is_flattened_or_dropped(corpus):
    odd = {
        "tags": ["x", None, 3],
        "author": {"name": "Vole", "born": None},
        "object": object(),
        "page": 7,
        "none": None,
    }
    assert corpus.add([Document(uri="m", text="Valve set point is 8.5 bar.", metadata=odd)]).added == ("m",)
    assert uris(corpus, "valve", where={"metadata": {"author.name": "Vole", "tags": "x, 3", "page": 7}}) == ["m"]


def test_a_small_chunk_size_gives_many_chunks_all_stored_and_no_duplicates(tmp_path):
    folder = tmp_path / "big"
    folder.mkdir()
    (folder / "big.txt").write_text("\n".join(f"Crate {n} is in bay {n}." for n in range(1, 1501)))
    corpus = open_corpus(tmp_path / "corpus", chunk_chars=40, chunk_overlap=0)
    corpus.add_path(folder)
    count = len(corpus)
    assert count >= 1000
    assert corpus.add_path(folder).unchanged == ("big.txt",)
    assert len(corpus) == count
    assert len(corpus.search("crate", k=2000)) == count


def test_chinese_questions_meet_their_clause_and_no_other(corpus):
    corpus.add([Document(uri="zh", text="本合同自签署之日起生效。\n合同的终止期限为三十天，须书面通知对方。")])
    assert corpus.search("合同的终止期限是多久？", mode="sparse")[0].score_sparse > 0
    assert corpus.search("火星有几颗卫星？", mode="sparse") == []


def test_texts_with_the_same_words_stay_two(corpus):
    corpus.add([Document(uri="a", text="Thanks!"), Document(uri="b", text="Thanks!")])
    assert sorted(uris(corpus, "thanks")) == ["a", "b"]
    assert corpus.add([Document(uri="a", text="Thanks!"), Document(uri="b", text="No thanks.")]).updated == ("b",)


def test_pages_with_the_same_beginning_are_one_and_failures_keep_their_reason(corpus):
    page = Extraction(text="The ferry leaves at nine.")
    stored = corpus.add_extractions(
        [
            (Source(uri="https://a.test/1", kind="web"), page),
            (Source(uri="https://a.test/2", kind="web"), page),
            (Source(uri="https://a.test/3", kind="web", status="failed", reason="404"), None),
        ]
    )
    assert [(source.status, source.reason) for source in stored] == [
        ("ok", ""),
        ("skipped", "the same content as https://a.test/1"),
        ("failed", "404"),
    ]


def test_web_pages_are_cut_to_the_chunks_kept_and_files_are_not(tmp_path):
    corpus = open_corpus(tmp_path / "c", chunk_chars=100, chunk_overlap=0, max_chunks_per_source=3)
    text = "\n\n".join(f"Paragraph {n} tells of pump {n} and of valve {n} at length." for n in range(40))
    corpus.add_extractions([(Source(uri="https://a.test/", kind="web"), Extraction(text=text))])
    corpus.add([Document(uri="d", text=text)])
    assert len(corpus.chunks_of("https://a.test/")) == 3
    assert len(corpus.chunks_of("d")) > 20


def test_filters_choose_by_path_kind_date_and_name(corpus):
    corpus.add(
        [
            Document(uri="2022/a.txt", text="pump one", metadata={"date": "2022-05-01"}),
            Document(uri="2023/b.txt", text="pump two", metadata={"date": "2023-05-01"}),
        ]
    )
    dated = Source(uri="https://a.test/", kind="web", published_at=datetime(2024, 1, 2, tzinfo=UTC))
    corpus.add_extractions([(dated, Extraction(text="pump three"))])
    assert uris(corpus, "pump", where={"path": "2022/*"}) == ["2022/a.txt"]
    assert uris(corpus, "pump", where={"kind": "web"}) == ["https://a.test/"]
    assert uris(corpus, "pump", where={"since": "2023-01-01", "until": "2023-12-31"}) == ["2023/b.txt"]
    assert uris(corpus, "pump", where={"uris": ["2023/b.txt"]}) == ["2023/b.txt"]
    with pytest.raises(UsageError, match="colour"):
        corpus.search("pump", where={"colour": "red"})


def test_words_find_at_once_and_vectors_follow_batch_by_batch(tmp_path):
    embedder = HashedEmbedder()
    corpus = open_corpus(tmp_path / "c", embedder)
    corpus.add([Document(uri=f"d{n}", text=f"Crate {n} is in bay {n}.") for n in range(150)], embed=False)
    assert (embedder.asked, corpus.pending) == (0, 150)
    assert corpus.search("crate 17", mode="sparse")
    assert "150 passages have no vector yet" in corpus.degraded
    told: list[tuple[str, int, int]] = []
    stops = iter([False, True])
    assert corpus.embed_pending(progress=lambda *step: told.append(step), until=lambda: next(stops)) == 64
    assert told == [("embed", 64, 150)]
    assert corpus.embed_pending() == 86
    assert (corpus.pending, corpus.degraded, embedder.asked) == (0, "", 150)


def test_a_passage_that_was_read_keeps_its_vector_and_a_changed_one_gets_its_own(tmp_path):
    embedder = HashedEmbedder()
    corpus = open_corpus(tmp_path / "c", embedder)
    corpus.add([Document(uri="d", text="Crate 1 is in bay 1.")])
    passage = chunk_id_of("d", 0)
    old = corpus.read([passage])[0].text
    asked = embedder.asked
    assert corpus.embed([old]).tolist() == embedder.embed([old]).tolist()
    assert embedder.asked == asked + 1  # by this test alone
    corpus.add([Document(uri="d", text="Crate 1 is in bay 7.")])
    new = corpus.read([passage])[0].text
    assert corpus.embed([new, old]).tolist() == embedder.embed([new, old]).tolist()
    corpus.add([Document(uri="d", text="Crate 1 is gone.")], embed=False)
    gone = corpus.read([passage])[0].text
    asked = embedder.asked
    assert corpus.embed([gone]).tolist() == HashedEmbedder().embed([gone]).tolist()
    assert embedder.asked == asked + 1


def test_a_corpus_of_another_model_is_refused_with_what_to_do(tmp_path):
    with open_corpus(tmp_path / "c") as corpus:
        corpus.add([Document(uri="a", text="pump")])
    with pytest.raises(EmbeddingMismatch, match="reembed=True"):
        open_corpus(tmp_path / "c", HashedEmbedder("other"))


def test_a_file_where_a_corpus_should_be_and_a_damaged_database_are_named(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(CorpusError, match="this is a file"):
        open_corpus(tmp_path / "file")
    folder = tmp_path / "damaged"
    folder.mkdir()
    (folder / "corpus.sqlite").write_bytes(b"not a database" * 500)
    with pytest.raises(CorpusError, match="damaged"):
        open_corpus(folder).search("x")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_one_clear_error(tmp_path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(CorpusError, match="cannot be written"):
            open_corpus(tmp_path / "c").add([Document(uri="a", text="pump")])
    finally:
        tmp_path.chmod(0o700)


def test_another_process_sees_what_came_after_it_opened(tmp_path):
    one, other = open_corpus(tmp_path / "c"), open_corpus(tmp_path / "c")
    one.add([Document(uri="a", text="The pump hums.")])
    assert uris(other, "pump") == ["a"]
    one.add([Document(uri="b", text="A zebra crosses.")])
    assert uris(other, "zebra", k=1) == ["b"]
    one.remove(["b"])
    assert "b" not in uris(other, "zebra")


def test_the_langchain_retriever_gives_places_and_scores(corpus, room):
    corpus.add_path(room)
    found = corpus.as_retriever(k=2).invoke("head count at the quarry")
    assert found[0].metadata["uri"] == "2023/report.md"
    assert {"chunk_id", "start", "end", "score", "rank", "score_fused"} <= found[0].metadata.keys()
    assert len(found) == 2


WRITER = """
import sys
import threading
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from citewell.retrievers import corpus as corpus_module
from citewell.retrievers import corpus_following
from citewell.retrievers.corpus import Corpus
from citewell.settings import Environment, Settings
from citewell.state.records import Document
from hashed_embedder import HashedEmbedder
folder, name, count = Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
corpus = Corpus.open(folder, settings=Settings(), environment=Environment(), embedder=HashedEmbedder())
for at in range(0, count, 10):
    documents = [Document(uri=f"{name}/{n}", text=f"Crate {n} of {name} is in bay {n}.") for n in range(at, at + 10)]
    corpus.add(documents)
    print(at, flush=True)
corpus.close()
"""


def writer(folder: Path, name: str, count: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", WRITER, str(TESTS), str(folder), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.mark.slow
def test_eight_processes_add_at_once_and_nothing_is_lost(tmp_path):
    running = [writer(tmp_path / "c", f"p{n}", 30) for n in range(8)]
    for process in running:
        _, errors = process.communicate(timeout=240)
        assert process.returncode == 0, errors.decode()
    with open_corpus(tmp_path / "c") as corpus:
        assert (len(corpus), corpus.pending) == (240, 0)
        found = {chunk.uri for chunk in corpus.read([hit.chunk_id for hit in corpus.search("crate", k=500)])}
        assert found == {f"p{p}/{n}" for p in range(8) for n in range(30)}


@pytest.mark.slow
@pytest.mark.parametrize("lines", [1, 4, 9])
def test_a_killed_writer_leaves_a_corpus_that_opens_and_completes(tmp_path, lines):
    process = writer(tmp_path / "c", "p", 10_000)
    assert process.stdout is not None
    for _ in range(lines):
        process.stdout.readline()
    time.sleep(0.01 * lines)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    with open_corpus(tmp_path / "c") as corpus:
        corpus.embed_pending()
        count = len(corpus)
        assert count >= 10 * lines
        hits = corpus.search("crate", k=20_000)
        assert (len(hits), corpus.pending) == (count, 0)
        assert len(corpus.read([hit.chunk_id for hit in hits])) == count
    with open_corpus(tmp_path / "fresh") as fresh:
        fresh.add([Document(uri=f"p/{n}", text=f"Crate {n} of p is in bay {n}.") for n in range(count)])
        assert [hit.chunk_id for hit in fresh.search("crate", k=20_000)] == [hit.chunk_id for hit in hits]


def test_vectors_of_much_text_are_computed_while_more_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(corpus_following, "BATCH_SOURCES", 2)
    monkeypatch.setattr(corpus_following, "INDEX_BATCH", 4)
    embedder, computed = HashedEmbedder(), threading.Event()

    class Watched(HashedEmbedder):
        def embed(self, texts):
            computed.set()
            return embedder.embed(texts)

    given = [Document(uri=f"doc:{number}", text=f"Lake {number} is {number} m deep.") for number in range(12)]
    waited = []

    def progress(stage, done, total):
        if stage == "read" and done == total:
            waited.append(computed.wait(30))

    monkeypatch.setattr(corpus_module, "BATCH_SOURCES", 8)
    with Corpus.open(tmp_path / "beside", embedder=Watched()) as corpus:
        assert len(corpus.add(given, progress=progress).added) == 12
        assert (corpus.pending, waited) == (0, [True])
        beside = corpus.search("lake 7", k=5)
    with Corpus.open(tmp_path / "after", embedder=HashedEmbedder()) as corpus:
        corpus.add(given, embed=False)
        corpus.embed_pending()
        assert corpus.search("lake 7", k=5) == beside


def test_what_fails_beside_is_told_at_the_end_and_what_was_read_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(corpus_following, "BATCH_SOURCES", 2)
    monkeypatch.setattr(corpus_following, "INDEX_BATCH", 4)

    class Broken(HashedEmbedder):
        def embed(self, texts):
            raise ValueError("no such model")

    given = [Document(uri=f"doc:{number}", text=f"Lake {number} is {number} m deep.") for number in range(12)]
    with Corpus.open(tmp_path / "corpus", embedder=Broken()) as corpus:
        with pytest.raises(ValueError, match="no such model"):
            corpus.add(given)
        assert (len(corpus), corpus.pending) == (12, 12)
