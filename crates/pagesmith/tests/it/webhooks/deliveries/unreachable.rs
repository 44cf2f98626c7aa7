//! Receivers that cannot be reached: whatever the cause, their owner is shown the same, and the operator's log has the cause.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use pagesmith_worker::delivery::{self, DeliveryConfig};
use pagesmith_worker::egress::{Dialling, Egress, Net, Resolving};

use super::*;
use crate::log_lines::LogLines;

/// A network in which names mean what they say and nobody listens.
pub(crate) struct Inside;

impl Net for Inside {
    fn resolve<'a>(&'a self, name: &'a str) -> Resolving<'a> {
        Box::pin(async move {
            match name {
                "database.internal" => Ok(vec!["10.0.0.7".parse().unwrap()]),
                "metadata.internal" => Ok(vec!["169.254.169.254".parse().unwrap()]),
                "mixed.example" => Ok(vec!["93.184.216.34".parse().unwrap(), "10.0.0.7".parse().unwrap()]),
                "refusing.example" => Ok(vec!["93.184.216.34".parse().unwrap()]),
                "empty.example" => Ok(vec![]),
                "silent.example" => Err(io::ErrorKind::TimedOut.into()),
                _ => Err(io::ErrorKind::NotFound.into()),
            }
        })
    }

    fn dial(&self, _: SocketAddr) -> Dialling<'_> {
        Box::pin(async { Err(io::ErrorKind::ConnectionRefused.into()) })
    }
}

/// A name, and what the operator reads about it.
pub(crate) const CAUSES: [(&str, &str); 7] = [
    ("database.internal", "reserved for private networks"),
    ("metadata.internal", "reserved for neighbours on the link"),
    ("mixed.example", "reserved for private networks"),
    ("refusing.example", "No connection could be made"),
    ("empty.example", "leads to no address"),
    ("silent.example", "No name server answered in time"),
    ("nothing.example", "leads to no address"),
];

#[tokio::test]
async fn the_owner_of_a_receiver_that_cannot_be_reached_is_shown_the_same_whatever_the_cause() {
    let mut scene = Scene::start().await;
    scene.app.egress.net = Arc::new(Inside);
    scene.app.egress.allowed = pagesmith_model::network::Networks::default();
    let mut subscriptions = Vec::new();
    for (name, cause) in CAUSES {
        subscriptions.push((scene.subscribe_url(&format!("http://{name}/hook"), None).await, cause));
    }
    scene.happen().await;
    // Time that does not pass for the test: each attempt takes what any of them may take.
    let delivery = DeliveryConfig {
        unreachable_takes: Duration::from_millis(20),
        ..DeliveryConfig::new(Arc::new(Egress::new(&scene.app.egress)))
    };
    let lines = LogLines::default();
    let begun = tokio::time::Instant::now();
    {
        let _logged = lines.collect();
        delivery::drain(&pagesmith_worker::tools::Tools { delivery, ..scene.app.tools() }).await.unwrap();
    }
    assert!(begun.elapsed() >= Duration::from_millis(20), "none of them ends before");
    let log = lines.text();
    let mut shown = Vec::new();
    for (subscription, cause) in &subscriptions {
        let delivery = scene.deliveries(subscription).await.remove(0);
        let (id, event) =
            (subscription.path.rsplit('/').next().unwrap(), delivery["eventId"].as_str().unwrap());
        let line =
            log.lines().find(|line| line.contains(id)).unwrap_or_else(|| panic!("{id} is not in {log}"));
        assert!(line.contains(cause) && line.contains(event) && line.contains("attempt=1"), "{line}");
        shown.push(delivery["attempts"].clone());
    }
    shown.dedup();
    assert_eq!(shown.len(), 1, "{shown:#?}");
    insta::assert_snapshot!(format!("{:#}", shown[0]), @r#"
    [
      {
        "at": "2026-03-01T12:00:00.000Z",
        "durationMs": 20,
        "error": "The receiver could not be reached: its name, its address or the connection to it failed.",
        "number": 1,
        "response": null,
        "status": null
      }
    ]
    "#);
}
