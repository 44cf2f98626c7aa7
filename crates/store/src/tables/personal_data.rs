//! Where persons may be named who are not the owner of a row: walked in steps, and written anew where somebody was found.
//!
//! The list of these columns is here, since each is a statement to read and one to write; what the other tables hold of persons, and
//! why, is with the operations.

use pagesmith_model::{Result, TenantId};

use crate::extent::{Extent, ListPart};
use crate::sql::Sql;
use crate::tx::Tx;
use crate::value::Value;
use crate::{sql, values};

/// How a text is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As it is.
    Text,
    /// As JSON.
    Json,
    /// As an attempt to deliver something, with the answer of the receiver.
    Attempt,
    /// As a name that must stay unique among its like.
    Key,
    /// As a label: words of lower-case letters and digits with hyphens between them.
    Label,
    /// As the last part of an address, unique among its like.
    Slug,
}

/// A table and its columns that may name somebody.
#[derive(Debug, Clone, Copy)]
pub struct TextColumns {
    /// The table.
    pub table: &'static str,
    /// What follows the tenant in its primary key.
    pub keys: &'static [&'static str],
    /// The texts.
    pub columns: &'static [(&'static str, Form)],
    list: Sql,
    update: Sql,
}

/// A row of one of these tables.
#[derive(Debug, Clone, PartialEq)]
pub struct TextRow {
    /// What follows the tenant in its primary key.
    pub key: Vec<Value>,
    /// The texts, in the order of the columns.
    pub texts: Vec<Option<String>>,
}

