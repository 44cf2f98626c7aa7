//! Where somebody signs in with an account of another service: at a provider that others have written, where the test command has found
//! one, else at our own.

use std::process::Command;
use std::time::Duration;

use pagesmith_model::identity_provider::IdentityProvider;
use pagesmith_operations::Clock;
use pagesmith_testkit::{Program, TestApp, TestProvider};
use serde_json::json;

use super::worker::Worker;

/// A running provider that knows Jane Doe; it ends with this.
pub struct Provider {
    ours: TestProvider,
    others: Option<Program>,
}

impl Provider {
    pub async fn start() -> Provider {
        Provider {
            ours: TestProvider::start().await,
            others: packages().map(|packages| start_others(&packages)),
        }
    }

    /// What an operator sets to let users sign in here.
    pub fn settings(&self) -> IdentityProvider {
        let ours = self.ours.settings("acme");
        match &self.others {
            Some(others) => IdentityProvider { issuer: others.address.clone(), ..ours },
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

/// Starts the one that others have written.
fn start_others(packages: &str) -> Program {
    let jane =
        json!({ "sub": "jane-1", "email": "jane@acme.example", "email_verified": true, "name": "Jane Doe" });
    let mut command = Command::new("python3");
    command
        .args(["-m", "oidc_provider_mock", "--port", "0", "--require-nonce", "--user-claims"])
        .arg(jane.to_string())
        .env("PYTHONPATH", packages)
        .env("PYTHONDONTWRITEBYTECODE", "1");
    Program::start(&mut command, |line| {
        Some(line.split_once("running on ")?.1.split_whitespace().next()?.to_owned())
    })
}

/// The folder of its packages.
#[expect(clippy::disallowed_methods, reason = "the test command says where they are")]
fn packages() -> Option<String> {
    std::env::var("PAGESMITH_TEST_OIDC").ok()
}
