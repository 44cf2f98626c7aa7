-- serves from: 0020_compatible_servers
-- Forms and what visitors send with them. A server that does not know these tables shows no forms and answers what is sent as unknown paths.
CREATE TABLE forms (
    tenant_id TEXT NOT NULL,
    form_id TEXT NOT NULL,
    name TEXT NOT NULL,
    content TEXT NOT NULL,
    revision BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT,
    PRIMARY KEY (tenant_id, form_id)
);

-- The form is named as the page names it: there need not be one of that id. The digest tells a repetition that came without a token.
CREATE TABLE form_submissions (
    tenant_id TEXT NOT NULL,
    submission_id TEXT NOT NULL,
    form_id TEXT NOT NULL,
    page_id TEXT NOT NULL,
    audience_id TEXT NOT NULL,
    audience_session_id TEXT,
    person_id TEXT,
    is_spam BOOLEAN NOT NULL,
    spam_reasons TEXT NOT NULL,
    input TEXT NOT NULL,
    agreements TEXT NOT NULL,
    contact TEXT NOT NULL,
    utm_parameters TEXT NOT NULL,
    digest BYTEA,
    submitted_at BIGINT NOT NULL,
    accepted_at BIGINT,
    PRIMARY KEY (tenant_id, submission_id)
);

CREATE INDEX form_submissions_form_idx ON form_submissions (tenant_id, form_id, submission_id);

CREATE INDEX form_submissions_person_id_idx ON form_submissions (tenant_id, person_id) WHERE person_id IS NOT NULL;

CREATE UNIQUE INDEX form_submissions_tenant_id_digest_key ON form_submissions (tenant_id, digest) WHERE digest IS NOT NULL;
