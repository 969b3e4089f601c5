ALTER TABLE answers RENAME TO entries;
ALTER TABLE entries ADD COLUMN at INTEGER NOT NULL DEFAULT 0;
INSERT INTO meta SELECT 'reserved', (value + 1) << 16 FROM meta WHERE key = 'boots';
DELETE FROM meta WHERE key = 'boots';
