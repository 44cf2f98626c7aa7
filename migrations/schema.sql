-- The tables as they are now. Made by `cargo x gen`; read this first.
-- Indexes that PostgreSQL alone has stand in their migrations, below `-- only: postgres`.

CREATE TABLE account_logs (
    tenant_id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    account_log_id TEXT NOT NULL,
    source TEXT NOT NULL,
    type TEXT NOT NULL,
    payload TEXT NOT NULL,
    idempotency_key TEXT,
    request_digest BYTEA,
    created_at BIGINT NOT NULL,
    updated_at BIGINT,
    deleted_at BIGINT,
    PRIMARY KEY (tenant_id, account_id, account_log_id)
);

CREATE INDEX account_logs_deleted_idx ON account_logs (tenant_id, account_id, account_log_id) WHERE deleted_at IS NOT NULL;

CREATE UNIQUE INDEX account_logs_tenant_id_idempotency_key_key ON account_logs (tenant_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE TABLE account_names (
    tenant_id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    folded_name TEXT NOT NULL,
    name_words TEXT NOT NULL,
    folded_domain TEXT NOT NULL,
    domain_words TEXT NOT NULL,
    PRIMARY KEY (tenant_id, account_id)
);

CREATE INDEX account_names_name_idx ON account_names (tenant_id, substr(COALESCE(NULLIF(folded_name, ''), folded_domain), 1, 60), account_id);

CREATE TABLE accounts (
    tenant_id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    domain TEXT NOT NULL,
    name TEXT,
    is_empty BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, account_id),
    CONSTRAINT accounts_tenant_id_domain_key UNIQUE (tenant_id, domain)
);

CREATE INDEX accounts_empty_idx ON accounts (tenant_id, account_id) WHERE is_empty;

CREATE TABLE acme_accounts (
    directory TEXT NOT NULL,
    contact TEXT NOT NULL,
    sealed BYTEA,
    holder TEXT,
    held_until BIGINT NOT NULL,
    hour_began_at BIGINT NOT NULL,
    orders BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    trouble TEXT,
    paused_until BIGINT NOT NULL,
    PRIMARY KEY (directory)
);

CREATE TABLE asset_descriptions (
    tenant_id TEXT NOT NULL,
    asset_id TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    lease_id TEXT,
    leased_until BIGINT,
    tries BIGINT NOT NULL,
    request_id TEXT,
    PRIMARY KEY (tenant_id, asset_id)
);

CREATE INDEX asset_descriptions_leased_until_idx ON asset_descriptions (leased_until) WHERE lease_id IS NOT NULL;

CREATE INDEX asset_descriptions_tenant_id_due_at_idx ON asset_descriptions (tenant_id, due_at) WHERE lease_id IS NULL;

CREATE TABLE assets (
    tenant_id TEXT NOT NULL,
    asset_id TEXT NOT NULL,
    asset_type TEXT NOT NULL,
    name TEXT NOT NULL,
    folded TEXT NOT NULL,
    word_form TEXT NOT NULL,
    purpose TEXT NOT NULL,
    tags TEXT NOT NULL,
    other_folded TEXT NOT NULL,
    other_word_form TEXT NOT NULL,
    parent_asset_id TEXT,
    is_hidden BOOLEAN NOT NULL,
    file_id TEXT,
    video_url TEXT,
    component TEXT,
    props_schema TEXT,
    idempotency_key TEXT,
    request_digest BYTEA,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    trashed_at BIGINT,
    described TEXT,
    PRIMARY KEY (tenant_id, asset_id),
    CONSTRAINT assets_tenant_id_idempotency_key_key UNIQUE (tenant_id, idempotency_key)
);

CREATE INDEX assets_tenant_id_file_id_idx ON assets (tenant_id, file_id) WHERE file_id IS NOT NULL;

CREATE INDEX assets_tenant_id_parent_asset_id_idx ON assets (tenant_id, parent_asset_id) WHERE parent_asset_id IS NOT NULL;

CREATE INDEX assets_tenant_id_trashed_at_idx ON assets (tenant_id, trashed_at) WHERE trashed_at IS NOT NULL;

CREATE TABLE audience_names (
    tenant_id TEXT NOT NULL,
    audience_id TEXT NOT NULL,
    page_id TEXT NOT NULL,
    folded TEXT NOT NULL,
    word_form TEXT NOT NULL,
    PRIMARY KEY (tenant_id, audience_id)
);

CREATE INDEX audience_names_name_idx ON audience_names (tenant_id, page_id, substr(folded, 1, 60), audience_id);

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
    merged_from_id TEXT,
    PRIMARY KEY (tenant_id, audience_session_id)
);

CREATE INDEX audience_sessions_audience_idx ON audience_sessions (tenant_id, audience_id, audience_session_id) WHERE verdict IS NULL;

CREATE INDEX audience_sessions_closes_at_idx ON audience_sessions (tenant_id, closes_at) WHERE closes_at IS NOT NULL;

CREATE INDEX audience_sessions_open_idx ON audience_sessions (tenant_id, page_id) WHERE closes_at IS NOT NULL;

CREATE INDEX audience_sessions_page_idx ON audience_sessions (tenant_id, page_id, audience_session_id) WHERE verdict IS NULL;

CREATE INDEX audience_sessions_person_id_idx ON audience_sessions (tenant_id, person_id) WHERE person_id IS NOT NULL;

CREATE INDEX audience_sessions_verdict_idx ON audience_sessions (tenant_id, audience_id, audience_session_id) WHERE verdict IS NOT NULL;

CREATE INDEX audience_sessions_visitor_idx ON audience_sessions (tenant_id, visitor) WHERE visitor IS NOT NULL;

