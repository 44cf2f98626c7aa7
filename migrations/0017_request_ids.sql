-- The request that caused a row, for the operator who looks for what came of it. Rows from before this version, and those that no request caused,
-- have none.
ALTER TABLE events ADD COLUMN request_id TEXT;

ALTER TABLE deliveries ADD COLUMN request_id TEXT;

ALTER TABLE generations ADD COLUMN request_id TEXT;

ALTER TABLE audit_entries ADD COLUMN request_id TEXT;
