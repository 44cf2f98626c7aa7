-- serves from: 0020_compatible_servers
-- What a model says that the pictures of assets show, and the assets that wait for it, a row each until that has ended. A server that does not know
-- these queues nothing, and shows of an asset what it is called and for.
ALTER TABLE assets ADD COLUMN described TEXT;

CREATE TABLE asset_descriptions (
    tenant_id TEXT NOT NULL,
    asset_id TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    lease_id TEXT,
    leased_until BIGINT,
    tries BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, asset_id)
);

CREATE INDEX asset_descriptions_tenant_id_due_at_idx ON asset_descriptions (tenant_id, due_at) WHERE lease_id IS NULL;

CREATE INDEX asset_descriptions_leased_until_idx ON asset_descriptions (leased_until) WHERE lease_id IS NOT NULL;
