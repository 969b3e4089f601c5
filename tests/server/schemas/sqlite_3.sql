ALTER TABLE chat ADD COLUMN person TEXT NOT NULL DEFAULT '';
CREATE INDEX chat_of_person ON chat (person) WHERE person != '';
CREATE TABLE accounts (
    person TEXT PRIMARY KEY, handle BLOB NOT NULL UNIQUE, since INTEGER NOT NULL, code TEXT UNIQUE, proof BLOB
) STRICT, WITHOUT ROWID;
CREATE TABLE looks (look TEXT PRIMARY KEY, person TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX looks_of_person ON looks (person);
CREATE TABLE passkeys (
    id BLOB PRIMARY KEY, person TEXT NOT NULL, key BLOB NOT NULL, uses INTEGER NOT NULL, label TEXT NOT NULL,
    since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX passkeys_of_person ON passkeys (person);
CREATE TABLE devices (
    id TEXT PRIMARY KEY, person TEXT NOT NULL, mark TEXT NOT NULL, label TEXT NOT NULL, since INTEGER NOT NULL,
    seen INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX devices_of_person ON devices (person);
CREATE INDEX devices_seen ON devices (seen);
