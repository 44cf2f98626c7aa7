//! The server as a person starts it, at a real pseudo-terminal, and as another program starts it, through pipes.

use std::process::Stdio;

use serde_json::Value;

use crate::process::capture::Capture;
use crate::process::terminal::{Terminal, address, pair};
use crate::process::wire::Connection;
use crate::process::{Instance, Server, eventually};

fn key(shown: &str) -> Option<&str> {
    let at = shown.find("ps_")?;
    let rest = &shown[at..];
    let end = rest.find(|char: char| !char.is_ascii_alphanumeric() && char != '_' && char != '-');
    Some(&rest[..end.unwrap_or(rest.len())])
}

/// The text without what moves or colours.
fn plain(shown: &str) -> String {
    let mut text = String::new();
    let mut parts = shown.split("\u{1b}[");
    text.push_str(parts.next().unwrap());
    for part in parts {
        text.push_str(part.split_once('m').unwrap_or_else(|| panic!("more than colours: {part:?}")).1);
    }
    text
}

#[test]
fn a_terminal_shows_a_few_readable_lines_with_the_key_and_what_to_do_next() {
    let instance = Instance::new();
    let terminal = Terminal::serve(&instance, &[]);
    let welcome = terminal.welcome();
    assert!(welcome.contains("\u{1b}["), "no colours: {welcome:?}");
    let text = plain(&welcome);
    let server = address(&text);
    let secret = key(&text).unwrap();
    for part in [
        format!("│ Console http://{server}/console "),
        format!("│ API     http://{server}/v0 "),
        format!("│ Docs    http://{server}/docs "),
        format!("│ Site    http://default.localhost:{} ", server.port()),
        format!("│ Key     {secret} "),
        "shown this once; another: pagesmith key create --tenant default".to_owned(),
        format!("curl -s http://{server}/v0/pages -H 'x-api-key: {secret}'"),
        format!(
            "There is no user yet. Open this within 30 minutes to set up the console:\r\nhttp://{server}/console/setup?token="
        ),
    ] {
        assert!(text.contains(&part), "{part} is not in {text}");
    }
    for foreign in ["{\"timestamp\"", "crate feature", "panicked"] {
        assert!(!text.contains(foreign), "{text}");
    }
    assert!(text.lines().count() <= 15, "too many lines: {text}");
    let reply = Connection::open(server).unwrap().call("GET", "/v0/pages", Some(secret), None).unwrap();
    reply.expect(200);
    let line = terminal.screen.wait_for("the line of the request", |shown| {
        let shown = plain(shown);
        shown.lines().find(|line| line.contains("listPages")).map(str::to_owned)
    });
    let words: Vec<&str> = line.split_whitespace().collect();
    assert!(words[0].len() == 8 && words[1..3] == ["200", "listPages"] && line.contains("tenant_"), "{line}");
    let (status, _) = terminal.stop();
    assert_eq!(status.code(), Some(0));

    // Later the key is not known any more.
    let terminal = Terminal::serve(&instance, &[("NO_COLOR", "1")]);
    let later = terminal.welcome();
    assert!(later.contains("shown at the first start only") && key(&later).is_none(), "{later}");
    assert!(!later.contains('\u{1b}'), "{later:?}");
    let (_, whole) = terminal.stop();
    assert!(whole.contains("stopping") && !whole.contains('\u{1b}'), "{whole:?}");
}

#[test]
fn a_dumb_terminal_gets_no_colours_and_a_format_that_was_chosen_counts() {
    let instance = Instance::new();
    let terminal = Terminal::serve(&instance, &[("TERM", "dumb"), ("PAGESMITH_LOG_FORMAT", "json")]);
    terminal.welcome();
    let (_, whole) = terminal.stop();
    assert!(whole.contains("{\"timestamp\"") && !whole.contains('\u{1b}'), "{whole:?}");
}

#[test]
fn another_program_gets_the_key_alone_and_a_log_in_json() {
    let instance = Instance::new();
    let server = Server::start(instance.command(&["serve", "--listen", "127.0.0.1:0"]));
    server.terminate();
    let finished = server.wait();
    let secret = finished.out.strip_suffix('\n').unwrap();
    assert!(secret.starts_with("ps_") && !secret.contains(char::is_whitespace), "{}", finished.out);
    for line in finished.err.lines() {
        let line: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}"));
        assert!(line["timestamp"].is_string());
    }
    assert!(!finished.err.contains(secret));
}

#[test]
fn the_key_can_be_piped_away_from_a_terminal() {
    let instance = Instance::new();
    let (person, program) = pair();
    let mut command = instance.command(&["serve", "--listen", "127.0.0.1:0"]);
    command.env("TERM", "xterm").env_remove("NO_COLOR").stdout(Stdio::piped()).stderr(program);
    let mut child = command.spawn().unwrap();
    drop(command);
    let (mut out, err) = (Capture::of(child.stdout.take().unwrap()), Capture::of(person));
    err.wait_for("the log", |text| {
        plain(text).contains("INFO   listening  address=127.0.0.1:").then_some(())
    });
    child.kill().unwrap();
    eventually("it ends", || child.try_wait().unwrap());
    let out = out.whole();
    assert!(out.starts_with("ps_") && out.lines().count() == 1, "{out}");
    assert!(!err.text().contains("{\"timestamp\"") && !err.text().contains(out.trim()), "{}", err.text());
}
