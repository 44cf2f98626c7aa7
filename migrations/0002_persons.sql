-- Persons, the accounts they belong to, and the logs of both.

-- One per registrable domain of a tenant. `is_empty`: no living person belongs to it.
CREATE TABLE accounts (
    tenant_id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    domain TEXT NOT NULL,
    name TEXT,
    is_empty BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, account_id),
    CONSTRAINT accounts_tenant_id_domain_key UNIQUE (tenant_id, domain)
);

CREATE INDEX accounts_empty_idx ON accounts (tenant_id, account_id) WHERE is_empty;

-- What a search over accounts reads: narrow, and nothing else.
-- clustered
CREATE TABLE account_names (
    tenant_id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    folded_name TEXT NOT NULL,
    name_words TEXT NOT NULL,
    folded_domain TEXT NOT NULL,
    domain_words TEXT NOT NULL,
    PRIMARY KEY (tenant_id, account_id)
);

-- Deleted persons included: they can come back. An identifier is theirs alone while they live.
CREATE TABLE persons (
    tenant_id TEXT NOT NULL,
    person_id TEXT NOT NULL,
    name TEXT NOT NULL,
    email TEXT,
    domain TEXT,
    slug TEXT NOT NULL,
    phone_number TEXT,
    linkedin_profile_url TEXT,
    context TEXT,
    account_id TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT,
    PRIMARY KEY (tenant_id, person_id),
    CONSTRAINT persons_tenant_id_slug_key UNIQUE (tenant_id, slug)
);

CREATE UNIQUE INDEX persons_tenant_id_email_key ON persons (tenant_id, email) WHERE deleted_at IS NULL;

CREATE UNIQUE INDEX persons_tenant_id_linkedin_profile_url_key ON persons (tenant_id, linkedin_profile_url)
    WHERE deleted_at IS NULL;

CREATE UNIQUE INDEX persons_tenant_id_phone_number_key ON persons (tenant_id, phone_number) WHERE deleted_at IS NULL;

CREATE INDEX persons_account_idx ON persons (tenant_id, account_id, person_id) WHERE deleted_at IS NULL;

-- Keyed digests of the slugs of erased persons, so that nobody else gets them.
CREATE TABLE erased_slugs (
    tenant_id TEXT NOT NULL,
    digest BYTEA NOT NULL,
    PRIMARY KEY (tenant_id, digest)
);

-- `account_id`: in whose activity the entry shows, which is that of its person while the person lives.
CREATE TABLE person_logs (
    tenant_id TEXT NOT NULL,
    person_id TEXT NOT NULL,
    person_log_id TEXT NOT NULL,
    account_id TEXT,
    source TEXT NOT NULL,
    type TEXT NOT NULL,
    payload TEXT NOT NULL,
    idempotency_key TEXT,
    request_digest BYTEA,
    created_person BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT,
    deleted_at BIGINT,
    PRIMARY KEY (tenant_id, person_id, person_log_id)
);

CREATE UNIQUE INDEX person_logs_tenant_id_idempotency_key_key ON person_logs (tenant_id, idempotency_key)
    WHERE idempotency_key IS NOT NULL;

CREATE INDEX person_logs_account_idx ON person_logs (tenant_id, account_id, person_log_id)
    WHERE account_id IS NOT NULL;

CREATE INDEX person_logs_deleted_idx ON person_logs (tenant_id, person_id, person_log_id)
    WHERE deleted_at IS NOT NULL;

CREATE INDEX person_logs_account_deleted_idx ON person_logs (tenant_id, account_id, person_log_id)
    WHERE account_id IS NOT NULL AND deleted_at IS NOT NULL;

CREATE TABLE account_logs (
    tenant_id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    account_log_id TEXT NOT NULL,
    source TEXT NOT NULL,
    type TEXT NOT NULL,
    payload TEXT NOT NULL,
    idempotency_key TEXT,
    request_digest BYTEA,
    created_at BIGINT NOT NULL,
    updated_at BIGINT,
    deleted_at BIGINT,
    PRIMARY KEY (tenant_id, account_id, account_log_id)
);

CREATE UNIQUE INDEX account_logs_tenant_id_idempotency_key_key ON account_logs (tenant_id, idempotency_key)
    WHERE idempotency_key IS NOT NULL;

CREATE INDEX account_logs_deleted_idx ON account_logs (tenant_id, account_id, account_log_id)
    WHERE deleted_at IS NOT NULL;

-- How many entries a long log has up to one of them, deleted ones included, so that a total counts only what came after.
CREATE TABLE log_tallies (
    tenant_id TEXT NOT NULL,
    owner TEXT NOT NULL,
    counted_through TEXT NOT NULL,
    entries BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, owner)
);

-- What was done to a person's data, without any of it: the subject is a keyed digest of an id.
CREATE TABLE audit_entries (
    tenant_id TEXT NOT NULL,
    audit_entry_id TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, audit_entry_id)
);