CREATE TABLE audience_versions (
    tenant_id TEXT NOT NULL,
    audience_id TEXT NOT NULL,
    version_id TEXT NOT NULL,
    page_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    status TEXT NOT NULL,
    publish_when_ready BOOLEAN NOT NULL,
    has_content BOOLEAN NOT NULL,
    tries BIGINT NOT NULL,
    supplementary_context TEXT,
    created_at BIGINT NOT NULL,
    queued_at BIGINT,
    started_at BIGINT,
    became_draft_at BIGINT,
    published_at BIGINT,
    cancelled_at BIGINT,
    archived_at BIGINT,
    obsolete_at BIGINT,
    draft_since BIGINT,
    last_entry_id TEXT,
    entry_count BIGINT,
    PRIMARY KEY (tenant_id, audience_id, version_id),
    CONSTRAINT audience_versions_tenant_id_audience_id_number_key UNIQUE (tenant_id, audience_id, number)
);

CREATE INDEX audience_versions_cancelled_idx ON audience_versions (tenant_id, cancelled_at) WHERE cancelled_at IS NOT NULL;

CREATE INDEX audience_versions_draft_idx ON audience_versions (tenant_id, draft_since) WHERE draft_since IS NOT NULL;

CREATE TABLE audiences (
    tenant_id TEXT NOT NULL,
    page_id TEXT NOT NULL,
    audience_id TEXT NOT NULL,
    person_id TEXT,
    account_id TEXT,
    slug TEXT NOT NULL,
    computed_name TEXT NOT NULL,
    custom_name TEXT,
    supplementary_context TEXT,
    metadata_override TEXT,
    action_url_override TEXT,
    action_form_id_override TEXT,
    action_form_instructions_override TEXT,
    last_number BIGINT NOT NULL,
    latest_version_id TEXT NOT NULL,
    published_version_id TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    archived_at BIGINT,
    access TEXT,
    secret_slug TEXT,
    access_changes BIGINT,
    merged_from_id TEXT,
    PRIMARY KEY (tenant_id, page_id, audience_id),
    CONSTRAINT audiences_tenant_id_page_id_slug_key UNIQUE (tenant_id, page_id, slug)
);

CREATE INDEX audiences_account_idx ON audiences (tenant_id, account_id) WHERE account_id IS NOT NULL AND person_id IS NULL;

CREATE INDEX audiences_archived_idx ON audiences (tenant_id, page_id, audience_id) WHERE archived_at IS NOT NULL;

CREATE INDEX audiences_shown_idx ON audiences (tenant_id, page_id, audience_id) WHERE archived_at IS NULL AND person_id IS NULL AND account_id IS NULL;

CREATE UNIQUE INDEX audiences_tenant_id_page_id_secret_slug_key ON audiences (tenant_id, page_id, secret_slug) WHERE secret_slug IS NOT NULL;

CREATE UNIQUE INDEX audiences_tenant_id_person_id_page_id_key ON audiences (tenant_id, person_id, page_id) WHERE person_id IS NOT NULL;

CREATE TABLE audit_entries (
    tenant_id TEXT NOT NULL,
    audit_entry_id TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    actor TEXT,
    request_id TEXT,
    PRIMARY KEY (tenant_id, audit_entry_id)
);

CREATE INDEX audit_entries_action_idx ON audit_entries (tenant_id, action, audit_entry_id);

CREATE INDEX audit_entries_actor_idx ON audit_entries (tenant_id, actor, audit_entry_id);

CREATE INDEX audit_entries_audit_entry_id_idx ON audit_entries (audit_entry_id);

CREATE TABLE avif_variants (
    tenant_id TEXT NOT NULL,
    file_content_id TEXT NOT NULL,
    width BIGINT NOT NULL,
    height BIGINT NOT NULL,
    variant_content_id TEXT NOT NULL,
    media_type TEXT NOT NULL,
    size BIGINT NOT NULL,
    sha256 BYTEA NOT NULL,
    PRIMARY KEY (tenant_id, file_content_id, width)
);

CREATE TABLE brands (
    tenant_id TEXT NOT NULL,
    brand_id TEXT NOT NULL,
    name TEXT NOT NULL,
    folded TEXT NOT NULL,
    word_form TEXT NOT NULL,
    site_name TEXT,
    is_default BOOLEAN NOT NULL,
    look TEXT NOT NULL,
    voice TEXT NOT NULL,
    legal_links TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    own_look TEXT,
    PRIMARY KEY (tenant_id, brand_id)
);

CREATE UNIQUE INDEX brands_tenant_id_default_key ON brands (tenant_id) WHERE is_default;

CREATE TABLE certificates (
    name TEXT NOT NULL,
    directory TEXT NOT NULL,
    chain TEXT,
    sealed_key BYTEA,
    not_before BIGINT,
    not_after BIGINT,
    issued_at BIGINT,
    first_issued_at BIGINT,
    renew_at BIGINT,
    renewal_id TEXT,
    order_stage TEXT,
    order_url TEXT,
    ordered_at BIGINT,
    sealed_order_key BYTEA,
    token TEXT,
    key_authorization TEXT,
    failures BIGINT NOT NULL,
    trouble TEXT,
    trouble_detail TEXT,
    failed_at BIGINT,
    next_step_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (name)
);

CREATE INDEX certificates_next_step_at_idx ON certificates (next_step_at);

CREATE INDEX certificates_token_idx ON certificates (token) WHERE token IS NOT NULL;

CREATE TABLE conversations (
    tenant_id TEXT NOT NULL,
    audience_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    last_number BIGINT NOT NULL,
    published_message_id TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, audience_id)
);

