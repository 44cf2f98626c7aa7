//! Connections of HTTP/2 in a test's hand: clients that ask too much, take nothing or give up, and a clock that jumps.

use std::net::Ipv4Addr;
use std::time::Duration;

use bytes::Bytes;
use h2::RecvStream;
use h2::client::{self, ResponseFuture, SendRequest};
use pagesmith_model::network;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::*;
use crate::arrival::Arrival;
use crate::counts::Permit;
use crate::server::streams::CREDIT;
use crate::server::tests::Server;

const SMALL: &str = "https://api.example/healthz";
const LARGE: &str = "https://api.example/docs";
const PEER: Ipv4Addr = Ipv4Addr::LOCALHOST;

fn options() -> ServeOptions {
    ServeOptions {
        max_connections: 10,
        header_timeout: Duration::from_secs(30),
        write_timeout: Duration::from_secs(15),
        shutdown_timeout: Duration::from_secs(20),
    }
}

/// A connection: the client's end of it, and what becomes of both.
struct Connected {
    client: SendRequest<Bytes>,
    /// Aborted, it reads no more.
    reading: JoinHandle<Result<(), h2::Error>>,
    serving: JoinHandle<Ending>,
}

/// A connection that is served, whose way holds so many bytes in each direction.
fn serve_over(server: &Server, way: usize) -> (DuplexStream, JoinHandle<Ending>) {
    let (socket, end) = duplex(way);
    let (app, stopping) = (server.app.clone(), server.stop.subscribe());
    let serving = tokio::spawn(async move {
        let (options, way) = (options(), Arrival::over_connection(PEER.into(), true, false));
        serve(&builder(&options), app, end, way, &options, stopping).await
    });
    (socket, serving)
}

/// The same with a client.
async fn connect_over(server: &Server, way: usize, builder: &client::Builder) -> Connected {
    let (socket, serving) = serve_over(server, way);
    let (client, connection) = builder.handshake(socket).await.unwrap();
    Connected { client, reading: tokio::spawn(connection), serving }
}

async fn connect(server: &Server) -> Connected {
    connect_over(server, 1 << 20, &client::Builder::new()).await
}

impl Connected {
    fn ask(&mut self, request: Request<()>) -> ResponseFuture {
        self.client.send_request(request, true).unwrap().0
    }

    fn get(&mut self, address: &str) -> ResponseFuture {
        self.ask(Request::get(address).body(()).unwrap())
    }
}

async fn text(mut body: RecvStream) -> String {
    let mut text = Vec::new();
    while let Some(bytes) = body.data().await {
        let bytes = bytes.unwrap();
        body.flow_control().release_capacity(bytes.len()).unwrap();
        text.extend_from_slice(&bytes);
    }
    String::from_utf8(text).unwrap()
}

#[tokio::test]
async fn refusals_have_a_body_and_an_id_and_the_connection_goes_on() {
    let server = Server::new();
    let mut connected = connect(&server).await;
    let long = "a".repeat(MAX_HEAD);
    let get = |uri: &str| Request::get(uri.to_owned());
    for (request, status) in [
        (get(SMALL), 200),
        (get(SMALL).header("host", "API.example"), 200),
        (get(SMALL).header("host", "other.example"), 400),
        (get("https://me@api.example/healthz"), 400),
        (get(SMALL).header("x-long", &long), 431),
        (get(&format!("{SMALL}?{long}")), 414),
        (get("https://api.example/v0/pages"), 401),
        (get(SMALL), 200),
    ] {
        let answer = connected.ask(request.body(()).unwrap()).await.unwrap();
        assert_eq!(answer.status(), status);
        let id = answer.headers()["x-request-id"].to_str().unwrap().to_owned();
        let body = text(answer.into_body()).await;
        assert!(status == 200 || body.contains(&id), "{body}");
    }
    drop(connected.client);
    assert_eq!(connected.serving.await.unwrap(), Ending::Closed);
}

/// A frame as it is sent: its type, its flags, its stream and what it carries.
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// What a client says first that opens no window.
fn preface() -> Vec<u8> {
    let no_window = [0, 4, 0, 0, 0, 0];
    [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(), frame(4, 0, 0, &no_window)].concat()
}

/// The head of a request, which has no body.
fn head_of(number: u32) -> Vec<u8> {
    // GET, https, and a path and a host that are written out.
    let fields = [&[0x82, 0x87, 0x04, 8][..], b"/healthz", &[0x01, 3], b"api"].concat();
    frame(1, 0b101, 2 * number + 1, &fields)
}

