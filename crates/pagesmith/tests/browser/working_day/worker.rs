//! Somebody at a browser, who uses the pointer or the keyboard alone.
//!
//! With the keyboard every screen but the first is reached by the palette, by a key that the console lists, or by Tab and Enter.

use serde_json::json;

use crate::checks;
use crate::driver::{Browser, Key, Scheme};

/// What somebody works with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hand {
    Pointer,
    Keyboard,
}

/// Somebody at a browser.
pub struct Worker {
    pub browser: Browser,
    pub hand: Hand,
    pub base: String,
}

impl Worker {
    pub async fn start(base: &str, hand: Hand) -> Worker {
        let browser = Browser::start().await;
        browser.wear(1440, Scheme::Light).await;
        browser.protocol("Emulation.setFocusEmulationEnabled", json!({ "enabled": true })).await;
        Worker { browser, hand, base: base.to_owned() }
    }

    /// Opens an address of the server.
    pub async fn open(&self, path: &str) {
        self.browser.open(&format!("{}{path}", self.base)).await;
        self.browser.arrives("document.readyState === 'complete'").await;
    }

    /// Goes to another screen: with the pointer by its address, with the keyboard by the palette, which finds it by these words.
    pub async fn go(&self, path: &str, words: &str) {
        if self.hand == Hand::Pointer {
            return self.open(path).await;
        }
        self.browser.chord(&[Key::Control], Key::Letter('k')).await;
        self.browser.arrives("document.activeElement?.id === 'palette-input'").await;
        self.browser.protocol("Input.insertText", json!({ "text": words })).await;
        let chosen = format!(
            "document.querySelector('#palette-results [aria-selected=true]')?.href.endsWith({})",
            json!(path)
        );
        for _ in 0..10 {
            self.browser.arrives("document.querySelector('#palette-results [aria-selected=true]')").await;
            self.browser.settled().await;
            if self.browser.evaluated(&chosen).await == true {
                break;
            }
            self.browser.press("ArrowDown").await;
        }
        self.browser.arrives(&chosen).await;
        self.browser.press("Enter").await;
        self.is_at(path).await;
    }

    /// Goes to an area: with the keyboard by its letter after `g`.
    pub async fn go_to_area(&self, path: &str, letter: &str) {
        if self.hand == Hand::Pointer {
            return self.open(path).await;
        }
        for key in ["g", letter] {
            self.browser.press(key).await;
        }
        self.browser
            .arrives(&format!("location.pathname === {} && document.readyState === 'complete'", json!(path)))
            .await;
    }

    /// Follows a link of this screen: with the pointer it is enough to know where it leads.
    pub async fn follow(&self, path: &str) {
        if self.hand == Hand::Pointer {
            return self.open(path).await;
        }
        self.press(&format!("main a[href='{path}']")).await;
        self.browser
            .arrives(&format!("location.pathname === {} && document.readyState === 'complete'", json!(path)))
            .await;
    }

    /// Waits until an element is there.
    pub async fn sees(&self, selector: &str) {
        self.browser.arrives(&format!("document.querySelector({})", json!(selector))).await;
    }

    /// Waits until a text is there.
    pub async fn reads(&self, text: &str) {
        self.browser.arrives(&format!("document.body.innerText.includes({})", json!(text))).await;
    }

    /// Waits until the path holds this.
    pub async fn is_at(&self, path: &str) {
        let expression =
            format!("location.pathname.includes({}) && document.readyState === 'complete'", json!(path));
        self.browser.arrives(&expression).await;
    }

    pub async fn path(&self) -> String {
        self.browser.evaluated("location.pathname").await.as_str().unwrap().to_owned()
    }

    /// The text of an element.
    pub async fn text_of(&self, selector: &str) -> String {
        let text = format!("document.querySelector({}).textContent", json!(selector));
        self.browser.evaluated(&text).await.as_str().unwrap().to_owned()
    }

    /// Goes on with Tab until an element has the focus.
    pub async fn reach(&self, selector: &str) {
        let has_focus = format!("document.activeElement.matches({})", json!(selector));
        for _ in 0..400 {
            if self.browser.evaluated(&has_focus).await == true {
                return;
            }
            self.browser.press("Tab").await;
        }
        panic!("Tab does not lead to {selector} on {}", self.path().await);
    }

    /// Presses a button or follows a link.
    pub async fn press(&self, selector: &str) {
        self.sees(selector).await;
        match self.hand {
            Hand::Pointer => {
                let click = format!("document.querySelector({}).click()", json!(selector));
                self.browser.evaluated(&click).await;
            }
            Hand::Keyboard => {
                self.reach(selector).await;
                self.browser.press("Enter").await;
            }
        }
    }

    /// Enters a text into an empty field.
    pub async fn fill(&self, selector: &str, text: &str) {
        self.sees(selector).await;
        match self.hand {
            Hand::Pointer => {
                let focus = format!("document.querySelector({}).focus()", json!(selector));
                self.browser.evaluated(&focus).await;
            }
            Hand::Keyboard => self.reach(selector).await,
        }
        self.browser.protocol("Input.insertText", json!({ "text": text })).await;
    }

    /// Checks a box.
    pub async fn tick(&self, selector: &str) {
        match self.hand {
            Hand::Pointer => self.press(selector).await,
            Hand::Keyboard => {
                self.reach(selector).await;
                self.browser.press(" ").await;
            }
        }
    }

    /// Chooses one of several options that are all in sight.
    pub async fn choose(&self, name: &str, value: &str) {
        let wanted = format!("input[name={name}][value={value}]");
        if self.hand == Hand::Pointer {
            return self.press(&wanted).await;
        }
        self.reach(&format!("input[name={name}]")).await;
        let is_chosen = format!("document.querySelector({}).checked", json!(wanted));
        for _ in 0..10 {
            if self.browser.evaluated(&is_chosen).await == true {
                return;
            }
            self.browser.press("ArrowDown").await;
        }
        panic!("{value} cannot be chosen");
    }

    /// Chooses a file in the field for it; the dialog of the operating system is out of reach. The file has to be there until it is sent.
    pub async fn choose_file(&self, name: &str, content: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        match self.hand {
            Hand::Pointer => {
                self.browser.evaluated("document.querySelector('input[type=file]').focus()").await;
            }
            Hand::Keyboard => self.reach("input[type=file]").await,
        }
        self.browser.choose_file(&path).await;
        folder
    }

    /// Whether the screen is accessible; asked once, not with each hand.
    pub async fn is_accessible(&self, what: &str) {
        if self.hand == Hand::Pointer {
            checks::is_accessible(&self.browser, what).await;
        }
    }
}
