-- Who writes a tenant's pages and what it may use of models in a month, where that is not as the server is set. Budgets may be a tenant's
-- own without an agent of its own. The key is sealed.
CREATE TABLE tenant_agents (
    tenant_id TEXT NOT NULL,
    kind TEXT,
    base_url TEXT,
    model TEXT,
    api_key BYTEA,
    input_price BIGINT NOT NULL,
    output_price BIGINT NOT NULL,
    token_budget BIGINT,
    cost_budget BIGINT,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id)
);

-- What a tenant has used of models in a month (UTC). Money is in millionths.
CREATE TABLE tenant_usages (
    tenant_id TEXT NOT NULL,
    month TEXT NOT NULL,
    tries BIGINT NOT NULL,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cost BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, month)
);

-- How versions were written, where there is anything to say: what all tries used of a model, who wrote last, and what went wrong then. The
-- lease is the last try's, so that each counts once.
CREATE TABLE version_writings (
    tenant_id TEXT NOT NULL,
    version_id TEXT NOT NULL,
    lease_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    model TEXT,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cost BIGINT NOT NULL,
    problem TEXT,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, version_id)
);
