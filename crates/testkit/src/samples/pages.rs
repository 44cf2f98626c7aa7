//! A page, for the tests that cover every operation.

use crate::{Client, fixtures};

use crate::samples::owned::{Owned, create};
use crate::samples::{Id, Sample};

/// A page, for the tests that cover every operation.
pub(super) const SAMPLE: Sample = Sample {
    groups: &[("Pages", 9)],
    ids: &[Id::top("{page_id}", "page")],
    make: |client, owned| Box::pin(make(client, owned)),
    reads: &["/v0/pages?limit=100"],
    deletes: &["/v0/pages/{page_id}"],
    differences: &[
        (
            "Another order of the list is asked for with `sort`, a parameter of ours.",
            &["GET /v0/pages query sort: parameter – → optional"],
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
    ],
    ..Sample::NONE
};

async fn make(client: &Client, owned: &mut Owned) {
    let page = create(client, "/v0/pages", &fixtures::page("Spring")).await;
    owned.add("{page_id}", &page, "pageId");
}
