//! Bodies that tests begin with.

use serde_json::{Value, json};

/// The smallest page.
pub fn page(name: &str) -> Value {
    json!({
        "name": name, "pageContext": "What we sell.", "brandId": "", "actions": [],
        "actionCardWidgets": [], "scripts": [],
    })
}

/// A page with something in every field.
pub fn full_page() -> Value {
    json!({
        "name": "Spring Launch",
        "pageContext": "Acme makes anvils. They fall well.",
        "pageType": "outbound",
        "brandId": "brand-acme",
        "headerActionId": "book",
        "actions": [
            { "actionId": "book", "purpose": "Book a demo", "buttonTitle": "Book", "actionType": "open-url", "url": "https://acme.example/demo?x=1" },
            { "purpose": "Ask", "buttonTitle": "Ask us", "actionType": "form", "formId": "form_1", "formInstructions": "Be brief." },
            { "purpose": "Copy", "buttonTitle": "Copy code", "actionType": "copy-text", "copyText": "SPRING" },
            { "actionType": "open-chat", "url": "not a url" },
        ],
        "actionCardWidgets": [
            { "type": "marquee", "title": "Trusted by", "logos": [{ "image": { "altText": "Globex", "url": "https://globex.example/logo.svg", "fileId": "", "assetId": null } }] },
            { "type": "video", "video": { "youtubeUrl": "https://www.youtube.com/watch?v=1" } },
            { "type": "sparkles", "title": "New" },
        ],
        "scripts": [
            { "name": "Analytics", "content": "<script>1</script>", "description": "Counts", "enabled": false, "injectionPoint": "head" },
            { "name": "Chat", "content": "<script>2</script>" },
        ],
        "footerLinks": [{ "title": "Legal", "links": [{ "text": "Imprint", "url": "/imprint" }, { "id": "tos", "text": "Terms", "url": "/terms" }] }],
        "navLinks": [
            { "type": "link", "text": "Home", "url": "/" },
            { "type": "group", "title": "More", "links": [{ "text": "Blog", "url": "/blog" }] },
            { "type": "search", "text": "Find" },
        ],
        "metadata": {
            "title": "Spring at Acme", "description": "Anvils.", "keywords": ["anvil", "spring"],
            "robots": ["noindex", "max-snippet:50"], "canonicalUrl": "https://acme.example/spring",
            "ogType": "product", "ogImage": { "type": "file", "fileId": "file_1" }, "twitterCard": "summary_large_image",
            "themeColor": "#aa3300",
        },
    })
}
