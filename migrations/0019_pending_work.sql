-- Which tenants have versions to be written, or deliveries to be sent: a worker reads here for whom it has to look, and then looks at one
-- tenant after the other. Whoever adds work makes the row, in the same transaction; a task removes the rows of tenants that have none left.
-- clustered
CREATE TABLE pending_work (
    kind TEXT NOT NULL,
    tenant_id TEXT NOT NULL,
    PRIMARY KEY (kind, tenant_id)
);

INSERT INTO pending_work (kind, tenant_id) SELECT DISTINCT 'generations', tenant_id FROM generations;

INSERT INTO pending_work (kind, tenant_id) SELECT DISTINCT 'deliveries', tenant_id FROM deliveries WHERE stage = 'waiting';

-- Which tenants have deleted subscriptions, whose deliveries are cleared away soon, without a look at every tenant.
CREATE INDEX webhook_subscriptions_deleted_idx ON webhook_subscriptions (tenant_id) WHERE deleted_at IS NOT NULL;
