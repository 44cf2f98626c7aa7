//! A file is dropped on its form, and sent while it is shown how far that is. What is refused is told where the form stands.

use serde_json::json;

use crate::following::owner;
use crate::scene;

/// Drops a file on the form, notes what its progress shows, and sends it; done when that was begun.
const DROP: &str = "const done = arguments[0];
    const form = document.querySelector('form[enctype]');
    const drop = (blob) => {
        const carried = new DataTransfer();
        carried.items.add(new File([blob], NAME, { type: blob.type }));
        const event = { dataTransfer: carried, bubbles: true, cancelable: true };
        form.dispatchEvent(new DragEvent('dragover', event));
        sessionStorage.over = form.classList.contains('dropping');
        form.dispatchEvent(new DragEvent('drop', event));
        sessionStorage.dropped = form.querySelector('input[type=file]').files[0].name;
        new MutationObserver(() => { sessionStorage.shown = true })
            .observe(form.querySelector('progress'), { attributeFilter: ['hidden'] });
        form.requestSubmit(form.querySelector('[type=submit]'));
        done(form.querySelector('[type=submit]').disabled);
    };
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 64;
    if (NAME === 'large.png') drop(new Blob([new Uint8Array(51 * 1024 * 1024)]));
    else if (NAME.endsWith('.png')) canvas.toBlob(drop);
    else drop(new Blob(['No picture.'], { type: 'text/plain' }))";

const NOTED: &str = "return [sessionStorage.over, sessionStorage.dropped, sessionStorage.shown]";

#[tokio::test]
async fn a_file_is_dropped_on_its_form_and_its_progress_is_shown() {
    let (app, base) = scene::served_at_its_address(vec![]).await;
    let (browser, _) = owner(&app, &base).await;
    browser.open(&format!("{base}/console/t/acme/assets/new")).await;
    browser.arrives("document.readyState === 'complete'").await;
    let drop = |name: &str| format!("const NAME = '{name}'; {DROP}");
    assert_eq!(browser.ask_later(&drop("notes.txt")).await, json!(true));
    browser.arrives("document.querySelector('.summary')?.innerText.includes('picture')").await;
    let focused = "return [document.activeElement.className, location.pathname]";
    assert_eq!(browser.ask(focused).await, json!(["summary", "/console/t/acme/assets/new"]));
    assert_eq!(browser.ask(NOTED).await, json!(["true", "notes.txt", "true"]));
    // The form that has taken its place does the same. What is wrong with no field is told in a message.
    assert_eq!(browser.ask_later(&drop("large.png")).await, json!(true));
    browser
        .arrives("document.querySelector('.toast.failed')?.innerText.includes('The file is larger than')")
        .await;
    assert_eq!(browser.ask_later(&drop("mark.png")).await, json!(true));
    browser.arrives("location.pathname.endsWith('/assets/describe')").await;
    assert_eq!(browser.ask(NOTED).await, json!(["true", "mark.png", "true"]));
    browser.arrives("document.querySelector('[name=name]')?.value === 'mark'").await;
    let files = app.client().get("/v0/files").await.expect(200).json();
    assert_eq!(files["items"].as_array().unwrap().len(), 1, "{files}");
}
