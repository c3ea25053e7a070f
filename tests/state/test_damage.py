"""What a disk changed in a home is told with the way out, or made again; it is never taken for what was written."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from citewell.errors import CitewellError, MemoryFolderError
from citewell.retrievers.memory import Memory
from citewell.settings import Environment, Settings
from citewell.state.budget import Usage
from citewell.state.journal import CallJournal, Recorded
from citewell.state.sealed_serde import SealedSerializer
from citewell.state.seals import broken, seal
from citewell.state.sqlite import connect
from hashed_embedder import HashedEmbedder


def changed(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(statement, values)


def test_a_seal_tells_values_their_order_and_what_is_missing_apart():
    assert seal("a", 1, None) == seal("a", 1, None)
    assert len({seal("ab", ""), seal("a", "b"), seal("b", "a"), seal("", None), seal(None, ""), seal(b"ab", "")}) == 6
    assert broken(seal("a"), "b")
    assert not broken(None, "b")


async def answered(journal: CallJournal, said: str) -> Recorded:
    async def call() -> Recorded:
        return Recorded({"text": said}, Usage(1, 10, 2, 0.5))

    return await journal.once("run", "model", {"ask": "depth"}, call)


async def test_a_recorded_call_that_was_changed_is_made_again_and_recorded_anew(tmp_path, caplog):
    path = tmp_path / "journal.sqlite"
    await answered(CallJournal(path), "1,642 m")
    assert (await answered(CallJournal(path), "another")).result == {"text": "1,642 m"}
    changed(path, "UPDATE calls SET result = replace(result, '1,642', '1,643')")
    assert (await answered(CallJournal(path), "1,642 m, again")).result == {"text": "1,642 m, again"}
    assert "was changed by the disk; it is made again" in caplog.text
    assert (await answered(CallJournal(path), "another")).result == {"text": "1,642 m, again"}


async def test_a_journal_from_before_there_were_seals_is_read_and_sealed_from_then_on(tmp_path):
    path = tmp_path / "journal.sqlite"
    await answered(CallJournal(path), "1,642 m")
    changed(path, "ALTER TABLE calls DROP COLUMN seal")
    changed(path, "PRAGMA user_version = 1")
    assert (await answered(CallJournal(path), "another")).replayed
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT seal FROM calls").fetchall() == [(None,)]
        assert database.execute("PRAGMA user_version").fetchone() == (2,)


async def test_a_journal_that_is_no_database_is_told_with_the_way_out(tmp_path):
    path = tmp_path / "journal.sqlite"
    path.write_bytes(b"not a database at all" * 500)
    with pytest.raises(CitewellError, match=r"journal\.sqlite: the file is damaged .*; delete it: what is not"):
        await answered(CallJournal(path), "1,642 m")


@pytest.mark.parametrize("value", [{"depth": "1,642 m"}, None, b"bytes", bytearray(b"more"), [1, 2.5]])
def test_a_saved_value_is_read_as_it_was_and_a_changed_one_is_told(value):
    serde = SealedSerializer()
    kind, data = serde.dumps_typed(value)
    assert serde.loads_typed((kind, data)) == value
    assert serde.loads_typed((kind.partition("+")[0], data)) == value  # from before there were seals
    if data:
        with pytest.raises(CitewellError, match="changed by the disk"):
            serde.loads_typed((kind, bytes([data[0] ^ 1]) + bytes(data[1:])))


def memory_in(folder: Path) -> Memory:
    return Memory.open(
        folder, user="ann", settings=Settings(), environment=Environment(home=folder), embedder=HashedEmbedder()
    )


def test_a_memory_that_was_changed_is_told_and_never_handed_out(tmp_path):
    memory = memory_in(tmp_path)
    memory.store("The quay is 420 metres long.", "fact")
    memory.store("The ferry carries 32 cars.", "fact")
    assert memory.search("How long is the quay?", 1)[0].text == "The quay is 420 metres long."
    memory.close()
    changed(tmp_path / "records.sqlite", "UPDATE memories SET text = replace(text, '420', '421')")
    memory = memory_in(tmp_path)
    with pytest.raises(MemoryFolderError, match="memory mem_0001 of user 'ann' was changed by the disk; restore"):
        memory.search("How long is the quay?", 1)
    memory.close()


def test_a_memory_whose_vector_was_changed_is_found_all_the_same(tmp_path):
    memory = memory_in(tmp_path)
    memory.store("The quay is 420 metres long.", "fact")
    memory.close()
    changed(tmp_path / "records.sqlite", "UPDATE vectors SET vector = zeroblob(length(vector))")
    memory = memory_in(tmp_path)
    hit = memory.search("quay", 1)[0]
    assert (hit.text, hit.score_dense is not None and hit.score_dense > 0) == ("The quay is 420 metres long.", True)
    memory.close()


def test_memories_from_before_there_were_seals_are_read(tmp_path):
    memory = memory_in(tmp_path)
    memory.store("The quay is 420 metres long.", "fact")
    memory.close()
    for table in ("memories", "vectors"):
        changed(tmp_path / "records.sqlite", f"ALTER TABLE {table} DROP COLUMN seal")
    memory = memory_in(tmp_path)
    memory.store("The ferry carries 32 cars.", "fact")
    assert [item.text for item in memory.list()] == ["The quay is 420 metres long.", "The ferry carries 32 cars."]
    memory.close()


def test_a_schema_that_cannot_even_be_told_is_named_as_damage(tmp_path):
    path = tmp_path / "some.sqlite"
    changed(path, "CREATE TABLE kept (name TEXT)")
    data = path.read_bytes()
    path.write_bytes(
        data.replace(b"CREATE TABLE kept", b"CREATE TABLE ke\xf0t"[:17]).replace(b"tablekept", b"tablek\xf0pt")
    )
    with pytest.raises(CitewellError, match=r"some\.sqlite: the file is damaged .*; delete it"):
        connect(path, "CREATE TABLE IF NOT EXISTS other (name TEXT)", "delete it").execute("SELECT * FROM kept")
