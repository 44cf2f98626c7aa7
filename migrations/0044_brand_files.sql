-- serves from: 0020_compatible_servers
-- What of a brand's look is the tenant's own: files of fonts, with what they say of themselves, and assets as logo and icon. A server that does
-- not know this column shows pages without them, and lets a file be deleted that only a brand uses.
ALTER TABLE brands ADD COLUMN own_look TEXT;
