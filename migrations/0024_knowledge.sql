-- serves from: 0020_compatible_servers
-- Entries of topics: texts, files and web pages. `content` is what the caller gave, `found` what reading found for the rest. A server that
-- does not know these tables shows topics without entries, and leaves those of a topic that it deletes.
CREATE TABLE topic_entries (
    tenant_id TEXT NOT NULL,
    topic_id TEXT NOT NULL,
    topic_entry_id TEXT NOT NULL,
    sort_order BIGINT NOT NULL,
    status TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    file_id TEXT,
    found TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (tenant_id, topic_id, topic_entry_id)
);

CREATE INDEX topic_entries_tenant_id_file_id_idx ON topic_entries (tenant_id, file_id, topic_entry_id) WHERE file_id IS NOT NULL;

CREATE INDEX topic_entries_tenant_id_topic_id_sort_order_idx ON topic_entries (tenant_id, topic_id, sort_order, topic_entry_id);

-- The beginning of each entry, folded, for searches of topics.
CREATE TABLE topic_entry_names (
    tenant_id TEXT NOT NULL,
    topic_id TEXT NOT NULL,
    topic_entry_id TEXT NOT NULL,
    folded TEXT NOT NULL,
    PRIMARY KEY (tenant_id, topic_id, topic_entry_id)
);

-- Deleted topics whose entries are still to be removed, a few at a time.
CREATE TABLE topic_removals (
    tenant_id TEXT NOT NULL,
    topic_id TEXT NOT NULL,
    PRIMARY KEY (tenant_id, topic_id)
);

-- Pages that are read: what is known of the last reading, and when the next one is due. `host` keeps workers from asking one host too much.
CREATE TABLE entry_readings (
    tenant_id TEXT NOT NULL,
    topic_entry_id TEXT NOT NULL,
    topic_id TEXT NOT NULL,
    host TEXT NOT NULL,
    due_at BIGINT,
    again_at BIGINT,
    lease_id TEXT,
    leased_until BIGINT,
    tries BIGINT NOT NULL,
    etag TEXT,
    last_modified TEXT,
    log TEXT NOT NULL,
    PRIMARY KEY (tenant_id, topic_entry_id)
);

CREATE INDEX entry_readings_due_idx ON entry_readings (tenant_id, due_at, topic_entry_id) WHERE due_at IS NOT NULL AND lease_id IS NULL;

CREATE INDEX entry_readings_leased_until_idx ON entry_readings (leased_until) WHERE lease_id IS NOT NULL;

CREATE INDEX entry_readings_again_at_idx ON entry_readings (again_at) WHERE again_at IS NOT NULL;

-- The text that was read, with Markdown headings.
CREATE TABLE entry_texts (
    tenant_id TEXT NOT NULL,
    topic_entry_id TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (tenant_id, topic_entry_id)
);

-- Entries whose chunks are not what they say now.
CREATE TABLE knowledge_changes (
    tenant_id TEXT NOT NULL,
    topic_entry_id TEXT NOT NULL,
    topic_id TEXT NOT NULL,
    PRIMARY KEY (tenant_id, topic_entry_id)
);

-- The search index of what tenants know: the pieces of entries, in which of them each term occurs, and a row for each tenant.
CREATE TABLE knowledge_chunks (
    tenant_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    state TEXT NOT NULL,
    topic_id TEXT NOT NULL,
    topic_entry_id TEXT NOT NULL,
    chunk_id TEXT NOT NULL,
    place BIGINT NOT NULL,
    language TEXT NOT NULL,
    source_type TEXT NOT NULL,
    source_name TEXT,
    source_url TEXT,
    context TEXT NOT NULL,
    heading TEXT,
    text TEXT NOT NULL,
    PRIMARY KEY (tenant_id, number)
);

CREATE INDEX knowledge_chunks_tenant_id_topic_entry_id_idx ON knowledge_chunks (tenant_id, topic_entry_id, number);

CREATE INDEX knowledge_chunks_unposted_idx ON knowledge_chunks (tenant_id, number) WHERE state <> 'posted';

CREATE TABLE knowledge_postings (
    tenant_id TEXT NOT NULL,
    term TEXT NOT NULL,
    segment BIGINT NOT NULL,
    count BIGINT NOT NULL,
    chunks BYTEA NOT NULL,
    PRIMARY KEY (tenant_id, term, segment)
);

CREATE TABLE knowledge_indexes (
    tenant_id TEXT NOT NULL,
    next_number BIGINT NOT NULL,
    chunks BIGINT NOT NULL,
    languages BIGINT NOT NULL,
    leased_until BIGINT NOT NULL,
    PRIMARY KEY (tenant_id)
);
