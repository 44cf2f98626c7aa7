//! The question before something is deleted.

use crate::parts::dialog::{Question, is_confirmed, question};
use crate::parts::navigation::Area;
use crate::visit::{Screen, Visit};

/// Something that is to go.
pub(crate) struct Removal<'a> {
    /// Where it belongs.
    pub area: Area,
    /// What it is called.
    pub name: &'a str,
    /// The path of its screen, within the tenant's console; what is sent there ends with `/delete`.
    pub path: &'a str,
    /// What becomes of it.
    pub text: String,
}

impl Removal<'_> {
    /// Asks.
    pub fn ask(&self, visit: &Visit) -> Screen {
        self.screen(visit, None, None)
    }

    /// Asks for its name as well.
    pub fn ask_for_name(&self, visit: &Visit, error: Option<&str>) -> Screen {
        self.screen(visit, Some(self.name), error)
    }

    /// The question again, unless its name was typed.
    pub fn unconfirmed(&self, visit: &Visit) -> Option<Screen> {
        if is_confirmed(visit.entered.text("confirmation"), self.name) {
            return None;
        }
        Some(self.ask_for_name(visit, Some(&visit.text("not-confirmed"))))
    }

    fn screen(&self, visit: &Visit, typed: Option<&str>, error: Option<&str>) -> Screen {
        let base = visit.url(self.path);
        let title = visit.words.with("delete-question", &[("name", self.name.into())]);
        let (yes, action) = (visit.text("delete"), format!("{base}/delete"));
        let asked = Question {
            title: &title,
            text: &self.text,
            action: &action,
            values: &[],
            yes: &yes,
            back: &base,
            is_destructive: true,
            typed,
            error,
        };
        Screen::new(self.area, yes.clone(), question(visit.words, &asked)).below(self.name, base)
    }
}
