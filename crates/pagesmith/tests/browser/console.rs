//! The parts of the console in a browser, under the console's policy: how they look, whether the keyboard reaches them, and what
//! script makes of them. The gallery has awkward content; what it asks for is answered here.

use axum::Router;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use pagesmith_console::assets;
use pagesmith_console::parts::gallery;
use pagesmith_console::parts::layout;
use pagesmith_console::words::Words;
use serde_json::json;

use crate::checks;
use crate::driver::{Browser, Scheme};

/// The policy of the console; no screen may need more.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const WIDTHS: [u32; 3] = [360, 1024, 1440];

/// Answers what the gallery's screens ask for.
async fn answer(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path();
    if let Some(asset) = path.strip_prefix(assets::PATH).and_then(assets::find) {
        return ([(header::CONTENT_TYPE, asset.content_type)], asset.bytes).into_response();
    }
    let words = Words::choose(None, None);
    let query = uri.query().unwrap_or_default();
    let name = match path {
        "/console/find" if headers.contains_key("hx-request") => {
            return page(gallery::palette_results(words).into_string());
        }
        "/console/events" => {
            let news = "retry: 3600000\nevent: version\ndata: {}\n\n";
            return ([(header::CONTENT_TYPE, "text/event-stream")], news).into_response();
        }
        "/console/pages" if query.contains("q=none") => "table-nothing-found",
        "/console/pages" if query.contains("q=signed-out") => "bare",
        "/console/pages" if query.contains("q=broken") => {
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        }
        "/console/pages" | "/console/visits" => "table",
        "/console/find" => "find",
        "/console/dialog" => "dialog",
        "/console/live" => "small-parts",
        gallery => gallery.trim_start_matches("/gallery/"),
    };
    let screens = gallery::screens(words, layout::Scheme::System);
    match screens.into_iter().find(|(known, _)| *known == name) {
        Some((_, screen)) if path == "/console/live" => page(screen.into_string().replace("40 %", "41 %")),
        Some((_, screen)) => page(screen.into_string()),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

fn page(html: String) -> Response {
    let headers =
        [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, POLICY)];
    (headers, html).into_response()
}

/// The gallery on a free port, and a browser.
async fn open() -> (Browser, String) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://localhost:{}", listener.local_addr().unwrap().port());
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(answer)).await });
    (Browser::start().await, origin)
}

fn names() -> Vec<&'static str> {
    let screens = gallery::screens(Words::choose(None, None), layout::Scheme::System);
    screens.into_iter().map(|(name, _)| name).collect()
}

/// Opens a screen and waits for what script does with it.
async fn show(browser: &Browser, origin: &str, name: &str) {
    browser.open(&format!("{origin}/gallery/{name}")).await;
    browser.arrives("customElements.get('live-part')").await;
    if name == "table" {
        browser.arrives("document.querySelectorAll('.toast').length === 2").await;
    }
}

/// Presses a key with Ctrl held.
async fn press_with_ctrl(browser: &Browser, key: char) {
    let code = u32::from(key.to_ascii_uppercase());
    for kind in ["keyDown", "keyUp"] {
        let event = json!({ "type": kind, "key": key, "windowsVirtualKeyCode": code, "modifiers": 2 });
        browser.protocol("Input.dispatchKeyEvent", event).await;
    }
}

#[tokio::test]
async fn parts_fit_and_keep_to_the_policy() {
    let (browser, origin) = open().await;
    for scheme in [Scheme::Light, Scheme::Dark] {
        for width in WIDTHS {
            browser.wear(width, scheme).await;
            for name in names() {
                show(&browser, &origin, name).await;
                checks::is_sound(&browser, &format!("{name} at {width} in {scheme:?}")).await;
            }
        }
    }
}

#[tokio::test]
async fn there_is_room_for_a_text_before_it_is_typed() {
    let (browser, origin) = open().await;
    for width in WIDTHS {
        browser.wear(width, Scheme::Light).await;
        show(&browser, &origin, "form").await;
        let lowest = "const areas = [...document.querySelectorAll('.field textarea')]; areas.forEach((one) => { one.value = '' }); \
             return Math.min(...areas.map((one) => one.offsetHeight))";
        let height = browser.ask(lowest).await.as_f64().unwrap();
        assert!(height >= 90.0, "{height} at {width}");
    }
}

