CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;
CREATE TABLE tables (
    id TEXT PRIMARY KEY, header BLOB NOT NULL, places BLOB NOT NULL, revision INTEGER NOT NULL,
    phase TEXT NOT NULL, public INTEGER NOT NULL, created REAL NOT NULL
) STRICT;
CREATE INDEX public_tables ON tables (created) WHERE public = 1 AND phase != 'over';
CREATE TABLE members (
    person TEXT NOT NULL, at REAL NOT NULL, table_id TEXT NOT NULL, PRIMARY KEY (person, table_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE answers (
    table_id TEXT NOT NULL, n INTEGER NOT NULL, seat INTEGER NOT NULL, words TEXT NOT NULL,
    person TEXT NOT NULL, key TEXT NOT NULL, body BLOB, reply BLOB, PRIMARY KEY (table_id, n)
) STRICT, WITHOUT ROWID;
CREATE TABLE chat (
    table_id TEXT NOT NULL, at REAL NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL
) STRICT;
CREATE INDEX chat_of_table ON chat (table_id);
CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE keys (
    person TEXT NOT NULL, key TEXT NOT NULL, body BLOB NOT NULL, reply BLOB NOT NULL, at REAL NOT NULL,
    PRIMARY KEY (person, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX old_keys ON keys (at);
