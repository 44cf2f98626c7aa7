//! Prints deliveries as they are signed, for the libraries that receivers use to verify them: `cargo x contract-tools`.
//!
//! The secrets are made of fixed bytes, so that a failure repeats. The instant is given in seconds, because verifiers refuse old ones.
#![expect(clippy::print_stdout, reason = "this is what it is for")]

use std::time::Duration;

use pagesmith_model::Timestamp;
use pagesmith_model::webhook::{EventType, Secret, Secrets, sample, signature};
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seconds: i64 = std::env::args().nth(1).ok_or("the present time in seconds is missing")?.parse()?;
    let at = Timestamp::from_micros(seconds * 1_000_000);
    let mut deliveries = Vec::new();
    for (number, kind) in (0_u8..).zip(EventType::ALL) {
        let payload = sample::payload(kind, at)?;
        let id = format!("event_{number}");
        let note = json!("Grüße, 世界 \u{7} \"\\");
        let body = format!(
            r#"{{"timestamp":"{at}","eventId":"{id}","payload":{},"note":{note}}}"#,
            payload.as_str()
        );
        let (old, new) = (Secret::new([number; 32]), Secret::new([255 - number; 32]));
        let secrets = Secrets::new(old.clone()).rotated(new.clone(), at.plus(Duration::from_hours(1)), at);
        let headers = signature::headers(&secrets, &id, body.as_bytes(), at);
        let headers: serde_json::Map<_, _> =
            headers.into_iter().map(|(name, value)| (name.to_lowercase(), json!(value))).collect();
        deliveries.push(json!({
            "secret": new.expose(), "olderSecret": old.expose(), "body": body, "headers": headers,
        }));
    }
    println!("{}", json!(deliveries));
    Ok(())
}