/// Draws the screen anew as a slow connection would: its head, then the rest in pieces, each drawn before the next one comes.
const IN_PIECES: &str = "
    const done = arguments[0], drawn = () => new Promise((ready) => requestAnimationFrame(() => requestAnimationFrame(ready)));
    (async () => {
        const html = await (await fetch(location.href)).text(), body = html.indexOf('<body'), piece = Math.ceil((html.length - body) / 12);
        document.open();
        document.write(html.slice(0, body));
        while (![...document.querySelectorAll('link[rel=stylesheet]')].every((link) => link.sheet)) await drawn();
        window.shifts = 0;
        for (let at = body; at < html.length; at += piece) {
            document.write(html.slice(at, at + piece));
            await drawn();
        }
        document.close();
        await drawn();
        done(window.shifts);
    })()";

#[tokio::test]
async fn a_screen_that_comes_in_pieces_stands_still() {
    let (browser, origin) = open().await;
    let mut shifting = Vec::new();
    for width in WIDTHS {
        browser.wear(width, Scheme::Light).await;
        for name in names() {
            browser.open(&format!("{origin}/gallery/{name}")).await;
            let shifts = browser.ask_later(IN_PIECES).await.to_string().parse::<f64>().unwrap();
            if shifts >= 0.01 {
                shifting.push(format!("{name} at {width} by {shifts}"));
            }
        }
    }
    assert!(shifting.is_empty(), "{shifting:#?}");
}

#[tokio::test]
async fn axe_finds_nothing_in_the_console() {
    let (browser, origin) = open().await;
    for (width, scheme) in [(360, Scheme::Dark), (1440, Scheme::Light)] {
        browser.wear(width, scheme).await;
        for name in names() {
            show(&browser, &origin, name).await;
            checks::is_accessible(&browser, &format!("{name} at {width}")).await;
        }
    }
}

#[tokio::test]
async fn the_keyboard_reaches_every_part() {
    let (browser, origin) = open().await;
    for width in [360, 1440] {
        browser.wear(width, Scheme::Light).await;
        for name in ["table", "table-empty", "small-parts", "bare"] {
            show(&browser, &origin, name).await;
            checks::is_walked_with_the_keyboard(&browser, &format!("{name} at {width}")).await;
        }
    }
}

#[tokio::test]
async fn the_palette_and_the_keys_lead_everywhere() {
    let (browser, origin) = open().await;
    browser.wear(1024, Scheme::Light).await;
    show(&browser, &origin, "table").await;
    press_with_ctrl(&browser, 'k').await;
    // What can be done here, and what is found.
    browser.arrives("document.querySelectorAll('#palette[open] [id^=palette-here-]').length > 1").await;
    browser
        .arrives(
            "document.querySelectorAll('#palette[open] [role=option]:not([id^=palette-here-])').length === 4",
        )
        .await;
    let first = "return document.activeElement.id + ' ' + document.activeElement.getAttribute('aria-activedescendant')";
    assert_eq!(browser.ask(first).await, "palette-input palette-here-0");
    checks::is_accessible(&browser, "the palette").await;
    browser.press("Escape").await;
    browser.arrives("!document.querySelector('#palette').open").await;
    // The browser leaves the focus in a closed dialog until it draws again: a key that comes before is no less meant for the screen.
    let at_once = "const palette = document.querySelector('#palette'), at = palette.querySelector('input'); palette.showModal(); at.focus(); \
         palette.close(); at.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true })); \
         const keys = document.querySelector('#keys'), open = keys.open; keys.close(); return open";
    assert_eq!(browser.ask(at_once).await, true);

    browser.press("?").await;
    browser.arrives("document.querySelector('#keys').open").await;
    browser.ask("document.querySelector('[data-keys-on]').click()").await;
    browser.press("Escape").await;
    browser.arrives("!document.querySelector('#keys').open").await;
    browser.press("/").await;
    assert_eq!(
        browser.ask("return document.activeElement.id === 'pages-search'").await,
        false,
        "keys are off"
    );

    browser.ask("localStorage.clear()").await;
    browser.press("j").await;
    browser.press("x").await;
    assert_eq!(browser.ask("return document.querySelector('.bulk-count').textContent").await, "1 selected");
    browser.press("g").await;
    browser.press("v").await;
    browser.arrives("location.pathname === '/console/visits'").await;
}

