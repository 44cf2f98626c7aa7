-- serves from: 0020_compatible_servers
-- How often a page's row has changed, for what is kept of it in memory. A server that does not know the column raises `updated_at` alone, so
-- both are compared.
ALTER TABLE pages ADD COLUMN version BIGINT;
