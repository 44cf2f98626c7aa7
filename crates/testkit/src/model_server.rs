//! A server of models on a port of the machine: it speaks both forms of API, streams what the test says, and fails as the test says.
//!
//! It speaks HTTP by hand, because what is tested is what a web server would not do: to stop in the middle, to break off, to answer slowly.

use std::collections::{BTreeMap, VecDeque};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

mod acts;

pub use acts::Act;

/// The tokens that an answer counts as, read and written, unless a test decides otherwise.
pub const COUNTED: (u64, u64) = (900, 120);

/// A question that arrived.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The path.
    pub path: String,
    /// The headers, names in small letters.
    pub headers: BTreeMap<String, String>,
    /// The body.
    pub body: Value,
}

impl Asked {
    /// What the model is told as instructions.
    pub fn instructions(&self) -> String {
        let system = &self.body["system"];
        let system = if system.is_null() { &self.body["messages"][0]["content"] } else { system };
        system.as_str().unwrap().to_owned()
    }

    /// What it is told by the user.
    pub fn question(&self) -> String {
        let messages = self.body["messages"].as_array().unwrap();
        messages.last().unwrap()["content"].as_str().unwrap().to_owned()
    }
}

impl Asked {
    /// What it is told of the calls of its last answer.
    pub fn results(&self) -> Vec<String> {
        let messages = self.body["messages"].as_array().unwrap();
        let text = |value: &Value| value["content"].as_str().unwrap().to_owned();
        if let Some(parts) = messages.last().unwrap()["content"].as_array() {
            return parts.iter().map(text).collect();
        }
        let of_tools = messages.iter().rev().take_while(|message| message["role"] == "tool");
        let mut all: Vec<String> = of_tools.map(text).collect();
        all.reverse();
        all
    }
}

