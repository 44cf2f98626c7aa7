-- serves from: this one
-- The oldest migration that a server has to know to go on after this one was applied by a newer server; nothing for this one itself.
ALTER TABLE schema_migrations ADD COLUMN serves_from TEXT;