CREATE TABLE counters (
    tenant_id TEXT NOT NULL,
    name TEXT NOT NULL,
    shard BIGINT NOT NULL,
    value BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, name, shard)
);

CREATE TABLE deliveries (
    tenant_id TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    stage TEXT,
    ready_at BIGINT,
    timer_at BIGINT,
    lease_id TEXT,
    tries BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    first_attempt TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    request_id TEXT,
    PRIMARY KEY (tenant_id, subscription_id, event_id)
);

CREATE INDEX deliveries_ready_idx ON deliveries (tenant_id, subscription_id, ready_at, event_id) WHERE ready_at IS NOT NULL;

CREATE INDEX deliveries_stage_idx ON deliveries (tenant_id, subscription_id, stage, event_id) WHERE stage IS NOT NULL;

CREATE INDEX deliveries_timer_idx ON deliveries (timer_at, tenant_id, subscription_id, event_id) WHERE timer_at IS NOT NULL;

CREATE TABLE delivery_attempts (
    tenant_id TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    attempt TEXT NOT NULL,
    PRIMARY KEY (tenant_id, subscription_id, event_id, number)
);

CREATE TABLE draft_heads (
    tenant_id TEXT NOT NULL,
    audience_id TEXT NOT NULL,
    version_id TEXT NOT NULL,
    fields TEXT NOT NULL,
    PRIMARY KEY (tenant_id, version_id)
);

CREATE TABLE enrichment_hooks (
    tenant_id TEXT NOT NULL,
    url TEXT NOT NULL,
    active BOOLEAN NOT NULL,
    seed BYTEA NOT NULL,
    older_seed BYTEA,
    older_until BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id)
);

CREATE TABLE enrichments (
    tenant_id TEXT NOT NULL,
    submission_id TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    tries BIGINT NOT NULL,
    awaits_callback BOOLEAN NOT NULL,
    lease_id TEXT,
    leased_until BIGINT,
    request_id TEXT,
    PRIMARY KEY (tenant_id, submission_id)
);

CREATE INDEX enrichments_due_idx ON enrichments (tenant_id, due_at, submission_id) WHERE lease_id IS NULL;

CREATE INDEX enrichments_leased_until_idx ON enrichments (leased_until) WHERE lease_id IS NOT NULL;

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
    request_id TEXT,
    PRIMARY KEY (tenant_id, topic_entry_id)
);

CREATE INDEX entry_readings_again_at_idx ON entry_readings (again_at) WHERE again_at IS NOT NULL;

CREATE INDEX entry_readings_due_idx ON entry_readings (tenant_id, due_at, topic_entry_id) WHERE due_at IS NOT NULL AND lease_id IS NULL;

CREATE INDEX entry_readings_leased_until_idx ON entry_readings (leased_until) WHERE lease_id IS NOT NULL;

CREATE TABLE entry_texts (
    tenant_id TEXT NOT NULL,
    topic_entry_id TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (tenant_id, topic_entry_id)
);

CREATE TABLE erased_slugs (
    tenant_id TEXT NOT NULL,
    digest BYTEA NOT NULL,
    PRIMARY KEY (tenant_id, digest)
);

CREATE TABLE events (
    tenant_id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    subscription_id TEXT,
    request_id TEXT,
    PRIMARY KEY (tenant_id, event_id)
);

CREATE INDEX events_type_idx ON events (tenant_id, type, event_id);

CREATE TABLE file_contents (
    tenant_id TEXT NOT NULL,
    file_content_id TEXT NOT NULL,
    sha256 BYTEA NOT NULL,
    size BIGINT NOT NULL,
    file_count BIGINT NOT NULL,
    unused_since BIGINT,
    PRIMARY KEY (tenant_id, file_content_id),
    CONSTRAINT file_contents_tenant_id_sha256_key UNIQUE (tenant_id, sha256)
);

CREATE INDEX file_contents_tenant_id_unused_since_idx ON file_contents (tenant_id, unused_since) WHERE unused_since IS NOT NULL;

CREATE TABLE files (
    tenant_id TEXT NOT NULL,
    file_id TEXT NOT NULL,
    file_content_id TEXT NOT NULL,
    name TEXT NOT NULL,
    content_type TEXT NOT NULL,
    size BIGINT NOT NULL,
    sha256 BYTEA NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, file_id)
);

CREATE INDEX files_tenant_id_file_content_id_idx ON files (tenant_id, file_content_id);

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
    enrichment_status TEXT,
    enriched_data TEXT,
    enrichment_error TEXT,
    enrichment_ended_at BIGINT,
    merged_from_id TEXT,
    PRIMARY KEY (tenant_id, submission_id)
);

CREATE INDEX form_submissions_form_idx ON form_submissions (tenant_id, form_id, submission_id);

CREATE INDEX form_submissions_person_id_idx ON form_submissions (tenant_id, person_id) WHERE person_id IS NOT NULL;

CREATE UNIQUE INDEX form_submissions_tenant_id_digest_key ON form_submissions (tenant_id, digest) WHERE digest IS NOT NULL;

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

CREATE TABLE generations (
    tenant_id TEXT NOT NULL,
    version_id TEXT NOT NULL,
    audience_id TEXT NOT NULL,
    page_id TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    lease_id TEXT,
    leased_until BIGINT,
    step TEXT,
    blocks BIGINT NOT NULL,
    so_far TEXT,
    updated_at BIGINT NOT NULL,
    request_id TEXT,
    PRIMARY KEY (tenant_id, version_id)
);

CREATE INDEX generations_due_idx ON generations (tenant_id, due_at, version_id) WHERE lease_id IS NULL;

