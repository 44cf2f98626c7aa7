-- serves from: 0020_compatible_servers
-- Files that tenants upload. Their bytes are outside of the database, those of equal files once: a content has an id of its own, which names
-- them there. A server that does not know these tables answers their addresses with 404.
CREATE TABLE file_contents (
    tenant_id TEXT NOT NULL,
    file_content_id TEXT NOT NULL,
    sha256 BYTEA NOT NULL,
    size BIGINT NOT NULL,
    file_count BIGINT NOT NULL,
    unused_since BIGINT,
    PRIMARY KEY (tenant_id, file_content_id),
    CONSTRAINT file_contents_tenant_id_sha256_key UNIQUE (tenant_id, sha256)
);

CREATE INDEX file_contents_tenant_id_unused_since_idx ON file_contents (tenant_id, unused_since) WHERE unused_since IS NOT NULL;

CREATE TABLE files (
    tenant_id TEXT NOT NULL,
    file_id TEXT NOT NULL,
    file_content_id TEXT NOT NULL,
    name TEXT NOT NULL,
    content_type TEXT NOT NULL,
    size BIGINT NOT NULL,
    sha256 BYTEA NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, file_id)
);
