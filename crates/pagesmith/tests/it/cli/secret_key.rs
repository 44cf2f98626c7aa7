//! `secret-key rotate`: in one go, interrupted, and beside a running server.

use std::path::PathBuf;
use std::process::Stdio;

use pagesmith_model::webhook::{Secret, signature};
use pagesmith_testkit::Receiver;
use pagesmith_testkit::receiver::Arrived;
use serde_json::{Value, json};

use crate::process::capture::Capture;
use crate::process::wire::Reply;
use crate::process::{Finished, Instance, KEY, Server, eventually};

const SUBSCRIPTIONS: &str = "/v0/webhook_subscriptions";

/// An instance with a receiver; its folder holds the key's file.
struct Scene {
    instance: Instance,
    receiver: Receiver,
    secret: Secret,
    _runtime: tokio::runtime::Runtime,
}

fn serve(instance: &Instance) -> Server {
    let file = instance.path().join("server.key");
    instance.serve_with(&[("EGRESS_ALLOW", "127.0.0.0/8"), ("SECRET_KEY_FILE", file.to_str().unwrap())])
}

/// Makes a subscription under an `Idempotency-Key`, as often as it is called.
#[track_caller]
fn subscribe(server: &Server, url: &str) -> Reply {
    let body = json!({ "url": url, "events": ["page.version.created"] }).to_string();
    let head = format!(
        "POST {SUBSCRIPTIONS} HTTP/1.1\r\nhost: api\r\nx-api-key: {KEY}\r\nidempotency-key: once\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let mut connection = server.connect();
    connection.send(head + &body).unwrap();
    connection.receive().unwrap().expect(201)
}

impl Scene {
    /// With a server that has a subscription to the receiver.
    fn start() -> (Scene, Server) {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let receiver = runtime.block_on(Receiver::start());
        let instance = Instance::new();
        let server = serve(&instance);
        let made = subscribe(&server, &receiver.url()).json();
        let secret = Secret::parse(made["signingSecret"].as_str().unwrap()).unwrap();
        (Scene { instance, receiver, secret, _runtime: runtime }, server)
    }

    fn file(&self) -> PathBuf {
        self.instance.path().join("server.key")
    }

    fn keys(&self) -> Vec<String> {
        std::fs::read_to_string(self.file()).unwrap().lines().map(str::to_owned).collect()
    }

    /// Rotates without waiting for servers.
    #[track_caller]
    fn rotate(&self, arguments: &[&str]) -> String {
        let mut command =
            self.instance.command(&[&["secret-key", "rotate", "--wait", "0s"], arguments].concat());
        command.env("PAGESMITH_SECRET_KEY_FILE", self.file());
        Finished::of(&mut command).success()
    }

    /// Lets an event happen, which must arrive with a signature of the secret that was shown at first; and the first
    /// answer is still given again.
    #[track_caller]
    fn is_well(&self, server: &Server) {
        let before = self.receiver.arrived().len();
        let page =
            server.post("/v0/pages", KEY, &pagesmith_testkit::fixtures::page("Well")).expect(201).json();
        let path = format!("/v0/pages/{}/audiences", page["pageId"].as_str().unwrap());
        server.post(&path, KEY, &json!({})).expect(201);
        let arrived: Arrived =
            eventually("a delivery arrives", || self.receiver.arrived().get(before).cloned());
        assert!(signature::verify_body(
            &self.secret,
            &arrived.body,
            arrived.header("x-webhook-signature-256")
        ));
        let seconds = arrived.header("webhook-timestamp").parse().unwrap();
        let (id, signatures) = (arrived.header("webhook-id"), arrived.header("webhook-signature"));
        assert!(signature::verify_standard(&self.secret, id, seconds, &arrived.body, signatures));
        let again = subscribe(server, &self.receiver.url()).json();
        assert_eq!(again["signingSecret"], Value::from(self.secret.expose()));
    }
}

#[test]
fn a_server_with_only_the_new_key_delivers_and_answers_as_before() {
    let (scene, server) = Scene::start();
    server.stop();
    let before = scene.keys();
    let said = scene.rotate(&[]);
    assert!(said.contains("sealed anew: 3;"), "{said}");
    let after = scene.keys();
    assert_eq!((before.len(), after.len()), (1, 1));
    assert_ne!(before, after);
    scene.is_well(&serve(&scene.instance));
}

#[test]
fn what_was_ended_after_any_step_goes_on_and_a_server_between_is_well() {
    let (scene, server) = Scene::start();
    server.stop();
    let first = scene.keys().remove(0);
    for (step, keys) in [("added", 2), ("used", 2), ("resealed", 2), ("forgotten", 1)] {
        scene.rotate(&["--until", step]);
        assert_eq!(scene.keys().len(), keys, "{step}");
        assert_eq!(scene.keys()[0] == first, step == "added", "{step}");
        let server = serve(&scene.instance);
        scene.is_well(&server);
        let mut doctor = scene.instance.command(&["doctor"]);
        let said = Finished::of(doctor.env("PAGESMITH_SECRET_KEY_FILE", scene.file())).success();
        assert_eq!(said.contains("`pagesmith secret-key rotate` ends what was begun"), keys == 2, "{said}");
        server.stop();
        // Only `rotate` without an end begins another one.
        let until_here = scene.keys();
        if keys == 2 {
            scene.rotate(&["--until", step]);
            assert_eq!(scene.keys(), until_here, "{step}");
        }
    }
}

#[test]
fn a_command_that_is_killed_leaves_a_server_well_and_is_run_again() {
    let (scene, server) = Scene::start();
    let mut command = scene.instance.command(&["secret-key", "rotate", "--wait", "1h"]);
    command.env("PAGESMITH_SECRET_KEY_FILE", scene.file()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let out = Capture::of(child.stdout.take().unwrap());
    out.wait_for("the first step", |text| text.contains("added a key").then_some(()));
    child.kill().unwrap();
    child.wait().unwrap();
    let keys = scene.keys();
    assert_eq!(keys.len(), 2);
    scene.is_well(&server);
    server.stop();
    scene.rotate(&[]);
    // The key that was added is the one that is used.
    assert_eq!(keys[1], format!("next {}", scene.keys().remove(0)));
    scene.is_well(&serve(&scene.instance));
}

#[test]
fn a_running_server_follows_the_file() {
    let (scene, server) = Scene::start();
    let followed = |times: usize| {
        server.err.wait_for("the server reads the file", |log| {
            (log.matches("the secret keys have changed").count() >= times).then_some(())
        });
    };
    for (times, step) in [(1, "added"), (2, "used"), (3, "forgotten")] {
        scene.rotate(&["--until", step]);
        followed(times);
        scene.is_well(&server);
    }
    // What it has sealed meanwhile opens without the old key, too.
    server.stop();
    scene.is_well(&serve(&scene.instance));
}

#[test]
fn keys_of_the_configuration_are_rotated_by_their_order() {
    let (scene, server) = Scene::start();
    server.stop();
    let old = scene.keys().remove(0);
    let new = "bmV3IG5ldyBuZXcgbmV3IG5ldyBuZXcgbmV3IG5ldyE=";
    let run = |keys: &str| {
        let mut command = scene.instance.command(&["secret-key", "rotate"]);
        command.env("PAGESMITH_SECRET_KEY", keys);
        Finished::of(&mut command)
    };
    let with =
        |keys: &str| scene.instance.serve_with(&[("EGRESS_ALLOW", "127.0.0.0/8"), ("SECRET_KEY", keys)]);
    assert!(run(&old).failure().contains("append a new one there"));
    let server = with(&format!("{old},{new}"));
    scene.is_well(&server);
    server.stop();
    assert!(run(&format!("{new},{old}")).success().contains("all keys but the first"));
    scene.is_well(&with(new));
    assert!(
        run("b3RoZXIgb3RoZXIgb3RoZXIgb3RoZXIgb3RoZXIgb3Q=")
            .failure()
            .contains("used with another server key")
    );
}
