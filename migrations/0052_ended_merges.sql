-- serves from: 0020_compatible_servers
-- A merge that cannot be taken back any more ends and stays, without the fields as they were: erasing and handing out a person finds who was merged into
-- it. A server that does not know this forgets such merges, as all did before.
ALTER TABLE person_merges ADD COLUMN ended_at BIGINT;

CREATE INDEX person_merges_open_idx ON person_merges (tenant_id, merged_at) WHERE ended_at IS NULL;
