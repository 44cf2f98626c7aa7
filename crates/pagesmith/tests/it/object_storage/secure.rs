//! A bucket of a server that speaks TLS, whose certificate the system does not trust by itself.

use std::io::Write;

use pagesmith_testkit::TestApp;
use pagesmith_worker::egress::roots_of_pem;

use super::settings::settings;
use super::{Server, TIME_LIMIT, bytes, storage_by};
use crate::process::{Finished, Instance, KEY as API_KEY};

#[tokio::test]
async fn files_come_and_go_by_tls() {
    let server = skip_without!(Server::start_secure());
    assert!(server.endpoint.starts_with("https://"), "{}", server.endpoint);
    let roots = roots_of_pem(server.certificate.as_bytes());
    let files = storage_by(Server::options(&server.endpoint), TIME_LIMIT, roots);
    files.try_out().await.unwrap();
    let app = TestApp::with(|plan| plan.files = Some(files)).await;
    let client = app.client();
    // One that is sent at once, and one in parts.
    for (name, size) in [("small", 100), ("large", 12 * 1024 * 1024 + 7)] {
        let sent = bytes(size, 1);
        let file = client.upload(name, &sent).await.expect(201).json();
        let path = format!("/v0/files/{}/content", file["fileId"].as_str().unwrap());
        assert!(client.get(&path).await.expect(200).bytes == sent, "{name}");
    }
    assert_eq!(server.content().len(), 2);
}

#[test]
fn a_certificate_that_nobody_trusts_is_told_and_a_file_of_authorities_helps() {
    let server = skip_without!(Server::start_secure());
    let instance = Instance::new();
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(server.certificate.as_bytes()).unwrap();
    let other = tempfile::NamedTempFile::new().unwrap();
    let doctor = |changes: &[(&str, &str)]| {
        let mut command = instance.command(&["doctor"]);
        command.envs(settings(&server.endpoint, &[changes, &[("ALLOW_HTTP", "false")]].concat()));
        Finished::of(&mut command)
    };
    let refused = doctor(&[]);
    let told = "nobody we trust has signed the certificate; correct files.s3.endpoint or files.s3.roots";
    assert!(format!("{}{}", refused.out, refused.err).contains(told), "{refused:?}");
    for (path, told) in [
        (other.path().to_str().unwrap(), "it has no certificate in PEM form"),
        ("/nowhere/roots.pem", "files.s3.roots = /nowhere/roots.pem"),
    ] {
        let refused = doctor(&[("ROOTS", path)]);
        assert!(format!("{}{}", refused.out, refused.err).contains(told), "{refused:?}");
    }
    let mut command = instance.serving();
    let trusted = [("ROOTS", file.path().to_str().unwrap()), ("ALLOW_HTTP", "false"), ("TIMEOUT", "30s")];
    command.envs(settings(&server.endpoint, &trusted));
    let running = crate::process::Server::start(command);
    running.post("/v0/files?name=a", API_KEY, &serde_json::json!({ "kept": "far away" })).expect(201);
    assert_eq!(server.content().len(), 1);
}
