-- serves from: 0020_compatible_servers
-- The visits of a tenant in some days are the sums of its pages, a row for each page and day: without this they stand among those of all dimensions.
CREATE INDEX visit_sums_days_idx ON visit_sums (tenant_id, starts_at) WHERE span = 0 AND dimension = 0;
