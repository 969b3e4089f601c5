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
