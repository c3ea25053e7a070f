"""The tables of a corpus."""

from __future__ import annotations

SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO meta VALUES ('generation', 0);
CREATE TABLE roots (path TEXT PRIMARY KEY, name TEXT NOT NULL, first INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE sources (
    uri TEXT PRIMARY KEY,
    record TEXT NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    content TEXT NOT NULL,
    cut TEXT NOT NULL,
    root TEXT NOT NULL,
    path TEXT NOT NULL,
    published TEXT NOT NULL,
    metadata TEXT NOT NULL,
    pages TEXT NOT NULL,
    seal INTEGER
);
CREATE INDEX sources_by_content ON sources (content);
CREATE INDEX sources_by_root ON sources (root);
CREATE TABLE texts (uri TEXT PRIMARY KEY, text TEXT NOT NULL, seal INTEGER);
CREATE TABLE chunks (
    n INTEGER PRIMARY KEY,
    chunk_id TEXT NOT NULL UNIQUE,
    uri TEXT NOT NULL,
    i INTEGER NOT NULL,
    text TEXT NOT NULL,
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    page INTEGER, sheet TEXT, row_first INTEGER, row_last INTEGER,
    headings TEXT NOT NULL,
    indexed INTEGER NOT NULL DEFAULT 0,
    seal INTEGER
);
CREATE INDEX chunks_by_uri ON chunks (uri, i);
CREATE INDEX chunks_not_indexed ON chunks (n) WHERE indexed = 0;
CREATE TABLE gone (chunk_id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE table_rows (n INTEGER PRIMARY KEY, uri TEXT NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL,
    record TEXT NOT NULL, seal INTEGER);
CREATE INDEX table_rows_by_place ON table_rows (uri, start);
CREATE TABLE recovered_pages (
    uri TEXT NOT NULL, page INTEGER NOT NULL, records TEXT NOT NULL, seal INTEGER, PRIMARY KEY (uri, page)
);
"""
VERSION = 2
# Rows from before there were seals have none and are taken as they are.
UPGRADES = {
    1: ";".join(
        f"ALTER TABLE {table} ADD COLUMN seal INTEGER"
        for table in ("sources", "texts", "chunks", "table_rows", "recovered_pages")
    )
}
