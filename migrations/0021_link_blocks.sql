-- serves from: 0020_compatible_servers
-- Links that pages share: those of a navigation or of a footer. A page names its blocks; a server that does not know this table shows the
-- page's own links instead.
CREATE TABLE link_blocks (
    tenant_id TEXT NOT NULL,
    link_block_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    links TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, link_block_id)
);

CREATE INDEX pages_tenant_id_footer_link_block_id_idx ON pages (tenant_id, footer_link_block_id) WHERE footer_link_block_id IS NOT NULL;

CREATE INDEX pages_tenant_id_nav_link_block_id_idx ON pages (tenant_id, nav_link_block_id) WHERE nav_link_block_id IS NOT NULL;
