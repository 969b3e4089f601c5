CREATE TABLE cluster_members (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, pid BIGINT NOT NULL, started TEXT COLLATE "C" NOT NULL, sessions TEXT COLLATE "C" NOT NULL,
    address TEXT COLLATE "C" NOT NULL, machine TEXT COLLATE "C" NOT NULL, protocol BIGINT NOT NULL, certificate TEXT COLLATE "C" NOT NULL,
    serving BIGINT NOT NULL
);
CREATE TABLE cluster_resources (name TEXT COLLATE "C" PRIMARY KEY, owner BIGINT NOT NULL DEFAULT 0);
INSERT INTO cluster_resources VALUES ('/lobby', 0);
CREATE TABLE cluster_keys (name TEXT COLLATE "C" PRIMARY KEY, key BYTEA NOT NULL);

DO $$ BEGIN IF to_regclass('house_keys') IS NOT NULL THEN INSERT INTO cluster_keys SELECT name, key FROM house_keys; END IF; END $$;
DROP TABLE IF EXISTS slates, news, processes, house_keys;
ALTER TABLE tables ADD COLUMN owner BIGINT NOT NULL DEFAULT 0;
CREATE INDEX tables_of_owner ON tables (owner) WHERE owner != 0;
