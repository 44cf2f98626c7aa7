//! Where somebody signs in with an account of another service: at a provider that others have written, where the test command has found
//! one, else at our own.

use std::io::{self, BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use pagesmith_model::identity_provider::IdentityProvider;
use pagesmith_operations::Clock;
use pagesmith_testkit::{TestApp, TestProvider};
use serde_json::json;

use super::worker::Worker;

/// A running provider that knows Jane Doe; it ends with this.
pub struct Provider {
    ours: TestProvider,
    others: Option<Others>,
}

/// One that others have written.
struct Others {
    process: Child,
    issuer: String,
}

impl Provider {
    pub async fn start() -> Provider {
        Provider {
            ours: TestProvider::start().await,
            others: packages().map(|packages| Others::start(&packages)),
        }
    }

    /// What an operator sets to let users sign in here.
    pub fn settings(&self) -> IdentityProvider {
        let ours = self.ours.settings("acme");
        match &self.others {
            Some(others) => IdentityProvider { issuer: others.issuer.clone(), ..ours },
            None => ours,
        }
    }

    /// Sets the server's clock to the provider's, which is the real one if others have written it.
    pub fn set_clock(&self, app: &TestApp) {
        if self.others.is_some() {
            let ahead = Clock::System.now().as_micros() - app.state.now().as_micros();
            app.advance(Duration::from_micros(u64::try_from(ahead).unwrap_or_default()));
        }
    }

    /// Signs Jane in from the screen that offers it: she declines first, and is offered it again.
    pub async fn sign_in(&self, app: &TestApp, jane: &Worker) {
        const OFFER: &str = "a[href*='/console/provider/acme']";
        self.set_clock(app);
        jane.press(OFFER).await;
        if self.others.is_some() {
            jane.press("button[value=deny]").await;
            // This one does not say then whose sign-in it was.
            jane.reads("Please begin again").await;
            jane.press(OFFER).await;
            jane.press("button[name=sub][value=jane-1]").await;
        }
        jane.is_at("/console/t/acme").await;
    }
}

impl Others {
    fn start(packages: &str) -> Others {
        let jane = json!({ "sub": "jane-1", "email": "jane@acme.example", "email_verified": true, "name": "Jane Doe" });
        let mut process = Command::new("python3")
            .args(["-m", "oidc_provider_mock", "--port", "0", "--require-nonce", "--user-claims"])
            .arg(jane.to_string())
            .env("PYTHONPATH", packages)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(process.stderr.take().unwrap());
        let mut line = String::new();
        let issuer = loop {
            line.clear();
            assert_ne!(said.read_line(&mut line).unwrap(), 0, "the identity provider has ended");
            if let Some((_, address)) = line.split_once("running on ") {
                break address.split_whitespace().next().unwrap().to_owned();
            }
        };
        // Whatever else it says is read, so that it never waits for a reader.
        std::thread::spawn(move || io::copy(&mut said, &mut io::sink()));
        Others { process, issuer }
    }
}

impl Drop for Others {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// The folder of its packages.
#[expect(clippy::disallowed_methods, reason = "the test command says where they are")]
fn packages() -> Option<String> {
    std::env::var("PAGESMITH_TEST_OIDC").ok()
}
