-- serves from: 0020_compatible_servers
-- Conversations: what owners say about an audience's page, and what was changed. A server that does not know these tables answers their
-- addresses with 404, and leaves messages to servers that do.
CREATE TABLE conversations (
    tenant_id TEXT NOT NULL,
    audience_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    last_number BIGINT NOT NULL,
    published_message_id TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, audience_id)
);

CREATE TABLE messages (
    tenant_id TEXT NOT NULL,
    audience_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    message_id TEXT NOT NULL,
    role TEXT NOT NULL,
    content TEXT NOT NULL,
    client_message_id TEXT,
    selection TEXT,
    state TEXT NOT NULL,
    version_id TEXT,
    changes TEXT,
    snapshot TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, audience_id, number),
    CONSTRAINT messages_tenant_id_message_id_key UNIQUE (tenant_id, message_id),
    CONSTRAINT messages_tenant_id_audience_id_client_message_id_key UNIQUE (tenant_id, audience_id, client_message_id)
);

CREATE INDEX messages_tenant_id_audience_id_waiting_idx ON messages (tenant_id, audience_id, number) WHERE state = 'waiting';

CREATE TABLE message_runs (
    tenant_id TEXT NOT NULL,
    audience_id TEXT NOT NULL,
    page_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    processed BIGINT NOT NULL,
    tries BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    lease_id TEXT,
    leased_until BIGINT,
    PRIMARY KEY (tenant_id, audience_id)
);

CREATE INDEX message_runs_tenant_id_due_at_idx ON message_runs (tenant_id, due_at) WHERE lease_id IS NULL;

CREATE INDEX message_runs_leased_until_idx ON message_runs (leased_until) WHERE lease_id IS NOT NULL;

-- What a draft changes of its audience's metadata and context once it goes live.
CREATE TABLE draft_heads (
    tenant_id TEXT NOT NULL,
    audience_id TEXT NOT NULL,
    version_id TEXT NOT NULL,
    fields TEXT NOT NULL,
    PRIMARY KEY (tenant_id, version_id)
);
