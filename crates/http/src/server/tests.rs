//! Connections in a test's hand: bytes in any pieces, clients that do nothing, and a clock that jumps.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::TokioTimer;
use pagesmith_file_storage::Storage;
use pagesmith_operations::Platform;
use pagesmith_operations::access::KeyRing;
use pagesmith_operations::tenant_domains::check::NoNames;
use pagesmith_store::Store;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::connection::{self, Ending};
use crate::arrival::Arrival;
use crate::front::{App, app};
use crate::head::MAX_HEAD;
use crate::state::{Settings, Shared};

const WRITE_TIMEOUT: Duration = Duration::from_secs(15);
const LARGE: &str = "GET /docs HTTP/1.1\r\nhost: api\r\n\r\n";
const SMALL: &str = "GET /healthz HTTP/1.1\r\nhost: api\r\n\r\n";

pub(super) struct Server {
    pub(super) app: App,
    pub(super) stop: watch::Sender<bool>,
    _folder: TempDir,
}

impl Server {
    pub(super) fn new() -> Server {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open_inline(&folder.path().join("test.db")).unwrap();
        let keys = Arc::new(KeyRing::new(store.clone()));
        let (settings, files) = (Settings::usual("http://pagesmith.test"), Storage::in_memory());
        let state = Shared::new(settings, store, files, Platform::system(), keys, Arc::new(NoNames));
        Server { app: app(state), stop: watch::Sender::new(false), _folder: folder }
    }

    /// A connection whose way holds so many bytes in each direction.
    fn connect(&self, way: usize) -> (DuplexStream, JoinHandle<Ending>) {
        let (client, socket) = duplex(way);
        let (app, stopping) = (self.app.clone(), self.stop.subscribe());
        let serving = tokio::spawn(async move {
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new()).max_header_size(MAX_HEAD).max_buf_size(MAX_HEAD);
            let arrival = Arrival::over_connection(Ipv4Addr::LOCALHOST.into(), false, false);
            connection::serve(&http, app, socket, arrival, WRITE_TIMEOUT, stopping).await
        });
        (client, serving)
    }

    /// The statuses of all answers to these pieces, each of which is read before the next comes.
    async fn answers(&self, pieces: &[&[u8]]) -> Vec<String> {
        let (mut client, serving) = self.connect(1 << 20);
        for piece in pieces {
            client.write_all(piece).await.unwrap();
            tokio::task::yield_now().await;
        }
        client.shutdown().await.unwrap();
        let mut text = String::new();
        client.read_to_string(&mut text).await.unwrap();
        drop(client);
        assert_eq!(serving.await.unwrap(), Ending::Closed);
        let statuses: Vec<String> = text
            .split("HTTP/1.1 ")
            .filter_map(|answer| Some(answer.split_once(' ')?.0.to_owned()))
            .filter(|word| word.parse::<u16>().is_ok())
            .collect();
        assert_eq!(text.matches("x-request-id: req_").count(), statuses.len(), "{text}");
        statuses
    }
}

