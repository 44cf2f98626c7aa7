-- serves from: 0020_compatible_servers
-- How many different values of a dimension the sums of a page's UTC day are of, where visitors bring any number of them: sessions with further
-- ones count as others, whose value is empty. A server that does not know this table adds sums of any number, and none by referrer,
-- device and language.
-- clustered: read along the key
CREATE TABLE visit_values (
    tenant_id TEXT NOT NULL,
    page_id BYTEA NOT NULL,
    starts_at BIGINT NOT NULL,
    dimension BIGINT NOT NULL,
    number BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, page_id, starts_at, dimension)
);
