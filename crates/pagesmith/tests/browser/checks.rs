//! What must hold of every page, however wide it is and whatever its colours.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::driver::{Browser, setting};

/// Nothing is wider than the window; names what is.
const OVERFLOWS: &str = "
    const root = document.documentElement, wide = [];
    if (root.scrollWidth > root.clientWidth) wide.push(`the page: ${root.scrollWidth} > ${root.clientWidth}`);
    const scrolls = (node) => node && node !== root && (/auto|scroll|hidden|clip/.test(getComputedStyle(node).overflowX) || scrolls(node.parentElement));
    for (const node of document.body.querySelectorAll('*')) {
        const box = node.getBoundingClientRect();
        if (box.width && (box.right > root.clientWidth + 1 || box.left < -1) && !scrolls(node) && node.checkVisibility())
            wide.push(`${node.localName}.${node.className} from ${box.left} to ${box.right}`);
    }
    return wide";

/// What a keyboard must reach, kept in its order. Of a group of choices, Tab reaches one. What waits in an open dialog is all that
/// can be used while it is open.
const REACHABLE: &str = "
    const group = (node) => [...document.getElementsByName(node.name)].filter((other) => other.form === node.form);
    const within = document.querySelector('dialog[open]') ?? document, seen = new Set(), found = [];
    window.reachable = [];
    for (const node of within.querySelectorAll('a[href], button, input, select, textarea, summary, video[controls], [tabindex=\"0\"]')) {
        if (node.matches(':disabled') || node.tabIndex < 0 || node.closest('[inert]') || !node.checkVisibility({ visibilityProperty: true })) continue;
        if (node.type === 'radio') {
            const others = group(node), chosen = others.find((other) => other.checked);
            if (chosen ? node !== chosen : seen.has(others[0])) continue;
            seen.add(others[0]);
        }
        window.reachable.push(node);
        found.push(`${node.localName}.${node.className} ${(node.textContent || node.ariaLabel || node.name || '').trim().slice(0, 40)}`);
    }
    return found";

/// Where the focus is, and whether a visitor sees it there.
const FOCUS: &str = "
    const node = document.activeElement;
    if (!node || node === document.body) return null;
    const drawn = (node) => {
        const style = getComputedStyle(node);
        return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
    };
    const label = node.labels && node.labels[0];
    const box = (label && node.type === 'radio' ? label : node).getBoundingClientRect();
    const inside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth && box.width > 1;
    return {
        at: window.reachable ? window.reachable.indexOf(node) : -1, what: node.outerHTML.slice(0, 200),
        shown: node.matches(':focus-visible, input:focus-within') && inside && (drawn(node) || drawn(node.parentElement) || Boolean(label && drawn(label)) || node.localName === 'video'),
    }";

/// Scrolls through the page, so that everything that loads late has loaded.
const SCROLLED: &str = "
    const done = arguments[0], step = innerHeight / 2;
    const go = (at) => {
        scrollTo({ top: at, behavior: 'instant' });
        if (at < document.documentElement.scrollHeight) return requestAnimationFrame(() => go(at + step));
        scrollTo({ top: 0, behavior: 'instant' });
        // Some are never scrolled to: those of a band that moves.
        for (const image of document.images) image.loading = 'eager';
        const late = [...document.images].filter((image) => !image.complete);
        Promise.all(late.map((image) => new Promise((ready) => { image.onload = image.onerror = ready })))
            .then(() => requestAnimationFrame(() => requestAnimationFrame(() => done(null))));
    };
    go(0)";

/// The page fits, stands still and breaks nothing.
pub async fn is_sound(browser: &Browser, what: &str) {
    browser.ask_later(SCROLLED).await;
    let wide = browser.list(OVERFLOWS).await;
    assert!(wide.is_empty(), "{what} overflows: {wide:#?}");
    let shifts = browser.ask("return window.shifts").await.to_string().parse::<f64>().unwrap();
    assert!(shifts < 0.01, "{what} shifts by {shifts}");
    let broken = browser.list("return window.broken").await;
    assert!(broken.is_empty(), "{what}: {broken:#?}");
    let complaints = browser.complaints().await;
    assert!(complaints.is_empty(), "{what}: {complaints:#?}");
    let lost = browser
        .list("return [...document.images].filter((image) => !image.naturalWidth).map((image) => image.src)")
        .await;
    assert!(lost.is_empty(), "{what} lacks {lost:?}");
}

/// The page fits and breaks nothing, however it came about.
pub async fn fits(browser: &Browser, what: &str) {
    let wide = browser.list(OVERFLOWS).await;
    assert!(wide.is_empty(), "{what} overflows: {wide:#?}");
    let broken = browser.list("return window.broken").await;
    assert!(broken.is_empty(), "{what}: {broken:#?}");
}

/// Tab goes to everything that can be used, in the order in which it stands, and is seen there. It goes on where the focus is, and from
/// the end to the beginning.
pub async fn is_walked_with_the_keyboard(browser: &Browser, what: &str) {
    let reachable = browser.list(REACHABLE).await;
    let mut has_begun_again = false;
    let mut reached: Vec<usize> = Vec::new();
    // A date has several places within one field, a region that scrolls is one itself, and a frame has as many as its page.
    for _ in 0..reachable.len() * 8 + 200 {
        if reached.iter().collect::<BTreeSet<_>>().len() == reachable.len() {
            break;
        }
        browser.press("Tab").await;
        let focus = browser.ask(FOCUS).await;
        let Some(at) = focus["at"].as_u64() else { continue };
        assert_eq!(focus["shown"], Value::Bool(true), "{what}: the focus is not seen on {focus}");
        let at = usize::try_from(at).unwrap();
        if reached.last() == Some(&at) {
            continue;
        }
        if reached.last().is_some_and(|last| *last > at) {
            if has_begun_again || reached[0] == 0 {
                break;
            }
            has_begun_again = true;
        }
        reached.push(at);
    }
    let missed: Vec<&String> =
        reachable.iter().enumerate().filter(|(at, _)| !reached.contains(at)).map(|(_, what)| what).collect();
    assert!(missed.is_empty(), "{what}: the keyboard misses {missed:#?}, and goes {reached:?}");
}

/// axe finds nothing.
pub async fn is_accessible(browser: &Browser, what: &str) {
    // It stays in a document that was looked at before.
    if browser.ask("return typeof axe").await != "object" {
        let axe = std::fs::read_to_string(setting("PAGESMITH_TEST_AXE")).unwrap();
        browser.ask(&axe).await;
    }
    // A colour on its way to another one is nobody's colour.
    let run = "const done = arguments[0];
        for (const one of document.getAnimations()) {
            if (one.effect.getComputedTiming().endTime !== Infinity) one.finish();
        }
        axe.run(document, { resultTypes: ['violations'] }).then((found) => done(found.violations.map((violation) =>
            `${violation.id}: ${violation.help}: ${violation.nodes.map((node) => node.html + ' ' + node.failureSummary).join(' | ')}`)))";
    let found = browser.ask_later(run).await;
    assert_eq!(found, serde_json::json!([]), "{what}: {found:#}");
}
