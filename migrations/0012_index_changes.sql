-- How often the outline of a tenant's index of persons has changed: its segments, and the chunks of those that are not posted.
-- A search that finds the count as it remembers it asks for none of them.
ALTER TABLE person_indexes ADD COLUMN changes BIGINT NOT NULL DEFAULT 0;
