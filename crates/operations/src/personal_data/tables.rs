//! Every column of text or bytes, and what becomes of it when a person is erased.
//!
//! Columns whose names end in `_id` are left out: they hold ids, and a person's own goes from wherever it stands with the rows that it names.

/// What becomes of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// The rows that are about the person are handed out, and removed.
    Own,
    /// Rows that are about the person are removed; what they hold is made of what is handed out elsewhere.
    Derived,
    /// Rows of others that name the person are handed out, and the person is taken out of them; the person's own are removed.
    Searched,
    /// It holds nothing about a person, or what cannot be told from it; the reason.
    Nothing(&'static str),
}

use Fate::{Derived, Nothing, Own, Searched};

const WORD: Fate = Nothing("one of few words of the program");
const OF_TENANT: Fate = Nothing("what a tenant or an operator says of itself");
const OF_PAGE: Fate = Nothing("what a tenant publishes in its own name, for everybody");
const SEALED: Fate = Nothing("sealed, or a digest: it shows nothing");

/// The tables, with the columns of each.
pub const TABLES: &[(&str, &[(&str, Fate)])] = &[
    (
        "account_logs",
        &[
            ("source", Searched),
            ("type", Searched),
            ("payload", Searched),
            ("idempotency_key", Searched),
            ("request_digest", SEALED),
        ],
    ),
    (
        "account_names",
        &[
            ("folded_name", Searched),
            ("name_words", Searched),
            ("folded_domain", Nothing("the domain of a company")),
            ("domain_words", Nothing("the domain of a company")),
        ],
    ),
    ("accounts", &[("domain", Nothing("the domain of a company")), ("name", Searched)]),
    (
        "acme_accounts",
        &[
            ("directory", OF_TENANT),
            ("contact", OF_TENANT),
            ("sealed", SEALED),
            ("holder", Nothing("a number that a server has given itself")),
            ("trouble", Nothing("why a certificate authority could not be spoken to")),
        ],
    ),
    (
        "assets",
        &[
            ("asset_type", WORD),
            ("name", OF_PAGE),
            ("folded", OF_PAGE),
            ("word_form", OF_PAGE),
            ("purpose", OF_PAGE),
            ("tags", OF_PAGE),
            ("other_folded", OF_PAGE),
            ("other_word_form", OF_PAGE),
            ("video_url", OF_PAGE),
            ("component", OF_PAGE),
            ("props_schema", OF_PAGE),
            ("idempotency_key", OF_TENANT),
            ("request_digest", SEALED),
        ],
    ),
    ("audience_names", &[("folded", Searched), ("word_form", Searched)]),
    ("audience_versions", &[("status", WORD), ("supplementary_context", Searched)]),
    (
        "audience_sessions",
        &[
            ("visitor", SEALED),
            ("verdict", WORD),
            ("source", Own),
            ("medium", Own),
            ("campaign", Own),
            ("term", Own),
            ("content", Own),
            ("referrer", Own),
            ("device", WORD),
            ("language", WORD),
            ("form_identifier", Own),
            ("form_identifier_type", WORD),
            ("form_email", Own),
            ("form_phone", Own),
        ],
    ),
    (
        "audiences",
        &[
            ("slug", Searched),
            ("secret_slug", Searched),
            ("access", WORD),
            ("computed_name", Searched),
            ("custom_name", Searched),
            ("supplementary_context", Searched),
            ("metadata_override", Searched),
            ("action_url_override", Searched),
            ("action_form_id_override", Searched),
            ("action_form_instructions_override", Searched),
        ],
    ),
    (
        "audit_entries",
        &[
            ("action", WORD),
            ("subject", Nothing("an id of something else, or the digest of the person's")),
            ("actor", OF_TENANT),
        ],
    ),
    (
        "brands",
        &[
            ("name", OF_PAGE),
            ("folded", OF_PAGE),
            ("word_form", OF_PAGE),
            ("site_name", OF_PAGE),
            ("look", OF_PAGE),
            ("voice", OF_TENANT),
            ("legal_links", OF_PAGE),
        ],
    ),
    (
        "certificates",
        &[
            ("name", OF_TENANT),
            ("directory", OF_TENANT),
            ("chain", OF_TENANT),
            ("sealed_key", SEALED),
            ("order_stage", WORD),
            ("order_url", OF_TENANT),
            ("sealed_order_key", SEALED),
            ("token", SEALED),
            ("key_authorization", SEALED),
            ("trouble", WORD),
            ("trouble_detail", Nothing("what a certificate authority says of a host name")),
        ],
    ),
    ("conversations", &[]),
    ("counters", &[("name", WORD)]),
    ("deliveries", &[("stage", WORD), ("first_attempt", Searched)]),
    ("delivery_attempts", &[("attempt", Searched)]),
    (
        "entry_readings",
        &[("host", OF_TENANT), ("etag", OF_TENANT), ("last_modified", OF_TENANT), ("log", OF_TENANT)],
    ),
    ("entry_texts", &[("text", OF_TENANT)]),
    ("erased_slugs", &[("digest", SEALED)]),
    ("events", &[("type", WORD), ("body", Searched)]),
    ("file_contents", &[("sha256", SEALED)]),
    (
        "files",
        &[
            ("name", Nothing("what a tenant calls what it uploads for its pages")),
            ("content_type", WORD),
            ("sha256", SEALED),
        ],
    ),
    (
        "form_submissions",
        &[
            ("spam_reasons", WORD),
            ("input", Searched),
            ("agreements", OF_PAGE),
            ("contact", Searched),
            ("utm_parameters", Searched),
            ("digest", SEALED),
            ("enrichment_status", WORD),
            ("enriched_data", Searched),
            ("enrichment_error", Searched),
        ],
    ),
    ("enrichment_hooks", &[("url", OF_TENANT), ("seed", SEALED), ("older_seed", SEALED)]),
    ("forms", &[("name", OF_TENANT), ("content", OF_PAGE)]),
    ("draft_heads", &[("fields", Searched)]),
    ("generations", &[("step", WORD), ("so_far", Searched)]),
    ("held_domains", &[("domain", OF_TENANT)]),
    (
        "idempotency_records",
        &[
            ("idempotency_key", Derived),
            ("method", WORD),
            ("path", Derived),
            ("request_digest", SEALED),
            ("body", Derived),
        ],
    ),
    ("health_checks", &[]),
    ("integrity_checks", &[("name", WORD), ("problem", Nothing("what the engine says of its file"))]),
    ("key_tenants", &[]),
    ("keys", &[("digest", SEALED), ("name", OF_TENANT), ("scope", WORD)]),
    ("knowledge_changes", &[]),
    (
        "knowledge_chunks",
        &[
            ("state", WORD),
            ("language", WORD),
            ("source_type", WORD),
            ("source_name", OF_TENANT),
            ("source_url", OF_TENANT),
            ("context", OF_TENANT),
            ("heading", OF_TENANT),
            ("text", OF_TENANT),
        ],
    ),
    ("knowledge_indexes", &[]),
    ("knowledge_postings", &[("term", OF_TENANT), ("chunks", Nothing("numbers"))]),
    ("link_blocks", &[("kind", WORD), ("name", OF_TENANT), ("links", OF_PAGE)]),
    ("log_tallies", &[("owner", Derived), ("counted_through", Derived)]),
    ("message_runs", &[("so_far", Searched)]),
    (
        "messages",
        &[
            ("role", WORD),
            ("content", Searched),
            ("selection", Searched),
            ("state", WORD),
            ("changes", Searched),
            ("snapshot", Searched),
            ("usage", Nothing("how many tokens a model has used")),
        ],
    ),
    (
        "operation_keys",
        &[
            ("resource", Nothing("an id")),
            ("operation_key", Nothing("a caller's name for one call")),
            ("answer", Searched),
        ],
    ),
    (
        "page_links",
        &[
            ("path", Own),
            ("path_key", Derived),
            ("first_segment", Derived),
            ("folded", Derived),
            ("word_form", Derived),
            ("target_type", WORD),
            ("routing_table", OF_PAGE),
        ],
    ),
    ("page_names", &[("folded", OF_PAGE), ("word_form", OF_PAGE)]),
    ("page_question_settings", &[("heading", OF_PAGE)]),
    ("page_tallies", &[]),
    ("page_views", &[]),
    (
        "pages",
        &[
            ("name", OF_PAGE),
            ("title", OF_PAGE),
            ("page_context", OF_PAGE),
            ("page_type", WORD),
            ("slug", OF_PAGE),
            ("actions", OF_PAGE),
            ("action_card_widgets", OF_PAGE),
            ("scripts", OF_PAGE),
            ("footer_links", OF_PAGE),
            ("nav_links", OF_PAGE),
            ("metadata", OF_PAGE),
        ],
    ),
    ("pending_work", &[("kind", WORD)]),
    ("picture_variants", &[("media_type", WORD), ("sha256", SEALED)]),
    ("pictures", &[("media_type", WORD), ("problem", WORD), ("placeholder", OF_PAGE)]),
    ("person_chunks", &[("people", Derived), ("ends", Derived), ("texts", Derived)]),
    ("person_documents", &[]),
    ("person_indexes", &[]),
    (
        "person_logs",
        &[
            ("source", Searched),
            ("type", Searched),
            ("payload", Searched),
            ("idempotency_key", Searched),
            ("request_digest", SEALED),
        ],
    ),
    (
        "person_postings",
        &[
            ("gram", Derived),
            ("anywhere", Derived),
            ("word_starts", Derived),
            ("field_starts", Derived),
            ("whole", Derived),
        ],
    ),
    ("person_removals", &[]),
    (
        "person_segments",
        &[("state", WORD), ("runs", Derived), ("marks", Derived), ("removed", Nothing("numbers"))],
    ),
    ("person_texts", &[("fields", Derived)]),
    (
        "persons",
        &[
            ("name", Own),
            ("email", Own),
            ("domain", Own),
            ("slug", Own),
            ("phone_number", Own),
            ("linkedin_profile_url", Own),
            ("context", Searched),
        ],
    ),
    ("question_counts", &[]),
    ("question_settings", &[]),
    ("revisions", &[("name", WORD)]),
    ("schema_migrations", &[("name", WORD), ("checksum", WORD), ("serves_from", WORD)]),
    ("server_keys", &[("name", WORD), ("sealed", SEALED)]),
    (
        "session_interactions",
        &[
            ("component_context", OF_PAGE),
            ("label", Searched),
            ("options", OF_PAGE),
            ("response_text", Searched),
            ("grounding_chunk_ids", OF_PAGE),
        ],
    ),
    ("tally_debts", &[]),
    (
        "tenant_domains",
        &[
            ("domain", OF_TENANT),
            ("token", Nothing("random, and shown in the domain's DNS")),
            ("status", WORD),
            ("seen", Nothing("records that the domain's DNS shows to everybody")),
        ],
    ),
    ("tenant_agents", &[("kind", WORD), ("base_url", OF_TENANT), ("model", OF_TENANT), ("api_key", SEALED)]),
    ("tenant_sites", &[("settings", OF_PAGE), ("person_page_access", WORD)]),
    ("tenant_usages", &[("month", WORD)]),
    ("tenants", &[("name", OF_TENANT), ("slug", OF_TENANT), ("default_region", OF_TENANT)]),
    ("topic_entries", &[("status", WORD), ("found", OF_TENANT), ("content", OF_TENANT)]),
    ("topic_entry_names", &[("folded", OF_TENANT)]),
    ("topic_removals", &[]),
    ("topics", &[("title", OF_TENANT), ("folded", OF_TENANT), ("word_form", OF_TENANT)]),
    ("unanswered_questions", &[("question", Searched), ("language", WORD)]),
    (
        "version_history",
        &[
            ("action", WORD),
            ("actor", OF_TENANT),
            ("details", Nothing("ids, times and words of the program")),
        ],
    ),
    ("version_schedules", &[("actor", OF_TENANT)]),
    ("version_contents", &[("content", Searched)]),
    ("version_writings", &[("kind", WORD), ("model", OF_TENANT), ("problem", Searched)]),
    ("visit_salts", &[("salt", Nothing("random, and destroyed after two days"))]),
    ("visit_settings", &[("privacy_signal", WORD), ("own_networks", OF_TENANT)]),
    (
        "visit_sums",
        &[(
            "value",
            Nothing("an id, or where many visitors came from and with what: a sum tells nobody apart"),
        )],
    ),
    ("visit_values", &[]),
    (
        "webhook_subscriptions",
        &[("url", OF_TENANT), ("events", WORD), ("stopped", WORD), ("secrets", SEALED)],
    ),
];
