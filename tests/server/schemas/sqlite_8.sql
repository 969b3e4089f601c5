DROP TRIGGER acts_stay;
DROP TRIGGER acts_are_kept;
DROP TRIGGER no_calls_without_subscription;

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

DROP INDEX over_tables; DROP INDEX members_of_table; DROP INDEX old_keys; DROP INDEX looks_of_person; DROP INDEX reports_waiting; DROP INDEX reports_of_whom; DROP INDEX acts_to_whom; DROP INDEX acts_of_person; DROP INDEX
    subscriptions_of_person; DROP INDEX subscriptions_of_browser; DROP INDEX calls_due;
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

CREATE TRIGGER moderation_actions_are_kept BEFORE DELETE ON moderation_actions
BEGIN SELECT RAISE(ABORT, 'rows of moderation_actions are never changed'); END;
CREATE TRIGGER moderation_actions_stay BEFORE UPDATE OF id, at, action, table_id, until_s, reason ON moderation_actions
BEGIN SELECT RAISE(ABORT, 'rows of moderation_actions are never changed'); END;
CREATE TRIGGER pending_pushes_go_with_push_subscriptions AFTER DELETE ON push_subscriptions
BEGIN DELETE FROM pending_pushes WHERE subscription = old.id; END;
