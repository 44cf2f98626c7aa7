-- serves from: 0020_compatible_servers
-- Pictures among the contents of files, and the variants that pages show of them. The bytes of a variant are a content, in whose `file_count` the
-- variant counts like a file. A server that does not know these tables shows originals, and leaves the variants of pictures that it deletes to the
-- sweep of others.
CREATE TABLE pictures (
    tenant_id TEXT NOT NULL,
    file_content_id TEXT NOT NULL,
    media_type TEXT NOT NULL,
    due_at BIGINT,
    lease_id TEXT,
    leased_until BIGINT,
    tries BIGINT NOT NULL,
    problem TEXT,
    width BIGINT,
    height BIGINT,
    is_animated BOOLEAN,
    colour BIGINT,
    placeholder BYTEA,
    PRIMARY KEY (tenant_id, file_content_id)
);

CREATE INDEX pictures_due_idx ON pictures (tenant_id, due_at, file_content_id) WHERE due_at IS NOT NULL AND lease_id IS NULL;

CREATE INDEX pictures_leased_until_idx ON pictures (leased_until) WHERE lease_id IS NOT NULL;

CREATE TABLE picture_variants (
    tenant_id TEXT NOT NULL,
    file_content_id TEXT NOT NULL,
    width BIGINT NOT NULL,
    height BIGINT NOT NULL,
    variant_content_id TEXT NOT NULL,
    media_type TEXT NOT NULL,
    size BIGINT NOT NULL,
    sha256 BYTEA NOT NULL,
    PRIMARY KEY (tenant_id, file_content_id, width)
);

-- Whether any file still has a content.
CREATE INDEX files_tenant_id_file_content_id_idx ON files (tenant_id, file_content_id);
