//! What whoever runs the server does on its command line, of screens and forms for which the API has no operation.
//!
//! Users, tenants and backups are the installation's, and no key of a tenant may do anything to them. What stands in braces is taken from the
//! request or from the form, as in [`form_calls`](crate::form_calls).

use pagesmith_model::Timestamp;

use crate::form_calls::forms;
use crate::parts::code::quoted;

/// The commands of a screen or of a form, by its path.
type Of = (&'static str, &'static [&'static str]);

/// The commands of a list of screens.
pub(crate) struct CommandLines {
    /// What shows the same as a screen.
    screens: &'static [Of],
    /// What does the same as a form, by the path that it is sent to.
    forms: &'static [Of],
}

/// Those of the screens of a tenant.
pub(crate) static OF_TENANT: CommandLines = CommandLines {
    screens: &[
        ("/account", &["pagesmith user sessions {email}"]),
        ("/settings", &["pagesmith user list --tenant {tenant}"]),
    ],
    forms: &[
        ("/account/password", &["pagesmith user reset-password {email}"]),
        ("/account/app/remove", &["pagesmith user remove-totp {email}"]),
        ("/account/end-others", &["pagesmith user sessions {email} --end"]),
        ("/settings/role", &["pagesmith user set-role {user} --tenant {tenant} --role editor"]),
        ("/settings/remove-user", &["pagesmith user set-role {user} --tenant {tenant} --none"]),
        (
            "/settings/invite",
            &["pagesmith user create joe@example.com --name 'Joe Doe' --tenant {tenant} --role editor"],
        ),
    ],
};

/// Those of the screens of operators. Of servers there is none.
pub(crate) static OF_OPERATORS: CommandLines = CommandLines {
    screens: &[
        ("/tenants", &["pagesmith tenant list"]),
        ("/queues", &["curl {base}/metrics"]),
        ("/health", &["curl {base}/readyz", "pagesmith doctor"]),
    ],
    forms: &[
        (
            "/tenants/new",
            &[
                "pagesmith tenant create 'Acme Ltd' --slug acme-ltd --region GB",
                "pagesmith user create jane@example.com --name 'Jane Doe' --tenant acme-ltd --role owner",
            ],
        ),
        ("/tenants/{tenant_id}/suspend", &["pagesmith tenant suspend {tenant_id}"]),
        ("/tenants/{tenant_id}/resume", &["pagesmith tenant resume {tenant_id}"]),
        ("/backup", &["pagesmith backup pagesmith-backup.db"]),
    ],
};

/// What a request is for.
pub(crate) struct Asked {
    /// The screen, as the list of screens names it.
    pub path: &'static str,
    /// What is known beside the form: names and values.
    pub known: Vec<(&'static str, String)>,
}

impl CommandLines {
    /// The commands of a screen and of the forms on it, each form once; `root` is the address that all of these screens stand below.
    pub fn of(&self, asked: &Asked, drawn: &str, root: &str, now: Timestamp) -> Vec<String> {
        let known = |name: &str| {
            let found = asked.known.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| value.clone())
        };
        let own = self.screens.iter().filter(|(path, _)| *path == asked.path);
        let own = own.flat_map(|(_, lines)| *lines);
        let mut told: Vec<String> = own.filter_map(|line| filled(line, known)).collect();
        let mut seen = Vec::new();
        for form in forms(drawn, root).filter(|form| form.is_sent) {
            let found = self.forms.iter().find_map(|(path, lines)| Some((path, lines, form.at(path, now)?)));
            let Some((path, lines, form)) = found.filter(|(path, ..)| !seen.contains(path)) else { continue };
            seen.push(path);
            told.extend(
                lines.iter().filter_map(|line| filled(line, |name| known(name).or_else(|| form.value(name)))),
            );
        }
        told
    }
}

/// A command with its values; none if one is missing.
fn filled(line: &str, value: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut command = String::new();
    for (at, part) in line.split(['{', '}']).enumerate() {
        if at % 2 == 0 {
            command.push_str(part);
        } else if part == "base" {
            // Joined with a path; a server's own address has nothing that a shell would read.
            command.push_str(&value(part)?);
        } else {
            command.push_str(&quoted(&value(part).filter(|value| !value.is_empty())?));
        }
    }
    Some(command)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use maud::html;

    use super::*;
    use crate::screens;

    #[test]
    fn every_command_is_of_a_screen_or_a_form_that_there_is() {
        let of_tenant: BTreeSet<(&str, &str)> =
            screens::rows().iter().map(|row| (row.method, row.path)).collect();
        let of_operators: BTreeSet<(&str, &str)> =
            screens::operator::rows().iter().map(|row| (row.method, row.path)).collect();
        for (lines, rows) in [(&OF_TENANT, of_tenant), (&OF_OPERATORS, of_operators)] {
            for (path, _) in lines.screens {
                assert!(rows.contains(&("GET", *path)), "{path}");
            }
            for (path, _) in lines.forms {
                assert!(rows.contains(&("POST", *path)), "{path}");
            }
        }
    }

    #[test]
    fn a_command_has_what_its_form_holds_as_one_word_of_a_shell() {
        let asked = Asked {
            path: "/settings",
            known: vec![("tenant", "acme".to_owned()), ("email", "x".to_owned())],
        };
        let form = |user: &str| {
            html! { form method="post" action="/console/t/acme/settings/role" {
                input type="hidden" name="user" value=(user);
            } }
        };
        let drawn = html! { (form("us'er")) (form("other")) };
        let told = OF_TENANT.of(&asked, &drawn.0, "/console/t/acme", Timestamp::from_micros(0));
        assert_eq!(
            told,
            [
                "pagesmith user list --tenant acme",
                r"pagesmith user set-role 'us'\''er' --tenant acme --role editor"
            ]
        );
        let elsewhere = Asked { path: "/pages", known: vec![] };
        assert!(OF_TENANT.of(&elsewhere, "", "/console/t/acme", Timestamp::from_micros(0)).is_empty());
    }
}
