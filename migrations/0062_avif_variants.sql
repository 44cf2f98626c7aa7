-- serves from: 0020_compatible_servers
-- The variants of pictures as AVIF, which are made where files.avif_pictures is true: one for each of `picture_variants` or none. Their bytes are
-- contents that count like those. A server that does not know the table shows the others, and leaves these of pictures that it deletes to
-- `sweep_unused_files` of one that does.
CREATE TABLE avif_variants (
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
