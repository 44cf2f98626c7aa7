-- serves from: this one
-- Brands: how a tenant's pages look and speak. At most one of a tenant is the default; what a tenant had set as its site's brand becomes it,
-- with the digits of the tenant's id. A server that does not know this table would go on changing the site's settings instead.
CREATE TABLE brands (
    tenant_id TEXT NOT NULL,
    brand_id TEXT NOT NULL,
    name TEXT NOT NULL,
    folded TEXT NOT NULL,
    word_form TEXT NOT NULL,
    site_name TEXT,
    is_default BOOLEAN NOT NULL,
    look TEXT NOT NULL,
    voice TEXT NOT NULL,
    legal_links TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, brand_id)
);

CREATE UNIQUE INDEX brands_tenant_id_default_key ON brands (tenant_id) WHERE is_default;

INSERT INTO brands
    (tenant_id, brand_id, name, folded, word_form, is_default, look, voice, legal_links, created_at, updated_at)
    SELECT s.tenant_id, 'brand' || substr(s.tenant_id, 7), 'Default', 'default', ' default', TRUE,
           CAST(CAST(s.settings AS JSON) -> 'brand' AS TEXT), '{}', '[]', s.updated_at, s.updated_at
    FROM tenant_sites s
    WHERE CAST(CAST(s.settings AS JSON) -> 'brand' AS TEXT) <> '{}';