CREATE INDEX generations_leased_until_idx ON generations (leased_until) WHERE lease_id IS NOT NULL;

CREATE TABLE grown_histories (
    tenant_id TEXT NOT NULL,
    version_id TEXT NOT NULL,
    audience_id TEXT NOT NULL,
    PRIMARY KEY (tenant_id, version_id)
);

CREATE TABLE half_sign_ins (
    digest BYTEA NOT NULL,
    user_id TEXT NOT NULL,
    attempts BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (digest)
);

CREATE INDEX half_sign_ins_expires_at_idx ON half_sign_ins (expires_at);

CREATE INDEX half_sign_ins_user_idx ON half_sign_ins (user_id);

CREATE TABLE health_checks (
    slot BIGINT NOT NULL,
    checked_at BIGINT NOT NULL,
    PRIMARY KEY (slot)
);

CREATE TABLE held_domains (
    domain TEXT NOT NULL,
    tenant_id TEXT NOT NULL,
    tenant_domain_id TEXT NOT NULL,
    PRIMARY KEY (domain)
);

CREATE TABLE idempotency_records (
    tenant_id TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    request_digest BYTEA NOT NULL,
    status BIGINT NOT NULL,
    body BYTEA NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, idempotency_key, method, path)
);

CREATE INDEX idempotency_records_expires_at_idx ON idempotency_records (expires_at);

CREATE TABLE integrity_checks (
    name TEXT NOT NULL,
    checked_at BIGINT NOT NULL,
    problem TEXT,
    PRIMARY KEY (name)
);

CREATE TABLE invitations (
    tenant_id TEXT NOT NULL,
    invitation_id TEXT NOT NULL,
    digest BYTEA NOT NULL,
    role TEXT NOT NULL,
    email TEXT,
    invited_by TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    mail_state TEXT,
    mail_language TEXT,
    mail_tries BIGINT,
    mail_due_at BIGINT,
    mail_problem TEXT,
    PRIMARY KEY (tenant_id, invitation_id)
);

CREATE INDEX invitations_digest_idx ON invitations (digest);

CREATE INDEX invitations_email_idx ON invitations (email);

CREATE INDEX invitations_expires_at_idx ON invitations (expires_at);

CREATE INDEX invitations_mail_due_at_idx ON invitations (mail_due_at) WHERE mail_due_at IS NOT NULL;

CREATE TABLE key_tenants (
    key_id TEXT NOT NULL,
    tenant_id TEXT NOT NULL,
    PRIMARY KEY (key_id, tenant_id),
    CONSTRAINT key_tenants_key_id_fkey FOREIGN KEY (key_id) REFERENCES keys (key_id),
    CONSTRAINT key_tenants_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants (tenant_id)
);

CREATE INDEX key_tenants_tenant_id_idx ON key_tenants (tenant_id, key_id);

CREATE TABLE keys (
    key_id TEXT NOT NULL,
    digest BYTEA NOT NULL,
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    rate_limit BIGINT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    last_used_at BIGINT,
    revoked_at BIGINT,
    PRIMARY KEY (key_id),
    CONSTRAINT keys_digest_key UNIQUE (digest)
);

CREATE TABLE knowledge_changes (
    tenant_id TEXT NOT NULL,
    topic_entry_id TEXT NOT NULL,
    topic_id TEXT NOT NULL,
    PRIMARY KEY (tenant_id, topic_entry_id)
);

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

CREATE TABLE knowledge_indexes (
    tenant_id TEXT NOT NULL,
    next_number BIGINT NOT NULL,
    chunks BIGINT NOT NULL,
    languages BIGINT NOT NULL,
    leased_until BIGINT NOT NULL,
    revision BIGINT,
    PRIMARY KEY (tenant_id)
);

CREATE TABLE knowledge_postings (
    tenant_id TEXT NOT NULL,
    term TEXT NOT NULL,
    segment BIGINT NOT NULL,
    count BIGINT NOT NULL,
    chunks BYTEA NOT NULL,
    PRIMARY KEY (tenant_id, term, segment)
);

CREATE TABLE link_blocks (
    tenant_id TEXT NOT NULL,
    link_block_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    links TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, link_block_id)
);

CREATE TABLE log_tallies (
    tenant_id TEXT NOT NULL,
    owner TEXT NOT NULL,
    counted_through TEXT NOT NULL,
    entries BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, owner)
);

CREATE TABLE memberships (
    tenant_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    role TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, user_id)
);

CREATE INDEX memberships_user_idx ON memberships (user_id);

CREATE TABLE message_runs (
    tenant_id TEXT NOT NULL,
    audience_id TEXT NOT NULL,
    page_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    processed BIGINT NOT NULL,
    tries BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    lease_id TEXT,
    leased_until BIGINT,
    so_far TEXT,
    request_id TEXT,
    PRIMARY KEY (tenant_id, audience_id)
);

CREATE INDEX message_runs_leased_until_idx ON message_runs (leased_until) WHERE lease_id IS NOT NULL;

CREATE INDEX message_runs_tenant_id_due_at_idx ON message_runs (tenant_id, due_at) WHERE lease_id IS NULL;

CREATE TABLE messages (
    tenant_id TEXT NOT NULL,
    audience_id TEXT NOT NULL,
    number BIGINT NOT NULL,
    message_id TEXT NOT NULL,
    role TEXT NOT NULL,
    content TEXT NOT NULL,
    client_message_id TEXT,
    selection TEXT,
    state TEXT NOT NULL,
    version_id TEXT,
    changes TEXT,
    snapshot TEXT,
    created_at BIGINT NOT NULL,
    usage TEXT,
    actor TEXT,
    reasons TEXT,
    PRIMARY KEY (tenant_id, audience_id, number),
    CONSTRAINT messages_tenant_id_audience_id_client_message_id_key UNIQUE (tenant_id, audience_id, client_message_id),
    CONSTRAINT messages_tenant_id_message_id_key UNIQUE (tenant_id, message_id)
);

