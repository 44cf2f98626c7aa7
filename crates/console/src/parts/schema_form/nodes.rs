//! The fields of a form with groups and lists, as they are drawn.

use maud::{Markup, html};

use crate::parts::field::{Field, Kind};
use crate::words::Words;

/// A part of a form.
pub(super) enum Node {
    /// A field.
    Field(Field),
    /// An object.
    Group {
        path: String,
        label: String,
        help: String,
        nodes: Vec<Node>,
        is_optional: bool,
        errors: Vec<String>,
    },
    /// A list of objects.
    List {
        path: String,
        label: String,
        help: String,
        items: Vec<Item>,
        /// What the buttons send that add an item, and what they say.
        kinds: Vec<(String, String)>,
        errors: Vec<String>,
    },
}

/// An object of a list.
pub(super) struct Item {
    pub path: String,
    pub name: String,
    /// Its place in the list as it was before.
    pub was: String,
    /// The property that tells its shape, with its value.
    pub tag: Option<(String, String)>,
    pub nodes: Vec<Node>,
    pub errors: Vec<String>,
}

impl Node {
    /// Puts an error at the field of its path, or at what is nearest around it. False if nothing here is.
    pub(super) fn put_error(nodes: &mut [Node], path: &str, message: &str) -> bool {
        nodes.iter_mut().any(|node| node.take_error(path, message))
    }

    fn take_error(&mut self, path: &str, message: &str) -> bool {
        match self {
            Node::Field(field) if holds(&field.name, path) => {
                match &mut field.error {
                    Some(first) => *first = format!("{first}\n{message}"),
                    None => field.error = Some(message.to_owned()),
                }
                true
            }
            Node::Group { path: own, nodes, errors, .. } if holds(own, path) => {
                if !Node::put_error(nodes, path, message) {
                    errors.push(message.to_owned());
                }
                true
            }
            Node::List { path: own, items, errors, .. } if holds(own, path) => {
                match items.iter_mut().find(|item| holds(&item.path, path)) {
                    Some(item) => {
                        if !Node::put_error(&mut item.nodes, path, message) {
                            item.errors.push(message.to_owned());
                        }
                    }
                    None => errors.push(message.to_owned()),
                }
                true
            }
            _ => false,
        }
    }

    /// Every error below, with the id and the name of where it stands.
    fn errors(&self, form: &str, found: &mut Vec<(String, String, String)>) {
        let mut note = |path: &str, label: &str, errors: &[String]| {
            found.extend(errors.iter().map(|error| (id(form, path), label.to_owned(), error.clone())));
        };
        match self {
            Node::Field(field) => {
                if let Some(error) = &field.error {
                    found.push((field.id(form), field.label.clone(), error.clone()));
                }
            }
            Node::Group { path, label, nodes, errors, .. } => {
                note(path, label, errors);
                nodes.iter().for_each(|node| node.errors(form, found));
            }
            Node::List { path, label, items, errors, .. } => {
                note(path, label, errors);
                for item in items {
                    found.extend(
                        item.errors
                            .iter()
                            .map(|error| (id(form, &item.path), item.name.clone(), error.clone())),
                    );
                    item.nodes.iter().for_each(|node| node.errors(form, found));
                }
            }
        }
    }
}

/// Whether a path is that of a field or of something in it.
fn holds(own: &str, path: &str) -> bool {
    path.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The id of the element of a path.
fn id(form: &str, path: &str) -> String {
    Field::new(path, "", Kind::Hidden).id(form)
}

/// The fields of a form, with the errors above them.
pub(super) struct Drawn<'a> {
    pub form: &'a str,
    pub nodes: &'a [Node],
    /// Errors that belong to no field.
    pub errors: &'a [String],
    /// The path of the list or the item that takes the focus.
    pub focus: Option<&'a str>,
    pub words: Words,
}

impl Drawn<'_> {
    pub(super) fn draw(&self) -> Markup {
        html! {
            // The first button is the one that the key Enter presses: it saves, whatever buttons follow.
            button.unseen type="submit" tabindex="-1" aria-hidden="true" { (self.words.text("save")) }
            (self.summary())
            (self.all(self.nodes))
        }
    }

    fn summary(&self) -> Markup {
        let mut found = Vec::new();
        self.nodes.iter().for_each(|node| node.errors(self.form, &mut found));
        let count = i64::try_from(found.len() + self.errors.len()).unwrap_or(i64::MAX);
        html! {
            @if count > 0 {
                div.summary role="alert" tabindex="-1" autofocus {
                    p { strong { (self.words.with("form-errors", &[("count", count.into())])) } }
                    ul {
                        @for error in self.errors { li { (self.words.issue(error)) } }
                        @for (id, label, error) in &found { li { a href={ "#" (id) } { (label) } ": " (self.words.issue(error)) } }
                    }
                }
            }
        }
    }

    fn all(&self, nodes: &[Node]) -> Markup {
        html! { @for node in nodes { (self.one(node)) } }
    }

    fn one(&self, node: &Node) -> Markup {
        match node {
            Node::Field(field) => field.draw(self.form, self.words),
            Node::Group { path, label, help, nodes, is_optional, errors } => html! {
                fieldset.group #(id(self.form, path)) tabindex="-1" {
                    legend { (label) @if *is_optional { " " span.optional { (self.words.text("field-optional")) } } }
                    (self.notes(help, errors))
                    (self.all(nodes))
                }
            },
            Node::List { path, label, help, items, kinds, errors } => html! {
                fieldset.group #(id(self.form, path)) tabindex="-1" autofocus[self.focus == Some(path)] {
                    legend { (label) }
                    (self.notes(help, errors))
                    @for (at, item) in items.iter().enumerate() { (self.item(item, at, items.len())) }
                    div.line { @for (act, says) in kinds { (self.button(act, says, says)) } }
                }
            },
        }
    }

    fn item(&self, item: &Item, at: usize, of: usize) -> Markup {
        let button = |act: &str, says: String| {
            self.button(&format!("{}.{act}", item.path), &says, &format!("{says}: {}", item.name))
        };
        html! {
            fieldset.item #(id(self.form, &item.path)) tabindex="-1" autofocus[self.focus == Some(&item.path)] {
                legend { (item.name) }
                (self.notes("", &item.errors))
                input type="hidden" name={ (item.path) ".was" } value=(item.was);
                @if let Some((tag, value)) = &item.tag { input type="hidden" name={ (item.path) "." (tag) } value=(value); }
                (self.all(&item.nodes))
                div.line {
                    @if at > 0 { (button("up", self.words.text("move-up"))) }
                    @if at + 1 < of { (button("down", self.words.text("move-down"))) }
                    (button("remove", self.words.text("remove")))
                }
            }
        }
    }

    fn button(&self, act: &str, says: &str, means: &str) -> Markup {
        html! { button.button.quiet type="submit" name="do" value=(act) aria-label=(means) { (says) } }
    }

    fn notes(&self, help: &str, errors: &[String]) -> Markup {
        html! {
            @if !help.is_empty() { p.help { (help) } }
            @for error in errors { p.error { span.unseen { (self.words.text("field-error")) " " } (self.words.issue(error)) } }
        }
    }
}
