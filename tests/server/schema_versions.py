"""Every database schema up to the current one, as its version created it, and one newer schema.

Frozen: changes of the program must not alter it.
"""

import re
from typing import Any

import pytest

from diamonds.server.storage import schema

# Column types in the program's terms, for both databases.
RENAMES_8 = """
ALTER TABLE acts RENAME TO moderation_actions;
ALTER TABLE standings RENAME TO sanctions;
ALTER TABLE looks RENAME TO name_skeletons;
ALTER TABLE calls RENAME TO pending_pushes;
ALTER TABLE subscriptions RENAME TO push_subscriptions;
ALTER TABLE keys RENAME TO idempotency_keys;
ALTER TABLE members RENAME TO table_people;
ALTER TABLE people RENAME TO display_names;
ALTER TABLE tables RENAME COLUMN places TO seating;
ALTER TABLE tables RENAME COLUMN asked TO to_act;
ALTER TABLE tables RENAME COLUMN clock_at TO clocks_at_ms;
ALTER TABLE tables RENAME COLUMN over_at TO finished_at;
ALTER TABLE entries RENAME COLUMN words TO text;
ALTER TABLE entries RENAME COLUMN at TO at_ms;
ALTER TABLE entries RENAME COLUMN key TO idempotency_key;
ALTER TABLE entries RENAME COLUMN body TO request_hash;
ALTER TABLE idempotency_keys RENAME COLUMN key TO idempotency_key;
ALTER TABLE idempotency_keys RENAME COLUMN body TO request_hash;
ALTER TABLE chat RENAME COLUMN at TO said_at;
ALTER TABLE chat RENAME COLUMN aside TO spectators_only;
ALTER TABLE accounts RENAME COLUMN since TO created_day;
ALTER TABLE accounts RENAME COLUMN code TO recovery_lookup;
ALTER TABLE accounts RENAME COLUMN proof TO recovery_proof;
ALTER TABLE passkeys RENAME COLUMN since TO created_day;
ALTER TABLE passkeys RENAME COLUMN uses TO sign_count;
ALTER TABLE devices RENAME COLUMN since TO created_day;
ALTER TABLE devices RENAME COLUMN seen TO last_seen_day;
ALTER TABLE devices RENAME COLUMN mark TO public_id;
ALTER TABLE name_skeletons RENAME COLUMN look TO skeleton;
ALTER TABLE reports RENAME COLUMN n TO id;
ALTER TABLE reports RENAME COLUMN whom TO target;
ALTER TABLE reports RENAME COLUMN lines TO chat_excerpt;
ALTER TABLE reports RENAME COLUMN handled TO resolved;
ALTER TABLE sanctions RENAME COLUMN muted TO muted_until;
ALTER TABLE sanctions RENAME COLUMN banned TO banned_until;
ALTER TABLE moderation_actions RENAME COLUMN n TO id;
ALTER TABLE moderation_actions RENAME COLUMN person TO moderator;
ALTER TABLE moderation_actions RENAME COLUMN what TO action;
ALTER TABLE moderation_actions RENAME COLUMN whom TO target;
ALTER TABLE moderation_actions RENAME COLUMN until TO until_s;
ALTER TABLE invitations RENAME COLUMN until TO until_s;
ALTER TABLE push_subscriptions RENAME COLUMN since TO last_seen_day;
ALTER TABLE quiet_hours RENAME COLUMN begins TO start_minute;
ALTER TABLE quiet_hours RENAME COLUMN ends TO end_minute;
ALTER TABLE quiet_hours RENAME COLUMN zone TO time_zone;
ALTER TABLE pending_pushes RENAME COLUMN answered TO question_n;
ALTER TABLE pending_pushes RENAME COLUMN tries TO attempts;

DROP INDEX over_tables, members_of_table, old_keys, looks_of_person, reports_waiting, reports_of_whom, acts_to_whom, acts_of_person,
    subscriptions_of_person, subscriptions_of_browser, calls_due;
CREATE INDEX finished_tables ON tables (finished_at, id) WHERE phase = 'over';
CREATE INDEX table_people_of_table ON table_people (table_id);
CREATE INDEX old_idempotency_keys ON idempotency_keys (at);
CREATE INDEX name_skeletons_of_person ON name_skeletons (person);
CREATE INDEX unresolved_reports ON reports (id) WHERE resolved = 0;
CREATE INDEX reports_of_target ON reports (target);
CREATE INDEX moderation_actions_of_target ON moderation_actions (target) WHERE target != '';
CREATE INDEX moderation_actions_of_moderator ON moderation_actions (moderator);
CREATE INDEX push_subscriptions_of_person ON push_subscriptions (person);
CREATE INDEX push_subscriptions_of_browser ON push_subscriptions (browser);
CREATE INDEX pending_pushes_due ON pending_pushes (due) WHERE due > 0;
"""

