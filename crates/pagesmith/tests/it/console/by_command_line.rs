//! What belongs to the installation is told as command lines, and they work.

use std::collections::BTreeSet;

use pagesmith_console::screens::operator;
use pagesmith_model::user::Role;
use pagesmith_testkit::{TestApp, authenticator};

use super::browser::{Browser, PASSWORD};
use super::by_api::{BY_COMMAND_LINE, command_lines};
use crate::process::Instance;

/// The screen of operators that tells that there is no other way: no command shows which servers there are.
const SERVERS: &str = "/servers";

/// Every command line that a screen shows, of the users of a tenant and of operators.
async fn all_command_lines(app: &TestApp) -> Vec<String> {
    let (mut browser, mut lines, mut silent) = (Browser::owner(app).await, vec![], vec![]);
    Browser::with_role(app, Role::Editor).await;
    // All that there is a form for: another session of the same user, an app, a suspended tenant.
    let fields = [("email", "olga@acme.example"), ("password", PASSWORD)];
    Browser::new(app).send("/console/sign-in", &fields).await.expect(303);
    let offered = browser.send("/console/t/acme/account/app", &[]).await.expect(200).text();
    let secret = offered.split("<code dir=\"ltr\">").nth(1).unwrap().split('<').next().unwrap();
    let code = authenticator::code(secret, app.state.now());
    browser.send("/console/t/acme/account/app/confirm", &[("code", &code)]).await.expect(200);
    app.add_tenant("globex").await;
    app.suspend("globex").await;
    for path in BY_COMMAND_LINE {
        let screen = browser.open(&format!("/console/t/acme{path}")).await.expect(200).text();
        lines.extend(command_lines(&screen));
    }
    for row in operator::rows().iter().filter(|row| row.method == "GET" && !row.path.ends_with("/events")) {
        let address = format!("/console/operator{}", row.path.replace("{tenant_id}", app.tenant.as_str()));
        let screen = browser.open(&address).await.expect(200).text();
        let told = command_lines(&screen);
        if told.is_empty() {
            silent.push(row.path);
        }
        assert_eq!(
            screen.contains("No call of the API and no command shows this"),
            told.is_empty(),
            "{address}"
        );
        lines.extend(told);
    }
    assert_eq!(silent, [SERVERS]);
    lines
}

#[test]
fn every_screen_of_the_installation_tells_command_lines_that_work() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (lines, asked): (Vec<String>, Vec<String>) = runtime.block_on(async {
        let app = TestApp::start().await;
        let lines = all_command_lines(&app).await;
        let (asked, lines): (Vec<String>, Vec<String>) =
            lines.into_iter().partition(|line| line.starts_with("curl "));
        for line in &asked {
            app.anonymous().get(&line[line.rfind('/').unwrap()..]).await.expect(200);
        }
        (lines, asked)
    });
    assert_eq!(asked, ["curl http://pagesmith.test/metrics", "curl http://pagesmith.test/readyz"]);
    // The server that showed them is not this one, so that its ids mean nothing here.
    let instance = Instance::new();
    instance.run(&["migrate"]).success();
    instance.run(&["tenant", "create", "Acme"]).success();
    for name in ["olga", "max"] {
        let user = format!("{name}@acme.example");
        let options = ["--name", name, "--tenant", "acme", "--role", "owner"];
        instance.run(&[&["user", "create", &user][..], &options].concat()).success();
    }
    let mut done = BTreeSet::new();
    for line in &lines {
        let words = shlex::split(line).unwrap().into_iter();
        let words: Vec<String> = words
            .map(|word| match word.split('_').next() {
                Some("user") if word.contains('_') => "olga@acme.example".to_owned(),
                Some("tenant") if word.contains('_') => "acme".to_owned(),
                _ => word,
            })
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        assert_eq!(words[0], "pagesmith", "{line}");
        instance.run(&words[1..]).success();
        done.insert(words[1..].iter().take(2).copied().collect::<Vec<_>>().join(" "));
    }
    let expected = [
        "backup pagesmith-backup.db",
        "doctor",
        "tenant create",
        "tenant list",
        "tenant resume",
        "tenant suspend",
        "user create",
        "user list",
        "user remove-totp",
        "user reset-password",
        "user sessions",
        "user set-role",
    ];
    assert_eq!(done, expected.map(str::to_owned).into());
}
