//! Files that are broken, protected, or made to harm: each costs itself, and is told why it was not read.

use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use pagesmith_documents::{Kind, Refusal};
use pagesmith_testkit::TestApp;
use pagesmith_worker::limited_process::documents::{DocumentReader, Unread};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::{log, pending, samples};
use crate::process::bare;
use crate::topics::entries::topic;

const BROKEN: &str = "The file could not be understood.";
const NO_TEXT: &str = "The file has no text.";

fn reader() -> DocumentReader {
    DocumentReader::new(env!("CARGO_BIN_EXE_pagesmith").into())
}

/// What a reader makes of bytes.
async fn read(reader: &DocumentReader, kind: Kind, bytes: Vec<u8>) -> Result<String, Unread> {
    let bytes = futures_util::stream::iter([Ok(Bytes::from(bytes))]).boxed();
    reader.read(kind, bytes).await.map(|document| document.text)
}

/// Zeros, packed as a stream of a PDF may be.
fn packed_zeros(mebibytes: usize) -> Vec<u8> {
    let mut packing = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    for _ in 0..mebibytes {
        packing.write_all(&[b' '; 1024 * 1024]).unwrap();
    }
    packing.finish().unwrap()
}

/// A PDF whose only page has other objects than usual.
fn pdf_with(at: usize, object: Vec<u8>) -> Vec<u8> {
    let mut objects = samples::page_objects(b"BT /F1 10 Tf 72 720 Td (Words) Tj ET");
    objects[at - 1] = object;
    samples::pdf_of(&objects, "")
}

fn pages(count: usize) -> Vec<u8> {
    let mut objects = samples::page_objects(b"BT /F1 10 Tf 72 720 Td (Words) Tj ET");
    let page = objects[2].clone();
    let first = objects.len() + 1;
    let kids: String = (first..first + count).map(|at| format!("{at} 0 R ")).collect();
    objects[1] =
        format!("<< /Type /Pages /Kids [{kids}] /Count {count} /MediaBox [0 0 612 792] >>").into_bytes();
    objects.extend(std::iter::repeat_n(page, count));
    samples::pdf_of(&objects, "")
}