# Schema k consists of the first k of these.
SQLITE = (
    """
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
""",
    """
ALTER TABLE answers RENAME TO entries;
ALTER TABLE entries ADD COLUMN at INTEGER NOT NULL DEFAULT 0;
INSERT INTO meta SELECT 'reserved', (value + 1) << 16 FROM meta WHERE key = 'boots';
DELETE FROM meta WHERE key = 'boots';
""",
    """
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
""",
    """
ALTER TABLE chat ADD COLUMN phrase INTEGER NOT NULL DEFAULT 0;
ALTER TABLE chat ADD COLUMN aside INTEGER NOT NULL DEFAULT 0;

ALTER TABLE tables ADD COLUMN clocks BLOB;
ALTER TABLE tables ADD COLUMN clock_at INTEGER NOT NULL DEFAULT 0;
CREATE INDEX running_clocks ON tables (id) WHERE clocks IS NOT NULL AND phase = 'playing';

CREATE TABLE friends (person TEXT NOT NULL, other TEXT NOT NULL, PRIMARY KEY (person, other)) STRICT, WITHOUT ROWID;
CREATE INDEX friends_of_other ON friends (other);
CREATE TABLE blocks (person TEXT NOT NULL, other TEXT NOT NULL, PRIMARY KEY (person, other)) STRICT, WITHOUT ROWID;
CREATE INDEX blocks_of_other ON blocks (other);
""",
    """
CREATE TABLE reports (
    n INTEGER PRIMARY KEY AUTOINCREMENT, person TEXT NOT NULL, whom TEXT NOT NULL, table_id TEXT NOT NULL,
    reason TEXT NOT NULL, text TEXT NOT NULL, lines TEXT NOT NULL, at INTEGER NOT NULL, handled INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX reports_once ON reports (person, whom, table_id) WHERE person != '';
CREATE INDEX reports_waiting ON reports (n) WHERE handled = 0;
CREATE INDEX reports_of_whom ON reports (whom);
CREATE TABLE standings (
    person TEXT PRIMARY KEY, warning TEXT NOT NULL, muted INTEGER NOT NULL, banned INTEGER NOT NULL, reason TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE acts (
    n INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, person TEXT NOT NULL, what TEXT NOT NULL,
    whom TEXT NOT NULL, name TEXT NOT NULL, table_id TEXT NOT NULL, until INTEGER NOT NULL, reason TEXT NOT NULL
) STRICT;
CREATE INDEX acts_to_whom ON acts (whom) WHERE whom != '';
CREATE INDEX acts_of_person ON acts (person);
CREATE TRIGGER acts_are_kept BEFORE DELETE ON acts BEGIN SELECT RAISE(ABORT, 'what was done is kept'); END;
CREATE TRIGGER acts_stay BEFORE UPDATE OF n, at, what, table_id, until, reason ON acts
BEGIN SELECT RAISE(ABORT, 'what was done stays'); END;
CREATE TABLE invitations (code TEXT PRIMARY KEY, name TEXT NOT NULL, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX members_of_table ON members (table_id);
ALTER TABLE tables ADD COLUMN over_at INTEGER NOT NULL DEFAULT 0;
UPDATE tables SET over_at = unixepoch() WHERE phase = 'over';
CREATE INDEX over_tables ON tables (over_at, id) WHERE phase = 'over';

CREATE TABLE subscriptions (
    id TEXT PRIMARY KEY, person TEXT NOT NULL, browser TEXT NOT NULL, endpoint TEXT NOT NULL UNIQUE, key BLOB NOT NULL,
    auth BLOB NOT NULL, label TEXT NOT NULL, language TEXT NOT NULL, since INTEGER NOT NULL
) STRICT;
CREATE INDEX subscriptions_of_person ON subscriptions (person);
CREATE INDEX subscriptions_of_browser ON subscriptions (browser);
CREATE TABLE quiet_hours (
    person TEXT PRIMARY KEY, begins INTEGER NOT NULL, ends INTEGER NOT NULL, zone TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE calls (
    subscription TEXT NOT NULL, table_id TEXT NOT NULL, answered INTEGER NOT NULL, due INTEGER NOT NULL,
    tries INTEGER NOT NULL, PRIMARY KEY (subscription, table_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX calls_due ON calls (due) WHERE due > 0;
CREATE TRIGGER no_calls_without_subscription AFTER DELETE ON subscriptions BEGIN
    DELETE FROM calls WHERE subscription = old.id;
END;
""",
    """
ALTER TABLE tables ADD COLUMN asked INTEGER;
""",
    "",  # only PostgreSQL has owners
    """
DROP TRIGGER acts_stay;
DROP TRIGGER acts_are_kept;
DROP TRIGGER no_calls_without_subscription;
"""
    + re.sub("DROP INDEX [^;]*", lambda drops: drops[0].replace(",", "; DROP INDEX"), RENAMES_8)
    + """
CREATE TRIGGER moderation_actions_are_kept BEFORE DELETE ON moderation_actions
BEGIN SELECT RAISE(ABORT, 'rows of moderation_actions are never changed'); END;
CREATE TRIGGER moderation_actions_stay BEFORE UPDATE OF id, at, action, table_id, until_s, reason ON moderation_actions
BEGIN SELECT RAISE(ABORT, 'rows of moderation_actions are never changed'); END;
CREATE TRIGGER pending_pushes_go_with_push_subscriptions AFTER DELETE ON push_subscriptions
BEGIN DELETE FROM pending_pushes WHERE subscription = old.id; END;
""",
    """
ALTER TABLE tables ADD COLUMN daily TEXT NOT NULL DEFAULT '';
ALTER TABLE tables ADD COLUMN daily_place INTEGER;
ALTER TABLE tables ADD COLUMN daily_points INTEGER;
CREATE INDEX daily_results ON tables (daily, daily_place, daily_points) WHERE daily_place IS NOT NULL;
""",
    """
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
""",
)

