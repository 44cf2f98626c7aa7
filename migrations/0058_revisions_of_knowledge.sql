-- serves from: 0020_compatible_servers
-- Counts the changes of a tenant's index of knowledge, so that a server knows whether what it has read of it is still so. A server that does not know
-- this changes `chunks` or `next_number` with nearly everything that it indexes, and these are compared as well. One that
-- was never changed since has none.
ALTER TABLE knowledge_indexes ADD COLUMN revision BIGINT;
