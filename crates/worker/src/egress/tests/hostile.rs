//! Receivers that mean harm: each costs a bounded time and a bounded amount of memory.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::*;

/// Sends `head` and then `piece` again and again, each after `pause`, as long as anybody takes it; tells how many bytes were taken.
fn flooding(
    head: &'static [u8],
    piece: &'static [u8],
    pause: Duration,
    taken: &Arc<Mutex<usize>>,
) -> impl Fn(SocketAddr, DuplexStream) + Send + Sync + 'static {
    let taken = Arc::clone(taken);
    move |_, mut stream| {
        let taken = Arc::clone(&taken);
        tokio::spawn(async move {
            let has_asked = stream.read(&mut [0; 1024]).await.is_ok_and(|count| count > 0);
            if !has_asked || stream.write_all(head).await.is_err() {
                return;
            }
            while stream.write_all(piece).await.is_ok() {
                *taken.lock().unwrap() += piece.len();
                if !pause.is_zero() {
                    sleep(pause).await;
                }
            }
        });
    }
}

/// What a call to a host that floods gave, after how many seconds, and how many bytes were taken beyond the head.
async fn flooded<T>(
    (head, piece, pause): (&'static [u8], &'static [u8], Duration),
    call: impl AsyncFnOnce(&Scene) -> T,
) -> (T, u64, usize) {
    let taken = Arc::default();
    let scene = Scene::new(flooding(head, piece, pause, &taken));
    let begun = Instant::now();
    let given = call(&scene).await;
    let took = begun.elapsed().as_secs();
    // The connection is closed, or the flood would go on.
    tokio::task::yield_now().await;
    let bytes = *taken.lock().unwrap();
    (given, took, bytes)
}

/// The same of a delivery.
async fn outcome(
    head: &'static [u8],
    piece: &'static [u8],
    pause: Duration,
) -> (Result<Answer, Failure>, u64, usize) {
    flooded((head, piece, pause), async |scene| scene.send("http://public.example/").await).await
}

/// How large a page may be here, in bytes.
const LARGEST_PAGE: usize = 64 * 1024;

/// The same of a page that is fetched.
async fn fetched(
    head: &'static [u8],
    piece: &'static [u8],
    pause: Duration,
) -> (Result<Option<Bytes>, Failure>, u64, usize) {
    let url = "http://public.example/".to_owned();
    let outgoing = Outgoing { url, headers: HeaderMap::new(), body: Bytes::new() };
    let fetch = async |scene: &Scene| {
        let page = scene.egress.fetch(outgoing, LARGEST_PAGE).await;
        page.map(|page| page.body)
    };
    flooded((head, piece, pause), fetch).await
}

#[tokio::test(start_paused = true)]
async fn one_that_never_answers_has_fifteen_seconds() {
    let (answer, took, _) = outcome(b"", b"", Duration::from_secs(3600)).await;
    assert_eq!((answer, took), (Err(Failure::TimedOut), 15));
}

#[tokio::test(start_paused = true)]
async fn one_that_answers_a_byte_a_minute_has_fifteen_seconds() {
    let (answer, took, _) = outcome(b"HTTP/1.1 200 OK\r\nx: ", b"a", Duration::from_secs(60)).await;
    assert_eq!((answer, took), (Err(Failure::TimedOut), 15));
    let slow = b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n";
    let (answer, took, _) = outcome(slow, b"a", Duration::from_secs(60)).await;
    assert_eq!((answer, took), (Err(Failure::TimedOut), 15));
}

#[tokio::test(start_paused = true)]
async fn endless_headers_are_no_answer() {
    let (answer, took, bytes) =
        outcome(b"HTTP/1.1 200 OK\r\n", b"x-header: and so on\r\n", Duration::ZERO).await;
    assert_eq!((answer, took), (Err(Failure::Nonsense), 0));
    assert!(bytes < 256 * 1024, "{bytes}");
    let (answer, ..) = outcome(b"HTTP/1.1 200 OK\r\nx: ", &[b'a'; 1000], Duration::ZERO).await;
    assert_eq!(answer, Err(Failure::Nonsense));
}

