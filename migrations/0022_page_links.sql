-- serves from: 0020_compatible_servers
-- Paths of a tenant's site that lead to its pages, or on to other addresses. A server that does not know this table answers them with 404.
CREATE TABLE page_links (
    tenant_id TEXT NOT NULL,
    page_link_id TEXT NOT NULL,
    path TEXT NOT NULL,
    path_key TEXT NOT NULL,
    first_segment TEXT NOT NULL,
    folded TEXT NOT NULL,
    word_form TEXT NOT NULL,
    target_type TEXT NOT NULL,
    page_id TEXT NOT NULL,
    audience_id TEXT,
    routing_table TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, page_link_id),
    CONSTRAINT page_links_tenant_id_path_key_key UNIQUE (tenant_id, path_key)
);

CREATE INDEX page_links_tenant_id_audience_id_idx ON page_links (tenant_id, audience_id) WHERE audience_id IS NOT NULL;

CREATE INDEX page_links_tenant_id_first_segment_idx ON page_links (tenant_id, first_segment);

CREATE INDEX page_links_tenant_id_page_id_idx ON page_links (tenant_id, page_id, page_link_id);
