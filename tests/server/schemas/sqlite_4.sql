ALTER TABLE chat ADD COLUMN phrase INTEGER NOT NULL DEFAULT 0;
ALTER TABLE chat ADD COLUMN aside INTEGER NOT NULL DEFAULT 0;

ALTER TABLE tables ADD COLUMN clocks BLOB;
ALTER TABLE tables ADD COLUMN clock_at INTEGER NOT NULL DEFAULT 0;
CREATE INDEX running_clocks ON tables (id) WHERE clocks IS NOT NULL AND phase = 'playing';

CREATE TABLE friends (person TEXT NOT NULL, other TEXT NOT NULL, PRIMARY KEY (person, other)) STRICT, WITHOUT ROWID;
CREATE INDEX friends_of_other ON friends (other);
CREATE TABLE blocks (person TEXT NOT NULL, other TEXT NOT NULL, PRIMARY KEY (person, other)) STRICT, WITHOUT ROWID;
CREATE INDEX blocks_of_other ON blocks (other);
