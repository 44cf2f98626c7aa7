-- serves from: 0020_compatible_servers
-- Who runs the installation from the console, the servers that are there, what a tenant itself allows models in a month, and what keys and
-- the audit are found by. A server that does not know these shows no screens of operators, and keeps to the operator's budgets alone.
ALTER TABLE users ADD COLUMN is_operator BOOLEAN;

ALTER TABLE tenant_agents ADD COLUMN token_limit BIGINT;

ALTER TABLE tenant_agents ADD COLUMN cost_limit BIGINT;

CREATE INDEX key_tenants_tenant_id_idx ON key_tenants (tenant_id, key_id);

CREATE INDEX audit_entries_action_idx ON audit_entries (tenant_id, action, audit_entry_id);

CREATE INDEX audit_entries_actor_idx ON audit_entries (tenant_id, actor, audit_entry_id);

-- across tenants: a server serves all of them
CREATE TABLE servers (
    server_id TEXT NOT NULL,
    host TEXT NOT NULL,
    version TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    PRIMARY KEY (server_id)
);
