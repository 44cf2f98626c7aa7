-- Who did what an entry of the audit tells; entries from before do not say it. An entry without a tenant is about the server itself, and
-- its tenant_id is empty.
ALTER TABLE audit_entries ADD COLUMN actor TEXT;

-- The audit of all tenants together, newest first.
CREATE INDEX audit_entries_audit_entry_id_idx ON audit_entries (audit_entry_id);

INSERT INTO counters (tenant_id, name, shard, value)
    SELECT tenant_id, 'audit entries', 0, COUNT(*) FROM audit_entries GROUP BY tenant_id;
