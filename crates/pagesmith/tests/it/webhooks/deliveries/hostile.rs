//! Receivers that mean harm, on real sockets: whatever one of them does, its neighbour has its events at once, and the attempt ends.
//!
//! Every way in which an answer can be wrong is tested closer to the socket, in the worker's own tests.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::*;

/// A receiver that answers `head` and then `piece` as often as it can.
struct Hostile {
    url: String,
    sent: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl Hostile {
    async fn start(head: &'static [u8], piece: &'static [u8], pieces: usize) -> Hostile {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let sent = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&sent);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(flood(stream, head, piece, pieces, Arc::clone(&count)));
            }
        });
        Hostile { url, sent, task }
    }
}

impl Drop for Hostile {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn flood(mut stream: TcpStream, head: &[u8], piece: &[u8], pieces: usize, sent: Arc<AtomicUsize>) {
    let mut request = [0; 4096];
    if stream.read(&mut request).await.unwrap_or(0) == 0 || stream.write_all(head).await.is_err() {
        return;
    }
    for _ in 0..pieces {
        if stream.write_all(piece).await.is_err() {
            return;
        }
        sent.fetch_add(piece.len(), Ordering::Relaxed);
    }
    // Whoever wants to wait, waits.
    while stream.read(&mut request).await.is_ok_and(|count| count > 0) {}
}

/// What is shown of the attempt at a hostile receiver: status, error, length of the kept answer.
async fn attempted(scene: &Scene, of: &Subscription) -> (Value, String, usize) {
    let delivery = scene.deliveries(of).await.remove(0);
    let attempt = &delivery["attempts"][0];
    let error = attempt["error"].as_str().unwrap_or_default().to_owned();
    (attempt["status"].clone(), error, attempt["response"].as_str().unwrap_or_default().len())
}

#[tokio::test]
async fn a_hostile_receiver_costs_one_attempt_and_delays_nobody() {
    for (head, piece, pieces, status, error, kept) in [
        (&b""[..], &b""[..], 0, None, "no answer in time", 0),
        (b"HTTP/1.1 200 OK\r\n", b"x-more: and more\r\n", usize::MAX, None, "not HTTP", 0),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n", usize::MAX, None, "not HTTP", 0),
        (b"HTTP/1.1 500 Oh\r\ncontent-length: 314572800\r\n\r\n", &[b'a'; 4096], 76_800, Some(500), "", 4096),
        (
            b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
            b"5\r\nhello\r\n",
            usize::MAX,
            Some(200),
            "",
            4096,
        ),
        (b"SSH-2.0-x\r\n", b"", 0, None, "not HTTP", 0),
    ] {
        let mut scene = Scene::start().await;
        if head.is_empty() && piece.is_empty() {
            // It is waited for, but not for fifteen seconds.
            scene.app.egress.total = Duration::from_millis(400);
        }
        let hostile = Hostile::start(head, piece, pieces).await;
        let victim = scene.subscribe_url(&hostile.url, None).await;
        let well = scene.subscribe(None).await;
        scene.happen().await;
        scene.deliver().await;
        let (seen, said, length) = attempted(&scene, &victim).await;
        assert_eq!((seen, length), (json!(status), kept), "{said}");
        assert!(said.contains(error) && (error.is_empty() == said.is_empty()), "{said}");
        assert!(hostile.sent.load(Ordering::Relaxed) < 16 * 1024 * 1024, "nobody takes all of it");
        assert_eq!(attempted(&scene, &well).await.0, 204);
    }
}
