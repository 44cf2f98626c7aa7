//! What an operator is told of a bucket: at the start, by `doctor`, by `backup`, and never its secret.

use super::{KEY, SECRET, Server};
use crate::process::{Instance, KEY as API_KEY};

/// An instance whose files are in that bucket, and the settings that say so.
pub(super) fn settings<'a>(endpoint: &'a str, changes: &[(&'a str, &'a str)]) -> Vec<(String, String)> {
    let usual = [
        ("BUCKET", "files"),
        ("ENDPOINT", endpoint),
        ("ACCESS_KEY_ID", KEY),
        ("SECRET_ACCESS_KEY", SECRET),
        ("ALLOW_HTTP", "true"),
        ("TIMEOUT", "5s"),
    ];
    let unchanged = usual.iter().filter(|(name, _)| changes.iter().all(|(changed, _)| changed != name));
    unchanged
        .chain(changes)
        .map(|(name, value)| (format!("PAGESMITH_FILES_S3_{name}"), (*value).to_owned()))
        .collect()
}

#[test]
fn a_server_with_a_bucket_starts_and_keeps_files_there() {
    let server = skip_without!(Server::start());
    let instance = Instance::new();
    let mut command = instance.serving();
    command.envs(settings(&server.endpoint, &[]));
    let running = crate::process::Server::start(command);
    running.post("/v0/files?name=a", API_KEY, &serde_json::json!({ "kept": "far away" })).expect(201);
    assert_eq!(server.content().len(), 1);
}

#[test]
fn a_bucket_that_cannot_be_used_is_told_in_one_sentence() {
    let server = skip_without!(Server::start());
    let instance = Instance::new();
    for (changes, told) in [
        (&[("BUCKET", "other")][..], "there is no such bucket: create it, or correct files.s3.bucket"),
        (&[("SECRET_ACCESS_KEY", "wrong")], "correct files.s3.secret_access_key"),
        (&[("ENDPOINT", "http://127.0.0.1:9")], "correct files.s3.endpoint"),
        (&[("ENDPOINT", "http://nowhere.invalid:9000")], "correct files.s3.endpoint"),
    ] {
        for arguments in [&["serve", "--listen", "127.0.0.1:0"][..], &["doctor"]] {
            let mut command = instance.command(arguments);
            command.envs(settings(&server.endpoint, changes));
            let finished = crate::process::Finished::of(&mut command);
            assert_eq!(finished.code, Some(1), "{changes:?}: {finished:?}");
            let said = format!("{}{}", finished.out, finished.err);
            let lines: Vec<&str> = said.lines().filter(|line| line.contains("the bucket")).collect();
            assert_eq!(lines.len(), 1, "{changes:?}: {said}");
            assert!(lines[0].contains(told), "{changes:?}: {said}");
            assert!(!said.contains(SECRET), "{said}");
        }
    }
}

#[test]
fn a_bucket_in_order_is_told_by_doctor_and_named_by_backup_and_its_secret_is_dots() {
    let server = skip_without!(Server::start());
    let instance = Instance::new();
    let run = |arguments: &[&str]| {
        let mut command = instance.command(arguments);
        command.envs(settings(&server.endpoint, &[]));
        crate::process::Finished::of(&mut command)
    };
    instance.run(&["migrate"]).success();
    let doctor = run(&["doctor"]);
    assert!(doctor.out.contains("files can be written and read"), "{doctor:?}");
    let shown = run(&["config", "show"]).success();
    assert!(shown.contains("files.s3.secret_access_key") && !shown.contains(SECRET), "{shown}");
    if pagesmith_testkit::database::is_postgres() {
        return;
    }
    let backup = run(&["backup", "copy.db"]).success();
    assert!(backup.contains("back up the bucket files by the means of its S3 server"), "{backup}");
    assert!(!instance.path().join("copy.db.files").exists());
    let restored = run(&["restore", "copy.db"]);
    let said = format!("{}{}", restored.out, restored.err);
    assert!(
        said.contains("the bucket files has to be of the time of the backup") || restored.code == Some(1),
        "{said}"
    );
}
