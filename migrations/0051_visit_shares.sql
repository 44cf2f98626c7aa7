-- serves from: 0020_compatible_servers
-- Links by which somebody without a user sees the figures of a page until they end. Of a link only the digest of its token is here.
CREATE TABLE visit_shares (
    tenant_id TEXT NOT NULL,
    visit_share_id TEXT NOT NULL,
    page_id TEXT NOT NULL,
    name TEXT NOT NULL,
    digest BYTEA NOT NULL,
    password_hash TEXT,
    created_by TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, visit_share_id)
);

CREATE INDEX visit_shares_page_idx ON visit_shares (tenant_id, page_id);

CREATE INDEX visit_shares_digest_idx ON visit_shares (tenant_id, digest);
