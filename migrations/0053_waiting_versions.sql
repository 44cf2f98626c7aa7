-- serves from: 0020_compatible_servers
-- What waits for somebody is found newest first. A version that goes live changes nothing that these have once it has been written.
CREATE INDEX audience_versions_draft_idx ON audience_versions (tenant_id, became_draft_at)
    WHERE became_draft_at IS NOT NULL AND published_at IS NULL;

CREATE INDEX audience_versions_cancelled_idx ON audience_versions (tenant_id, cancelled_at) WHERE cancelled_at IS NOT NULL;