/// What comes back.
#[derive(Debug, Clone)]
pub enum Reply {
    /// This text, streamed to its end.
    Says(String),
    /// The beginning of this text; the rest when the test opens the gate.
    Waits(String, Arc<Notify>),
    /// The beginning of this text, and then the connection breaks.
    Breaks(String),
    /// This, part by part, where the model has tools.
    Acts(Vec<Act>),
    /// The model will not.
    Refuses,
    /// No stream but a status, with headers and a body.
    Status(u16, Vec<(&'static str, String)>, String),
}

#[derive(Default)]
struct Shared {
    asked: Mutex<Vec<Asked>>,
    replies: Mutex<VecDeque<Reply>>,
    counted: Mutex<Option<(u64, u64)>>,
    connections: Mutex<usize>,
    hung_up: Mutex<usize>,
    changed: Notify,
}

/// A running server; it ends with this.
pub struct ModelServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

impl ModelServer {
    /// A server that replies what it is told to, in turn; then 500 for ever.
    pub async fn start() -> ModelServer {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::<Shared>::default();
        let of_task = Arc::clone(&shared);
        let task = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                *of_task.connections.lock().unwrap() += 1;
                tokio::spawn(serve(stream, Arc::clone(&of_task)));
            }
        });
        ModelServer { address, shared, task }
    }

    /// Its address, as one would set it.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Lets it reply these next.
    pub fn reply(&self, replies: impl IntoIterator<Item = Reply>) {
        self.shared.replies.lock().unwrap().extend(replies);
    }

    /// Lets every answer count as so many tokens, read and written.
    pub fn count(&self, read: u64, written: u64) {
        *self.shared.counted.lock().unwrap() = Some((read, written));
    }

    /// Everything that it was asked, in order.
    pub fn asked(&self) -> Vec<Asked> {
        self.shared.asked.lock().unwrap().clone()
    }

    /// How many connections were made.
    pub fn connections(&self) -> usize {
        *self.shared.connections.lock().unwrap()
    }

    /// Waits until it has been asked that often.
    pub async fn wait_for(&self, count: usize) {
        self.until(|shared| shared.asked.lock().unwrap().len() >= count).await;
    }

    /// Waits until so many have hung up in the middle of an answer.
    pub async fn wait_for_hang_ups(&self, count: usize) {
        self.until(|shared| *shared.hung_up.lock().unwrap() >= count).await;
    }

    async fn until(&self, is_so: impl Fn(&Shared) -> bool) {
        loop {
            let changed = self.shared.changed.notified();
            tokio::pin!(changed);
            // From here on nothing is missed.
            changed.as_mut().enable();
            if is_so(&self.shared) {
                return;
            }
            changed.await;
        }
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Answers what comes on a connection, one after the other, until it ends.
async fn serve(mut stream: TcpStream, shared: Arc<Shared>) {
    while let Some(asked) = read(&mut stream).await {
        let is_chat = asked.path.ends_with("/chat/completions");
        shared.asked.lock().unwrap().push(asked);
        shared.changed.notify_waiters();
        let reply = shared.replies.lock().unwrap().pop_front();
        let reply = reply.unwrap_or(Reply::Status(500, vec![], String::new()));
        if answer(&mut stream, reply, is_chat, &shared).await.is_none() {
            return;
        }
    }
}

/// Sends a reply; nothing if the connection is over.
async fn answer(stream: &mut TcpStream, reply: Reply, is_chat: bool, shared: &Shared) -> Option<()> {
    let finish = if is_chat { "stop" } else { "tool_use" };
    let counted = shared.counted.lock().unwrap().unwrap_or(COUNTED);
    let events = |text: &str, finish: &str| events(is_chat, text, finish, counted);
    match reply {
        Reply::Says(text) => {
            begin(stream).await?;
            chunk(stream, &events(&text, finish)).await?;
            end(stream).await
        }
        Reply::Acts(acts) => {
            begin(stream).await?;
            let usage = json!({ "input_tokens": counted.0, "output_tokens": 1 });
            let opening = json!({ "type": "message_start", "message": { "usage": usage } });
            if !is_chat {
                chunk(stream, &line(&opening)).await?;
            }
            for (index, act) in acts.iter().enumerate() {
                if let Act::Waits(gate) = act {
                    wait(stream, gate, shared).await?;
                }
                for event in act.events(is_chat, index) {
                    chunk(stream, &line(&event)).await?;
                }
            }
            for event in acts::ending(is_chat, acts.iter().any(Act::is_call), counted) {
                chunk(stream, &line(&event)).await?;
            }
            end(stream).await
        }
        Reply::Refuses => {
            begin(stream).await?;
            let finish = if is_chat { "content_filter" } else { "refusal" };
            chunk(stream, &events("I cannot", finish)).await?;
            end(stream).await
        }
        Reply::Breaks(text) => {
            begin(stream).await?;
            let all = events(&text, finish);
            chunk(stream, &all[..all.floor_char_boundary(all.len() * 3 / 5)]).await?;
            None
        }
        Reply::Waits(text, gate) => {
            begin(stream).await?;
            let all = events(&text, finish);
            let (first, rest) = all.split_at(all.floor_char_boundary(all.len() * 3 / 5));
            chunk(stream, first).await?;
            wait(stream, &gate, shared).await?;
            chunk(stream, rest).await?;
            end(stream).await
        }
        Reply::Status(status, headers, body) => {
            let headers: String =
                headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
            let length = body.len();
            let head = format!("HTTP/1.1 {status} Said\r\n{headers}content-length: {length}\r\n\r\n{body}");
            stream.write_all(head.as_bytes()).await.ok()
        }
    }
}

/// Waits for the gate; nothing if the client hangs up meanwhile.
async fn wait(stream: &mut TcpStream, gate: &Notify, shared: &Shared) -> Option<()> {
    let mut byte = [0];
    tokio::select! {
        () = gate.notified() => Some(()),
        // Nobody sends anything while an answer comes: it is the end.
        _ = stream.read(&mut byte) => {
            *shared.hung_up.lock().unwrap() += 1;
            shared.changed.notify_waiters();
            None
        }
    }
}

async fn begin(stream: &mut TcpStream) -> Option<()> {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    stream.write_all(head.as_bytes()).await.ok()
}

async fn chunk(stream: &mut TcpStream, text: &str) -> Option<()> {
    stream.write_all(format!("{:x}\r\n{text}\r\n", text.len()).as_bytes()).await.ok()
}

async fn end(stream: &mut TcpStream) -> Option<()> {
    stream.write_all(b"0\r\n\r\n").await.ok()
}

/// Reads a request; nothing if none comes.
async fn read(stream: &mut TcpStream) -> Option<Asked> {
    let mut seen = Vec::new();
    let head = loop {
        if let Some(at) = seen.windows(4).position(|four| four == b"\r\n\r\n") {
            break at;
        }
        if stream.read_buf(&mut seen).await.ok()? == 0 {
            return None;
        }
    };
    let text = String::from_utf8(seen[..head].to_vec()).unwrap();
    let mut lines = text.lines();
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let header = |line: &str| {
        let (name, value) = line.split_once(':').unwrap();
        (name.to_ascii_lowercase(), value.trim().to_owned())
    };
    let headers: BTreeMap<String, String> = lines.map(header).collect();
    let length: usize = headers["content-length"].parse().unwrap();
    let mut body = seen.split_off(head + 4);
    while body.len() < length {
        if stream.read_buf(&mut body).await.ok()? == 0 {
            return None;
        }
    }
    Some(Asked { path, headers, body: serde_json::from_slice(&body).unwrap() })
}

/// The events by which an API says a text.
fn events(is_chat: bool, text: &str, finish: &str, (read, written): (u64, u64)) -> String {
    let letters: Vec<char> = text.chars().collect();
    let pieces: Vec<String> = letters.chunks(40).map(|piece| piece.iter().collect()).collect();
    let mut events = if is_chat { chat(&pieces, finish) } else { messages(&pieces) };
    if is_chat {
        events
            .push(json!({ "choices": [], "usage": { "prompt_tokens": read, "completion_tokens": written } }));
    } else {
        let usage = json!({ "input_tokens": read, "output_tokens": 1 });
        events.insert(0, json!({ "type": "message_start", "message": { "usage": usage } }));
        let delta = json!({ "stop_reason": finish });
        events
            .push(json!({ "type": "message_delta", "delta": delta, "usage": { "output_tokens": written } }));
        events.push(json!({ "type": "message_stop" }));
    }
    let mut all: String = events.iter().map(line).collect();
    if is_chat {
        all.push_str("data: [DONE]\n\n");
    }
    all
}

fn line(event: &Value) -> String {
    let name = event["type"].as_str().map(|name| format!("event: {name}\n")).unwrap_or_default();
    format!("{name}data: {event}\n\n")
}

fn chat(pieces: &[String], finish: &str) -> Vec<Value> {
    let choice = |delta: Value, finish: Value| json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }] });
    let said = pieces.iter().map(|piece| choice(json!({ "content": piece }), Value::Null));
    said.chain([choice(json!({}), json!(finish))]).collect()
}

fn messages(pieces: &[String]) -> Vec<Value> {
    let said = |piece: &String| {
        let delta = json!({ "type": "input_json_delta", "partial_json": piece });
        json!({ "type": "content_block_delta", "index": 0, "delta": delta })
    };
    pieces.iter().map(said).collect()
}
