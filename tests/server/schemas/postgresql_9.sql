ALTER TABLE tables ADD COLUMN daily TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE tables ADD COLUMN daily_place BIGINT;
ALTER TABLE tables ADD COLUMN daily_points BIGINT;
CREATE INDEX daily_results ON tables (daily, daily_place, daily_points) WHERE daily_place IS NOT NULL;