#[tokio::test(start_paused = true)]
async fn a_flood_of_interim_answers_is_no_answer() {
    for piece in [&b"HTTP/1.1 100 Continue\r\n\r\n"[..], b"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"] {
        let (answer, took, bytes) = outcome(b"", piece, Duration::ZERO).await;
        assert_eq!((answer, took), (Err(Failure::Nonsense), 0));
        assert!(bytes < 256 * 1024, "{bytes}");
    }
    // A few are fine.
    let scene = Scene::new(answering(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n"));
    assert_eq!(scene.send("http://public.example/").await.unwrap().status, 204);
}

#[tokio::test(start_paused = true)]
async fn of_a_body_of_any_length_only_the_beginning_is_read() {
    for head in [&b"HTTP/1.1 200 OK\r\ncontent-length: 314572800\r\n\r\n"[..], b"HTTP/1.1 500 Oh\r\n\r\n"] {
        let (answer, took, bytes) = outcome(head, &[b'a'; 1000], Duration::ZERO).await;
        assert_eq!((answer.unwrap().body.len(), took), (4096, 0));
        assert!(bytes < 512 * 1024, "{bytes}");
    }
    let endless = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    let (answer, ..) = outcome(endless, b"5\r\nhello\r\n", Duration::ZERO).await;
    assert_eq!(answer.unwrap().body.len(), 4096);
}

#[tokio::test(start_paused = true)]
async fn one_that_closes_at_once_or_speaks_another_language_is_a_failure() {
    let scene = Scene::new(|_, stream| drop(stream));
    assert_eq!(scene.send("http://public.example/").await, Err(Failure::Broken));
    for nonsense in
        [&b"SSH-2.0-OpenSSH_9.6\r\n"[..], b"\0\0\0\0", b"HTTP/9.9 200 OK\r\n\r\n", b"HTTP/1.1 20 OK\r\n\r\n"]
    {
        let scene = Scene::new(answering(nonsense));
        assert_eq!(scene.send("http://public.example/").await, Err(Failure::Nonsense), "{nonsense:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_whose_body_breaks_off_is_still_an_answer() {
    let scene = Scene::new(|_, mut stream| {
        tokio::spawn(async move {
            request_of(&mut stream).await;
            stream.write_all(b"HTTP/1.1 202 Accepted\r\ncontent-length: 10\r\n\r\nhalf").await.unwrap();
        });
    });
    let answer = scene.send("http://public.example/").await.unwrap();
    assert_eq!((answer.status, answer.body.as_ref()), (202, &b"half"[..]));
}

#[tokio::test(start_paused = true)]
async fn of_a_page_without_an_end_no_more_is_fetched_than_it_may_have() {
    let announced = b"HTTP/1.1 200 OK\r\ncontent-length: 314572800\r\n\r\n";
    let endless = b"HTTP/1.1 200 OK\r\n\r\n";
    let chunked = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    for (head, piece) in
        [(&announced[..], &[b'a'; 1000][..]), (endless, &[b'a'; 1000]), (chunked, b"5\r\nhello\r\n")]
    {
        let (body, took, bytes) = fetched(head, piece, Duration::ZERO).await;
        let head = String::from_utf8_lossy(head);
        assert_eq!(
            (body.map(|body| body.map(|body| body.len())), took),
            (Ok(None), 0),
            "{head}, {bytes} bytes"
        );
        assert!(bytes < LARGEST_PAGE + 512 * 1024, "{bytes}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_page_that_comes_by_the_byte_has_fifteen_seconds() {
    let slow = b"HTTP/1.1 200 OK\r\n\r\n";
    let (body, took, bytes) = fetched(slow, b"a", Duration::from_secs(1)).await;
    assert_eq!((body, took), (Err(Failure::TimedOut), 15));
    assert!(bytes <= 16, "{bytes}");
}
