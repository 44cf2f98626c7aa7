-- serves from: 0020_compatible_servers
-- The hooks that add what they know to submissions, the submissions that wait for them, and the files that were sent with forms. A server that does not know these tables queues
-- nothing and shows no outcome; what is queued is left to servers that do.
CREATE TABLE enrichment_hooks (
    tenant_id TEXT NOT NULL,
    url TEXT NOT NULL,
    active BOOLEAN NOT NULL,
    seed BYTEA NOT NULL,
    older_seed BYTEA,
    older_until BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id)
);

CREATE TABLE enrichments (
    tenant_id TEXT NOT NULL,
    submission_id TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    tries BIGINT NOT NULL,
    awaits_callback BOOLEAN NOT NULL,
    lease_id TEXT,
    leased_until BIGINT,
    PRIMARY KEY (tenant_id, submission_id)
);

CREATE INDEX enrichments_due_idx ON enrichments (tenant_id, due_at, submission_id) WHERE lease_id IS NULL;

CREATE INDEX enrichments_leased_until_idx ON enrichments (leased_until) WHERE lease_id IS NOT NULL;

ALTER TABLE form_submissions ADD COLUMN enrichment_status TEXT;

ALTER TABLE form_submissions ADD COLUMN enriched_data TEXT;

ALTER TABLE form_submissions ADD COLUMN enrichment_error TEXT;

ALTER TABLE form_submissions ADD COLUMN enrichment_ended_at BIGINT;

CREATE TABLE submission_files (
    tenant_id TEXT NOT NULL,
    file_id TEXT NOT NULL,
    submission_id TEXT NOT NULL,
    PRIMARY KEY (tenant_id, file_id)
);

CREATE INDEX submission_files_submission_idx ON submission_files (tenant_id, submission_id);
