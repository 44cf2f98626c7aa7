//! A receiver of webhooks that outlives every server and counts what it is told.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::Value;

/// A receiver in threads of its own, which outlives every server: how often each version was told of as created.
#[derive(Clone)]
pub struct Counter {
    pub address: SocketAddr,
    told: Arc<Mutex<BTreeMap<String, usize>>>,
}

impl Counter {
    pub fn start() -> Counter {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let counter = Counter { address: listener.local_addr().unwrap(), told: Arc::default() };
        let of = counter.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let of = of.clone();
                std::thread::spawn(move || of.serve(stream));
            }
        });
        counter
    }

    fn serve(&self, stream: TcpStream) -> Option<()> {
        let mut stream = BufReader::new(stream);
        loop {
            let mut length = 0;
            loop {
                let mut line = String::new();
                if stream.read_line(&mut line).ok()? == 0 {
                    return None;
                }
                let line = line.trim_end().to_ascii_lowercase();
                if let Some(given) = line.strip_prefix("content-length:") {
                    length = given.trim().parse().unwrap();
                }
                if line.is_empty() {
                    break;
                }
            }
            let mut body = vec![0; length];
            stream.read_exact(&mut body).ok()?;
            let event: Value = serde_json::from_slice(&body).unwrap();
            let version = event["payload"]["versionId"].as_str().unwrap().to_owned();
            *self.told.lock().unwrap().entry(version).or_default() += 1;
            stream.get_mut().write_all(b"HTTP/1.1 204 No Content\r\n\r\n").ok()?;
        }
    }

    /// How many of these versions it has not been told of.
    pub fn missing<'a>(&self, versions: impl IntoIterator<Item = &'a String>) -> usize {
        let told = self.told.lock().unwrap();
        versions.into_iter().filter(|id| !told.contains_key(*id)).count()
    }

    /// How often it was told what it had been told already.
    pub fn doubles(&self) -> usize {
        self.told.lock().unwrap().values().map(|times| times - 1).sum()
    }
}
