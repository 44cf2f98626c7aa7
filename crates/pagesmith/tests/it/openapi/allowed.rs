//! Where our description differs from the contract, and the sentence of the decisions that makes it so.
//!
//! A line that is not here is a defect of our types; a line here that no longer occurs has to go.

/// Each sentence with the differences that it makes: place, fact, the contract's → ours.
const ALLOWED: &[(&str, &[&str])] = &[
    (
        "Accepted on every POST, 1–255 characters, kept 24 h.",
        &[
            "POST /v0/pages header Idempotency-Key: parameter – → optional",
            "POST /v0/pages/{page_id}/archive header Idempotency-Key: parameter – → optional",
            "POST /v0/pages/{page_id}/restore header Idempotency-Key: parameter – → optional",
        ],
    ),
    (
        "Single-resource GETs carry a strong ETag; If-None-Match gives 304; PATCH and DELETE honour If-Match (412).",
        &[
            "DELETE /v0/pages/{page_id} header If-Match: parameter – → optional",
            "DELETE /v0/pages/{page_id}: status 412 – → documented",
            "GET /v0/pages/{page_id} header If-None-Match: parameter – → optional",
            "GET /v0/pages/{page_id}/link header If-None-Match: parameter – → optional",
            "GET /v0/pages/{page_id}/link: status 304 – → documented",
            "GET /v0/pages/{page_id}: status 304 – → documented",
            "PATCH /v0/pages/{page_id} header If-Match: parameter – → optional",
            "PATCH /v0/pages/{page_id}: status 412 – → documented",
        ],
    ),
    (
        "Statuses beyond the specification's table: 304, 405 (with Allow), 412, 413, 415.",
        &[
            "PATCH /v0/pages/{page_id}: status 413 – → documented",
            "PATCH /v0/pages/{page_id}: status 415 – → documented",
            "POST /v0/pages/{page_id}/archive: status 413 – → documented",
            "POST /v0/pages/{page_id}/archive: status 415 – → documented",
            "POST /v0/pages/{page_id}/restore: status 413 – → documented",
            "POST /v0/pages/{page_id}/restore: status 415 – → documented",
            "POST /v0/pages: status 413 – → documented",
            "POST /v0/pages: status 415 – → documented",
        ],
    ),
    (
        "Every collection takes cursor and limit, also /pages/search and /audiences/search.",
        &["GET /v0/pages/search query cursor: parameter – → optional"],
    ),
    (
        "No body counts as {} where the body is an empty object or optional.",
        &[
            "POST /v0/pages/{page_id}/archive: body required true → false",
            "POST /v0/pages/{page_id}/restore: body required true → false",
        ],
    ),
    (
        "actionType, nav link type, widget type: open sets; any other non-empty string is stored and returned as sent with the fields the specification lists.",
        &[
            "answer Page.actionCardWidgets[]: variant other – → {logos? title? type}",
            "answer Page.actions[]: variant other – → {actionId actionIndex actionType buttonTitle? purpose? url?}",
            "answer Page.navLinks[]: variant other – → {id? text? type url?}",
            "request CreatePageRequest.actionCardWidgets[]: variant other – → {logos? title? type}",
            "request CreatePageRequest.actions[]: variant other – → {actionId? actionType buttonTitle? purpose? url?}",
            "request CreatePageRequest.navLinks[]: variant other – → {id? text? type url?}",
            "request UpdatePageRequest.actionCardWidgets[]: variant other – → {logos? title? type}",
            "request UpdatePageRequest.actions[]: variant other – → {actionId? actionType buttonTitle? purpose? url?}",
            "request UpdatePageRequest.navLinks[]: variant other – → {id? text? type url?}",
        ],
    ),
    (
        "actions, actionCardWidgets, brandId, name, pageContext, scripts must be present.",
        &[
            "request CreatePageRequest.actionCardWidgets: default [] → –",
            "request CreatePageRequest.scripts: default [] → –",
        ],
    ),
    (
        "Required with a default: may be left out; the default applies.",
        &[
            "answer Script.enabled: field optional → required",
            "request Image.altText: field required → optional",
            "request Image.assetId: field required → optional",
            "request Image.fileId: field required → optional",
            "request Image.url: field required → optional",
            "request MarqueeWidget.title: field required → optional",
            "request Video.autoplay: field required → optional",
            "request Video.controls: field required → optional",
            "request Video.loop: field required → optional",
            "request Video.muted: field required → optional",
            "request Video.title: field required → optional",
            "request Video.youtubeUrl: field required → optional",
        ],
    ),
    (
        "scripts[].injectionPoint: optional in requests, default body-end; always present in responses.",
        &[
            "answer Script.injectionPoint: default – → \"body-end\"",
            "answer Script.injectionPoint: field optional → required",
            "request Script.injectionPoint: default – → \"body-end\"",
        ],
    ),
    (
        "robots: array of strings matching [a-z-]+(:[a-z0-9-]+)?",
        &[
            "answer Metadata.robots[]: values [\"follow\" \"index\" \"noarchive\" \"nofollow\" \"noimageindex\" \"noindex\" \"none\" \"nosnippet\"] → –",
            "request MetadataInput.robots[]: pattern – → \"^[a-z-]+(:[a-z0-9-]+)?$\"",
            "request MetadataInput.robots[]: values [\"follow\" \"index\" \"noarchive\" \"nofollow\" \"noimageindex\" \"noindex\" \"none\" \"nosnippet\"] → –",
        ],
    ),
    (
        "The contract's short bounds are advice for search engines: up to 1,000 characters are accepted.",
        &[
            "request MetadataInput.author: maxLength 100 → 1000",
            "request MetadataInput.description: maxLength 160 → 1000",
            "request MetadataInput.ogDescription: maxLength 110 → 1000",
            "request MetadataInput.ogImageAlt: maxLength 420 → 1000",
            "request MetadataInput.ogSiteName: maxLength 100 → 1000",
            "request MetadataInput.ogTitle: maxLength 60 → 1000",
            "request MetadataInput.title: maxLength 70 → 1000",
            "request MetadataInput.twitterDescription: maxLength 200 → 1000",
            "request MetadataInput.twitterImageAlt: maxLength 420 → 1000",
            "request MetadataInput.twitterTitle: maxLength 70 → 1000",
            "request ThemeColor: maxLength – → 1000",
            "request TwitterSite: maxLength – → 1000",
        ],
    ),
    (
        "Accept the union, answer the contract: the specification gives these any string.",
        &[
            "request Image.assetId: minLength 1 → –",
            "request Image.fileId: minLength 1 → –",
            "request ThemeColor: pattern \"^#[0-9A-Fa-f]{6}$\" → –",
            "request TwitterSite: pattern \"^@[A-Za-z0-9_]{1,15}$\" → –",
        ],
    ),
];

/// Every difference that is allowed.
pub(crate) fn all() -> impl Iterator<Item = String> {
    ALLOWED.iter().flat_map(|(_, differences)| differences.iter().map(|line| (*line).to_owned()))
}
