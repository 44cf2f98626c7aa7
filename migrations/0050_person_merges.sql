-- serves from: 0020_compatible_servers
-- Persons that were merged into others, for as long as that can be taken back, and persons that wait to be erased. `merged_from_id` tells from whom a row has
-- moved. A server that does not know these shows a merged person as deleted, which it is, and leaves erasing to the others.
CREATE TABLE person_merges (
    tenant_id TEXT NOT NULL,
    person_id TEXT NOT NULL,
    into_person_id TEXT NOT NULL,
    fields TEXT NOT NULL,
    actor TEXT NOT NULL,
    merged_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, person_id)
);

CREATE INDEX person_merges_into_idx ON person_merges (tenant_id, into_person_id, person_id);

CREATE INDEX person_merges_merged_at_idx ON person_merges (tenant_id, merged_at);

ALTER TABLE person_logs ADD COLUMN merged_from_id TEXT;
ALTER TABLE audiences ADD COLUMN merged_from_id TEXT;
ALTER TABLE form_submissions ADD COLUMN merged_from_id TEXT;
ALTER TABLE audience_sessions ADD COLUMN merged_from_id TEXT;

CREATE TABLE person_erasures (
    tenant_id TEXT NOT NULL,
    person_id TEXT NOT NULL,
    actor TEXT NOT NULL,
    asked_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, person_id)
);
