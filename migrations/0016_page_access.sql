-- Who may open a person's or an account's own page. Where nothing is set, an audience is as its tenant decides; one that was made before has no
-- secret address, and stays open at the one that it has.
ALTER TABLE audiences ADD COLUMN access TEXT;

ALTER TABLE audiences ADD COLUMN secret_slug TEXT;

ALTER TABLE audiences ADD COLUMN access_changes BIGINT;

CREATE UNIQUE INDEX audiences_tenant_id_page_id_secret_slug_key ON audiences (tenant_id, page_id, secret_slug) WHERE secret_slug IS NOT NULL;

ALTER TABLE tenant_sites ADD COLUMN person_page_access TEXT;
