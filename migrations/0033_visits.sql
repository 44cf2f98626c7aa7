-- serves from: 0020_compatible_servers
-- Visits to pages, measured. A server that does not know these tables answers reports of page views as unknown paths, and the visits
-- are not counted.
-- clustered: each row is found by its key
CREATE TABLE page_views (
    tenant_id TEXT NOT NULL,
    view_id BYTEA NOT NULL,
    audience_session_id BYTEA NOT NULL,
    first_at BIGINT NOT NULL,
    before_ms BIGINT NOT NULL,
    engaged_ms BIGINT NOT NULL,
    scroll BIGINT NOT NULL,
    clicks BIGINT NOT NULL,
    choices BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, view_id)
);

CREATE INDEX page_views_tenant_id_first_at_idx ON page_views (tenant_id, first_at);

-- Ids are kept as their numbers. A session is open while it has a closes_at, and has a visitor only then. A session with a verdict is
-- nobody's and not counted. The columns of the form are for submissions of forms.
-- clustered: most rows are read along their key
CREATE TABLE audience_sessions (
    tenant_id TEXT NOT NULL,
    audience_session_id BYTEA NOT NULL,
    page_id BYTEA NOT NULL,
    audience_id BYTEA NOT NULL,
    analytics_session_id BYTEA,
    visitor BYTEA,
    closes_at BIGINT,
    last_at BIGINT NOT NULL,
    is_scripted BOOLEAN NOT NULL,
    engaged_ms BIGINT NOT NULL,
    scroll BIGINT NOT NULL,
    clicks BIGINT NOT NULL,
    interactions BIGINT NOT NULL,
    questions BIGINT NOT NULL,
    has_action BOOLEAN NOT NULL,
    has_conversion BOOLEAN NOT NULL,
    has_form BOOLEAN NOT NULL,
    verdict TEXT,
    source TEXT,
    medium TEXT,
    campaign TEXT,
    term TEXT,
    content TEXT,
    referrer TEXT,
    page_link_id BYTEA,
    device TEXT,
    language TEXT,
    person_id TEXT,
    form_submission_id TEXT,
    form_identifier TEXT,
    form_identifier_type TEXT,
    form_email TEXT,
    form_phone TEXT,
    PRIMARY KEY (tenant_id, audience_session_id)
);

CREATE INDEX audience_sessions_page_idx ON audience_sessions (tenant_id, page_id, audience_session_id) WHERE verdict IS NULL;

CREATE INDEX audience_sessions_audience_idx ON audience_sessions (tenant_id, audience_id, audience_session_id) WHERE verdict IS NULL;

CREATE INDEX audience_sessions_verdict_idx ON audience_sessions (tenant_id, audience_id, audience_session_id) WHERE verdict IS NOT NULL;

CREATE INDEX audience_sessions_open_idx ON audience_sessions (tenant_id, page_id) WHERE closes_at IS NOT NULL;

CREATE INDEX audience_sessions_closes_at_idx ON audience_sessions (tenant_id, closes_at) WHERE closes_at IS NOT NULL;

CREATE INDEX audience_sessions_visitor_idx ON audience_sessions (tenant_id, visitor) WHERE visitor IS NOT NULL;

CREATE INDEX audience_sessions_person_id_idx ON audience_sessions (tenant_id, person_id) WHERE person_id IS NOT NULL;

-- clustered: read along the key
CREATE TABLE session_interactions (
    tenant_id TEXT NOT NULL,
    audience_session_id BYTEA NOT NULL,
    view_id BYTEA NOT NULL,
    number BIGINT NOT NULL,
    component_id TEXT NOT NULL,
    component_context TEXT,
    label TEXT NOT NULL,
    options TEXT NOT NULL,
    response_text TEXT NOT NULL,
    grounding_chunk_ids TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, audience_session_id, view_id, number)
);

-- Sums over closed sessions that began in a span of time: 0 is a UTC day, 1 a quarter of an hour. Dimension 0 is the page; of the
-- others the value says whose sums they are.
-- clustered: read along the key
CREATE TABLE visit_sums (
    tenant_id TEXT NOT NULL,
    page_id BYTEA NOT NULL,
    span BIGINT NOT NULL,
    dimension BIGINT NOT NULL,
    value TEXT NOT NULL,
    starts_at BIGINT NOT NULL,
    sessions BIGINT NOT NULL,
    measured BIGINT NOT NULL,
    bounce_eligible BIGINT NOT NULL,
    bounces BIGINT NOT NULL,
    conversions BIGINT NOT NULL,
    with_action BIGINT NOT NULL,
    with_form BIGINT NOT NULL,
    half_seen BIGINT NOT NULL,
    interactions BIGINT NOT NULL,
    engaged_ms BIGINT NOT NULL,
    scroll BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, page_id, span, dimension, value, starts_at)
);

CREATE INDEX visit_sums_quarters_idx ON visit_sums (tenant_id, starts_at) WHERE span = 1;

-- What a tenant has chosen for the measurement of visits. From rows_from on the rows of sessions are there.
CREATE TABLE visit_settings (
    tenant_id TEXT NOT NULL,
    retention_days BIGINT,
    privacy_signal TEXT,
    own_networks TEXT,
    rows_from BIGINT,
    PRIMARY KEY (tenant_id)
);

-- What visitors' numbers are made with, a random one for each UTC day. It is destroyed after 48 hours.
-- across tenants: it is the server's
CREATE TABLE visit_salts (
    day BIGINT NOT NULL,
    salt BYTEA NOT NULL,
    PRIMARY KEY (day)
);
