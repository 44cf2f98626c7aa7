//! What must hold of every page, however wide it is and whatever its colours.

use serde_json::Value;

use crate::driver::{Browser, told};

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

/// What a keyboard must reach, each with a number on it. Of a group of choices, Tab reaches one.
const REACHABLE: &str = "
    const groups = new Set(), found = [];
    for (const node of document.querySelectorAll('a[href], button, input, select, textarea, summary, video[controls], [tabindex=\"0\"]')) {
        if (node.disabled || !node.checkVisibility({ visibilityProperty: true })) continue;
        if (node.type === 'radio' && !node.checked && (groups.has(node.name) || document.querySelector(`[name=\"${node.name}\"]:checked`))) continue;
        if (node.type === 'radio') groups.add(node.name);
        node.dataset.walk = found.length;
        found.push(`${node.localName}.${node.className} ${(node.textContent || node.ariaLabel || '').trim().slice(0, 40)}`);
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
        at: node.dataset.walk ?? null, what: `${node.localName}.${node.className}`,
        shown: node.matches(':focus-visible') && inside && (drawn(node) || Boolean(label && drawn(label)) || node.localName === 'video'),
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

/// Tab goes to everything that can be used, in the order in which it stands, and is seen there.
pub async fn is_walked_with_the_keyboard(browser: &Browser, what: &str) {
    let reachable = browser.list(REACHABLE).await;
    let mut reached = Vec::new();
    for _ in 0..reachable.len() + 2 {
        browser.press("Tab").await;
        let focus = browser.ask(FOCUS).await;
        let Some(at) = focus["at"].as_str() else { continue };
        assert_eq!(focus["shown"], Value::Bool(true), "{what}: the focus is not seen on {focus}");
        reached.push(at.parse::<usize>().unwrap());
        if reached.len() == reachable.len() {
            break;
        }
    }
    let missed: Vec<&String> =
        reachable.iter().enumerate().filter(|(at, _)| !reached.contains(at)).map(|(_, what)| what).collect();
    assert!(missed.is_empty(), "{what}: the keyboard misses {missed:#?}");
    assert!(reached.is_sorted(), "{what}: the order of Tab is not the order of the page: {reached:?}");
}

/// axe finds nothing.
pub async fn is_accessible(browser: &Browser, what: &str) {
    let axe = std::fs::read_to_string(told("PAGESMITH_TEST_AXE")).unwrap();
    browser.ask(&axe).await;
    let run = "const done = arguments[0];
        axe.run(document, { resultTypes: ['violations'] }).then((found) => done(found.violations.map((violation) =>
            `${violation.id}: ${violation.help}: ${violation.nodes.map((node) => node.html + ' ' + node.failureSummary).join(' | ')}`)))";
    let found = browser.ask_later(run).await;
    assert_eq!(found, serde_json::json!([]), "{what}: {found:#}");
}
