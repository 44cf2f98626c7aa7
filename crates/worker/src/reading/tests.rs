//! How long reading may take, on the test's own time: sites are pipes in memory that answer when the test says.

use std::sync::mpsc;
use std::time::Duration;

use pagesmith_model::Timestamp;
use pagesmith_operations::brands::websites::{Website, Websites};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::task::{JoinHandle, spawn_blocking, yield_now};
use tokio::time::{Instant, advance, sleep};

use super::fetch::{self, FetchRequest, FetchedPage};
use super::page::on_thread;
use super::{ReadingConfig, WebsiteReader};
use crate::egress::tests::Scene;
use crate::limited_process::documents::DocumentReader;
use crate::tools::reading::problem::Problem;

const NOW: Timestamp = Timestamp::from_micros(1_772_366_400_000_000);

const NOTHING: &str = "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n";

/// The host and path of the next request on a connection.
async fn asked(stream: &mut DuplexStream) -> Option<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8(head).unwrap().to_ascii_lowercase();
    let host = head.lines().find_map(|line| line.strip_prefix("host: "))?;
    Some(format!("{host}{}", head.split(' ').nth(1)?))
}

fn found(content_type: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\n\r\n{body}")
}

fn config(scene: &Scene) -> ReadingConfig {
    ReadingConfig::new(scene.egress.clone(), DocumentReader::new("no program".into()))
}

/// Reads a page to which two others lead on, all of whose sites have rules, if each of the six answers takes so long; and how many seconds it took.
async fn third_in_a_row(each: Duration) -> (Result<FetchedPage, Problem>, u64) {
    let scene = Scene::new(move |_, mut stream| {
        tokio::spawn(async move {
            while let Some(url) = asked(&mut stream).await {
                sleep(each).await;
                let to = |host: &str| {
                    format!("HTTP/1.1 302 Found\r\nlocation: http://{host}/\r\ncontent-length: 0\r\n\r\n")
                };
                let answer = match url.as_str() {
                    "first.example/" => to("second.example"),
                    "second.example/" => to("third.example"),
                    "third.example/" => found("text/html", "<p>Here."),
                    _ => NOTHING.to_owned(),
                };
                if stream.write_all(answer.as_bytes()).await.is_err() {
                    return;
                }
            }
        });
    });
    for name in ["first.example", "second.example", "third.example"] {
        scene.name(name, &[&["93.184.216.34"]]);
    }
    let begun = Instant::now();
    let page = fetch::get(&config(&scene), NOW, FetchRequest::default(), "http://first.example/").await;
    (page, begun.elapsed().as_secs())
}

#[tokio::test(start_paused = true)]
async fn a_page_its_redirects_and_the_rules_of_their_sites_have_fifteen_seconds_together() {
    let (page, took) = third_in_a_row(Duration::from_secs(2)).await;
    assert_eq!((page.unwrap().url.as_str(), took), ("http://third.example/", 12));
    // Each answer alone has come in time.
    let (page, took) = third_in_a_row(Duration::from_secs(3)).await;
    let problem = page.map(|page| page.url).unwrap_err();
    assert_eq!((problem.reason.as_str(), took), ("The page was not there within 15 seconds.", 15));
    assert!(problem.may_pass);
}

#[tokio::test(start_paused = true)]
async fn a_document_is_waited_for_ten_seconds() {
    let (end, ended) = mpsc::channel::<()>();
    let begun = Instant::now();
    let endless = on_thread(move || Ok(ended.recv().is_ok()));
    let problem = endless.await.unwrap_err();
    assert_eq!(problem.reason, "It took too long to understand the page.");
    assert_eq!(begun.elapsed().as_secs(), 10);
    drop(end);
}

/// Lets time stand still but for what the test advances: documents are looked at on threads, which have no part in the test's time.
struct StandStill {
    _end: mpsc::Sender<()>,
    _held: JoinHandle<()>,
}

impl StandStill {
    fn new() -> StandStill {
        let (end, ended) = mpsc::channel();
        // While a blocking task runs, time does not go on by itself.
        StandStill { _end: end, _held: spawn_blocking(move || ended.recv().unwrap_or_default()) }
    }
}

/// Lets so much time pass, and everybody notice it; none more if whoever has asked does not wait any longer.
async fn pass(seconds: u64, asking: &mut DuplexStream) {
    let time = async {
        for _ in 0..seconds {
            advance(Duration::from_secs(1)).await;
            for _ in 0..100 {
                yield_now().await;
            }
        }
    };
    tokio::select! {
        biased;
        _ = asking.read_u8() => {}
        () = time => {}
    }
}

/// Reads a website whose page takes so long, and whose first sheet takes a second; the second sheet never comes.
async fn with_a_silent_sheet(page_takes: u64) -> (Result<Website, String>, u64) {
    let _still = StandStill::new();
    let scene = Scene::new(move |_, mut stream| {
        tokio::spawn(async move {
            while let Some(url) = asked(&mut stream).await {
                let answer = match url.as_str() {
                    "public.example/" => {
                        pass(page_takes, &mut stream).await;
                        let sheets = ["/one.css", "/two.css", "/three.css"]
                            .map(|sheet| format!("<link rel=stylesheet href='{sheet}'>"));
                        found("text/html", &format!("<title>Acme</title>{}<p>Acme.", sheets.concat()))
                    }
                    "public.example/one.css" => {
                        pass(1, &mut stream).await;
                        found("text/css", "body { background: #102030; color: #fff }")
                    }
                    "public.example/robots.txt" => NOTHING.to_owned(),
                    _ => {
                        pass(60, &mut stream).await;
                        return;
                    }
                };
                if stream.write_all(answer.as_bytes()).await.is_err() {
                    return;
                }
            }
        });
    });
    let mut config = config(&scene);
    config.unreachable_takes = Duration::ZERO;
    let reader = WebsiteReader::new(config);
    let begun = Instant::now();
    let read = reader.read("http://public.example/", NOW).await;
    (read, begun.elapsed().as_secs())
}

#[tokio::test(start_paused = true)]
async fn style_sheets_have_six_seconds_and_what_has_come_by_then_counts() {
    let (read, took) = with_a_silent_sheet(4).await;
    let website = read.unwrap();
    assert_eq!((website.unread_sheets, took), (2, 4 + 6));
    assert!(website.background.is_some(), "the first sheet was read");
}

#[tokio::test(start_paused = true)]
async fn a_website_has_eighteen_seconds_with_everything() {
    let (read, took) = with_a_silent_sheet(14).await;
    assert_eq!(read.unwrap_err(), "The website could not be read within 18 seconds.");
    assert_eq!(took, 18);
}
