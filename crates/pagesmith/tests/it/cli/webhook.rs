//! `webhook verify`: what arrived, checked by hand.

use std::io::Write;
use std::process::Stdio;

use pagesmith_model::webhook::{Secret, signature};
use pagesmith_operations::Platform;

use crate::process::{Finished, Instance};

const BODY: &[u8] = br#"{"timestamp":"2026-03-01T12:00:00.000Z","eventId":"event_1","payload":{}}"#;
const SECONDS: i64 = 1_772_366_400;

fn secret() -> Secret {
    Secret::new([5; 32])
}

/// The command, told the body in a file or on standard input.
fn verify(arguments: &[&str], body: &[u8], is_file: bool) -> Finished {
    let instance = Instance::at("sqlite:there-is-none.db".to_owned());
    let secret = secret();
    let mut command = instance.command(&["webhook", "verify", "--secret", secret.expose()]);
    command.args(arguments);
    if is_file {
        std::fs::write(instance.path().join("body.json"), body).unwrap();
        return Finished::of(command.arg("body.json"));
    }
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(body).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Finished { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

#[test]
fn a_right_signature_is_right_in_both_forms_from_a_file_and_from_standard_input() {
    let of_body = signature::of_body(&secret(), BODY);
    let standard = signature::standard([&secret()], "event_1", SECONDS, BODY);
    let (seconds, other) = (SECONDS.to_string(), Secret::new([6; 32]));
    // During an overlap there are several, of which one is enough.
    let several = signature::standard([&other, &secret()], "event_1", SECONDS, BODY);
    for is_file in [true, false] {
        for arguments in [
            vec!["--signature", &of_body],
            vec!["--signature", &standard, "--id", "event_1", "--timestamp", &seconds],
            vec!["--signature", &several, "--id", "event_1", "--timestamp", &seconds],
        ] {
            let said = verify(&arguments, BODY, is_file).success();
            assert!(said.starts_with("The signature is right.\n"), "{arguments:?}: {said}");
        }
    }
}

#[test]
fn an_old_timestamp_is_told() {
    let now = Platform::system().clock().now().as_millis() / 1_000;
    for (seconds, is_told) in [(now, false), (now - 60, false), (SECONDS, true), (now + 600, true)] {
        let (signature, text) =
            (signature::standard([&secret()], "event_1", seconds, BODY), seconds.to_string());
        let arguments = ["--signature", &signature, "--id", "event_1", "--timestamp", &text];
        let said = verify(&arguments, BODY, false).success();
        assert_eq!(said.contains("more than five minutes"), is_told, "{said}");
    }
    // The other form covers no time.
    let of_body = signature::of_body(&secret(), BODY);
    assert_eq!(verify(&["--signature", &of_body], BODY, false).success(), "The signature is right.\n");
}

#[test]
fn a_wrong_signature_body_id_or_time_is_refused() {
    let of_body = signature::of_body(&secret(), BODY);
    let of_other = signature::of_body(&Secret::new([6; 32]), BODY);
    let standard = signature::standard([&secret()], "event_1", SECONDS, BODY);
    let (seconds, later) = (SECONDS.to_string(), (SECONDS + 1).to_string());
    let changed = [BODY, b"\n"].concat();
    for (arguments, body) in [
        (vec!["--signature", &of_other], BODY),
        (vec!["--signature", &of_body], &changed),
        (vec!["--signature", "sha256="], BODY),
        (vec!["--signature", "nonsense", "--id", "event_1", "--timestamp", &seconds], BODY),
        (vec!["--signature", &standard, "--id", "event_2", "--timestamp", &seconds], BODY),
        (vec!["--signature", &standard, "--id", "event_1", "--timestamp", &later], BODY),
        (vec!["--signature", &standard, "--id", "event_1", "--timestamp", &seconds], &changed),
    ] {
        for is_file in [true, false] {
            let failure = verify(&arguments, body, is_file).failure();
            assert!(failure.contains("not this body's"), "{arguments:?}: {failure}");
        }
    }
}

#[test]
fn what_is_missing_is_named() {
    let failure = verify(&["--signature", "v1,AAAA"], BODY, true).failure();
    assert!(failure.contains("--id and --timestamp"), "{failure}");
    let failure = verify(&["--signature", "sha256=00", "nowhere.json"], BODY, false).failure();
    assert!(failure.contains("nowhere.json cannot be read"), "{failure}");
}