CREATE INDEX messages_tenant_id_audience_id_waiting_idx ON messages (tenant_id, audience_id, number) WHERE state = 'waiting';

CREATE TABLE operation_keys (
    tenant_id TEXT NOT NULL,
    resource TEXT NOT NULL,
    operation_key TEXT NOT NULL,
    answer TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, resource, operation_key)
);

CREATE TABLE page_links (
    tenant_id TEXT NOT NULL,
    page_link_id TEXT NOT NULL,
    path TEXT NOT NULL,
    path_key TEXT NOT NULL,
    first_segment TEXT NOT NULL,
    folded TEXT NOT NULL,
    word_form TEXT NOT NULL,
    target_type TEXT NOT NULL,
    page_id TEXT NOT NULL,
    audience_id TEXT,
    routing_table TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    tenant_domain_id TEXT,
    PRIMARY KEY (tenant_id, page_link_id),
    CONSTRAINT page_links_tenant_id_path_key_key UNIQUE (tenant_id, path_key)
);

CREATE INDEX page_links_tenant_id_audience_id_idx ON page_links (tenant_id, audience_id) WHERE audience_id IS NOT NULL;

CREATE INDEX page_links_tenant_id_first_segment_idx ON page_links (tenant_id, first_segment);

CREATE INDEX page_links_tenant_id_page_id_idx ON page_links (tenant_id, page_id, page_link_id);

CREATE INDEX page_links_tenant_id_tenant_domain_id_idx ON page_links (tenant_id, tenant_domain_id) WHERE tenant_domain_id IS NOT NULL;

CREATE TABLE page_names (
    tenant_id TEXT NOT NULL,
    page_id TEXT NOT NULL,
    folded TEXT NOT NULL,
    word_form TEXT NOT NULL,
    PRIMARY KEY (tenant_id, page_id)
);

CREATE TABLE page_question_settings (
    tenant_id TEXT NOT NULL,
    page_id TEXT NOT NULL,
    is_shown BOOLEAN,
    heading TEXT,
    action_id TEXT,
    PRIMARY KEY (tenant_id, page_id)
);

CREATE TABLE page_tallies (
    tenant_id TEXT NOT NULL,
    page_id TEXT NOT NULL,
    shard BIGINT NOT NULL,
    listed BIGINT NOT NULL,
    present BIGINT NOT NULL,
    shown BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, page_id, shard)
);

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

CREATE TABLE pages (
    tenant_id TEXT NOT NULL,
    page_id TEXT NOT NULL,
    name TEXT NOT NULL,
    title TEXT NOT NULL,
    page_context TEXT NOT NULL,
    page_type TEXT NOT NULL,
    brand_id TEXT NOT NULL,
    slug TEXT NOT NULL,
    actions TEXT NOT NULL,
    action_card_widgets TEXT NOT NULL,
    scripts TEXT NOT NULL,
    footer_links TEXT NOT NULL,
    nav_links TEXT NOT NULL,
    footer_link_block_id TEXT,
    nav_link_block_id TEXT,
    header_action_id TEXT,
    metadata TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    archived_at BIGINT,
    deleted_at BIGINT,
    version BIGINT,
    PRIMARY KEY (tenant_id, page_id),
    CONSTRAINT pages_tenant_id_slug_key UNIQUE (tenant_id, slug)
);

CREATE INDEX pages_deleted_idx ON pages (tenant_id, page_id) WHERE deleted_at IS NOT NULL;

CREATE INDEX pages_tenant_id_footer_link_block_id_idx ON pages (tenant_id, footer_link_block_id) WHERE footer_link_block_id IS NOT NULL;

CREATE INDEX pages_tenant_id_nav_link_block_id_idx ON pages (tenant_id, nav_link_block_id) WHERE nav_link_block_id IS NOT NULL;

CREATE TABLE pending_work (
    kind TEXT NOT NULL,
    tenant_id TEXT NOT NULL,
    PRIMARY KEY (kind, tenant_id)
);

CREATE TABLE person_chunks (
    tenant_id TEXT NOT NULL,
    first_document BIGINT NOT NULL,
    people TEXT NOT NULL,
    ends BYTEA NOT NULL,
    texts TEXT NOT NULL,
    PRIMARY KEY (tenant_id, first_document)
);

CREATE TABLE person_documents (
    tenant_id TEXT NOT NULL,
    document BIGINT NOT NULL,
    person_id TEXT NOT NULL,
    PRIMARY KEY (tenant_id, document)
);

CREATE TABLE person_erasures (
    tenant_id TEXT NOT NULL,
    person_id TEXT NOT NULL,
    actor TEXT NOT NULL,
    asked_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, person_id)
);

CREATE TABLE person_import_refusals (
    tenant_id TEXT NOT NULL,
    person_import_id TEXT NOT NULL,
    line BIGINT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (tenant_id, person_import_id, line)
);

CREATE TABLE person_imports (
    tenant_id TEXT NOT NULL,
    person_import_id TEXT NOT NULL,
    file_id TEXT,
    file_name TEXT NOT NULL,
    size BIGINT NOT NULL,
    region TEXT,
    columns TEXT NOT NULL,
    status TEXT NOT NULL,
    created BIGINT NOT NULL,
    updated BIGINT NOT NULL,
    unchanged BIGINT NOT NULL,
    refused BIGINT NOT NULL,
    position BIGINT NOT NULL,
    problem TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    ended_at BIGINT,
    due_at BIGINT,
    lease_id TEXT,
    leased_until BIGINT,
    tries BIGINT NOT NULL,
    request_id TEXT,
    PRIMARY KEY (tenant_id, person_import_id)
);

