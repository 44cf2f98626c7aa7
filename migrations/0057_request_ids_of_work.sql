-- serves from: 0020_compatible_servers
-- The request that caused work of the background, as generations have it: for its log lines, and for the events that come of it. Work that was queued
-- before, that a server queues which does not know this, or that no request caused, has none.
ALTER TABLE message_runs ADD COLUMN request_id TEXT;

ALTER TABLE enrichments ADD COLUMN request_id TEXT;

ALTER TABLE person_imports ADD COLUMN request_id TEXT;

ALTER TABLE entry_readings ADD COLUMN request_id TEXT;

ALTER TABLE asset_descriptions ADD COLUMN request_id TEXT;

ALTER TABLE pictures ADD COLUMN request_id TEXT;
