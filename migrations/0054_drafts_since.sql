-- serves from: 0020_compatible_servers
-- Drafts that were never live are found by a column that publishing again does not change. The index before named `published_at`, so that PostgreSQL wrote
-- new entries into all indexes of the table each time that a version went live, and publications of other audiences conflicted with that. A draft that a
-- server made that does not know this is not listed as one that waits until it is edited.
ALTER TABLE audience_versions ADD COLUMN draft_since BIGINT;

UPDATE audience_versions SET draft_since = became_draft_at WHERE status = 'draft' AND published_at IS NULL;

DROP INDEX audience_versions_draft_idx;

CREATE INDEX audience_versions_draft_idx ON audience_versions (tenant_id, draft_since) WHERE draft_since IS NOT NULL;