#[tokio::test]
async fn a_connection_has_so_many_requests_at_once() {
    let server = Server::new();
    let (mut socket, serving) = serve_over(&server, 1 << 20);
    let heads: Vec<u8> = (0..STREAMS + 20).flat_map(head_of).collect();
    socket.write_all(&[preface(), heads].concat()).await.unwrap();
    let (mut answered, mut refused) = (0, 0);
    while answered + refused < STREAMS + 20 {
        let mut head = [0; 9];
        socket.read_exact(&mut head).await.unwrap();
        let mut payload = vec![0; u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize];
        socket.read_exact(&mut payload).await.unwrap();
        match head[3] {
            1 => answered += 1,
            3 => {
                assert_eq!(payload, [0, 0, 0, 7], "REFUSED_STREAM");
                refused += 1;
            }
            _ => {}
        }
    }
    // Those that were answered still count, since nobody has taken the answers.
    assert_eq!((answered, refused), (STREAMS, 20));
    drop(socket);
    serving.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_head_that_never_ends_has_the_time_of_any_other() {
    let server = Server::new();
    let (mut socket, serving) = serve_over(&server, 1 << 20);
    // A head whose last part is still to come.
    let begun = frame(1, 0b001, 1, &[0x82, 0x87, 0x84]);
    socket.write_all(&[preface(), begun].concat()).await.unwrap();
    let begun = Instant::now();
    // It answers no pings either, and one of the two is noticed first.
    assert!(matches!(serving.await.unwrap(), Ending::Closed | Ending::Stalled));
    assert!(begun.elapsed() <= options().header_timeout + LAST_WAIT + LOOK, "{:?}", begun.elapsed());
    // Nor may its parts be without number.
    let (mut socket, serving) = serve_over(&server, 1 << 20);
    let begun = frame(1, 0b001, 1, &[0x82, 0x87, 0x84]);
    let part = frame(9, 0, 1, &[]);
    socket.write_all(&[preface(), begun, part.repeat(10_000)].concat()).await.unwrap();
    let begun = Instant::now();
    assert_eq!(serving.await.unwrap(), Ending::Closed);
    assert_eq!(begun.elapsed(), Duration::ZERO);
}

/// As many requests in flight as an address may have.
fn all_permits(server: &Server) -> Vec<Permit<std::net::IpAddr>> {
    let state = server.app.state();
    let limit = state.settings.connections_per_address;
    let origin = network::origin(PEER.into());
    std::iter::from_fn(|| state.requests_in_flight.take(origin, limit)).collect()
}

#[tokio::test]
async fn an_address_has_so_many_requests_on_all_its_connections() {
    let server = Server::new();
    let mut connected = connect(&server).await;
    let mut permits = all_permits(&server);
    let answer = connected.get(SMALL).await.unwrap();
    assert_eq!((answer.status().as_u16(), &answer.headers()["retry-after"]), (429, &"1".parse().unwrap()));
    assert!(text(answer.into_body()).await.contains("rate_limited"));
    permits.pop();
    let answer = connected.get(SMALL).await.unwrap();
    assert_eq!(answer.status(), 200);
    text(answer.into_body()).await;
    // It is given back, however often.
    assert_eq!(connected.get(SMALL).await.unwrap().status(), 200);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_opens_no_window_has_so_much_time() {
    let server = Server::new();
    let mut builder = client::Builder::new();
    builder.initial_window_size(0);
    let mut connected = connect_over(&server, 1 << 20, &builder).await;
    let begun = Instant::now();
    let _answer = connected.get(LARGE).await.unwrap();
    assert_eq!(connected.serving.await.unwrap(), Ending::Stalled);
    // It knows of the end for a while before it comes.
    let (least, most) = (options().write_timeout, options().write_timeout + LAST_WAIT + LOOK);
    assert!((least..=most).contains(&begun.elapsed()), "{:?}", begun.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_client_that_reads_no_more_has_so_much_time() {
    let server = Server::new();
    let (socket, serving) = serve_over(&server, 4096);
    let (mut client, mut connection) = client::handshake(socket).await.unwrap();
    let request = Request::get(LARGE).body(()).unwrap();
    let (answer, _) = client.send_request(request, true).unwrap();
    tokio::select! {
        answer = answer => drop(answer.unwrap().into_parts().0),
        _ = &mut connection => panic!("the connection has ended"),
    }
    // From here on the connection is not polled, and so nothing is read.
    let begun = Instant::now();
    assert_eq!(serving.await.unwrap(), Ending::Stalled);
    let (least, most) = (options().write_timeout, options().write_timeout + LAST_WAIT + LOOK);
    assert!((least..=most).contains(&begun.elapsed()), "{:?}", begun.elapsed());
    drop(connection);
}

#[tokio::test(start_paused = true)]
async fn each_byte_taken_gives_it_that_time_anew() {
    let server = Server::new();
    let mut builder = client::Builder::new();
    builder.initial_window_size(1);
    let mut connected = connect_over(&server, 1 << 20, &builder).await;
    let mut answer = connected.get(LARGE).await.unwrap();
    let begun = Instant::now();
    for _ in 0..100 {
        let bytes = answer.body_mut().data().await.unwrap().unwrap();
        tokio::time::sleep(options().write_timeout - Duration::from_millis(10)).await;
        answer.body_mut().flow_control().release_capacity(bytes.len()).unwrap();
    }
    assert!(begun.elapsed() > options().write_timeout * 90);
    assert!(!connected.serving.is_finished());
}

#[tokio::test(start_paused = true)]
async fn a_connection_on_which_nothing_is_asked_ends() {
    let server = Server::new();
    let mut connected = connect(&server).await;
    tokio::time::sleep(options().header_timeout / 2).await;
    text(connected.get(SMALL).await.unwrap().into_body()).await;
    let begun = Instant::now();
    assert_eq!(connected.serving.await.unwrap(), Ending::Closed);
    assert_eq!(begun.elapsed().as_secs(), options().header_timeout.as_secs());
    connected.reading.await.unwrap().unwrap();
    // Nor does one that never says what it speaks stay.
    let (_socket, serving) = serve_over(&server, 1024);
    let begun = Instant::now();
    assert_eq!(serving.await.unwrap(), Ending::Closed);
    assert!(begun.elapsed() <= options().header_timeout + LAST_WAIT + LOOK, "{:?}", begun.elapsed());
}

#[tokio::test(start_paused = true)]
async fn whoever_gives_up_again_and_again_loses_the_connection() {
    let server = Server::new();
    let mut builder = client::Builder::new();
    builder.max_concurrent_reset_streams(10_000).initial_window_size(0);
    let connected = connect_over(&server, 1 << 20, &builder).await;
    let mut given_up = 0;
    // Each is at work when it is given up: none of them is one that the library counts.
    while given_up < 1_000 && !connected.serving.is_finished() {
        let Ok(mut client) = connected.client.clone().ready().await else { break };
        let Ok((answer, mut stream)) = client.send_request(Request::get(LARGE).body(()).unwrap(), true)
        else {
            break;
        };
        drop(answer.await);
        stream.send_reset(h2::Reason::CANCEL);
        given_up += 1;
    }
    assert_eq!(connected.serving.await.unwrap(), Ending::Flooded);
    assert!(given_up <= CREDIT + 20, "{given_up}");
}

#[tokio::test(start_paused = true)]
async fn resets_before_anything_is_looked_at_end_the_connection() {
    let server = Server::new();
    let mut builder = client::Builder::new();
    builder.max_concurrent_reset_streams(10_000);
    let mut connected = connect_over(&server, 1 << 20, &builder).await;
    // All of them leave together with their resets.
    let mut answers = Vec::new();
    for _ in 0..STREAMS {
        let request = Request::get(SMALL).body(()).unwrap();
        let (answer, mut stream) = connected.client.send_request(request, true).unwrap();
        stream.send_reset(h2::Reason::CANCEL);
        answers.push(answer);
    }
    drop(answers);
    let ending = timeout(Duration::from_secs(10), &mut connected.serving).await;
    assert_eq!(ending.map(Result::unwrap), Ok(Ending::Closed));
    let told = connected.reading.await.unwrap().unwrap_err();
    assert_eq!(told.reason(), Some(h2::Reason::ENHANCE_YOUR_CALM));
}

#[tokio::test(start_paused = true)]
async fn a_stop_ends_idle_connections_and_waits_two_seconds_for_a_client_that_does_nothing() {
    let server = Server::new();
    let mut builder = client::Builder::new();
    builder.initial_window_size(0);
    let mut stalled = connect_over(&server, 1 << 20, &builder).await;
    let _answer = stalled.get(LARGE).await.unwrap();
    let mut idle = connect(&server).await;
    text(idle.get(SMALL).await.unwrap().into_body()).await;
    let begun = Instant::now();
    server.stop.send_replace(true);
    assert_eq!(idle.serving.await.unwrap(), Ending::Closed);
    assert_eq!(begun.elapsed(), Duration::ZERO);
    assert_eq!(stalled.serving.await.unwrap(), Ending::CutOff);
    assert!((2_000..2_300).contains(&begun.elapsed().as_millis()), "{:?}", begun.elapsed());
}
