-- serves from: 0020_compatible_servers
-- The pages of a tenant that are not deleted, in the order of lists. SQLite lists them by `page_names`, of which it has the rows' stamps in memory.
-- only: postgres
CREATE INDEX pages_present_idx ON pages (tenant_id, page_id) WHERE deleted_at IS NULL;
