//! A database whose server key is not there, or is another one: refused by everything that needs the key, until the key is back or given up.

use std::path::PathBuf;
use std::process::Command;

use pagesmith_model::hexadecimal::hexadecimal;
use pagesmith_model::seal::{SecretKey, seal};
use pagesmith_testkit::database;
use serde_json::{Value, json};

use crate::process::{Finished, Instance, KEY, Server};

const SUBSCRIPTIONS: &str = "/v0/webhook_subscriptions";
const HOOK: &str = "/v0/enrichment_hook";
/// A host name with a certificate.
const NAME: &str = "pages.acme.example";
/// A user with an authenticator app.
const USER: &str = "user_01jd3kq5b8e7vr2n4x6m9s0twz";
const OTHER_KEY: &str = "b3RoZXIgb3RoZXIgb3RoZXIgb3RoZXIgb3RoZXIgb3Q=";

/// An instance whose database holds something of everything that is sealed; the server has stopped.
struct Scene {
    instance: Instance,
    /// The path of the subscription.
    subscription: String,
    /// The slug of somebody who was erased.
    erased: String,
}

fn call(server: &Server, method: &str, path: &str, body: &Value) -> (u16, Value) {
    let reply = server.connect().call(method, path, Some(KEY), Some(body)).unwrap();
    (reply.status, reply.json())
}

