//! Which calls of the API each form makes, by the path that it is sent to. What stands in braces is taken from the form.

use super::FormCalls;

const EMPTY: &str = "{}";
const AUDIENCE: &str = r#"{ "supplementaryContext": "Heads of finance", "publishBehavior": "draft" }"#;
const TARGET: &str = r#"{ "target": { "targetType": "page", "pageId": "{page}" } }"#;
const PAGE_LINK: &str = r#"{ "path": "/go/spring", "target": { "targetType": "page", "pageId": "{page}" } }"#;
const PAGE: &str = r#"{ "name": "Spring launch", "pageContext": "Acme answers questions about sales figures.",
    "brandId": "", "actions": [], "actionCardWidgets": [], "scripts": [] }"#;

pub(super) const FORMS: &[FormCalls] = &[
    ("/pages/new", &[("POST /v0/pages", PAGE), ("POST /v0/pages/PAGE_ID/audiences", AUDIENCE)]),
    ("/pages/{page_id}/edit", &[("PATCH /v0/pages/{page_id}", r#"{ "name": "Spring launch" }"#)]),
    (
        "/pages/{page_id}/edit/actions",
        &[(
            "PATCH /v0/pages/{page_id}",
            r#"{ "actions": [{ "actionType": "open-url", "purpose": "Book a demo", "buttonTitle": "Book a demo",
            "url": "https://example.com/demo" }] }"#,
        )],
    ),
    (
        "/pages/{page_id}/edit/navigation",
        &[(
            "PATCH /v0/pages/{page_id}",
            r#"{ "navLinks": [{ "type": "link", "text": "Pricing", "url": "https://example.com/pricing" }] }"#,
        )],
    ),
    (
        "/pages/{page_id}/edit/metadata",
        &[("PATCH /v0/pages/{page_id}", r#"{ "metadata": { "title": "Forecasts for every team" } }"#)],
    ),
    (
        "/pages/{page_id}/edit/scripts",
        &[(
            "PATCH /v0/pages/{page_id}",
            r#"{ "scripts": [{ "name": "Hello", "content": "<script>console.log(1)</script>" }] }"#,
        )],
    ),
    ("/pages/{page_id}/archive", &[("POST /v0/pages/{page_id}/archive", EMPTY)]),
    ("/pages/{page_id}/delete", &[("DELETE /v0/pages/{page_id}", "")]),
    ("/pages/{page_id}/restore", &[("POST /v0/pages/{page_id}/restore", EMPTY)]),
    ("/pages/{page_id}/audiences/new", &[("POST /v0/pages/{page_id}/audiences", AUDIENCE)]),
    (
        "/pages/{page_id}/audiences/new/persons",
        &[("POST /v0/pages/{page_id}/audiences", r#"{ "personId": "{id}", "publishBehavior": "draft" }"#)],
    ),
    (
        "/pages/{page_id}/audiences/new/accounts",
        &[("POST /v0/pages/{page_id}/audiences", r#"{ "accountId": "{id}", "publishBehavior": "draft" }"#)],
    ),
    (
        "/pages/{page_id}/audiences/new/file",
        &[
            ("POST /v0/persons", r#"{ "name": "Ada Lovelace", "email": "ada@example.com" }"#),
            (
                "POST /v0/pages/{page_id}/audiences",
                r#"{ "personId": "PERSON_ID", "publishBehavior": "draft" }"#,
            ),
        ],
    ),
    ("/pages/{page_id}/audiences/new/notes", &[("POST /v0/pages/{page_id}/audiences", AUDIENCE)]),
    ("/pages/{page_id}/audiences/selected", &[("DELETE /v0/pages/{page_id}/audiences/{id}", "")]),
    (
        "/pages/{page_id}/audiences/{audience_id}/context",
        &[
            (
                "PATCH /v0/pages/{page_id}/audiences/{audience_id}",
                r#"{ "supplementaryContext": "Heads of finance" }"#,
            ),
            ("POST /v0/pages/{page_id}/audiences/{audience_id}/versions", EMPTY),
        ],
    ),
    (
        "/pages/{page_id}/audiences/{audience_id}/archive",
        &[("DELETE /v0/pages/{page_id}/audiences/{audience_id}", "")],
    ),
    (
        "/pages/{page_id}/audiences/{audience_id}/restore",
        &[("POST /v0/pages/{page_id}/audiences/{audience_id}/restore", EMPTY)],
    ),
    (
        "/pages/{page_id}/audiences/{audience_id}/publish",
        &[("POST /v0/pages/{page_id}/audiences/{audience_id}/versions/{version}/publish", EMPTY)],
    ),
    (
        "/pages/{page_id}/audiences/{audience_id}/cancel",
        &[("POST /v0/pages/{page_id}/audiences/{audience_id}/versions/{version}/cancel", EMPTY)],
    ),
    (
        "/pages/{page_id}/audiences/{audience_id}/rewrite",
        &[("POST /v0/pages/{page_id}/audiences/{audience_id}/versions", EMPTY)],
    ),
    (
        "/pages/{page_id}/audiences/{audience_id}/schedule",
        &[(
            "PUT /v0/pages/{page_id}/audiences/{audience_id}/versions/{version}/schedule",
            r#"{ "publishAt?": "{in-a-day}", "unpublishAt": "{in-a-week}" }"#,
        )],
    ),
    (
        "/pages/{page_id}/audiences/{audience_id}/unschedule",
        &[("DELETE /v0/pages/{page_id}/audiences/{audience_id}/versions/{version}/schedule", "")],
    ),
    (
        "/pages/{page_id}/audiences/{audience_id}/restore-version",
        &[("POST /v0/pages/{page_id}/audiences/{audience_id}/versions/{version}/restore", EMPTY)],
    ),
    (
        "/pages/{page_id}/audiences/{audience_id}/say",
        &[(
            "POST /v0/pages/{page_id}/audiences/{audience_id}/messages",
            r#"{ "message": "Change the page title to \"Spring\"." }"#,
        )],
    ),
    (
        "/pages/{page_id}/audiences/{audience_id}/interrupt",
        &[("POST /v0/pages/{page_id}/audiences/{audience_id}/messages/interrupt", EMPTY)],
    ),
    (
        "/pages/{page_id}/audiences/{audience_id}/revert",
        &[(
            "POST /v0/pages/{page_id}/audiences/{audience_id}/messages/{message}/changes/{change}/revert",
            EMPTY,
        )],
    ),
    (
        "/pages/{page_id}/audiences/{audience_id}/snapshot",
        &[("POST /v0/pages/{page_id}/audiences/{audience_id}/messages/{message}/restore", EMPTY)],
    ),
    (
        "/pages/{page_id}/audiences/{audience_id}/add-block",
        &[(
            "POST /v0/pages/{page_id}/audiences/{audience_id}/messages/edits",
            r#"{ "operations": [{ "operation": "insert", "after": "{after}", "block": {
            "type": "text", "markdown": "No card is needed." } }] }"#,
        )],
    ),
    (
        "/pages/{page_id}/audiences/{audience_id}/blocks/{block_id}",
        &[(
            "POST /v0/pages/{page_id}/audiences/{audience_id}/messages/edits",
            r#"{ "operations": [{ "operation": "set", "blockId": "{block_id}", "path": "{text-path}", "from": "{text}",
            "to": "Try it for free" }] }"#,
        )],
    ),
    (
        "/pages/{page_id}/audiences/{audience_id}/blocks/{block_id}/move",
        &[(
            "POST /v0/pages/{page_id}/audiences/{audience_id}/messages/edits",
            r#"{ "operations": [{ "operation": "move", "blockId": "{block_id}", "from": "{after}", "to": "{to}" }] }"#,
        )],
    ),
    (
        "/pages/{page_id}/audiences/{audience_id}/messages/{message_id}/undo",
        &[("POST /v0/pages/{page_id}/audiences/{audience_id}/messages/{message_id}/revert", EMPTY)],
    ),
    ("/persons/new", &[("POST /v0/persons", r#"{ "name": "Ada Lovelace", "email": "ada@example.com" }"#)]),
    (
        "/persons/imports/new",
        &[("POST /v0/files", "@persons.csv"), ("POST /v0/person_imports", r#"{ "fileId": "FILE_ID" }"#)],
    ),
    (
        "/persons/imports/{person_import_id}/check",
        &[("POST /v0/person_imports/{person_import_id}/check", EMPTY)],
    ),
    (
        "/persons/imports/{person_import_id}/start",
        &[("POST /v0/person_imports/{person_import_id}/start", EMPTY)],
    ),
    (
        "/persons/imports/{person_import_id}/cancel",
        &[("POST /v0/person_imports/{person_import_id}/cancel", EMPTY)],
    ),
    ("/persons/{person_id}/edit", &[("PATCH /v0/persons/{person_id}", r#"{ "name": "{name}" }"#)]),
    ("/persons/{person_id}/delete", &[("DELETE /v0/persons/{person_id}", "")]),
    ("/persons/{person_id}/restore", &[("POST /v0/persons/{person_id}/restore", EMPTY)]),
    (
        "/persons/{person_id}/merge",
        &[("POST /v0/persons/{person_id}/merge", r#"{ "otherPersonId": "{other}" }"#)],
    ),
    ("/persons/{person_id}/unmerge", &[("POST /v0/persons/{person_id}/unmerge", EMPTY)]),
    (
        "/persons/{person_id}/erase",
        &[("POST /v0/persons/{person_id}/erase", r#"{ "confirmation": "{confirmation}" }"#)],
    ),
    ("/accounts/new", &[("POST /v0/accounts", r#"{ "domain": "example.com", "name": "Example Inc." }"#)]),
    ("/accounts/{account_id}/edit", &[("PATCH /v0/accounts/{account_id}", r#"{ "name": "Example Inc." }"#)]),
    (
        "/forms/submissions/{submission_id}",
        &[("PATCH /v0/form_submissions/{submission_id}", r#"{ "status": "{status}" }"#)],
    ),
    (
        "/forms/new",
        &[(
            "POST /v0/forms",
            r#"{ "name": "Book a demo", "fields": [{ "key": "email", "kind": "email", "label": "E-mail", "required": true }] }"#,
        )],
    ),
    ("/forms/{form_id}/edit", &[("PATCH /v0/forms/{form_id}", r#"{ "name": "Book a demo" }"#)]),
    ("/forms/{form_id}/delete", &[("DELETE /v0/forms/{form_id}", "")]),
    ("/forms/{form_id}/restore", &[("POST /v0/forms/{form_id}/restore", EMPTY)]),
    (
        "/visits/{page_id}/questions/done",
        &[("DELETE /v0/pages/{page_id}/unanswered_questions/{question}", "")],
    ),
    (
        "/visits/{page_id}/shares",
        &[("POST /v0/pages/{page_id}/visit_shares", r#"{ "name": "Partners", "expiresInDays": 30 }"#)],
    ),
    ("/visits/{page_id}/shares/end", &[("DELETE /v0/pages/{page_id}/visit_shares/{share}", "")]),
    (
        "/webhooks/new",
        &[(
            "POST /v0/webhook_subscriptions",
            r#"{ "url": "https://example.com/hooks", "events": ["page.version.published"] }"#,
        )],
    ),
    (
        "/webhooks/{subscription_id}/edit",
        &[("PATCH /v0/webhook_subscriptions/{subscription_id}", r#"{ "url": "{url}" }"#)],
    ),
    ("/webhooks/{subscription_id}/delete", &[("DELETE /v0/webhook_subscriptions/{subscription_id}", "")]),
    (
        "/webhooks/{subscription_id}/test",
        &[(
            "POST /v0/webhook_subscriptions/{subscription_id}/test",
            r#"{ "type": "page.version.published" }"#,
        )],
    ),
    (
        "/webhooks/{subscription_id}/active",
        &[("PATCH /v0/webhook_subscriptions/{subscription_id}", r#"{ "active": "{active!}" }"#)],
    ),
    (
        "/webhooks/{subscription_id}/recover",
        &[("POST /v0/webhook_subscriptions/{subscription_id}/recover", r#"{ "since": "{a-week-ago}" }"#)],
    ),
    (
        "/webhooks/{subscription_id}/rotate",
        &[("POST /v0/webhook_subscriptions/{subscription_id}/rotate_secret", EMPTY)],
    ),
    (
        "/webhooks/{subscription_id}/deliveries/{delivery_id}/resend",
        &[("POST /v0/webhook_subscriptions/{subscription_id}/deliveries/{delivery_id}/resend", EMPTY)],
    ),
    ("/knowledge/new", &[("POST /v0/topics", r#"{ "title": "Prices" }"#)]),
    ("/knowledge/{topic_id}/edit", &[("PATCH /v0/topics/{topic_id}", r#"{ "title": "{title}" }"#)]),
    ("/knowledge/{topic_id}/delete", &[("DELETE /v0/topics/{topic_id}", "")]),
    (
        "/knowledge/{topic_id}/text",
        &[(
            "POST /v0/topics/{topic_id}/entries",
            r#"{ "content": { "type": "text", "content": "The starter plan is free." } }"#,
        )],
    ),
    (
        "/knowledge/{topic_id}/address",
        &[(
            "POST /v0/topics/{topic_id}/entries",
            r#"{ "content": { "type": "url", "url": "https://example.com/prices", "name": null, "icon": null, "aiSummary": null } }"#,
        )],
    ),
    (
        "/knowledge/{topic_id}/file",
        &[
            ("POST /v0/files", "@prices.pdf"),
            (
                "POST /v0/topics/{topic_id}/entries",
                r#"{ "content": { "type": "file", "fileId": "FILE_ID", "aiSummary": null } }"#,
            ),
        ],
    ),
    (
        "/knowledge/{topic_id}/entries/{topic_entry_id}/edit",
        &[("PATCH /v0/topics/{topic_id}/entries/{topic_entry_id}", r#"{ "sortOrder": 1 }"#)],
    ),
    (
        "/knowledge/{topic_id}/entries/{topic_entry_id}/refresh",
        &[("POST /v0/topics/{topic_id}/entries/{topic_entry_id}/refresh", EMPTY)],
    ),
    (
        "/knowledge/{topic_id}/entries/{topic_entry_id}/delete",
        &[("DELETE /v0/topics/{topic_id}/entries/{topic_entry_id}", "")],
    ),
    ("/domains/new", &[("POST /v0/tenant_domains", r#"{ "domain": "pages.example.com" }"#)]),
    ("/domains/{tenant_domain_id}/verify", &[("POST /v0/tenant_domains/{tenant_domain_id}/verify", EMPTY)]),
    (
        "/domains/{tenant_domain_id}/default",
        &[("PATCH /v0/tenant_domains/{tenant_domain_id}", r#"{ "isDefault": "{default!}" }"#)],
    ),
    ("/domains/{tenant_domain_id}/delete", &[("DELETE /v0/tenant_domains/{tenant_domain_id}", "")]),
    (
        "/assets/new",
        &[
            ("POST /v0/files", "@team.jpg"),
            (
                "POST /v0/assets",
                r#"{ "assetType": "image", "fileId": "FILE_ID", "name": "Our team", "purpose": "Shows who we are" }"#,
            ),
        ],
    ),
    (
        "/assets/describe",
        &[(
            "POST /v0/assets",
            r#"{ "assetType": "image", "fileId": "FILE_ID", "name": "Our team", "purpose": "Shows who we are" }"#,
        )],
    ),
    (
        "/assets/video",
        &[(
            "POST /v0/assets",
            r#"{ "assetType": "video", "name": "Two minutes of Acme", "purpose": "Explains the product",
            "youtubeUrl": "https://www.youtube.com/watch?v=aqz-KE-bpKQ" }"#,
        )],
    ),
    ("/assets/{asset_id}/edit", &[("PATCH /v0/assets/{asset_id}", r#"{ "name": "{name}" }"#)]),
    ("/assets/{asset_id}/trash", &[("DELETE /v0/assets/{asset_id}", "")]),
    ("/assets/{asset_id}/restore", &[("POST /v0/assets/{asset_id}/restore", EMPTY)]),
    ("/brands/new", &[("POST /v0/brands", r##"{ "name": "Acme", "look": { "accentColor": "#2b55b8" } }"##)]),
    ("/brands/website", &[("POST /v0/brands/from_website", r#"{ "url": "https://example.com/" }"#)]),
    ("/brands/{brand_id}/edit", &[("PATCH /v0/brands/{brand_id}", r#"{ "name": "{name}" }"#)]),
    ("/brands/{brand_id}/default", &[("PATCH /v0/brands/{brand_id}", r#"{ "isDefault": true }"#)]),
    ("/brands/{brand_id}/delete", &[("DELETE /v0/brands/{brand_id}", "")]),
    ("/links/new", &[("POST /v0/page_links", PAGE_LINK)]),
    (
        "/links/blocks/new",
        &[(
            "POST /v0/page_link_blocks",
            r#"{ "kind": "navigation", "name": "Main navigation",
            "links": [{ "type": "link", "text": "Pricing", "url": "https://example.com/pricing" }] }"#,
        )],
    ),
    (
        "/links/blocks/{block_id}/edit",
        &[("PATCH /v0/page_link_blocks/{block_id}", r#"{ "name": "{name}" }"#)],
    ),
    ("/links/blocks/{block_id}/delete", &[("DELETE /v0/page_link_blocks/{block_id}", "")]),
    ("/links/{page_link_id}/edit", &[("PATCH /v0/page_links/{page_link_id}", r#"{ "path": "{path}" }"#)]),
    ("/links/{page_link_id}/target", &[("PATCH /v0/page_links/{page_link_id}", TARGET)]),
    ("/links/{page_link_id}/delete", &[("DELETE /v0/page_links/{page_link_id}", "")]),
    ("/settings/site", &[("PUT /v0/site", "=")]),
    ("/settings/consent", &[("PUT /v0/site", "=")]),
    ("/settings/measurement", &[("PUT /v0/visit_settings", "=")]),
    ("/settings/retention", &[("PUT /v0/visit_settings", "=")]),
    (
        "/settings/agent",
        &[("PUT /v0/agent", r#"{ "own": { "kind": "template" }, "tokenLimit": 500000, "costLimit": "20" }"#)],
    ),
    ("/settings/agent/try", &[("POST /v0/agent/try", r#"{ "text": "Acme makes anvils for smiths." }"#)]),
    ("/settings/questions", &[("PUT /v0/question_settings", "=")]),
    (
        "/settings/keys/new",
        &[("POST /v0/keys", r#"{ "name": "CRM", "scope": "read", "expiresInDays": 365 }"#)],
    ),
    ("/settings/keys/{key_id}/rotate", &[("POST /v0/keys/{key_id}/rotate", r#"{ "overlapHours": 24 }"#)]),
    ("/settings/keys/{key_id}/revoke", &[("POST /v0/keys/{key_id}/revoke", EMPTY)]),
];

/// What is read by a form that only searches, before anything is searched for.
pub(super) const SEARCHES: &[FormCalls] = &[
    (
        "/find",
        &[
            ("GET /v0/pages/search?query=spring", ""),
            ("GET /v0/audiences/search?query=spring", ""),
            ("GET /v0/persons/search?query=ada", ""),
            ("GET /v0/accounts/search?query=example", ""),
        ],
    ),
    ("/knowledge/search", &[("POST /v0/knowledge/search", r#"{ "query": "prices", "limit": 20 }"#)]),
];

/// Forms that nothing is shown of. What an operation of the API has not: users, invitations and the signed-in user's own account.
/// And what a button of another form does.
#[cfg(test)]
pub(super) const SILENT: &[&str] = &[
    "/account",
    "/account/app",
    "/account/app/confirm",
    "/account/app/remove",
    "/account/app/removed",
    "/account/codes",
    "/account/end-others",
    "/account/end-session",
    "/account/password",
    "/settings/invite",
    "/settings/remove-user",
    "/settings/resend",
    "/settings/revoke",
    "/settings/role",
    // Buttons of the form that moves a block.
    "/pages/{page_id}/audiences/{audience_id}/blocks/{block_id}/duplicate",
    "/pages/{page_id}/audiences/{audience_id}/blocks/{block_id}/remove",
    // A part of a screen, which reads the same itself.
    "/brands/preview",
];
