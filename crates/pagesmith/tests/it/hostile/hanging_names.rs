//! Webhooks of twelve tenants whose hosts' names are looked up for ever, as the tenant next door sees them: each of them has a few attempts, and
//! the neighbour's events arrive.

use std::future::pending;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use pagesmith_model::key::Scope;
use pagesmith_testkit::{Client, Receiver, TestApp};
use pagesmith_worker::delivery;
use pagesmith_worker::egress::{Dialling, Net, Resolving, System};
use serde_json::json;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::audiences;
use crate::process::TIME_LIMIT;

const ATTACKERS: usize = 12;
/// How many webhooks each of them has.
const WEBHOOKS: usize = 3;
/// How many events each webhook is told of.
const EVENTS: usize = 10;
/// How many attempts of a webhook are made at a time that has never succeeded.
const AT_A_TIME: usize = 8;

/// A network with a domain below which no name is ever found; it counts how often they are asked for.
struct Hanging {
    asked: watch::Sender<usize>,
    system: System,
}

impl Net for Hanging {
    fn resolve<'a>(&'a self, name: &'a str) -> Resolving<'a> {
        Box::pin(async move {
            if name.ends_with(".hanging.example") {
                self.asked.send_modify(|asked| *asked += 1);
                pending::<()>().await;
            }
            Ok(vec![IpAddr::V4(Ipv4Addr::LOCALHOST)])
        })
    }

    fn dial(&self, address: SocketAddr) -> Dialling<'_> {
        self.system.dial(address)
    }
}

/// Tells a webhook of every version that is made.
async fn subscribe(client: &Client, url: &str) {
    let body = json!({ "url": url, "events": ["page.version.created"] });
    client.post("/v0/webhook_subscriptions", &body).await.expect(201);
}

#[tokio::test]
async fn webhooks_whose_names_hang_take_a_few_attempts_each_and_nothing_from_others() {
    let mut app = TestApp::with(|plan| plan.settings.allowed_networks = "127.0.0.0/8".parse().unwrap()).await;
    let hanging = Arc::new(Hanging { asked: watch::Sender::new(0), system: System::default() });
    app.egress.net = Arc::clone(&hanging) as Arc<dyn Net>;
    // No attempt ends by itself, so only limits let others through.
    (app.egress.connect, app.egress.total) = (Duration::from_hours(1), Duration::from_hours(1));
    for number in 0..ATTACKERS {
        let tenant = format!("attacker-{number}");
        app.add_tenant(&tenant).await;
        let client = app.client_with(&app.add_key(&tenant, Scope::Write).await);
        for webhook in 0..WEBHOOKS {
            subscribe(&client, &format!("https://{webhook}.{tenant}.hanging.example/")).await;
        }
        let page = audiences::page(&client).await;
        for _ in 0..EVENTS {
            audiences::audience(&client, &page, &json!({})).await;
        }
    }
    let (stop, tools) = (watch::Sender::new(false), app.tools());
    let working = tokio::spawn(delivery::run(tools, stop.subscribe()));
    let most = ATTACKERS * WEBHOOKS * AT_A_TIME;
    let mut asked = hanging.asked.subscribe();
    timeout(TIME_LIMIT, asked.wait_for(|asked| *asked >= most)).await.expect("all of them hang").unwrap();
    let (neighbour, receiver) = (app.client(), Receiver::start().await);
    subscribe(&neighbour, &receiver.url()).await;
    let page = audiences::page(&neighbour).await;
    for count in 1..=10 {
        audiences::audience(&neighbour, &page, &json!({})).await;
        let arriving = async {
            loop {
                // While something is on its way, nothing is claimed for a moment after nothing was there; the clock has to leave it behind.
                app.advance(Duration::from_millis(10));
                if let Ok(arrived) = timeout(Duration::from_millis(50), receiver.wait_for(count)).await {
                    break arrived;
                }
            }
        };
        let arrived = timeout(TIME_LIMIT, arriving).await.expect("it arrives");
        assert_eq!(arrived.len(), count);
    }
    // Whatever waits behind what hangs has not been tried.
    assert_eq!(*hanging.asked.borrow(), most);
    assert!(most < ATTACKERS * WEBHOOKS * EVENTS);
    working.abort();
}
