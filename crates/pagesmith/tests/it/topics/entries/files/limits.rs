//! The limits of the process that reads files are those of the settings.

use std::fs;
use std::io::Cursor;

use image::{DynamicImage, GrayImage, ImageFormat};
use serde_json::json;

use super::{entry_of, samples};
use crate::process::{Instance, KEY, Server, eventually};

/// How this server's process with a command was called, if there is one.
fn called(server: &Server, command: &str) -> Option<String> {
    let parent = format!("PPid:\t{}\n", server.pid().as_raw_nonzero());
    fs::read_dir("/proc").unwrap().find_map(|process| {
        let folder = process.ok()?.path();
        let words = fs::read_to_string(folder.join("cmdline")).ok()?.replace('\0', " ");
        let is_own =
            words.contains(command) && fs::read_to_string(folder.join("status")).ok()?.contains(&parent);
        is_own.then_some(words)
    })
}

#[test]
fn the_settings_reach_the_processes_that_read_files() {
    let settings = [("FILES_READING_MEMORY_MIB", "300"), ("FILES_READING_SECONDS", "7")];
    let instance = Instance::new();
    let server = instance.serve_with(&settings);
    let limits = "--seconds 7 --memory-mib 300";
    // It takes its time to read a document of so many words.
    let words = samples::docx_of(&samples::paragraph("", "Words and more of them.").repeat(100_000));
    let file = server.connect().upload(KEY, "words.docx", &words).unwrap().expect(201).json();
    let topic = server.post("/v0/topics", KEY, &json!({ "title": "Words" })).expect(201).json();
    let entries = format!("/v0/topics/{}/entries", topic["topicId"].as_str().unwrap());
    let entry = server.post(&entries, KEY, &entry_of(&file)).expect(201).json();
    let refresh = format!("{entries}/{}/refresh", entry["topicEntryId"].as_str().unwrap());
    let how = eventually("a document is read", || {
        // A machine that is very fast reads it once more.
        server.post(&refresh, KEY, &json!({}));
        called(&server, "read-document")
    });
    assert!(how.contains(limits), "{how}");
    let mut picture = Cursor::new(Vec::new());
    DynamicImage::ImageLuma8(GrayImage::new(3_000, 2_000)).write_to(&mut picture, ImageFormat::Png).unwrap();
    let mut picture = picture.into_inner();
    let how = eventually("a picture is read", || {
        // What stands behind its end makes it another one.
        picture.push(0);
        server.connect().upload(KEY, "a.png", &picture).unwrap().expect(201);
        called(&server, "read-picture")
    });
    assert!(how.contains(limits), "{how}");
    server.stop();
}