CREATE INDEX person_imports_due_at_idx ON person_imports (tenant_id, due_at) WHERE due_at IS NOT NULL;

CREATE INDEX person_imports_file_id_idx ON person_imports (tenant_id, file_id) WHERE file_id IS NOT NULL;

CREATE INDEX person_imports_leased_until_idx ON person_imports (leased_until) WHERE lease_id IS NOT NULL;

CREATE TABLE person_indexes (
    tenant_id TEXT NOT NULL,
    next_document BIGINT NOT NULL,
    changes BIGINT NOT NULL,
    PRIMARY KEY (tenant_id)
);

CREATE TABLE person_logs (
    tenant_id TEXT NOT NULL,
    person_id TEXT NOT NULL,
    person_log_id TEXT NOT NULL,
    account_id TEXT,
    source TEXT NOT NULL,
    type TEXT NOT NULL,
    payload TEXT NOT NULL,
    idempotency_key TEXT,
    request_digest BYTEA,
    created_person BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT,
    deleted_at BIGINT,
    merged_from_id TEXT,
    PRIMARY KEY (tenant_id, person_id, person_log_id)
);

CREATE INDEX person_logs_account_deleted_idx ON person_logs (tenant_id, account_id, person_log_id) WHERE account_id IS NOT NULL AND deleted_at IS NOT NULL;

CREATE INDEX person_logs_account_idx ON person_logs (tenant_id, account_id, person_log_id) WHERE account_id IS NOT NULL;

CREATE INDEX person_logs_deleted_idx ON person_logs (tenant_id, person_id, person_log_id) WHERE deleted_at IS NOT NULL;

CREATE UNIQUE INDEX person_logs_tenant_id_idempotency_key_key ON person_logs (tenant_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE TABLE person_merges (
    tenant_id TEXT NOT NULL,
    person_id TEXT NOT NULL,
    into_person_id TEXT NOT NULL,
    fields TEXT NOT NULL,
    actor TEXT NOT NULL,
    merged_at BIGINT NOT NULL,
    ended_at BIGINT,
    PRIMARY KEY (tenant_id, person_id)
);

CREATE INDEX person_merges_into_idx ON person_merges (tenant_id, into_person_id, person_id);

CREATE INDEX person_merges_merged_at_idx ON person_merges (tenant_id, merged_at);

CREATE INDEX person_merges_open_idx ON person_merges (tenant_id, merged_at) WHERE ended_at IS NULL;

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

CREATE TABLE person_removals (
    tenant_id TEXT NOT NULL,
    document BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, document)
);

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

CREATE TABLE person_texts (
    tenant_id TEXT NOT NULL,
    person_id TEXT NOT NULL,
    fields TEXT NOT NULL,
    document BIGINT NOT NULL,
    calls BIGINT,
    PRIMARY KEY (tenant_id, person_id)
);

CREATE INDEX person_texts_calls_idx ON person_texts (tenant_id, calls) WHERE calls > 0;

CREATE INDEX person_texts_fresh_idx ON person_texts (tenant_id, document, person_id) WHERE document < 0;

CREATE INDEX person_texts_name_idx ON person_texts (tenant_id, substr(fields, 1, 60), person_id) WHERE document >= 0;

CREATE TABLE persons (
    tenant_id TEXT NOT NULL,
    person_id TEXT NOT NULL,
    name TEXT NOT NULL,
    email TEXT,
    domain TEXT,
    slug TEXT NOT NULL,
    phone_number TEXT,
    linkedin_profile_url TEXT,
    context TEXT,
    account_id TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT,
    PRIMARY KEY (tenant_id, person_id),
    CONSTRAINT persons_tenant_id_slug_key UNIQUE (tenant_id, slug)
);

CREATE INDEX persons_account_idx ON persons (tenant_id, account_id, person_id) WHERE deleted_at IS NULL;

CREATE UNIQUE INDEX persons_tenant_id_email_key ON persons (tenant_id, email) WHERE deleted_at IS NULL;

CREATE UNIQUE INDEX persons_tenant_id_linkedin_profile_url_key ON persons (tenant_id, linkedin_profile_url) WHERE deleted_at IS NULL;

CREATE UNIQUE INDEX persons_tenant_id_phone_number_key ON persons (tenant_id, phone_number) WHERE deleted_at IS NULL;

CREATE INDEX persons_without_email_idx ON persons (tenant_id, person_id) WHERE email IS NULL AND deleted_at IS NULL;

CREATE TABLE picture_variants (
    tenant_id TEXT NOT NULL,
    file_content_id TEXT NOT NULL,
    width BIGINT NOT NULL,
    height BIGINT NOT NULL,
    variant_content_id TEXT NOT NULL,
    media_type TEXT NOT NULL,
    size BIGINT NOT NULL,
    sha256 BYTEA NOT NULL,
    PRIMARY KEY (tenant_id, file_content_id, width)
);

CREATE TABLE pictures (
    tenant_id TEXT NOT NULL,
    file_content_id TEXT NOT NULL,
    media_type TEXT NOT NULL,
    due_at BIGINT,
    lease_id TEXT,
    leased_until BIGINT,
    tries BIGINT NOT NULL,
    problem TEXT,
    width BIGINT,
    height BIGINT,
    is_animated BOOLEAN,
    colour BIGINT,
    placeholder BYTEA,
    request_id TEXT,
    PRIMARY KEY (tenant_id, file_content_id)
);

