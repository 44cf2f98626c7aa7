-- What tenants decided about their sites: a row as soon as there is anything to say. Its revision rises with every change that a page
-- shows.
CREATE TABLE tenant_sites (
    tenant_id TEXT NOT NULL,
    settings TEXT NOT NULL,
    home_page_id TEXT,
    revision BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id)
);