#[tokio::test]
async fn a_table_is_searched_where_it_stands() {
    let (browser, origin) = open().await;
    browser.open(&format!("{origin}/console/pages")).await;
    browser.arrives("customElements.get('live-part')").await;
    let search = |text: &str| {
        format!(
            "window.same = true; const input = document.querySelector('#pages-search'); input.focus(); input.value = {}; \
             input.dispatchEvent(new Event('input', {{ bubbles: true }}))",
            json!(text)
        )
    };
    browser.ask(&search("none")).await;
    browser.arrives("document.querySelector('.empty') && location.search.includes('q=none')").await;
    assert_eq!(browser.ask("return window.same && document.activeElement.id").await, "pages-search");
    // A server that fails takes nothing away and says so.
    browser.ask(&search("broken")).await;
    browser
        .arrives("document.querySelector('.toast.failed [data-dismiss]') && document.querySelector('.empty')")
        .await;
    // Whoever is signed out is led to the screen that says it.
    browser.ask(&search("signed-out")).await;
    browser.arrives("document.querySelector('main.bare')").await;
}

#[tokio::test]
async fn a_question_is_asked_over_the_screen_and_confirmed_by_typing() {
    let (browser, origin) = open().await;
    show(&browser, &origin, "dialog").await;
    browser.ask("document.querySelector('[data-dialog-open]').click()").await;
    browser.arrives("document.querySelector('dialog[open] .question')").await;
    let is_locked = "return document.querySelector('dialog[open] [type=submit]').disabled";
    assert_eq!(browser.ask(is_locked).await, true);
    let typed =
        "const input = document.querySelector('dialog[open] [data-typed]'); input.value = 'Spring launch';
        input.dispatchEvent(new Event('input', { bubbles: true }))";
    browser.ask(typed).await;
    assert_eq!(browser.ask(is_locked).await, false);
    browser.ask("document.querySelector('dialog[open] [data-close]').click()").await;
    // A dialog tells that it was closed only after it is.
    browser
        .arrives("!document.querySelector('dialog[open]') && 'dialogOpen' in document.activeElement.dataset")
        .await;
}

#[tokio::test]
async fn live_parts_follow_and_errors_take_the_focus() {
    let (browser, origin) = open().await;
    show(&browser, &origin, "small-parts").await;
    browser.arrives("document.querySelector('#progress').textContent === 'Being written: 41 %'").await;
    show(&browser, &origin, "form-errors").await;
    assert_eq!(browser.ask("return document.activeElement.className").await, "summary");
    browser.ask("document.querySelectorAll('.summary a')[1].click()").await;
    assert_eq!(browser.ask("return document.activeElement.name").await, "type");
}

#[tokio::test]
async fn everything_is_there_without_script() {
    let (browser, origin) = open().await;
    browser.wear(360, Scheme::Light).await;
    browser.protocol("Emulation.setScriptExecutionDisabled", json!({ "value": true })).await;
    browser.protocol("Page.navigate", json!({ "url": format!("{origin}/gallery/table") })).await;
    browser.arrives("document.readyState === 'complete' && Boolean(document.querySelector('.rows'))").await;
    assert_eq!(browser.evaluated("Boolean(customElements.get('live-part'))").await, false);
    let seen = "['.areas', '.bulk', '[data-select-all]'].map((part) => document.querySelector(part).checkVisibility())";
    assert_eq!(browser.evaluated(seen).await, json!([false, true, false]));
    browser.evaluated("document.querySelector('[popovertarget]').click()").await;
    assert_eq!(browser.evaluated(seen).await, json!([true, true, false]), "the navigation opens by itself");
    browser.evaluated("document.querySelector('.top [data-palette-open]').click()").await;
    browser
        .arrives("location.pathname === '/console/find' && Boolean(document.querySelector('.found'))")
        .await;
}

#[tokio::test]
async fn a_message_that_comes_later_moves_no_other() {
    let (browser, origin) = open().await;
    browser.wear(360, Scheme::Light).await;
    show(&browser, &origin, "table").await;
    let shifts = browser
        .ask_later(
            "const done = arguments[0], region = document.querySelector('#toasts'), place = () => region.firstElementChild.getBoundingClientRect().y;
            const drawn = () => new Promise((ready) => requestAnimationFrame(() => requestAnimationFrame(ready)));
            (async () => {
                await Promise.all(region.getAnimations({ subtree: true }).map((animation) => animation.finished));
                const before = place();
                window.shifts = 0;
                region.append(region.lastElementChild.cloneNode(true));
                await drawn();
                done([window.shifts, region.children.length, place() - before]);
            })()",
        )
        .await;
    assert_eq!(shifts, json!([0, 3, 0]));
}
