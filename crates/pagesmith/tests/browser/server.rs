//! `pagesmith demo` as a process of its own, and what it prints.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;

use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;

/// The example, being served; it ends with the test.
pub struct Demo {
    process: Child,
    /// The links to its pages, in the order in which they were printed.
    pub links: Vec<String>,
    /// The link by which the first user of its console is made.
    pub set_up: String,
    /// The address of its API, and a key.
    api: (String, String),
    _folder: tempfile::TempDir,
}

impl Demo {
    /// Starts it on a free port with a database of its own.
    pub fn start() -> Demo {
        let folder = tempfile::tempdir().unwrap();
        let mut process = Command::new(env!("CARGO_BIN_EXE_pagesmith"))
            .args(["demo", "--listen", "127.0.0.1:0"])
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut log = process.stderr.take().unwrap();
        // The log is read to its end, so that the server never waits for a reader.
        thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
        let lines = BufReader::new(process.stdout.take().unwrap()).lines().map(Result::unwrap);
        let said: Vec<String> = lines.take_while(|line| !line.starts_with("Ctrl-C")).collect();
        let links = said.iter().filter_map(|line| Some(format!("http{}", line.split_once("http")?.1)));
        let links = links.filter(|link| link.contains("localhost")).collect();
        let set_up =
            said.iter().find_map(|line| Some(line.trim()).filter(|line| line.contains("/setup?token=")));
        let set_up = set_up.unwrap().to_owned();
        let call = said.iter().find_map(|line| line.split_once("curl -s ")).unwrap().1;
        let (api, rest) = call.split_once("/v0/pages").unwrap();
        let key = rest.split("x-api-key: ").nth(1).unwrap().trim_end_matches('\'');
        let api = (api.to_owned(), key.to_owned());
        Demo { process, links, set_up, api, _folder: folder }
    }

    /// What the API answers; everything but 2xx ends the test. Without a body it is asked by GET, else by POST.
    pub async fn call(&self, path: &str, body: Option<Value>) -> Value {
        let client: Client<_, Full<Bytes>> = Client::builder(TokioExecutor::new()).build_http();
        let method = if body.is_some() { "POST" } else { "GET" };
        let request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.api.0))
            .header("content-type", "application/json")
            .header("x-api-key", &self.api.1);
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let answer = client.request(request.body(Full::from(body)).unwrap()).await.unwrap();
        let status = answer.status();
        let bytes = answer.into_body().collect().await.unwrap().to_bytes();
        assert!(status.is_success(), "{path}: {status} {}", String::from_utf8_lossy(&bytes));
        serde_json::from_slice(&bytes).unwrap()
    }

    /// The data of the events that the API sends at a path until it ends the stream.
    pub async fn events(&self, path: &str) -> Vec<Value> {
        let client: Client<_, Full<Bytes>> = Client::builder(TokioExecutor::new()).build_http();
        let request = Request::get(format!("{}{path}", self.api.0))
            .header("accept", "text/event-stream")
            .header("x-api-key", &self.api.1);
        let answer = client.request(request.body(Full::default()).unwrap()).await.unwrap();
        let bytes = answer.into_body().collect().await.unwrap().to_bytes();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
        data.map(|data| serde_json::from_str(data).unwrap()).collect()
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
