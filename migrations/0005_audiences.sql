-- Audiences of pages, their versions, what writes them, and what is told of them.

-- Archived ones included. A page's audiences are found by the key, newest first.
CREATE TABLE audiences (
    tenant_id TEXT NOT NULL,
    page_id TEXT NOT NULL,
    audience_id TEXT NOT NULL,
    person_id TEXT,
    account_id TEXT,
    slug TEXT NOT NULL,
    computed_name TEXT NOT NULL,
    custom_name TEXT,
    supplementary_context TEXT,
    metadata_override TEXT,
    action_url_override TEXT,
    action_form_id_override TEXT,
    action_form_instructions_override TEXT,
    last_number BIGINT NOT NULL,
    latest_version_id TEXT NOT NULL,
    published_version_id TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    archived_at BIGINT,
    PRIMARY KEY (tenant_id, page_id, audience_id),
    CONSTRAINT audiences_tenant_id_page_id_slug_key UNIQUE (tenant_id, page_id, slug)
);

CREATE UNIQUE INDEX audiences_tenant_id_person_id_page_id_key ON audiences (tenant_id, person_id, page_id)
    WHERE person_id IS NOT NULL;

-- A page's own link shows the oldest of these.
CREATE INDEX audiences_shown_idx ON audiences (tenant_id, page_id, audience_id)
    WHERE archived_at IS NULL AND published_version_id IS NOT NULL AND person_id IS NULL AND account_id IS NULL;

-- The audiences that are not archived, with their folded names: what a search over them reads.
-- clustered
CREATE TABLE audience_names (
    tenant_id TEXT NOT NULL,
    audience_id TEXT NOT NULL,
    page_id TEXT NOT NULL,
    folded TEXT NOT NULL,
    word_form TEXT NOT NULL,
    PRIMARY KEY (tenant_id, audience_id)
);

-- A search over audiences passes over those of deleted pages.
CREATE INDEX pages_deleted_idx ON pages (tenant_id, page_id) WHERE deleted_at IS NOT NULL;

-- How many audiences a page has: all, those not archived, and those of them that have a live version; in shards, so that a page's
-- writers do not meet on one row.
-- clustered
CREATE TABLE page_tallies (
    tenant_id TEXT NOT NULL,
    page_id TEXT NOT NULL,
    shard BIGINT NOT NULL,
    listed BIGINT NOT NULL,
    present BIGINT NOT NULL,
    shown BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, page_id, shard)
);

-- What the erasure of an audience takes from its page's tally: the command that erases runs beside servers that keep pages in memory, so
-- a server counts it.
CREATE TABLE tally_debts (
    tenant_id TEXT NOT NULL,
    audience_id TEXT NOT NULL,
    page_id TEXT NOT NULL,
    present BIGINT NOT NULL,
    shown BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, audience_id)
);

CREATE TABLE audience_versions (
    tenant_id TEXT NOT NULL,
    audience_id TEXT NOT NULL,
    version_id TEXT NOT NULL,
    page_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    status TEXT NOT NULL,
    publish_when_ready BOOLEAN NOT NULL,
    has_content BOOLEAN NOT NULL,
    tries BIGINT NOT NULL,
    supplementary_context TEXT,
    created_at BIGINT NOT NULL,
    queued_at BIGINT,
    started_at BIGINT,
    became_draft_at BIGINT,
    published_at BIGINT,
    cancelled_at BIGINT,
    archived_at BIGINT,
    obsolete_at BIGINT,
    PRIMARY KEY (tenant_id, audience_id, version_id),
    CONSTRAINT audience_versions_tenant_id_audience_id_number_key UNIQUE (tenant_id, audience_id, number)
);

CREATE INDEX audience_versions_status_idx ON audience_versions (tenant_id, audience_id, status, number);

-- What versions say, beside them, so that a list of versions reads none of it.
CREATE TABLE version_contents (
    tenant_id TEXT NOT NULL,
    version_id TEXT NOT NULL,
    content TEXT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, version_id)
);

-- Answers to requests that named themselves by an operationKey.
CREATE TABLE operation_keys (
    tenant_id TEXT NOT NULL,
    resource TEXT NOT NULL,
    operation_key TEXT NOT NULL,
    answer TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, resource, operation_key)
);

-- A row as long as a version is queued or processing. While a worker writes it, the row names the worker's lease.
CREATE TABLE generations (
    tenant_id TEXT NOT NULL,
    version_id TEXT NOT NULL,
    audience_id TEXT NOT NULL,
    page_id TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    lease_id TEXT,
    leased_until BIGINT,
    step TEXT,
    blocks BIGINT NOT NULL,
    so_far TEXT,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, version_id)
);

CREATE INDEX generations_due_idx ON generations (tenant_id, due_at, version_id) WHERE lease_id IS NULL;

CREATE INDEX generations_leased_until_idx ON generations (leased_until) WHERE lease_id IS NOT NULL;

-- What happened, for those who are told of it; the body is the one that every attempt to tell it sends.
CREATE TABLE events (
    tenant_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, event_id)
);
