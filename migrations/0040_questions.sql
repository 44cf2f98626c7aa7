-- serves from: 0020_compatible_servers
-- Questions of visitors: where pages take them, how many, and which of them nothing was known of. A server that does not know these tables
-- shows pages without the field and answers what is sent as an unknown path.
CREATE TABLE question_settings (
    tenant_id TEXT NOT NULL,
    is_shown BOOLEAN NOT NULL,
    per_visitor BIGINT NOT NULL,
    per_page BIGINT NOT NULL,
    per_tenant BIGINT NOT NULL,
    PRIMARY KEY (tenant_id)
);

CREATE TABLE page_question_settings (
    tenant_id TEXT NOT NULL,
    page_id TEXT NOT NULL,
    is_shown BOOLEAN,
    heading TEXT,
    action_id TEXT,
    PRIMARY KEY (tenant_id, page_id)
);

-- How many questions were answered on a UTC day, in shards so that those at the same time do not wait for each other.
CREATE TABLE question_counts (
    tenant_id TEXT NOT NULL,
    day BIGINT NOT NULL,
    page_id TEXT NOT NULL,
    shard BIGINT NOT NULL,
    questions BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, day, page_id, shard)
);

CREATE TABLE unanswered_questions (
    tenant_id TEXT NOT NULL,
    unanswered_question_id TEXT NOT NULL,
    page_id TEXT NOT NULL,
    audience_id TEXT NOT NULL,
    audience_session_id BYTEA NOT NULL,
    question TEXT NOT NULL,
    language TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, unanswered_question_id)
);

CREATE INDEX unanswered_questions_page_idx ON unanswered_questions (tenant_id, page_id, unanswered_question_id);

CREATE INDEX unanswered_questions_session_idx ON unanswered_questions (tenant_id, audience_session_id);
