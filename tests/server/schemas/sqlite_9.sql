ALTER TABLE tables ADD COLUMN daily TEXT NOT NULL DEFAULT '';
ALTER TABLE tables ADD COLUMN daily_place INTEGER;
ALTER TABLE tables ADD COLUMN daily_points INTEGER;
CREATE INDEX daily_results ON tables (daily, daily_place, daily_points) WHERE daily_place IS NOT NULL;
