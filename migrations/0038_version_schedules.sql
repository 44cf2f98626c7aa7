-- serves from: 0020_compatible_servers
-- When versions go live and stop, and what was done with versions. A server that does not know these tables answers their addresses with 404,
-- leaves schedules to servers that do, and notes nothing of what it does.
CREATE TABLE version_schedules (
    tenant_id TEXT NOT NULL,
    version_id TEXT NOT NULL,
    audience_id TEXT NOT NULL,
    page_id TEXT NOT NULL,
    publish_at BIGINT,
    unpublish_at BIGINT,
    due_at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    request_id TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, version_id)
);

CREATE INDEX version_schedules_due_at_idx ON version_schedules (due_at, tenant_id);

CREATE INDEX version_schedules_tenant_id_due_at_idx ON version_schedules (tenant_id, due_at);

CREATE TABLE version_history (
    tenant_id TEXT NOT NULL,
    version_id TEXT NOT NULL,
    version_entry_id TEXT NOT NULL,
    action TEXT NOT NULL,
    actor TEXT NOT NULL,
    request_id TEXT,
    details TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, version_id, version_entry_id)
);
