-- serves from: 0020_compatible_servers
-- Pictures, videos and components that pages may show. A server that does not know this table answers their addresses with 404.
CREATE TABLE assets (
    tenant_id TEXT NOT NULL,
    asset_id TEXT NOT NULL,
    asset_type TEXT NOT NULL,
    name TEXT NOT NULL,
    folded TEXT NOT NULL,
    word_form TEXT NOT NULL,
    purpose TEXT NOT NULL,
    tags TEXT NOT NULL,
    other_folded TEXT NOT NULL,
    other_word_form TEXT NOT NULL,
    parent_asset_id TEXT,
    is_hidden BOOLEAN NOT NULL,
    file_id TEXT,
    video_url TEXT,
    component TEXT,
    props_schema TEXT,
    idempotency_key TEXT,
    request_digest BYTEA,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    trashed_at BIGINT,
    PRIMARY KEY (tenant_id, asset_id),
    CONSTRAINT assets_tenant_id_idempotency_key_key UNIQUE (tenant_id, idempotency_key)
);

CREATE INDEX assets_tenant_id_file_id_idx ON assets (tenant_id, file_id) WHERE file_id IS NOT NULL;

CREATE INDEX assets_tenant_id_parent_asset_id_idx ON assets (tenant_id, parent_asset_id) WHERE parent_asset_id IS NOT NULL;

CREATE INDEX assets_tenant_id_trashed_at_idx ON assets (tenant_id, trashed_at) WHERE trashed_at IS NOT NULL;
