-- serves from: 0020_compatible_servers
-- The histories of versions in the order in which they are written. Each entry names the one before it of the same version, and the version names its
-- last one, so that no index has an entry per version: on SQLite such an index was most of what a publication wrote. A publication is an entry of two
-- histories, also of that of the version that it replaces. `version_history` stays as it is for servers that do not know this; what they note from now
-- on is not listed by others.
-- clustered
CREATE TABLE version_entries (
    tenant_id TEXT NOT NULL,
    version_entry_id TEXT NOT NULL,
    version_id TEXT NOT NULL,
    previous_entry_id TEXT,
    action TEXT NOT NULL,
    actor TEXT NOT NULL,
    request_id TEXT,
    details TEXT,
    replaced_version_id TEXT,
    replaced_previous_entry_id TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, version_entry_id)
);

-- Versions whose history may have become longer than what is kept of it.
CREATE TABLE grown_histories (
    tenant_id TEXT NOT NULL,
    version_id TEXT NOT NULL,
    audience_id TEXT NOT NULL,
    PRIMARY KEY (tenant_id, version_id)
);

ALTER TABLE audience_versions ADD COLUMN last_entry_id TEXT;

ALTER TABLE audience_versions ADD COLUMN entry_count BIGINT;

INSERT INTO version_entries
    (tenant_id, version_entry_id, version_id, previous_entry_id, action, actor, request_id, details, created_at)
    SELECT tenant_id, version_entry_id, version_id,
           LAG(version_entry_id) OVER (PARTITION BY tenant_id, version_id ORDER BY version_entry_id),
           action, actor, request_id, details, created_at
    FROM version_history;

UPDATE audience_versions SET last_entry_id = (
        SELECT MAX(h.version_entry_id) FROM version_history h
        WHERE h.tenant_id = audience_versions.tenant_id AND h.version_id = audience_versions.version_id)
    WHERE last_entry_id IS NULL;

UPDATE audience_versions SET entry_count = (
        SELECT COUNT(*) FROM version_history h
        WHERE h.tenant_id = audience_versions.tenant_id AND h.version_id = audience_versions.version_id)
    WHERE entry_count IS NULL;
