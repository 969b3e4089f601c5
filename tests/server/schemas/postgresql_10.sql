ALTER TABLE tables ADD COLUMN match_id TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE tables ADD COLUMN match_outcome TEXT COLLATE "C" NOT NULL DEFAULT '';
CREATE INDEX tables_of_match ON tables (match_id) WHERE match_id != '';
CREATE TABLE matches (
    id TEXT COLLATE "C" PRIMARY KEY, settings BYTEA NOT NULL, organiser TEXT COLLATE "C" NOT NULL, phase TEXT COLLATE "C" NOT NULL,
    created DOUBLE PRECISION NOT NULL, finished_at BIGINT NOT NULL, ended_early BIGINT NOT NULL, movement BYTEA, results BYTEA
);
CREATE INDEX unfinished_matches ON matches (id) WHERE phase != 'over';
CREATE INDEX finished_matches ON matches (finished_at) WHERE phase = 'over';
CREATE TABLE match_people (
    match_id TEXT COLLATE "C" NOT NULL, number BIGINT NOT NULL, person TEXT COLLATE "C" NOT NULL, removed BIGINT NOT NULL,
    PRIMARY KEY (match_id, number)
);
CREATE INDEX matches_of_person ON match_people (person);