CREATE INDEX pictures_due_idx ON pictures (tenant_id, due_at, file_content_id) WHERE due_at IS NOT NULL AND lease_id IS NULL;

CREATE INDEX pictures_leased_until_idx ON pictures (leased_until) WHERE lease_id IS NOT NULL;

CREATE TABLE question_askers (
    tenant_id TEXT NOT NULL,
    day BIGINT NOT NULL,
    visitor BYTEA NOT NULL,
    questions BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, day, visitor)
);

CREATE TABLE question_counts (
    tenant_id TEXT NOT NULL,
    day BIGINT NOT NULL,
    page_id TEXT NOT NULL,
    shard BIGINT NOT NULL,
    questions BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, day, page_id, shard)
);

CREATE TABLE question_settings (
    tenant_id TEXT NOT NULL,
    is_shown BOOLEAN NOT NULL,
    per_visitor BIGINT NOT NULL,
    per_page BIGINT NOT NULL,
    per_tenant BIGINT NOT NULL,
    PRIMARY KEY (tenant_id)
);

CREATE TABLE recovery_codes (
    user_id TEXT NOT NULL,
    digest BYTEA NOT NULL,
    PRIMARY KEY (user_id, digest)
);

CREATE TABLE revisions (
    name TEXT NOT NULL,
    revision BIGINT NOT NULL,
    PRIMARY KEY (name)
);

CREATE TABLE schema_migrations (
    name TEXT NOT NULL,
    checksum TEXT NOT NULL,
    serves_from TEXT,
    PRIMARY KEY (name)
);

CREATE TABLE server_keys (
    name TEXT NOT NULL,
    sealed BYTEA NOT NULL,
    PRIMARY KEY (name)
);

CREATE TABLE servers (
    server_id TEXT NOT NULL,
    host TEXT NOT NULL,
    version TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    PRIMARY KEY (server_id)
);

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

CREATE TABLE sign_in_failures (
    digest BYTEA NOT NULL,
    attempts BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    PRIMARY KEY (digest)
);

CREATE INDEX sign_in_failures_last_at_idx ON sign_in_failures (last_at);

CREATE TABLE submission_files (
    tenant_id TEXT NOT NULL,
    file_id TEXT NOT NULL,
    submission_id TEXT NOT NULL,
    PRIMARY KEY (tenant_id, file_id)
);

CREATE INDEX submission_files_submission_idx ON submission_files (tenant_id, submission_id);

CREATE TABLE tally_debts (
    tenant_id TEXT NOT NULL,
    audience_id TEXT NOT NULL,
    page_id TEXT NOT NULL,
    present BIGINT NOT NULL,
    shown BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, audience_id)
);

CREATE TABLE tenant_agents (
    tenant_id TEXT NOT NULL,
    kind TEXT,
    base_url TEXT,
    model TEXT,
    api_key BYTEA,
    input_price BIGINT NOT NULL,
    output_price BIGINT NOT NULL,
    token_budget BIGINT,
    cost_budget BIGINT,
    updated_at BIGINT NOT NULL,
    token_limit BIGINT,
    cost_limit BIGINT,
    PRIMARY KEY (tenant_id)
);

CREATE TABLE tenant_domains (
    tenant_id TEXT NOT NULL,
    tenant_domain_id TEXT NOT NULL,
    domain TEXT NOT NULL,
    token TEXT NOT NULL,
    status TEXT NOT NULL,
    is_verified BOOLEAN NOT NULL,
    is_default BOOLEAN NOT NULL,
    seen TEXT,
    looked_at BIGINT,
    next_look_at BIGINT,
    looking_since BIGINT NOT NULL,
    lost_since BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, tenant_domain_id),
    CONSTRAINT tenant_domains_tenant_id_domain_key UNIQUE (tenant_id, domain)
);

CREATE INDEX tenant_domains_next_look_at_idx ON tenant_domains (next_look_at) WHERE next_look_at IS NOT NULL;

CREATE TABLE tenant_sites (
    tenant_id TEXT NOT NULL,
    settings TEXT NOT NULL,
    home_page_id TEXT,
    revision BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    person_page_access TEXT,
    PRIMARY KEY (tenant_id)
);

CREATE TABLE tenant_usages (
    tenant_id TEXT NOT NULL,
    month TEXT NOT NULL,
    tries BIGINT NOT NULL,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cost BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, month)
);

CREATE TABLE tenants (
    tenant_id TEXT NOT NULL,
    name TEXT NOT NULL,
    slug TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    suspended_at BIGINT,
    default_region TEXT,
    resumed_at BIGINT,
    PRIMARY KEY (tenant_id),
    CONSTRAINT tenants_slug_key UNIQUE (slug)
);

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

CREATE TABLE topic_entry_names (
    tenant_id TEXT NOT NULL,
    topic_id TEXT NOT NULL,
    topic_entry_id TEXT NOT NULL,
    folded TEXT NOT NULL,
    PRIMARY KEY (tenant_id, topic_id, topic_entry_id)
);

CREATE TABLE topic_removals (
    tenant_id TEXT NOT NULL,
    topic_id TEXT NOT NULL,
    PRIMARY KEY (tenant_id, topic_id)
);

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

CREATE UNIQUE INDEX topics_tenant_id_default_key ON topics (tenant_id) WHERE is_default;

CREATE INDEX topics_tenant_id_sort_order_topic_id_idx ON topics (tenant_id, sort_order, topic_id);

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

CREATE TABLE used_sign_ins (
    digest BYTEA NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (digest)
);

CREATE INDEX used_sign_ins_expires_at_idx ON used_sign_ins (expires_at);