/// Every such table.
pub const TEXT_COLUMNS: &[TextColumns] = &[
    TextColumns {
        table: "session_interactions",
        keys: &["audience_session_id", "view_id", "number"],
        columns: &[("label", Form::Text), ("response_text", Form::Text)],
        list: sql!(
            "SELECT audience_session_id, view_id, number, label, response_text FROM session_interactions
             WHERE tenant_id = $1 AND (audience_session_id, view_id, number) > ($2, $3, $4)
             ORDER BY audience_session_id, view_id, number LIMIT $5"
        ),
        update: sql!(
            "UPDATE session_interactions SET label = $5, response_text = $6
             WHERE tenant_id = $1 AND audience_session_id = $2 AND view_id = $3 AND number = $4"
        ),
    },
    TextColumns {
        table: "unanswered_questions",
        keys: &["unanswered_question_id"],
        columns: &[("question", Form::Text)],
        list: sql!(
            "SELECT unanswered_question_id, question FROM unanswered_questions
             WHERE tenant_id = $1 AND unanswered_question_id > $2 ORDER BY unanswered_question_id LIMIT $3"
        ),
        update: sql!(
            "UPDATE unanswered_questions SET question = $3 WHERE tenant_id = $1 AND unanswered_question_id = $2"
        ),
    },
    TextColumns {
        table: "form_submissions",
        keys: &["submission_id"],
        columns: &[
            ("input", Form::Json),
            ("contact", Form::Json),
            ("utm_parameters", Form::Json),
            ("enriched_data", Form::Json),
            ("enrichment_error", Form::Text),
        ],
        list: sql!(
            "SELECT submission_id, input, contact, utm_parameters, enriched_data, enrichment_error FROM form_submissions
             WHERE tenant_id = $1 AND submission_id > $2 ORDER BY submission_id LIMIT $3"
        ),
        update: sql!(
            "UPDATE form_submissions SET input = $3, contact = $4, utm_parameters = $5, enriched_data = $6, enrichment_error = $7
             WHERE tenant_id = $1 AND submission_id = $2"
        ),
    },
    TextColumns {
        table: "files",
        keys: &["file_id"],
        columns: &[("name", Form::Text)],
        list: sql!(
            "SELECT file_id, name FROM files
             WHERE tenant_id = $1 AND file_id > $2 ORDER BY file_id LIMIT $3"
        ),
        update: sql!("UPDATE files SET name = $3 WHERE tenant_id = $1 AND file_id = $2"),
    },
    TextColumns {
        table: "events",
        keys: &["event_id"],
        columns: &[("body", Form::Json)],
        list: sql!(
            "SELECT event_id, body FROM events
             WHERE tenant_id = $1 AND event_id > $2 ORDER BY event_id LIMIT $3"
        ),
        update: sql!("UPDATE events SET body = $3 WHERE tenant_id = $1 AND event_id = $2"),
    },
    TextColumns {
        table: "persons",
        keys: &["person_id"],
        columns: &[("context", Form::Json)],
        list: sql!(
            "SELECT person_id, context FROM persons
             WHERE tenant_id = $1 AND person_id > $2 ORDER BY person_id LIMIT $3"
        ),
        update: sql!("UPDATE persons SET context = $3 WHERE tenant_id = $1 AND person_id = $2"),
    },
    TextColumns {
        table: "person_logs",
        keys: &["person_id", "person_log_id"],
        columns: &[
            ("payload", Form::Json),
            ("source", Form::Label),
            ("type", Form::Label),
            ("idempotency_key", Form::Key),
        ],
        list: sql!(
            "SELECT person_id, person_log_id, payload, source, type, idempotency_key FROM person_logs
             WHERE tenant_id = $1 AND (person_id, person_log_id) > ($2, $3)
             ORDER BY person_id, person_log_id LIMIT $4"
        ),
        update: sql!(
            "UPDATE person_logs SET payload = $4, source = $5, type = $6, idempotency_key = $7
             WHERE tenant_id = $1 AND person_id = $2 AND person_log_id = $3"
        ),
    },
    TextColumns {
        table: "account_logs",
        keys: &["account_id", "account_log_id"],
        columns: &[
            ("payload", Form::Json),
            ("source", Form::Label),
            ("type", Form::Label),
            ("idempotency_key", Form::Key),
        ],
        list: sql!(
            "SELECT account_id, account_log_id, payload, source, type, idempotency_key FROM account_logs
             WHERE tenant_id = $1 AND (account_id, account_log_id) > ($2, $3)
             ORDER BY account_id, account_log_id LIMIT $4"
        ),
        update: sql!(
            "UPDATE account_logs SET payload = $4, source = $5, type = $6, idempotency_key = $7
             WHERE tenant_id = $1 AND account_id = $2 AND account_log_id = $3"
        ),
    },
    TextColumns {
        table: "accounts",
        keys: &["account_id"],
        columns: &[("name", Form::Text)],
        list: sql!(
            "SELECT account_id, name FROM accounts
             WHERE tenant_id = $1 AND account_id > $2 ORDER BY account_id LIMIT $3"
        ),
        update: sql!("UPDATE accounts SET name = $3 WHERE tenant_id = $1 AND account_id = $2"),
    },
    TextColumns {
        table: "account_names",
        keys: &["account_id"],
        columns: &[("folded_name", Form::Text), ("name_words", Form::Text)],
        list: sql!(
            "SELECT account_id, folded_name, name_words FROM account_names
             WHERE tenant_id = $1 AND account_id > $2 ORDER BY account_id LIMIT $3"
        ),
        update: sql!(
            "UPDATE account_names SET folded_name = $3, name_words = $4 WHERE tenant_id = $1 AND account_id = $2"
        ),
    },
    TextColumns {
        table: "audiences",
        keys: &["page_id", "audience_id"],
        columns: &[
            ("computed_name", Form::Text),
            ("custom_name", Form::Text),
            ("supplementary_context", Form::Text),
            ("metadata_override", Form::Json),
            ("action_url_override", Form::Text),
            ("action_form_id_override", Form::Text),
            ("action_form_instructions_override", Form::Text),
            ("slug", Form::Slug),
            ("secret_slug", Form::Slug),
        ],
        list: sql!(
            "SELECT page_id, audience_id, computed_name, custom_name, supplementary_context, metadata_override,
                    action_url_override, action_form_id_override, action_form_instructions_override, slug,
                    secret_slug
             FROM audiences WHERE tenant_id = $1 AND (page_id, audience_id) > ($2, $3)
             ORDER BY page_id, audience_id LIMIT $4"
        ),
        update: sql!(
            "UPDATE audiences SET computed_name = $4, custom_name = $5, supplementary_context = $6,
                                  metadata_override = $7, action_url_override = $8,
                                  action_form_id_override = $9, action_form_instructions_override = $10,
                                  slug = $11, secret_slug = $12
             WHERE tenant_id = $1 AND page_id = $2 AND audience_id = $3"
        ),
    },
    TextColumns {
        table: "audience_names",
        keys: &["audience_id"],
        columns: &[("folded", Form::Text), ("word_form", Form::Text)],
        list: sql!(
            "SELECT audience_id, folded, word_form FROM audience_names
             WHERE tenant_id = $1 AND audience_id > $2 ORDER BY audience_id LIMIT $3"
        ),
        update: sql!(
            "UPDATE audience_names SET folded = $3, word_form = $4 WHERE tenant_id = $1 AND audience_id = $2"
        ),
    },
    TextColumns {
        table: "audience_versions",
        keys: &["audience_id", "version_id"],
        columns: &[("supplementary_context", Form::Text)],
        list: sql!(
            "SELECT audience_id, version_id, supplementary_context FROM audience_versions
             WHERE tenant_id = $1 AND (audience_id, version_id) > ($2, $3)
             ORDER BY audience_id, version_id LIMIT $4"
        ),
        update: sql!(
            "UPDATE audience_versions SET supplementary_context = $4
             WHERE tenant_id = $1 AND audience_id = $2 AND version_id = $3"
        ),
    },
    TextColumns {
        table: "version_contents",
        keys: &["version_id"],
        columns: &[("content", Form::Json)],
        list: sql!(
            "SELECT version_id, content FROM version_contents
             WHERE tenant_id = $1 AND version_id > $2 ORDER BY version_id LIMIT $3"
        ),
        update: sql!("UPDATE version_contents SET content = $3 WHERE tenant_id = $1 AND version_id = $2"),
    },
    TextColumns {
        table: "generations",
        keys: &["version_id"],
        columns: &[("so_far", Form::Json)],
        list: sql!(
            "SELECT version_id, so_far FROM generations
             WHERE tenant_id = $1 AND version_id > $2 ORDER BY version_id LIMIT $3"
        ),
        update: sql!("UPDATE generations SET so_far = $3 WHERE tenant_id = $1 AND version_id = $2"),
    },
    TextColumns {
        table: "version_writings",
        keys: &["version_id"],
        columns: &[("problem", Form::Text)],
        list: sql!(
            "SELECT version_id, problem FROM version_writings
             WHERE tenant_id = $1 AND version_id > $2 ORDER BY version_id LIMIT $3"
        ),
        update: sql!("UPDATE version_writings SET problem = $3 WHERE tenant_id = $1 AND version_id = $2"),
    },
    TextColumns {
        table: "messages",
        keys: &["message_id"],
        columns: &[
            ("content", Form::Text),
            ("selection", Form::Json),
            ("changes", Form::Json),
            ("reasons", Form::Json),
            ("snapshot", Form::Json),
        ],
        list: sql!(
            "SELECT message_id, content, selection, changes, reasons, snapshot FROM messages
             WHERE tenant_id = $1 AND message_id > $2 ORDER BY message_id LIMIT $3"
        ),
        update: sql!(
            "UPDATE messages SET content = $3, selection = $4, changes = $5, reasons = $6, snapshot = $7
             WHERE tenant_id = $1 AND message_id = $2"
        ),
    },
    TextColumns {
        table: "message_runs",
        keys: &["audience_id"],
        columns: &[("so_far", Form::Json)],
        list: sql!(
            "SELECT audience_id, so_far FROM message_runs
             WHERE tenant_id = $1 AND audience_id > $2 ORDER BY audience_id LIMIT $3"
        ),
        update: sql!("UPDATE message_runs SET so_far = $3 WHERE tenant_id = $1 AND audience_id = $2"),
    },
    TextColumns {
        table: "draft_heads",
        keys: &["version_id"],
        columns: &[("fields", Form::Json)],
        list: sql!(
            "SELECT version_id, fields FROM draft_heads
             WHERE tenant_id = $1 AND version_id > $2 ORDER BY version_id LIMIT $3"
        ),
        update: sql!("UPDATE draft_heads SET fields = $3 WHERE tenant_id = $1 AND version_id = $2"),
    },
    TextColumns {
        table: "operation_keys",
        keys: &["resource", "named"],
        columns: &[("answer", Form::Json), ("operation_key", Form::Key)],
        list: sql!(
            "SELECT resource, operation_key AS named, answer, operation_key FROM operation_keys
             WHERE tenant_id = $1 AND (resource, operation_key) > ($2, $3)
             ORDER BY resource, operation_key LIMIT $4"
        ),
        update: sql!(
            "UPDATE operation_keys SET answer = $4, operation_key = $5
             WHERE tenant_id = $1 AND resource = $2 AND operation_key = $3"
        ),
    },
    TextColumns {
        table: "person_import_refusals",
        keys: &["person_import_id", "number"],
        columns: &[("reason", Form::Text)],
        list: sql!(
            "SELECT person_import_id, line AS number, reason FROM person_import_refusals
             WHERE tenant_id = $1 AND (person_import_id, line) > ($2, $3)
             ORDER BY person_import_id, line LIMIT $4"
        ),
        update: sql!(
            "UPDATE person_import_refusals SET reason = $4
             WHERE tenant_id = $1 AND person_import_id = $2 AND line = $3"
        ),
    },
    TextColumns {
        table: "deliveries",
        keys: &["subscription_id", "event_id"],
        columns: &[("first_attempt", Form::Attempt)],
        list: sql!(
            "SELECT subscription_id, event_id, first_attempt FROM deliveries
             WHERE tenant_id = $1 AND (subscription_id, event_id) > ($2, $3)
             ORDER BY subscription_id, event_id LIMIT $4"
        ),
        update: sql!(
            "UPDATE deliveries SET first_attempt = $4
             WHERE tenant_id = $1 AND subscription_id = $2 AND event_id = $3"
        ),
    },
    TextColumns {
        table: "delivery_attempts",
        keys: &["subscription_id", "event_id", "number"],
        columns: &[("attempt", Form::Attempt)],
        list: sql!(
            "SELECT subscription_id, event_id, number, attempt FROM delivery_attempts
             WHERE tenant_id = $1 AND (subscription_id, event_id, number) > ($2, $3, $4)
             ORDER BY subscription_id, event_id, number LIMIT $5"
        ),
        update: sql!(
            "UPDATE delivery_attempts SET attempt = $5
             WHERE tenant_id = $1 AND subscription_id = $2 AND event_id = $3 AND number = $4"
        ),
    },
];

