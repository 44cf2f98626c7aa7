-- When a tenant's suspension last ended: what was held back is not cleared away for its age soon after.
ALTER TABLE tenants ADD COLUMN resumed_at BIGINT;
