//! `listen`: the real program beside a real server and a local receiver.

use std::io::Write;
use std::process::{Child, ChildStdin, Stdio};

use pagesmith_model::webhook::{Secret, signature};
use pagesmith_testkit::receiver::Arrived;
use pagesmith_testkit::{Receiver, Script, fixtures};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::process::capture::Capture;
use crate::process::{Finished, Instance, KEY, Server, eventually};

/// Lets a version go live, with all events of that.
#[track_caller]
fn happen(server: &Server) {
    let page = server.post("/v0/pages", KEY, &fixtures::page("Told")).expect(201).json();
    let path = format!("/v0/pages/{}/audiences", page["pageId"].as_str().unwrap());
    let audience = server.post(&path, KEY, &json!({})).expect(201).json();
    let path = format!("{path}/{}", audience["audienceId"].as_str().unwrap());
    eventually("the version is live", || {
        let audience = server.get(&path, KEY).expect(200).json();
        (!audience["publishedVersion"].is_null()).then_some(())
    });
}

fn receiver() -> (tokio::runtime::Runtime, Receiver) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let receiver = runtime.block_on(Receiver::start());
    (runtime, receiver)
}

/// A program that listens; it is killed when this is dropped.
struct Listening {
    child: Child,
    keyboard: ChildStdin,
    out: Capture,
    err: Capture,
}

impl Listening {
    #[track_caller]
    fn start(instance: &Instance, server: &Server, arguments: &[&str]) -> Listening {
        let address = format!("http://{}", server.address);
        let mut command = instance.command(&[&["listen", "--server", &address], arguments].concat());
        command.env("PAGESMITH_KEY", KEY).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let keyboard = child.stdin.take().unwrap();
        let (out, err) =
            (Capture::of(child.stdout.take().unwrap()), Capture::of(child.stderr.take().unwrap()));
        out.wait_for("the program is ready", |text| text.contains("Ready.").then_some(()));
        Listening { child, keyboard, out, err }
    }

    fn secret(&self) -> Secret {
        let text = self.out.text();
        Secret::parse(text.lines().find_map(|line| line.strip_prefix("Signed with ")).unwrap()).unwrap()
    }

    fn type_in(&mut self, line: &str) {
        writeln!(self.keyboard, "{line}").unwrap();
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The deliveries of one kind, when there are so many of all kinds.
#[track_caller]
fn arrived(receiver: &Receiver, kind: &str, count: usize) -> Vec<Arrived> {
    eventually("events are sent on", || {
        let found: Vec<_> = receiver.arrived().into_iter().filter(|one| one.kind() == kind).collect();
        (found.len() >= count).then_some(found)
    })
}

const CREATED: &str = "page.version.created";

#[test]
fn events_are_shown_and_sent_on_signed_and_once_more_on_demand() {
    let (instance, (_runtime, receiver)) = (Instance::new(), receiver());
    let server = instance.serve();
    happen(&server);
    let mut listening = Listening::start(&instance, &server, &["--forward-to", &receiver.url()]);
    happen(&server);
    let one = arrived(&receiver, CREATED, 1).remove(0);
    let secret = listening.secret();
    let (id, seconds) =
        (one.header("webhook-id").to_owned(), one.header("webhook-timestamp").parse().unwrap());
    assert!(signature::verify_body(&secret, &one.body, one.header("x-webhook-signature-256")));
    assert!(signature::verify_standard(&secret, &id, seconds, &one.body, one.header("webhook-signature")));
    assert_eq!(one.json()["eventId"], id.as_str());
    assert_eq!(one.path, "/hook?from=pagesmith");
    listening.out.wait_for("the last event of the version", |text| {
        let (_, shown) = text.split_once("page.version.published")?;
        shown.contains("→ 204").then_some(())
    });
    let last = receiver.arrived().pop().unwrap();
    listening.type_in("r");
    let again = arrived(&receiver, &last.kind(), 2).pop().unwrap();
    assert_eq!(again.body, last.body);
    listening.type_in(&format!("r {id}"));
    let again = arrived(&receiver, CREATED, 2).pop().unwrap();
    assert_eq!(again.body, one.body);
    listening.type_in("r event_unknown");
    listening.out.wait_for("what it cannot do", |text| text.contains("no such event").then_some(()));
    let shown = listening.out.text();
    assert!(shown.contains(&format!("{CREATED}  {id}")) && shown.contains("\"payload\": {"), "{shown}");
    // What was there before was not sent on.
    assert_eq!(arrived(&receiver, CREATED, 2).len(), 2);
    kill_process(Pid::from_child(&listening.child), Signal::INT).unwrap();
    let ended = eventually("it ends", || listening.child.try_wait().unwrap());
    assert_eq!((ended.code(), listening.err.text().as_str()), (Some(0), ""));
}

#[test]
fn it_outlives_the_server_and_goes_on_where_it_was() {
    let (instance, (_runtime, receiver)) = (Instance::new(), receiver());
    let server = instance.serve();
    receiver.answer([Script::status(500)]);
    let listening = Listening::start(&instance, &server, &["--forward-to", &receiver.url(), "--since", "1h"]);
    happen(&server);
    // A receiver that refuses is told to whoever looks, and nothing is held up.
    listening.out.wait_for("the refusal", |text| text.contains("→ 500").then_some(()));
    arrived(&receiver, "page.version.published", 1);
    let address = server.address.to_string();
    server.kill();
    listening.err.wait_for("the trouble", |text| text.contains("Trying again").then_some(()));
    let mut command = instance.command(&["serve", "--listen", &address]);
    command.env("PAGESMITH_BOOTSTRAP_KEY", KEY);
    let server = Server::start(command);
    happen(&server);
    arrived(&receiver, "page.version.published", 2);
    listening.err.wait_for("the end of the trouble", |text| text.contains("answers again").then_some(()));
    let created = arrived(&receiver, CREATED, 2);
    assert_eq!(created.len(), 2);
    assert_ne!(created[0].body, created[1].body);
}

#[test]
fn what_cannot_work_is_told_in_a_line() {
    let instance = Instance::new();
    let server = instance.serve();
    let address = format!("http://{}", server.address);
    let listen = |key: Option<&str>, server: &str| {
        let mut command = instance.command(&["listen", "--forward-to", "127.0.0.1:1", "--server", server]);
        if let Some(key) = key {
            command.env("PAGESMITH_KEY", key);
        }
        Finished::of(&mut command)
    };
    assert!(listen(None, &address).failure().contains("PAGESMITH_KEY"));
    let wrong = listen(Some("ps_wrong"), &address);
    assert!(
        wrong.code == Some(1) && wrong.err.contains("does not take the key in PAGESMITH_KEY"),
        "{wrong:?}"
    );
    let elsewhere = listen(Some(KEY), &format!("{address}/nowhere"));
    assert!(elsewhere.code == Some(1) && elsewhere.err.contains("correct --server"), "{elsewhere:?}");
}