# Created at schema 5 from nothing, then step by step.
POSTGRES = {
    5: """
CREATE TABLE meta (key TEXT COLLATE "C" PRIMARY KEY, value BIGINT NOT NULL);
CREATE TABLE tables (
    id TEXT COLLATE "C" PRIMARY KEY, header BYTEA NOT NULL, places BYTEA NOT NULL, revision BIGINT NOT NULL, phase TEXT COLLATE "C" NOT NULL,
    public BIGINT NOT NULL, created DOUBLE PRECISION NOT NULL, clocks BYTEA, clock_at BIGINT NOT NULL DEFAULT 0,
    over_at BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX public_tables ON tables (created) WHERE public = 1 AND phase != 'over';
CREATE INDEX running_clocks ON tables (id) WHERE clocks IS NOT NULL AND phase = 'playing';
CREATE INDEX over_tables ON tables (over_at, id) WHERE phase = 'over';
CREATE TABLE members (person TEXT COLLATE "C", at DOUBLE PRECISION NOT NULL, table_id TEXT COLLATE "C", PRIMARY KEY (person, table_id));
CREATE INDEX members_of_table ON members (table_id);
CREATE TABLE entries (
    table_id TEXT COLLATE "C", n BIGINT, seat BIGINT NOT NULL, words TEXT COLLATE "C" NOT NULL, person TEXT COLLATE "C" NOT NULL, key TEXT COLLATE "C" NOT NULL,
    body BYTEA, reply BYTEA, at BIGINT NOT NULL DEFAULT 0, PRIMARY KEY (table_id, n)
);
CREATE TABLE chat (
    table_id TEXT COLLATE "C" NOT NULL, at DOUBLE PRECISION NOT NULL, name TEXT COLLATE "C" NOT NULL, text TEXT COLLATE "C" NOT NULL,
    person TEXT COLLATE "C" NOT NULL DEFAULT '', phrase BIGINT NOT NULL DEFAULT 0, aside BIGINT NOT NULL DEFAULT 0,
    rowid BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY
);
CREATE INDEX chat_of_table ON chat (table_id, rowid);
CREATE INDEX chat_of_person ON chat (person) WHERE person != '';
CREATE TABLE people (id TEXT COLLATE "C" PRIMARY KEY, name TEXT COLLATE "C" NOT NULL);
CREATE TABLE keys (
    person TEXT COLLATE "C", key TEXT COLLATE "C", body BYTEA NOT NULL, reply BYTEA NOT NULL, at DOUBLE PRECISION NOT NULL, PRIMARY KEY (person, key)
);
CREATE INDEX old_keys ON keys (at);

CREATE TABLE accounts (
    person TEXT COLLATE "C" PRIMARY KEY, handle BYTEA NOT NULL UNIQUE, since BIGINT NOT NULL, code TEXT COLLATE "C" UNIQUE, proof BYTEA
);
CREATE TABLE looks (look TEXT COLLATE "C" PRIMARY KEY, person TEXT COLLATE "C" NOT NULL);
CREATE INDEX looks_of_person ON looks (person);
CREATE TABLE passkeys (
    id BYTEA PRIMARY KEY, person TEXT COLLATE "C" NOT NULL, key BYTEA NOT NULL, uses BIGINT NOT NULL, label TEXT COLLATE "C" NOT NULL,
    since BIGINT NOT NULL
);
CREATE INDEX passkeys_of_person ON passkeys (person);
CREATE TABLE devices (
    id TEXT COLLATE "C" PRIMARY KEY, person TEXT COLLATE "C" NOT NULL, mark TEXT COLLATE "C" NOT NULL, label TEXT COLLATE "C" NOT NULL, since BIGINT NOT NULL,
    seen BIGINT NOT NULL
);
CREATE INDEX devices_of_person ON devices (person);
CREATE INDEX devices_seen ON devices (seen);

CREATE TABLE friends (person TEXT COLLATE "C", other TEXT COLLATE "C", PRIMARY KEY (person, other));
CREATE INDEX friends_of_other ON friends (other);
CREATE TABLE blocks (person TEXT COLLATE "C", other TEXT COLLATE "C", PRIMARY KEY (person, other));
CREATE INDEX blocks_of_other ON blocks (other);

CREATE TABLE reports (
    n BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, person TEXT COLLATE "C" NOT NULL, whom TEXT COLLATE "C" NOT NULL, table_id TEXT COLLATE "C" NOT NULL,
    reason TEXT COLLATE "C" NOT NULL, text TEXT COLLATE "C" NOT NULL, lines TEXT COLLATE "C" NOT NULL, at BIGINT NOT NULL, handled BIGINT NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX reports_once ON reports (person, whom, table_id) WHERE person != '';
CREATE INDEX reports_waiting ON reports (n) WHERE handled = 0;
CREATE INDEX reports_of_whom ON reports (whom);
CREATE TABLE standings (
    person TEXT COLLATE "C" PRIMARY KEY, warning TEXT COLLATE "C" NOT NULL, muted BIGINT NOT NULL, banned BIGINT NOT NULL, reason TEXT COLLATE "C" NOT NULL
);
CREATE TABLE acts (
    n BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, at BIGINT NOT NULL, person TEXT COLLATE "C" NOT NULL, what TEXT COLLATE "C" NOT NULL,
    whom TEXT COLLATE "C" NOT NULL, name TEXT COLLATE "C" NOT NULL, table_id TEXT COLLATE "C" NOT NULL, until BIGINT NOT NULL, reason TEXT COLLATE "C" NOT NULL
);
CREATE INDEX acts_to_whom ON acts (whom) WHERE whom != '';
CREATE INDEX acts_of_person ON acts (person);
CREATE FUNCTION acts_stay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'what was done is kept, and stays'; END $$;
CREATE TRIGGER acts_are_kept BEFORE DELETE ON acts FOR EACH ROW EXECUTE FUNCTION acts_stay();
CREATE TRIGGER acts_stay BEFORE UPDATE OF n, at, what, table_id, until, reason ON acts
FOR EACH ROW EXECUTE FUNCTION acts_stay();
CREATE TABLE invitations (code TEXT COLLATE "C" PRIMARY KEY, name TEXT COLLATE "C" NOT NULL, until BIGINT NOT NULL);

CREATE TABLE subscriptions (
    id TEXT COLLATE "C" PRIMARY KEY, person TEXT COLLATE "C" NOT NULL, browser TEXT COLLATE "C" NOT NULL, endpoint TEXT COLLATE "C" NOT NULL UNIQUE, key BYTEA NOT NULL,
    auth BYTEA NOT NULL, label TEXT COLLATE "C" NOT NULL, language TEXT COLLATE "C" NOT NULL, since BIGINT NOT NULL,
    rowid BIGINT GENERATED ALWAYS AS IDENTITY
);
CREATE INDEX subscriptions_of_person ON subscriptions (person);
CREATE INDEX subscriptions_of_browser ON subscriptions (browser);
CREATE TABLE quiet_hours (person TEXT COLLATE "C" PRIMARY KEY, begins BIGINT NOT NULL, ends BIGINT NOT NULL, zone TEXT COLLATE "C" NOT NULL);
CREATE TABLE calls (
    subscription TEXT COLLATE "C" REFERENCES subscriptions ON DELETE CASCADE, table_id TEXT COLLATE "C", answered BIGINT NOT NULL, due BIGINT NOT NULL,
    tries BIGINT NOT NULL, PRIMARY KEY (subscription, table_id)
);
CREATE INDEX calls_due ON calls (due) WHERE due > 0;
""",
    6: """
ALTER TABLE tables ADD COLUMN asked BIGINT;
CREATE TABLE house_keys (name TEXT COLLATE "C" PRIMARY KEY, key BYTEA NOT NULL);
""",
    7: """
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
""",
    8: RENAMES_8
    + """
ALTER TABLE cluster_members RENAME TO members;
ALTER TABLE cluster_keys RENAME TO server_keys;
DROP FUNCTION acts_stay CASCADE;
CREATE FUNCTION moderation_actions_stay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'rows of moderation_actions are never changed'; END $$;
CREATE TRIGGER moderation_actions_are_kept BEFORE DELETE ON moderation_actions FOR EACH ROW EXECUTE FUNCTION moderation_actions_stay();
CREATE TRIGGER moderation_actions_stay BEFORE UPDATE OF id, at, action, table_id, until_s, reason ON moderation_actions
FOR EACH ROW EXECUTE FUNCTION moderation_actions_stay();
""",
    9: """
ALTER TABLE tables ADD COLUMN daily TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE tables ADD COLUMN daily_place BIGINT;
ALTER TABLE tables ADD COLUMN daily_points BIGINT;
CREATE INDEX daily_results ON tables (daily, daily_place, daily_points) WHERE daily_place IS NOT NULL;
""",
    10: """
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
""",
}


def make_in_file(disk: Any, version: int) -> None:
    """Create the tables of an earlier schema in an empty file."""
    for step in SQLITE[:version]:
        disk.execute(step)
    disk.pragma("user_version", version)


def make_in_postgresql(connection: Any, version: int) -> None:
    """Create the tables of an earlier schema in an empty database."""
    for step in sorted(POSTGRES):
        if step <= version:
            connection.execute(POSTGRES[step].encode())
    connection.execute("INSERT INTO meta VALUES ('schema', %s)", (version,))


def add_newer_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the program one more schema, in which names have a colour."""
    names = schema.TABLES["display_names"]
    colour = schema.ColumnSchema("TEXT", default="'green'")
    monkeypatch.setattr(schema, "VERSION", schema.VERSION + 1)
    monkeypatch.setitem(schema.TABLES, "display_names", names._replace(columns={**names.columns, "colour": colour}))
