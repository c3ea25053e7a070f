"""The tables of the temporal graph."""

from __future__ import annotations

from .sealing import SEALS

VERSION = 2
_TABLES = """
CREATE TABLE roots (path TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (
    uri TEXT PRIMARY KEY,
    record TEXT NOT NULL,
    content TEXT NOT NULL,
    cut TEXT NOT NULL,
    engine TEXT NOT NULL,
    root TEXT NOT NULL,
    path TEXT NOT NULL,
    dated TEXT,
    expired_at TEXT
);
CREATE INDEX documents_by_root ON documents (root);
CREATE TABLE chunks (
    chunk_id TEXT NOT NULL, content TEXT NOT NULL, record TEXT NOT NULL,
    PRIMARY KEY (chunk_id, content)
) WITHOUT ROWID;
CREATE TABLE entities (
    n INTEGER PRIMARY KEY,
    entity_id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    canonical INTEGER NOT NULL,
    folded TEXT NOT NULL,
    key TEXT NOT NULL,
    head TEXT NOT NULL,
    tail TEXT NOT NULL
);
CREATE INDEX entities_by_canonical ON entities (canonical);
CREATE INDEX entities_by_folded ON entities (folded);
CREATE INDEX entities_by_key ON entities (key, kind);
CREATE INDEX entities_by_head ON entities (head, kind);
CREATE INDEX entities_by_tail ON entities (tail, kind);
CREATE TABLE stated_names (
    folded TEXT NOT NULL, kind TEXT NOT NULL, entity INTEGER NOT NULL, uri TEXT NOT NULL, name TEXT NOT NULL,
    PRIMARY KEY (folded, kind, entity, uri)
) WITHOUT ROWID;
CREATE INDEX stated_names_by_entity ON stated_names (entity);
CREATE INDEX stated_names_by_uri ON stated_names (uri);
CREATE TABLE merges (
    n INTEGER PRIMARY KEY,
    a INTEGER NOT NULL,
    b INTEGER NOT NULL,
    rule TEXT NOT NULL,
    reason TEXT NOT NULL,
    score REAL NOT NULL,
    created_at TEXT NOT NULL,
    undone_at TEXT,
    undone_by TEXT NOT NULL DEFAULT '',
    UNIQUE (a, b, rule)
);
CREATE INDEX merges_by_b ON merges (b);
CREATE TABLE events (
    n INTEGER PRIMARY KEY,
    event_id TEXT NOT NULL UNIQUE,
    uri TEXT NOT NULL,
    content TEXT NOT NULL,
    chunk_id TEXT NOT NULL,
    statement TEXT NOT NULL,
    quote TEXT NOT NULL,
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    statement_type TEXT NOT NULL,
    temporal_type TEXT NOT NULL,
    valid_at TEXT,
    stated_end TEXT,
    invalid_at TEXT,
    since TEXT,
    created_at TEXT NOT NULL,
    expired_at TEXT,
    invalidated_by TEXT NOT NULL DEFAULT '',
    stated_at TEXT
);
CREATE INDEX events_by_uri ON events (uri);
CREATE INDEX events_by_since ON events (since);
CREATE TABLE triplets (
    n INTEGER PRIMARY KEY,
    event INTEGER NOT NULL,
    place INTEGER NOT NULL,
    subject INTEGER NOT NULL,
    predicate TEXT NOT NULL,
    object INTEGER,
    value TEXT NOT NULL,
    unit TEXT NOT NULL,
    exclusive INTEGER NOT NULL
);
CREATE INDEX triplets_by_event ON triplets (event);
CREATE INDEX triplets_by_subject ON triplets (subject, predicate);
CREATE INDEX triplets_by_object ON triplets (object, predicate);
CREATE INDEX triplets_by_predicate ON triplets (predicate);
CREATE TABLE closing_keys (key TEXT NOT NULL, triplet INTEGER NOT NULL, PRIMARY KEY (key, triplet)) WITHOUT ROWID;
CREATE INDEX closing_keys_by_triplet ON closing_keys (triplet);
"""
# A file of the first version becomes one of the second by what a new one gets besides.
SCHEMA = _TABLES + SEALS
UPGRADES = {1: SEALS}