#[tokio::test]
async fn what_cannot_be_read_has_failed_with_its_reason() {
    let app = TestApp::start().await;
    let client = app.client();
    let (_, entries) = topic(&client, "Files").await;
    let (pdf, docx) = (samples::pdf(), samples::docx());
    let protected = samples::pdf_of(
        &[
            samples::page_objects(b""),
            vec![
                format!("<< /Filter /Standard /V 1 /R 2 /P -4 /O ({0}) /U ({0}) >>", "x".repeat(32))
                    .into_bytes(),
            ],
        ]
        .concat(),
        "/Encrypt 11 0 R /ID [(0123456789abcdef) (0123456789abcdef)]",
    );
    let name: Vec<u8> = samples::utf_16("EncryptedPackage");
    let ole = |inside: &[u8]| [b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", &[0; 504][..], inside].concat();
    let unread = |media_type: &str| {
        format!(
            "Files of the type {media_type} are not read: PDF, DOCX, PPTX, HTML, Markdown, plain text and CSV are."
        )
    };
    let bomb = samples::docx_of(&"<w:p/>".repeat(12 * 1024 * 1024));
    assert!(bomb.len() < 1024 * 1024);
    let entities = "<!DOCTYPE a [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>";
    for (name, bytes, reason) in [
        ("blank.md", b" \n\t\n".to_vec(), NO_TEXT.to_owned()),
        ("cut.pdf", pdf[..pdf.len() / 3].to_vec(), BROKEN.to_owned()),
        ("cut.docx", docx[..docx.len() / 2].to_vec(), BROKEN.to_owned()),
        ("protected.pdf", protected, "The file is protected by a password.".to_owned()),
        ("protected.docx", ole(&name), "The file is protected by a password.".to_owned()),
        (
            "old.doc",
            ole(b"WordDocument"),
            "The file has a format that Office had before 2007: save it as DOCX or PPTX.".to_owned(),
        ),
        (
            "archive.docx",
            samples::archive(&[("a.txt", b"words")]),
            "The file is an archive without a DOCX or PPTX document.".to_owned(),
        ),
        ("photo.pdf", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(), unread("image/png")),
        ("unknown.bin", vec![0, 1, 2, 3, 200], unread("application/octet-stream")),
        (
            "binary.txt",
            vec![0, 1, 2, 3, 200, 7, 8, 9],
            "The file is named as text and holds something else.".to_owned(),
        ),
        ("bomb.docx", bomb, "The file unpacks to more than 64 MiB.".to_owned()),
        (
            "entities.docx",
            samples::archive(&[("_rels/.rels", entities.as_bytes())]),
            "The file is an archive without a DOCX or PPTX document.".to_owned(),
        ),
        (
            "deep.html",
            format!("<!doctype html>{}x", "<div>".repeat(20_000)).into_bytes(),
            "The file is nested too deeply.".to_owned(),
        ),
        ("pages.pdf", pages(2_001), "The file has more than 2,000 pages.".to_owned()),
        (
            "none.pdf",
            pdf_with(2, b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000 >>".to_vec()),
            BROKEN.to_owned(),
        ),
    ] {
        let path = pending(&client, &entries, name, &bytes).await;
        app.run_due_work().await;
        let (status, reading) = log(&client, &path).await;
        assert_eq!(
            (status.as_str(), reading["reason"].as_str().unwrap()),
            ("failed", reason.as_str()),
            "{name}"
        );
    }
    // Another file is read as ever.
    let path = pending(&client, &entries, "a.pdf", &pdf).await;
    app.run_due_work().await;
    assert_eq!(log(&client, &path).await.0, "success");
}

#[tokio::test]
async fn a_file_that_lies_about_its_format_is_what_its_bytes_are() {
    let app = TestApp::start().await;
    let client = app.client();
    let (_, entries) = topic(&client, "Files").await;
    for (name, bytes) in [
        ("a.docx", samples::pdf()),
        ("a.pdf", samples::docx()),
        ("a.txt", samples::pptx()),
        ("a.pdf", b"Just some words that are no PDF at all.".to_vec()),
        ("a.csv", samples::HTML.as_bytes().to_vec()),
    ] {
        let path = pending(&client, &entries, name, &bytes).await;
        app.run_due_work().await;
        assert_eq!(log(&client, &path).await.0, "success", "{name}");
    }
}

#[tokio::test]
async fn loops_and_bombs_end_their_own_process() {
    let mut reader = reader();
    reader.memory_mib = 256;
    let form = |content: &[u8]| {
        samples::stream(
            "/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /X 5 0 R >> >>",
            content,
        )
    };
    let zeros = samples::stream("/Filter /FlateDecode", &packed_zeros(400));
    assert!(zeros.len() < 4 * 1024 * 1024);
    let itself = b"<< /Type /Page /Parent 3 0 R /Contents 5 0 R >>".to_vec();
    let deep = format!("<< /Type /Catalog /Pages 2 0 R /X {}{} >>", "[".repeat(100_000), "]".repeat(100_000));
    for (what, bytes) in [
        ("a form that draws itself", pdf_with(5, form(b"/X Do"))),
        ("a stream of 400 MiB", pdf_with(5, zeros)),
        ("a page that is its own parent", pdf_with(3, itself)),
        ("arrays within arrays", pdf_with(1, deep.into_bytes())),
    ] {
        let refused = read(&reader, Kind::Pdf, bytes).await.unwrap_err();
        let expected = [
            Unread::TooMuch,
            Unread::TooLong,
            Unread::Refused(Refusal::Broken),
            Unread::Refused(Refusal::Empty),
        ];
        assert!(expected.contains(&refused), "{what}: {refused:?}");
    }
    let refused =
        read(&reader, Kind::Office, samples::docx_of(&"<w:p>".repeat(8_000_000))).await.unwrap_err();
    assert!([Unread::TooMuch, Unread::Refused(Refusal::Broken)].contains(&refused), "{refused:?}");
    // 2,000 pages are read, and a text beyond what is kept is cut.
    assert!(read(&reader, Kind::Pdf, pages(2_000)).await.unwrap().contains("Words"));
    let long = "Words and more of them. ".repeat(20_000);
    assert_eq!(read(&reader, Kind::Plain, long.into_bytes()).await.unwrap().chars().count(), 200_000);
}

#[tokio::test(start_paused = true)]
async fn a_document_is_waited_for_only_so_long() {
    let never = futures_util::stream::pending().boxed();
    assert_eq!(reader().read(Kind::Pdf, never).await, Err(Unread::TooLong));
}

#[tokio::test]
async fn a_process_that_cannot_be_started_may_be_there_later() {
    let unread = read(&DocumentReader::new("/nowhere/pagesmith".into()), Kind::Plain, b"x".to_vec())
        .await
        .unwrap_err();
    assert_eq!((unread, unread.may_pass()), (Unread::NotStarted, true));
    // A program that answers something else has not read it.
    let other = DocumentReader::new("/bin/echo".into());
    assert_eq!(read(&other, Kind::Plain, b"x".to_vec()).await, Err(Unread::Refused(Refusal::Broken)));
}

fn command(memory_mib: &str, seconds: &str) -> Command {
    let mut command = bare(env!("CARGO_BIN_EXE_pagesmith").as_ref());
    command.args(["read-document", "--kind", "plain", "--memory-mib", memory_mib, "--seconds", seconds]);
    command
        .env("MIMALLOC_ARENA_RESERVE", "0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command
}

#[test]
fn the_process_limits_its_own_memory_time_and_files() {
    let mut child = command("512", "7").spawn().unwrap();
    let limits = format!("/proc/{}/limits", child.id());
    let mut input = child.stdin.take().unwrap();
    // It has read this once it has set its limits: more than a pipe holds was taken.
    input.write_all(&vec![b'x'; 1024 * 1024]).unwrap();
    let limits = std::fs::read_to_string(limits).unwrap();
    // The program itself takes some hundred mebibytes in a debug build.
    let line = limits.lines().find(|line| line.starts_with("Max address space")).unwrap();
    let most: u64 = line["Max address space".len()..].split_whitespace().next().unwrap().parse().unwrap();
    assert!((512..1_536).contains(&(most / 1024 / 1024)), "{line}");
    for (name, soft, hard) in [
        ("Max cpu time", "7", "8"),
        ("Max open files", "0", "0"),
        ("Max file size", "0", "0"),
        ("Max core file size", "0", "0"),
    ] {
        let line = limits.lines().find(|line| line.starts_with(name)).unwrap();
        let values: Vec<&str> = line[name.len()..].split_whitespace().take(2).collect();
        assert_eq!(values, [soft, hard], "{name}");
    }
    drop(input);
    let answer = child.wait_with_output().unwrap();
    assert!(answer.status.success() && answer.stdout.starts_with(b"{\"read\":"));
    // Too little memory and too little time are signals.
    let large = vec![b'x'; 60 * 1024 * 1024];
    for (memory_mib, seconds, expected) in [("256", "60", 6), ("2048", "1", 24)] {
        let mut child = command(memory_mib, seconds).spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(&large);
        let status = child.wait().unwrap();
        assert_eq!(status.signal(), Some(expected), "{memory_mib} {seconds}: {status}");
    }
}

/// What is done to a document at random.
#[derive(Debug, Clone)]
enum Damage {
    Cut(usize),
    Overwrite(usize, Vec<u8>),
    Insert(usize, Vec<u8>),
    Repeat(usize, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let bytes = || {
        let signs = prop::sample::select(vec![
            &b"<"[..],
            b">>",
            b"[",
            b"0 R",
            b"\0",
            b"endobj",
            b"stream",
            b"-1",
            b"99999999999",
        ]);
        prop_oneof![prop::collection::vec(any::<u8>(), 1..8), signs.prop_map(<[u8]>::to_vec)]
    };
    prop_oneof![
        1 => any::<usize>().prop_map(Damage::Cut),
        4 => (any::<usize>(), bytes()).prop_map(|(at, bytes)| Damage::Overwrite(at, bytes)),
        2 => (any::<usize>(), bytes()).prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
        1 => (any::<usize>(), 1..200_usize).prop_map(|(at, length)| Damage::Repeat(at, length)),
    ]
}

fn damaged(mut bytes: Vec<u8>, damages: &[Damage]) -> Vec<u8> {
    for damage in damages {
        let length = bytes.len().max(1);
        match damage {
            Damage::Cut(at) => bytes.truncate(at % length),
            Damage::Overwrite(at, with) => {
                for (place, byte) in bytes.iter_mut().skip(at % length).zip(with) {
                    *place = *byte;
                }
            }
            Damage::Insert(at, with) => {
                drop(bytes.splice(at % length..at % length, with.iter().copied()));
            }
            Damage::Repeat(at, length_of) => {
                let at = at % length;
                let part = bytes[at..bytes.len().min(at + length_of)].to_vec();
                bytes.splice(at..at, part);
            }
        }
    }
    bytes
}

#[test]
fn a_damaged_document_is_read_or_refused_and_never_keeps_anybody_waiting() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut reader = reader();
    reader.time_limit = Duration::from_secs(10);
    let samples = [
        (Kind::Pdf, samples::pdf()),
        (Kind::Office, samples::docx()),
        (Kind::Office, samples::pptx()),
        (Kind::Html, samples::HTML.as_bytes().to_vec()),
        (Kind::Csv, b"a;b\n1;\"2\n3\"\n".to_vec()),
    ];
    for (kind, sample) in samples {
        let mut runner =
            TestRunner::new(Config { cases: 24, failure_persistence: None, ..Config::default() });
        let damages = prop::collection::vec(damage(), 1..6);
        let outcome = runner.run(&damages, |damages| {
            let bytes = damaged(sample.clone(), &damages);
            match runtime.block_on(read(&reader, kind, bytes)) {
                Ok(text) => prop_assert!(!text.trim().is_empty() && !text.contains('\0')),
                Err(unread) => prop_assert!(!unread.may_pass() && unread != Unread::TooLong, "{:?}", unread),
            }
            Ok(())
        });
        outcome.unwrap();
    }
}
