-- The search over persons: docs/decisions/0006-person-search.md says how it works.

-- The persons that are not deleted, with their folded fields, a line each: what the list walks and the search means.
-- A person is fresh (document -1) until it has a number in the index. Some of the fresh ones call the indexer.
-- clustered
CREATE TABLE person_texts (
    tenant_id TEXT NOT NULL,
    person_id TEXT NOT NULL,
    fields TEXT NOT NULL,
    document BIGINT NOT NULL,
    calls BIGINT,
    PRIMARY KEY (tenant_id, person_id)
);

CREATE INDEX person_texts_fresh_idx ON person_texts (tenant_id, document, person_id) WHERE document < 0;

CREATE INDEX person_texts_calls_idx ON person_texts (tenant_id, calls) WHERE calls > 0;

-- Who had a document's number; whether that is still so, person_texts says. A table and no index of that one: SQLite
-- prefers reading all of a tenant to looking up a list in an index.
-- clustered
CREATE TABLE person_documents (
    tenant_id TEXT NOT NULL,
    document BIGINT NOT NULL,
    person_id TEXT NOT NULL,
    PRIMARY KEY (tenant_id, document)
);

-- Documents that are not current any more, until their segment knows.
-- clustered
CREATE TABLE person_removals (
    tenant_id TEXT NOT NULL,
    document BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, document)
);

-- Where a tenant's next document goes; whoever indexes holds the row.
-- clustered
CREATE TABLE person_indexes (
    tenant_id TEXT NOT NULL,
    next_document BIGINT NOT NULL,
    PRIMARY KEY (tenant_id)
);

-- So many documents each: packed into chunks at first, then posted as well, at last dissolved. `erasures` tells whoever
-- computes postings that they are out of date.
CREATE TABLE person_segments (
    tenant_id TEXT NOT NULL,
    segment BIGINT NOT NULL,
    state TEXT NOT NULL,
    runs TEXT NOT NULL,
    marks TEXT NOT NULL,
    removed BYTEA,
    erasures BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, segment)
);

-- The texts of documents, many in one row, so that many are read at once.
CREATE TABLE person_chunks (
    tenant_id TEXT NOT NULL,
    first_document BIGINT NOT NULL,
    people TEXT NOT NULL,
    ends BYTEA NOT NULL,
    texts TEXT NOT NULL,
    PRIMARY KEY (tenant_id, first_document)
);

-- Of a posted segment, in which documents each gram occurs, starts a word, starts a field, and is a field.
-- clustered
CREATE TABLE person_postings (
    tenant_id TEXT NOT NULL,
    segment BIGINT NOT NULL,
    gram TEXT NOT NULL,
    anywhere BYTEA NOT NULL,
    word_starts BYTEA,
    field_starts BYTEA,
    whole BYTEA,
    PRIMARY KEY (tenant_id, segment, gram)
);