/// A subscription by a request that names itself.
fn subscribe(server: &Server) -> (u16, Value) {
    let body = json!({ "url": "https://example.com/hook" }).to_string();
    let head = format!(
        "POST {SUBSCRIPTIONS} HTTP/1.1\r\nhost: api\r\nx-api-key: {KEY}\r\nidempotency-key: once\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let mut connection = server.connect();
    connection.send(head + &body).unwrap();
    let reply = connection.receive().unwrap();
    (reply.status, reply.json())
}

fn person(server: &Server) -> Value {
    server.post("/v0/persons", KEY, &json!({ "name": "Jane Doe" , "email": "jane@acme.example" })).json()
}

impl Scene {
    fn start() -> Scene {
        let instance = Instance::new();
        let scene = Scene { instance, subscription: String::new(), erased: String::new() };
        let server = scene.serve();
        let (status, made) = subscribe(&server);
        assert_eq!(status, 201, "{made}");
        let jane = person(&server);
        scene.run(&["person", "erase", jane["personId"].as_str().unwrap(), "--yes"]).success();
        let model_key = scene.instance.path().join("model.key");
        std::fs::write(&model_key, "sk-of-a-model").unwrap();
        let model = ["--kind", "anthropic", "--model", "m", "--key-file", model_key.to_str().unwrap()];
        scene.run(&[&["tenant", "agent", "default"], &model[..]].concat()).success();
        let (status, hook) = call(&server, "PUT", HOOK, &json!({ "url": "https://example.com/enrich" }));
        assert_eq!(status, 200, "{hook}");
        server.stop();
        scene.seal_past_the_server();
        let subscription = format!("{SUBSCRIPTIONS}/{}", made["subscriptionId"].as_str().unwrap());
        Scene { subscription, erased: jane["slug"].as_str().unwrap().to_owned(), ..scene }
    }

    /// A certificate, and the authenticator app of a user, as a server with this key leaves them.
    fn seal_past_the_server(&self) {
        let key = SecretKey::from_base64(std::fs::read_to_string(self.file()).unwrap().trim()).unwrap();
        let sealed = |bound: String, number: u8| {
            let sealed = hexadecimal(&seal(&key, [number; 24], bound.as_bytes(), b"secret"));
            if database::is_postgres() { format!("'\\x{sealed}'") } else { format!("X'{sealed}'") }
        };
        let statements = format!(
            "INSERT INTO certificates (name, directory, sealed_key, failures, next_step_at, created_at)
             VALUES ('{NAME}', 'https://ca.example/', {}, 0, 0, 0);
             INSERT INTO users (user_id, email, name, language, sealed_totp, created_at)
             VALUES ('{USER}', 'ada@acme.example', 'Ada', 'en', {}, 0)",
            sealed(format!("certificates {NAME}"), 1),
            sealed(format!("users totp {USER}"), 2),
        );
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(database::execute_at(&self.instance.database, &statements));
    }

    fn file(&self) -> PathBuf {
        self.instance.path().join("server.key")
    }

    fn with_file(&self, mut command: Command) -> Command {
        command.env("PAGESMITH_SECRET_KEY_FILE", self.file());
        command
    }

    fn run(&self, arguments: &[&str]) -> Finished {
        Finished::of(&mut self.with_file(self.instance.command(arguments)))
    }

    fn serve(&self) -> Server {
        Server::start(self.with_file(self.instance.serving()))
    }

    /// Why a start is refused.
    #[track_caller]
    fn refused(&self, change: impl FnOnce(&mut Command)) -> String {
        let mut command = self.with_file(self.instance.serving());
        change(&mut command);
        let finished = Finished::of(&mut command);
        assert_eq!((finished.code, finished.out.as_str()), (Some(1), ""), "{}", finished.err);
        finished.err.lines().last().unwrap().to_owned()
    }

    /// What `doctor` says of the key.
    fn doctor(&self) -> (Option<i32>, String) {
        let found = self.run(&["doctor"]);
        let line = found.out.lines().find(|line| line.contains("secret key")).unwrap().to_owned();
        (found.code, line)
    }
}

#[test]
fn a_start_without_the_key_or_with_another_one_is_refused_and_makes_none() {
    let scene = Scene::start();
    let key = std::fs::read_to_string(scene.file()).unwrap();
    let (_, well) = scene.doctor();
    let fingerprint = well.rsplit(' ').next().unwrap().to_owned();
    assert!(well.starts_with("OK ") && fingerprint.len() == 8, "{well}");
    std::fs::remove_file(scene.file()).unwrap();

    let absent = scene.refused(|_| {});
    for part in [
        &format!("the key {fingerprint}"),
        "1 webhook subscription,",
        "1 tenant's model and 1 certificate,",
        "1 authenticator app,",
        "1 enrichment hook,",
        "1 kept answer ",
        "1 address ",
        &format!("there is no file {}", scene.file().display()),
        "--secret-key-file",
        "PAGESMITH_SECRET_KEY",
        "--accept-new-key",
    ] {
        assert!(absent.contains(part), "{part}: {absent}");
    }
    assert!(!scene.file().exists(), "no new key is made");
    let other = scene.refused(|command| {
        command.env("PAGESMITH_SECRET_KEY", OTHER_KEY);
    });
    assert!(
        other.contains(&fingerprint) && other.contains("the setting secret_key holds the key"),
        "{other}"
    );
    std::fs::write(scene.file(), OTHER_KEY).unwrap();
    let other = scene.refused(|_| {});
    assert!(other.contains("server.key holds the key") && !other.contains(OTHER_KEY), "{other}");

    let (code, line) = scene.doctor();
    assert!(code == Some(1) && line.starts_with("FAIL") && line.contains(&fingerprint), "{line}");
    let sheet = scene.instance.path().join("persons.csv");
    std::fs::write(&sheet, "Name,Email\nJane Doe,jane@acme.example\n").unwrap();
    let sheet = sheet.to_str().unwrap();
    let model_key = scene.instance.path().join("model.key");
    let model_key = model_key.to_str().unwrap();
    for command in [
        &["import", "persons", sheet, "--tenant", "default"][..],
        &["person", "erase", "person_01jd3kq5b8e7vr2n4x6m9s0twz", "--yes"],
        &["tenant", "agent", "default", "--kind", "openai", "--model", "m", "--key-file", model_key],
        &["secret-key", "rotate", "--wait", "0s"],
    ] {
        let failure = scene.run(command).failure();
        assert!(failure.contains("used with another server key"), "{command:?}: {failure}");
    }

    // The key at the place where earlier versions made it is named.
    std::fs::create_dir_all(scene.instance.path().join("data")).unwrap();
    let before = scene.instance.path().join("data/pagesmith.key");
    std::fs::write(&before, &key).unwrap();
    let advice = scene.refused(|_| {});
    assert!(advice.contains("data/pagesmith.key holds the right key"), "{advice}");
    let mut command = scene.instance.serving();
    command.args(["--secret-key-file", "data/pagesmith.key"]);
    let server = Server::start(command);
    assert_eq!(subscribe(&server).0, 201);
}

#[test]
fn a_key_that_is_given_up_is_given_up_once_and_everything_goes_on() {
    let scene = Scene::start();
    std::fs::write(scene.file(), OTHER_KEY).unwrap();
    let mut command = scene.with_file(scene.instance.serving());
    command.arg("--accept-new-key");
    let server = Server::start(command);
    let log = server.err.text();
    let id = scene.subscription.rsplit('/').next().unwrap();
    let given_up: Vec<&str> = log.lines().filter(|line| line.contains("given up")).collect();
    assert_eq!(given_up.len(), 6, "{log}");
    assert!(given_up[0].contains(id) && given_up[0].contains("rotate_secret"), "{log}");
    assert!(given_up[1].contains("tenant_") && given_up[1].contains("--key-file"), "{log}");
    assert!(given_up[2].contains(NAME) && given_up[2].contains("ordered anew"), "{log}");
    assert!(given_up[3].contains(USER) && given_up[3].contains("recovery code"), "{log}");
    assert!(given_up[4].contains("tenant_") && given_up[4].contains("PUT /v0/enrichment_hook"), "{log}");
    assert!(given_up[5].contains("\"answers\":1") && given_up[5].contains("\"erased\":1"), "{log}");
    assert_eq!(server.get(HOOK, KEY).json()["active"], json!(false));
    let (status, hook) = call(&server, "PUT", HOOK, &json!({ "url": "https://example.com/enrich" }));
    assert!(status == 200 && hook["active"] == true && hook["signingSecret"].is_string(), "{hook}");

    // What was done is not done twice.
    let (status, refusal) = subscribe(&server);
    assert_eq!(status, 409, "{refusal}");
    assert!(refusal["detail"].as_str().unwrap().contains("was carried out"), "{refusal}");
    assert_eq!(server.get(SUBSCRIPTIONS, KEY).json()["items"].as_array().unwrap().len(), 1);
    let subscription = || server.get(&scene.subscription, KEY).expect(200).json();
    let stats = || server.get(&format!("{}/stats", scene.subscription), KEY).expect(200).json();
    assert_eq!(
        (&subscription()["active"], &stats()["deactivatedBecause"]),
        (&json!(false), &json!("secret_lost"))
    );
    let activate = || call(&server, "PATCH", &scene.subscription, &json!({ "active": true }));
    let (status, refusal) = activate();
    assert!(status == 409 && refusal["detail"].as_str().unwrap().contains("rotate_secret"), "{refusal}");
    let rotate = format!("{}/rotate_secret", scene.subscription);
    let (status, rotated) = call(&server, "POST", &rotate, &json!({}));
    assert!(status == 200 && rotated["signingSecret"].as_str().unwrap().starts_with("whsec_"), "{rotated}");
    assert_eq!(activate().0, 200);
    assert_eq!(stats()["deactivatedBecause"], Value::Null);
    // That is what was said: a namesake may have the address.
    assert_eq!(person(&server)["slug"], json!(scene.erased));
    server.stop();

    let shown = scene.run(&["tenant", "agent", "default"]).success();
    assert!(shown.contains("lost with the server's key"), "{shown}");
    assert_eq!(scene.doctor().0, Some(0), "{}", scene.doctor().1);
    // Said once more, there is nothing left to give up.
    let mut command = scene.with_file(scene.instance.serving());
    command.arg("--accept-new-key");
    let server = Server::start(command);
    assert!(!server.err.text().contains("given up"), "{}", server.err.text());
    assert_eq!(server.get(&scene.subscription, KEY).json()["active"], json!(true));
}

#[test]
fn a_running_server_keeps_its_key_when_the_file_gets_another_one() {
    let scene = Scene::start();
    let server = scene.serve();
    std::fs::write(scene.file(), OTHER_KEY).unwrap();
    server.err.wait_for("the server looks at the file", |log| {
        log.contains("the key file holds another key than this database was used with").then_some(())
    });
    assert_eq!(subscribe(&server).0, 201);
}

#[test]
fn a_start_from_another_folder_finds_the_same_key() {
    let instance = Instance::new();
    let config = instance.path().join("pagesmith.toml");
    std::fs::write(&config, "secret_key_file = \"keys/my.key\"\n").unwrap();
    let config = config.to_str().unwrap();
    let serve = |folder: &std::path::Path, arguments: &[&str]| {
        let mut command = instance.serving();
        command.args(arguments).current_dir(folder);
        Server::start(command)
    };
    let elsewhere = tempfile::tempdir().unwrap();
    serve(instance.path(), &["--config", config]).stop();
    assert!(instance.path().join("keys/my.key").exists());
    serve(elsewhere.path(), &["--config", config]).stop();
    if database::is_postgres() {
        let instance = Instance::new();
        let start = |folder: &std::path::Path| {
            let mut command = instance.serving();
            command.current_dir(folder);
            Server::start(command).stop();
        };
        start(instance.path());
        assert!(instance.path().join("pagesmith/pagesmith.key").exists());
        start(elsewhere.path());
        let mut command = instance.serving();
        command.env_remove("XDG_DATA_HOME").env_remove("HOME");
        let finished = Finished::of(&mut command);
        assert!(finished.code == Some(1) && finished.err.contains("set secret_key_file"), "{}", finished.err);
    }
}
