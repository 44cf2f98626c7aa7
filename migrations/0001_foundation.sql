-- Tenants, keys, pages, and what answering a request twice needs.
-- Written once for both engines; the four column types are mapped by the runner. One column per line.

-- across tenants: the tenants themselves
CREATE TABLE tenants (
    tenant_id TEXT NOT NULL,
    name TEXT NOT NULL,
    slug TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    suspended_at BIGINT,
    PRIMARY KEY (tenant_id),
    CONSTRAINT tenants_slug_key UNIQUE (slug)
);

-- across tenants: a key is found by its digest, before its tenant is known
CREATE TABLE keys (
    key_id TEXT NOT NULL,
    digest BYTEA NOT NULL,
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    rate_limit BIGINT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    last_used_at BIGINT,
    revoked_at BIGINT,
    PRIMARY KEY (key_id),
    CONSTRAINT keys_digest_key UNIQUE (digest)
);

CREATE TABLE key_tenants (
    key_id TEXT NOT NULL,
    tenant_id TEXT NOT NULL,
    PRIMARY KEY (key_id, tenant_id),
    CONSTRAINT key_tenants_key_id_fkey FOREIGN KEY (key_id) REFERENCES keys (key_id),
    CONSTRAINT key_tenants_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants (tenant_id)
);

-- across tenants: rises with every change of what nodes keep in memory
CREATE TABLE revisions (
    name TEXT NOT NULL,
    revision BIGINT NOT NULL,
    PRIMARY KEY (name)
);

-- How many things of a kind a tenant has, in shards, so that its writers do not meet on one row.
-- clustered
CREATE TABLE counters (
    tenant_id TEXT NOT NULL,
    name TEXT NOT NULL,
    shard BIGINT NOT NULL,
    value BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, name, shard)
);

CREATE TABLE pages (
    tenant_id TEXT NOT NULL,
    page_id TEXT NOT NULL,
    name TEXT NOT NULL,
    title TEXT NOT NULL,
    page_context TEXT NOT NULL,
    page_type TEXT NOT NULL,
    brand_id TEXT NOT NULL,
    slug TEXT NOT NULL,
    actions TEXT NOT NULL,
    action_card_widgets TEXT NOT NULL,
    scripts TEXT NOT NULL,
    footer_links TEXT NOT NULL,
    nav_links TEXT NOT NULL,
    footer_link_block_id TEXT,
    nav_link_block_id TEXT,
    header_action_id TEXT,
    metadata TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    archived_at BIGINT,
    deleted_at BIGINT,
    PRIMARY KEY (tenant_id, page_id),
    CONSTRAINT pages_tenant_id_slug_key UNIQUE (tenant_id, slug)
);

-- The pages that are not deleted, with their folded names: narrow, so that a search reads little and a list
-- skips nothing.
-- clustered
CREATE TABLE page_names (
    tenant_id TEXT NOT NULL,
    page_id TEXT NOT NULL,
    folded TEXT NOT NULL,
    word_form TEXT NOT NULL,
    PRIMARY KEY (tenant_id, page_id)
);

-- Answers kept for requests that come again; the body is encrypted.
CREATE TABLE idempotency_records (
    tenant_id TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    request_digest BYTEA NOT NULL,
    status BIGINT NOT NULL,
    body BYTEA NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, idempotency_key, method, path)
);

CREATE INDEX idempotency_records_expires_at_idx ON idempotency_records (expires_at);
