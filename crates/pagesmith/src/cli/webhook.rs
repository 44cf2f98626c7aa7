//! `webhook verify`: is a delivery's signature right?
//!
//! For whoever writes a receiver: it takes what arrived, the body's bytes and the headers' values, and says what the receiver's own check
//! should say. It needs neither a server nor a database.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use pagesmith_model::webhook::Secret;
use pagesmith_model::webhook::signature::{verify_body, verify_standard};

use pagesmith_operations::Platform;

use super::{input, output};
use crate::failure::{Failure, Result};

/// How far from now a timestamp may be, in seconds.
const TOLERANCE: u64 = 300;

/// What can be done about webhooks.
#[derive(Subcommand)]
pub enum Command {
    /// Verify the signature of a delivery; exits with 1 if it is wrong.
    Verify(Delivery),
}

/// A delivery that arrived.
#[derive(Args)]
pub struct Delivery {
    /// The subscription's signing secret, whsec_….
    #[arg(long, value_parser = secret)]
    secret: Secret,
    /// The value of X-Webhook-Signature-256 (sha256=…) or of webhook-signature (v1,…).
    #[arg(long)]
    signature: String,
    /// The value of webhook-id; for v1 signatures.
    #[arg(long)]
    id: Option<String>,
    /// The value of webhook-timestamp, in seconds; for v1 signatures.
    #[arg(long)]
    timestamp: Option<i64>,
    /// A file with the exact body as received; by default standard input.
    body: Option<PathBuf>,
}

/// Checks it.
pub fn run(command: Command) -> Result<()> {
    let Command::Verify(delivery) = command;
    let body = input::bytes(delivery.body.as_deref())?;
    if is_right(&delivery, &body)? {
        output::line("The signature is right.")?;
        if delivery.timestamp.is_some_and(is_far) {
            output::line(
                "Its timestamp is more than five minutes from now, where the libraries of receivers refuse it.",
            )?;
        }
        return Ok(());
    }
    Err(Failure::new(
        "the signature is not this body's under this secret: see that the body is what arrived, to the byte, and that the secret is the subscription's",
    ))
}

fn is_right(delivery: &Delivery, body: &[u8]) -> Result<bool> {
    if delivery.signature.starts_with("sha256=") {
        return Ok(verify_body(&delivery.secret, body, &delivery.signature));
    }
    let (Some(id), Some(seconds)) = (&delivery.id, delivery.timestamp) else {
        let message = "a v1 signature covers --id and --timestamp too: give the values of webhook-id and webhook-timestamp";
        return Err(Failure::new(message.to_owned()));
    };
    Ok(verify_standard(&delivery.secret, id, seconds, body, &delivery.signature))
}

/// Whether an instant is further away than Standard Webhooks tolerates.
fn is_far(seconds: i64) -> bool {
    let now = Platform::system().clock().now().as_millis() / 1_000;
    now.abs_diff(seconds) > TOLERANCE
}

/// A signing secret among the arguments.
pub fn secret(text: &str) -> Result<Secret, String> {
    Secret::parse(text).ok_or_else(|| {
        "a signing secret is whsec_ followed by base64, as shown when the subscription was created".to_owned()
    })
}
