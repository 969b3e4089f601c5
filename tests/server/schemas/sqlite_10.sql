ALTER TABLE tables ADD COLUMN match_id TEXT NOT NULL DEFAULT '';
ALTER TABLE tables ADD COLUMN match_outcome TEXT NOT NULL DEFAULT '';
CREATE INDEX tables_of_match ON tables (match_id) WHERE match_id != '';
CREATE TABLE matches (
    id TEXT PRIMARY KEY, settings BLOB NOT NULL, organiser TEXT NOT NULL, phase TEXT NOT NULL, created REAL NOT NULL,
    finished_at INTEGER NOT NULL, ended_early INTEGER NOT NULL, movement BLOB, results BLOB
) STRICT;
CREATE INDEX unfinished_matches ON matches (id) WHERE phase != 'over';
CREATE INDEX finished_matches ON matches (finished_at) WHERE phase = 'over';
CREATE TABLE match_people (
    match_id TEXT NOT NULL, number INTEGER NOT NULL, person TEXT NOT NULL, removed INTEGER NOT NULL, PRIMARY KEY (match_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX matches_of_person ON match_people (person);
