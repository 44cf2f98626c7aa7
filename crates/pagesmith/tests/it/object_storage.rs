//! Files in a bucket of a real S3 server, which the test command installs, and what happens when that server fails.
//!
//! Where the test command has found none, these tests say so and do nothing.

/// What is needed for a test, which ends here without it.
macro_rules! skip_without {
    ($needed:expr) => {
        match $needed {
            Some(needed) => needed,
            None => return,
        }
    };
}

mod breaker;
mod faults;
mod kept;
mod model;
mod secure;
mod settings;

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use pagesmith_file_storage::{BucketOptions, Storage};
use pagesmith_testkit::app::Plan;
use pagesmith_testkit::{Program, TestApp};
use pagesmith_worker::egress::{self, Objects};
use pagesmith_worker::tasks::TASKS;
use rcgen::{CertificateParams, KeyPair};
use rustls::RootCertStore;
use tempfile::TempDir;
use tokio::runtime::Handle;

const KEY: &str = "AKIATEST";
const SECRET: &str = "hunter2-of-the-bucket";
const BUCKET: &str = "files";

/// How long an answer may take where nothing is broken.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// An S3 server with an empty bucket; it ends with this.
struct Server {
    _process: Program,
    endpoint: String,
    folder: TempDir,
    /// The certificate that it has, in PEM form; empty: it speaks no TLS.
    certificate: String,
    _keys: TempDir,
}

#[expect(clippy::disallowed_methods, reason = "the test command says where the program is")]
fn program() -> Option<String> {
    std::env::var("PAGESMITH_TEST_RCLONE").ok()
}

impl Server {
    /// A server that checks signatures, or nothing where the test command has found none.
    fn start() -> Option<Server> {
        Server::start_with(None)
    }

    /// The same by TLS, with a certificate of its own.
    fn start_secure() -> Option<Server> {
        let key = KeyPair::generate().unwrap();
        let own = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap().self_signed(&key).unwrap();
        Server::start_with(Some((own.pem(), key.serialize_pem())))
    }

    fn start_with(pair: Option<(String, String)>) -> Option<Server> {
        let program = program()?;
        let keys = tempfile::tempdir().unwrap();
        let mut options = Vec::new();
        if let Some((certificate, key)) = &pair {
            for (option, text) in [("--cert", certificate), ("--key", key)] {
                let path = keys.path().join(option.trim_start_matches('-'));
                std::fs::write(&path, text).unwrap();
                options.extend([option.into(), path]);
            }
        }
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join(BUCKET)).unwrap();
        let mut command = Command::new(program);
        command
            .args(["serve", "s3", "--config", "/dev/null", "--addr", "127.0.0.1:0", "--dir-cache-time", "0s"])
            // Parts are kept until they become an object, as by most servers.
            .arg("--disable-multipart-streaming")
            .args(["--auth-key", &format!("{KEY},{SECRET}")])
            .args(options)
            .arg(folder.path());
        let is_address = |part: &&str| part.starts_with("http://") || part.starts_with("https://");
        let process = Program::start(&mut command, |line| {
            Some(line.split(['[', ']']).find(is_address)?.trim_end_matches('/').to_owned())
        });
        let endpoint = process.address.clone();
        let certificate = pair.map(|(certificate, _)| certificate).unwrap_or_default();
        Some(Server { _process: process, endpoint, folder, certificate, _keys: keys })
    }

    /// The bucket at that address, for whoever is given it.
    fn options(endpoint: &str) -> BucketOptions {
        BucketOptions {
            endpoint: Some(endpoint.to_owned()),
            name: BUCKET.to_owned(),
            region: "us-east-1".to_owned(),
            access_key_id: KEY.to_owned(),
            secret_access_key: SECRET.to_owned(),
            is_in_path: true,
            time_limit: TIME_LIMIT,
        }
    }

    /// What the bucket holds by the server's own means: paths and sizes, the object with which it was tried out left aside.
    fn content(&self) -> Vec<(PathBuf, u64)> {
        let mut found = Vec::new();
        walk(&self.folder.path().join(BUCKET), &mut found);
        found.retain(|(path, _)| !path.to_string_lossy().contains("pagesmith"));
        found.sort();
        found
    }
}

/// Collects the files below a folder. What the server removes meanwhile is not there.
fn walk(folder: &Path, found: &mut Vec<(PathBuf, u64)>) {
    let Some(entries) = if_there(std::fs::read_dir(folder)) else { return };
    for entry in entries.flatten() {
        match if_there(entry.metadata()) {
            Some(facts) if facts.is_dir() => walk(&entry.path(), found),
            Some(facts) => found.push((entry.path(), facts.len())),
            None => {}
        }
    }
}

fn if_there<T>(read: io::Result<T>) -> Option<T> {
    match read {
        Ok(read) => Some(read),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => panic!("{error}"),
    }
}

/// The bucket, where an answer may take that long.
fn storage(options: BucketOptions, time_limit: Duration) -> Storage {
    storage_by(options, time_limit, None)
}

/// The same of a server with a certificate that these authorities have signed.
fn storage_by(options: BucketOptions, time_limit: Duration, roots: Option<Arc<RootCertStore>>) -> Storage {
    let outwards = egress::Options { total: time_limit, roots, ..egress::Options::new("".parse().unwrap()) };
    let way = Objects::new(&outwards, Arc::new(egress::System::default()), Handle::current());
    Storage::in_bucket(options, way).unwrap()
}

/// A plan with files in the bucket at that address.
fn in_bucket(endpoint: String) -> impl FnOnce(&mut Plan) {
    move |plan| {
        plan.files = Some(storage(Server::options(&endpoint), TIME_LIMIT));
        // On a busy machine a large upload takes longer than callers wait in earnest.
        plan.settings.request_timeout = 2 * TIME_LIMIT;
    }
}

/// Runs the tasks that remove bytes.
async fn sweep(app: &TestApp) {
    for task in TASKS.iter().filter(|task| task.name.ends_with("_files")) {
        task.run(&app.tools()).await.unwrap();
    }
}

/// Bytes of that many, none like the one before.
fn bytes(size: usize, seed: u8) -> Vec<u8> {
    (0..size).map(|at| (at as u8).wrapping_mul(31).wrapping_add((at >> 8) as u8).wrapping_add(seed)).collect()
}