CREATE TABLE user_addresses (
    user_id TEXT NOT NULL,
    digest BYTEA NOT NULL,
    last_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, digest)
);

CREATE INDEX user_addresses_last_at_idx ON user_addresses (last_at);

CREATE TABLE user_identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    user_id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_at BIGINT NOT NULL,
    PRIMARY KEY (issuer, subject)
);

CREATE INDEX user_identities_user_idx ON user_identities (user_id);

CREATE TABLE user_links (
    digest BYTEA NOT NULL,
    kind TEXT NOT NULL,
    user_id TEXT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (digest)
);

CREATE INDEX user_links_expires_at_idx ON user_links (expires_at);

CREATE INDEX user_links_user_idx ON user_links (user_id);

CREATE TABLE user_sessions (
    user_session_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    digest BYTEA NOT NULL,
    older_digest BYTEA,
    older_until BIGINT,
    client TEXT NOT NULL,
    network TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    ends_at BIGINT NOT NULL,
    rotates_at BIGINT NOT NULL,
    PRIMARY KEY (user_session_id),
    CONSTRAINT user_sessions_digest_key UNIQUE (digest)
);

CREATE INDEX user_sessions_expires_at_idx ON user_sessions (expires_at);

CREATE INDEX user_sessions_older_digest_idx ON user_sessions (older_digest);

CREATE INDEX user_sessions_user_idx ON user_sessions (user_id);

CREATE TABLE users (
    user_id TEXT NOT NULL,
    email TEXT NOT NULL,
    name TEXT NOT NULL,
    language TEXT NOT NULL,
    password_hash TEXT,
    sealed_totp BYTEA,
    totp_step BIGINT,
    sealed_new_totp BYTEA,
    disabled_at BIGINT,
    created_at BIGINT NOT NULL,
    break_glass_at BIGINT,
    is_operator BOOLEAN,
    PRIMARY KEY (user_id),
    CONSTRAINT users_email_key UNIQUE (email)
);

CREATE TABLE version_contents (
    tenant_id TEXT NOT NULL,
    version_id TEXT NOT NULL,
    content TEXT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, version_id)
);

CREATE TABLE version_entries (
    tenant_id TEXT NOT NULL,
    version_entry_id TEXT NOT NULL,
    version_id TEXT NOT NULL,
    previous_entry_id TEXT,
    action TEXT NOT NULL,
    actor TEXT NOT NULL,
    request_id TEXT,
    details TEXT,
    replaced_version_id TEXT,
    replaced_previous_entry_id TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, version_entry_id)
);

CREATE TABLE version_history (
    tenant_id TEXT NOT NULL,
    version_id TEXT NOT NULL,
    version_entry_id TEXT NOT NULL,
    action TEXT NOT NULL,
    actor TEXT NOT NULL,
    request_id TEXT,
    details TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, version_id, version_entry_id)
);

CREATE TABLE version_schedules (
    tenant_id TEXT NOT NULL,
    version_id TEXT NOT NULL,
    audience_id TEXT NOT NULL,
    page_id TEXT NOT NULL,
    publish_at BIGINT,
    unpublish_at BIGINT,
    due_at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    request_id TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, version_id)
);

CREATE INDEX version_schedules_due_at_idx ON version_schedules (due_at, tenant_id);

CREATE INDEX version_schedules_tenant_id_due_at_idx ON version_schedules (tenant_id, due_at);

CREATE TABLE version_writings (
    tenant_id TEXT NOT NULL,
    version_id TEXT NOT NULL,
    lease_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    model TEXT,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cost BIGINT NOT NULL,
    problem TEXT,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, version_id)
);

CREATE TABLE visit_salts (
    day BIGINT NOT NULL,
    salt BYTEA NOT NULL,
    PRIMARY KEY (day)
);

CREATE TABLE visit_settings (
    tenant_id TEXT NOT NULL,
    retention_days BIGINT,
    privacy_signal TEXT,
    own_networks TEXT,
    rows_from BIGINT,
    PRIMARY KEY (tenant_id)
);

CREATE TABLE visit_shares (
    tenant_id TEXT NOT NULL,
    visit_share_id TEXT NOT NULL,
    page_id TEXT NOT NULL,
    name TEXT NOT NULL,
    digest BYTEA NOT NULL,
    password_hash TEXT,
    created_by TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, visit_share_id)
);

CREATE INDEX visit_shares_digest_idx ON visit_shares (tenant_id, digest);

CREATE INDEX visit_shares_page_idx ON visit_shares (tenant_id, page_id);

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

CREATE INDEX visit_sums_days_idx ON visit_sums (tenant_id, starts_at) WHERE span = 0 AND dimension = 0;

CREATE INDEX visit_sums_quarters_idx ON visit_sums (tenant_id, starts_at) WHERE span = 1;

CREATE TABLE visit_values (
    tenant_id TEXT NOT NULL,
    page_id BYTEA NOT NULL,
    starts_at BIGINT NOT NULL,
    dimension BIGINT NOT NULL,
    number BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, page_id, starts_at, dimension)
);

CREATE TABLE webhook_subscriptions (
    tenant_id TEXT NOT NULL,
    subscription_id TEXT NOT NULL,
    url TEXT NOT NULL,
    events TEXT,
    event_bits BIGINT NOT NULL,
    active BOOLEAN NOT NULL,
    stopped TEXT,
    secrets BYTEA NOT NULL,
    failing_since BIGINT,
    failed_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT,
    PRIMARY KEY (tenant_id, subscription_id)
);

CREATE INDEX webhook_subscriptions_deleted_idx ON webhook_subscriptions (tenant_id) WHERE deleted_at IS NOT NULL;
