-- serves from: 0020_compatible_servers
-- Domains of tenants' own, with what their DNS must show and showed last. A server that does not know them serves fallback domains alone.
CREATE TABLE tenant_domains (
    tenant_id TEXT NOT NULL,
    tenant_domain_id TEXT NOT NULL,
    domain TEXT NOT NULL,
    token TEXT NOT NULL,
    status TEXT NOT NULL,
    is_verified BOOLEAN NOT NULL,
    is_default BOOLEAN NOT NULL,
    seen TEXT,
    looked_at BIGINT,
    next_look_at BIGINT,
    looking_since BIGINT NOT NULL,
    lost_since BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, tenant_domain_id),
    CONSTRAINT tenant_domains_tenant_id_domain_key UNIQUE (tenant_id, domain)
);

CREATE INDEX tenant_domains_next_look_at_idx ON tenant_domains (next_look_at) WHERE next_look_at IS NOT NULL;

-- Who holds a domain: the tenant whose token its DNS showed first. Every server keeps all rows in memory.
-- across tenants: a domain is one tenant's in the whole installation
CREATE TABLE held_domains (
    domain TEXT NOT NULL,
    tenant_id TEXT NOT NULL,
    tenant_domain_id TEXT NOT NULL,
    PRIMARY KEY (domain)
);

-- The domain that a link is on; without one it is on the fallback domain. The id also begins the link's path_key then.
ALTER TABLE page_links ADD COLUMN tenant_domain_id TEXT;

CREATE INDEX page_links_tenant_id_tenant_domain_id_idx ON page_links (tenant_id, tenant_domain_id) WHERE tenant_domain_id IS NOT NULL;
