//! `user …`, beside a running server, and the link that a start shows while there is no user.

use serde_json::Value;

use crate::process::terminal::Terminal;
use crate::process::{Instance, Server};

/// The link of the set-up in a text.
fn set_up_link(text: &str) -> Option<String> {
    let at = text.find("/console/setup?token=")?;
    let start = text[..at].rfind("http://")?;
    let token: String = text[at..].chars().take_while(|char| !char.is_whitespace() && *char != '"').collect();
    (token.len() == "/console/setup?token=".len() + 43).then(|| format!("{}{token}", &text[start..at]))
}

fn roles(user: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let roles = user["roles"].as_array().unwrap().iter();
    roles.map(|role| (text(&role["tenant"]), text(&role["role"]))).collect()
}

#[test]
fn users_are_made_listed_changed_and_removed() {
    let instance = Instance::new();
    let server = instance.serve();
    let role = ["--tenant", "default", "--role", "owner"];
    let create = ["user", "create", "Jane@Example.com", "--name", "Jane Doe", "--json"];
    let jane = instance.json(&[&create[..], &role].concat());
    assert_eq!((&jane["email"], &jane["state"]), (&"jane@example.com".into(), &"no password yet".into()));
    assert_eq!(roles(&jane), [("default".to_owned(), "owner".to_owned())]);
    assert!(jane["link"].as_str().unwrap().contains("/console/password?token="), "{jane}");
    let again = instance.run(&[&create[..5], &role].concat()).failure();
    assert!(again.contains("There is a user with this e-mail address already"), "{again}");
    let half = instance.run(&["user", "create", "joe@example.com", "--name", "Joe", "--role", "owner"]);
    assert!(half.code == Some(2) && half.err.contains("--tenant"), "{}", half.err);
    let wrong = instance.run(&["user", "create", "joe", "--name", " "]).failure();
    assert!(wrong.contains("email: must be") && wrong.contains("name: a user needs"), "{wrong}");

    instance.run(&["tenant", "create", "Acme"]).success();
    let joe =
        instance.json(&["user", "create", "joe@example.com", "--name", "Joe", "--language", "de", "--json"]);
    let joe = joe["userId"].as_str().unwrap();
    let changed =
        instance.json(&["user", "set-role", joe, "--tenant", "acme", "--role", "analyst", "--json"]);
    assert_eq!(roles(&changed), [("acme".to_owned(), "analyst".to_owned())]);
    let changed = instance.json(&["user", "set-role", joe, "--tenant", "acme", "--role", "viewer", "--json"]);
    assert_eq!(roles(&changed), [("acme".to_owned(), "viewer".to_owned())]);
    let of_acme = instance.json(&["user", "list", "--tenant", "acme", "--json"]);
    assert_eq!((of_acme.as_array().unwrap().len(), &of_acme[0]["userId"]), (1, &joe.into()));
    let changed = instance.json(&["user", "set-role", joe, "--tenant", "acme", "--none", "--json"]);
    assert_eq!(roles(&changed), []);
    let last =
        instance.run(&["user", "set-role", "jane@example.com", "--tenant", "default", "--none"]).failure();
    assert!(last.contains("would have no owner"), "{last}");

    assert_eq!(instance.json(&["user", "disable", joe, "--json"])["state"], "disabled");
    let refused = instance.run(&["user", "reset-password", joe]).failure();
    assert!(refused.contains("disabled"), "{refused}");
    assert_eq!(instance.json(&["user", "enable", joe, "--json"])["state"], "no password yet");
    let reset = instance.run(&["user", "reset-password", joe]).success();
    assert!(reset.lines().last().unwrap().contains("/console/password?token="), "{reset}");
    instance.run(&["user", "remove-totp", joe]).success();
    for (options, is_marked) in [(&[][..], true), (&["--remove"], false)] {
        let marked = instance.json(&[&["user", "break-glass", joe, "--json"], options].concat());
        assert_eq!(marked["isBreakGlass"], is_marked);
    }
    let disconnected = instance.json(&["user", "disconnect", joe, "--json"]);
    assert_eq!(disconnected["identityProviders"].as_array().unwrap().len(), 0);
    assert_eq!(instance.json(&["user", "sessions", joe, "--json"]).as_array().unwrap().len(), 0);
    assert_eq!(instance.run(&["user", "sessions", joe, "--end"]).success().lines().count(), 1);
    let list = instance.run(&["user", "list"]).success();
    assert!(list.starts_with("ID ") && list.contains("default:owner") && list.lines().count() == 3, "{list}");
    instance.run(&["user", "remove", joe]).success();
    let gone = instance.run(&["user", "disable", joe]).failure();
    assert!(gone.contains("pagesmith user list"), "{gone}");
    let told = instance.run(&["audit", "list"]).success();
    for action in [
        "user-created",
        "role-changed",
        "role-removed",
        "password-link-created",
        "user-removed",
        "break-glass-changed",
    ] {
        assert!(told.contains(action), "{action} is not in {told}");
    }
    server.stop();
}

#[test]
fn a_start_tells_the_set_up_link_on_standard_error_while_there_is_no_user() {
    let instance = Instance::new();
    let link = |server: &Server| server.err.wait_for("the link", set_up_link);
    let server = instance.serve();
    let first = link(&server);
    assert!(!server.stop().contains("/console/setup"), "it is on standard output as well");
    let server = instance.serve();
    assert_ne!(link(&server), first);
    instance.run(&["user", "create", "jane@example.com", "--name", "Jane"]).success();
    server.stop();
    let server = instance.serve();
    server.is_well();
    assert_eq!(set_up_link(&server.err.text()), None);
    server.stop();
}

#[test]
fn a_terminal_shows_the_set_up_link() {
    let instance = Instance::new();
    let terminal = Terminal::serve(&instance, &[("NO_COLOR", "1")]);
    let shown = terminal.screen.wait_for("the link", |text| set_up_link(text).map(|_| text.to_owned()));
    assert!(shown.contains("There is no user yet"), "{shown}");
    terminal.stop();
    instance.run(&["user", "create", "jane@example.com", "--name", "Jane"]).success();
    let terminal = Terminal::serve(&instance, &[("NO_COLOR", "1")]);
    terminal.welcome();
    let (_, whole) = terminal.stop();
    assert_eq!(set_up_link(&whole), None);
}
