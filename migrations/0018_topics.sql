-- Topics: what a tenant knows, arranged by subject. Each tenant has one default topic; those that exist get theirs here, with the digits of
-- the tenant's id.
CREATE TABLE topics (
    tenant_id TEXT NOT NULL,
    topic_id TEXT NOT NULL,
    title TEXT NOT NULL,
    folded TEXT NOT NULL,
    word_form TEXT NOT NULL,
    sort_order BIGINT NOT NULL,
    is_default BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, topic_id)
);

CREATE INDEX topics_tenant_id_sort_order_topic_id_idx ON topics (tenant_id, sort_order, topic_id);

CREATE UNIQUE INDEX topics_tenant_id_default_key ON topics (tenant_id) WHERE is_default;

INSERT INTO topics
    (tenant_id, topic_id, title, folded, word_form, sort_order, is_default, created_at, updated_at)
    SELECT tenant_id, 'topic' || substr(tenant_id, 7), 'General', 'general', ' general', 0, TRUE, created_at, created_at
    FROM tenants;

INSERT INTO counters (tenant_id, name, shard, value) SELECT tenant_id, 'topics', 0, 1 FROM tenants;
