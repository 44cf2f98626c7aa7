-- The audiences that are an account's own, which are called by its name.
CREATE INDEX audiences_account_idx ON audiences (tenant_id, account_id) WHERE account_id IS NOT NULL AND person_id IS NULL;