impl TextColumns {
    /// Rows of a tenant behind a key, or from the first on, in the order of the keys.
    pub fn list(
        &self,
        tx: &mut Tx<'_>,
        tenant: &TenantId,
        after: Option<&[Value]>,
        extent: Extent,
    ) -> Result<ListPart<TextRow>> {
        let first = || {
            self.keys.iter().map(|key| match *key {
                "number" => Value::Int(-1),
                "audience_session_id" | "view_id" => Value::Bytes(vec![]),
                _ => "".into(),
            })
        };
        let mut values = values![tenant];
        match after {
            Some(after) => values.extend_from_slice(after),
            None => values.extend(first()),
        }
        values.push(extent.rows().into());
        let kept = |row: &crate::Row| {
            Ok(TextRow {
                key: self.keys.iter().map(|key| row.take(key)).collect::<Result<_>>()?,
                texts: self.columns.iter().map(|(column, _)| row.take(column)).collect::<Result<_>>()?,
            })
        };
        ListPart::read(&tx.all(self.list.with(values).within(extent.bytes))?, extent, kept)
    }

    /// Replaces the texts of a row.
    pub fn update(&self, tx: &mut Tx<'_>, tenant: &TenantId, row: &TextRow) -> Result<()> {
        let mut values = values![tenant];
        values.extend_from_slice(&row.key);
        values.extend(row.texts.iter().map(Value::from));
        tx.run(self.update.with(values))?;
        Ok(())
    }
}