#[tokio::test]
async fn wherever_the_bytes_are_cut_the_answers_are_the_same() {
    let server = Server::new();
    let refused = [
        "hello\r\n\r\n",
        "GET /healthz HTTP/2.0\r\n\r\n",
        "GET /healthz HTTP/1.1\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nbad name: x\r\n\r\n",
        "PUT / HTTP/1.1\r\nhost: a\r\ncontent-length: x\r\n\r\n",
        "PUT / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nhost: a\r\nx:",
    ];
    for refused in refused {
        let stream = format!("{SMALL}{refused}");
        for cut in 0..=stream.len() {
            let (first, second) = stream.as_bytes().split_at(cut);
            let answers = server.answers(&[first, second]).await;
            assert_eq!(answers, ["200", "400"], "{refused:?} cut at {cut}");
        }
        let bytes: Vec<&[u8]> = stream.as_bytes().chunks(1).collect();
        assert_eq!(server.answers(&bytes).await, ["200", "400"], "{refused:?} byte by byte");
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_takes_nothing_has_so_much_time() {
    let server = Server::new();
    let (mut client, serving) = server.connect(1024);
    client.write_all(LARGE.as_bytes()).await.unwrap();
    let begun = Instant::now();
    assert_eq!(serving.await.unwrap(), Ending::Stalled);
    assert_eq!(begun.elapsed().as_secs(), WRITE_TIMEOUT.as_secs());
}

#[tokio::test(start_paused = true)]
async fn each_byte_taken_gives_it_that_time_anew() {
    let server = Server::new();
    let (mut client, serving) = server.connect(1024);
    client.write_all(LARGE.as_bytes()).await.unwrap();
    let mut taken = 0;
    for _ in 0..100 {
        tokio::time::sleep(WRITE_TIMEOUT - Duration::from_millis(10)).await;
        let mut bytes = [0; 1024];
        taken += client.read(&mut bytes).await.unwrap();
    }
    assert!(taken > 20_000, "{taken}");
    client.shutdown().await.unwrap();
    assert_eq!(serving.await.unwrap(), Ending::Closed);
}

#[tokio::test(start_paused = true)]
async fn a_head_that_has_begun_is_answered_when_its_time_is_over() {
    let server = Server::new();
    for (sent, statuses) in [
        ("", &[][..]),
        ("\r\n", &[]),
        ("GET /hea", &["408"]),
        ("\r\nHEAD / HTTP/1.1\r\nhost: a\r\n", &["408"]),
        (SMALL, &["200"]),
        (&format!("{SMALL}\n"), &["200"]),
        (&format!("{SMALL}G"), &["200", "408"]),
    ] {
        let (mut client, serving) = server.connect(1 << 20);
        client.write_all(sent.as_bytes()).await.unwrap();
        let mut text = String::new();
        client.read_to_string(&mut text).await.unwrap();
        assert_eq!(serving.await.unwrap(), Ending::Closed);
        let found: Vec<&str> = text.split("HTTP/1.1 ").skip(1).map(|answer| &answer[..3]).collect();
        assert_eq!(found, statuses, "{sent:?}: {text}");
        let has_body = text.contains("did not arrive in time");
        assert_eq!(has_body, statuses.contains(&"408") && !sent.contains("HEAD"), "{sent:?}: {text}");
    }
}

#[tokio::test(start_paused = true)]
async fn behind_an_answer_that_is_not_taken_a_head_is_not_answered() {
    let server = Server::new();
    let (mut client, serving) = server.connect(1024);
    client.write_all(format!("{LARGE}GET /hea").as_bytes()).await.unwrap();
    assert_eq!(serving.await.unwrap(), Ending::Stalled);
}

#[tokio::test(start_paused = true)]
async fn no_request_is_let_in_while_an_answer_waits_to_be_taken() {
    let server = Server::new();
    let (client, serving) = server.connect(192 * 1024);
    let (mut reader, mut writer) = tokio::io::split(client);
    let sending = tokio::spawn(async move {
        writer.write_all(LARGE.repeat(10_000).as_bytes()).await.unwrap();
        writer
    });
    tokio::time::sleep(WRITE_TIMEOUT / 2).await;
    let metrics = server.app.state().metrics.text().unwrap();
    let answered = metrics.lines().find(|line| line.starts_with("pagesmith_http_requests_total")).unwrap();
    let answered: u32 = answered.rsplit(' ').next().unwrap().parse().unwrap();
    // Two fill the way, one waits, and one may be ready behind it.
    assert!((3..=4).contains(&answered), "{answered} were made");
    let mut bytes = vec![0; 10_000];
    for _ in 0..100 {
        reader.read_exact(&mut bytes).await.unwrap();
    }
    drop(reader);
    sending.abort();
    drop(sending.await);
    serving.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_stop_waits_two_seconds_for_a_client_that_does_nothing() {
    let server = Server::new();
    let (mut unread, first) = server.connect(1024);
    unread.write_all(LARGE.as_bytes()).await.unwrap();
    // The answer has begun, and the rest of it finds no room.
    unread.read_exact(&mut [0; 20]).await.unwrap();
    let (mut half, second) = server.connect(1024);
    half.write_all(&SMALL.as_bytes()[..20]).await.unwrap();
    let (_untouched, third) = server.connect(1024);
    let (mut kept, fourth) = server.connect(1024);
    kept.write_all(SMALL.as_bytes()).await.unwrap();
    kept.read_exact(&mut [0; 20]).await.unwrap();
    let begun = Instant::now();
    server.stop.send_replace(true);
    for idle in [second, third, fourth] {
        assert_eq!(idle.await.unwrap(), Ending::Closed);
    }
    assert_eq!(begun.elapsed(), Duration::ZERO);
    assert_eq!(first.await.unwrap(), Ending::CutOff);
    assert!((2_000..2_300).contains(&begun.elapsed().as_millis()), "{:?}", begun.elapsed());
}
