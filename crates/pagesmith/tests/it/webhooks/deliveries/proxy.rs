//! The program behind a proxy: everything that leaves goes through it, and the environment's own proxies are not looked at.

use std::io::{Read, Write, copy};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use pagesmith_testkit::{Receiver, fixtures};
use serde_json::json;

use crate::process::{Instance, KEY, Server, eventually};

/// A proxy that takes nothing but CONNECT; and what it was asked for.
struct Proxy {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    fn start() -> Proxy {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let proxy = Proxy { address: listener.local_addr().unwrap(), asked: Arc::default() };
        let asked = Arc::clone(&proxy.asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let asked = Arc::clone(&asked);
                std::thread::spawn(move || serve(stream, &asked));
            }
        });
        proxy
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(mut stream: TcpStream, asked: &Mutex<Vec<String>>) -> Option<()> {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).ok()?;
        head.push(byte[0]);
    }
    let line = String::from_utf8(head).unwrap().lines().next().unwrap().to_owned();
    asked.lock().unwrap().push(line.clone());
    let target = line.strip_prefix("CONNECT ")?.strip_suffix(" HTTP/1.1")?;
    let target = TcpStream::connect(target).ok()?;
    stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").ok()?;
    let (mut from, mut to) = (stream.try_clone().ok()?, target.try_clone().ok()?);
    let there = std::thread::spawn(move || {
        drop(copy(&mut from, &mut to));
        drop(to.shutdown(Shutdown::Write));
    });
    drop(copy(&mut &target, &mut stream));
    drop(stream.shutdown(Shutdown::Write));
    there.join().ok()
}

#[test]
fn deliveries_leave_through_the_proxy_that_is_set_and_no_other() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let receiver = runtime.block_on(Receiver::start());
    let (instance, set, elsewhere) = (Instance::new(), Proxy::start(), Proxy::start());
    let mut command = instance.serving();
    command.env("PAGESMITH_EGRESS_ALLOW", "127.0.0.0/8");
    command.env("PAGESMITH_EGRESS_PROXY", format!("http://{}", set.address));
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"] {
        command.env(name, format!("http://{}", elsewhere.address));
    }
    let server = Server::start(command);
    server.post("/v0/webhook_subscriptions", KEY, &json!({ "url": receiver.url() })).expect(201);
    let page = server.post("/v0/pages", KEY, &fixtures::page("Told")).expect(201).json();
    let path = format!("/v0/pages/{}/audiences", page["pageId"].as_str().unwrap());
    server.post(&path, KEY, &json!({})).expect(201);
    eventually("deliveries arrive", || (receiver.arrived().len() >= 3).then_some(()));
    let host = receiver.url().replace("http://", "");
    let expected = format!("CONNECT {} HTTP/1.1", host.split('/').next().unwrap());
    let asked = set.asked();
    assert!(!asked.is_empty() && asked.iter().all(|line| *line == expected), "{asked:?}");
    assert_eq!(elsewhere.asked(), <[String; 0]>::default());
}
