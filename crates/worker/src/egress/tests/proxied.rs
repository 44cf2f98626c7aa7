//! Through a proxy: what it is told, and what it is not.

use super::secure::Authority;
use super::*;

/// The proxy's address in the tests' network.
const PROXY: &str = "10.0.0.1:3128";

/// A proxy that answers CONNECT with these bytes and then is `host` itself; and what it was told.
fn proxy(
    answer: &'static [u8],
    host: impl Fn(SocketAddr, DuplexStream) + Send + Sync + 'static,
) -> (impl Fn(SocketAddr, DuplexStream) + Send + Sync + 'static, Arc<Mutex<Vec<String>>>) {
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let (heard, host) = (Arc::clone(&told), Arc::new(host));
    let serve = move |address: SocketAddr, mut stream: DuplexStream| {
        let (heard, host) = (Arc::clone(&heard), Arc::clone(&host));
        tokio::spawn(async move {
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                let Ok(byte) = stream.read_u8().await else { return };
                head.push(byte);
            }
            heard.lock().unwrap().push(String::from_utf8(head).unwrap());
            if stream.write_all(answer).await.is_ok() {
                host(address, stream);
            }
        });
    };
    (serve, told)
}

const OPEN: &[u8] = b"HTTP/1.1 200 Connection established\r\nVia: 1.1 proxy\r\n\r\n";

fn lines(told: &Mutex<Vec<String>>) -> Vec<String> {
    told.lock().unwrap().iter().map(|head| head.lines().next().unwrap().to_owned()).collect()
}

#[tokio::test(start_paused = true)]
async fn it_is_told_the_address_that_was_judged_and_connections_are_used_again() {
    let (serve, told) = proxy(OPEN, answering(FINE));
    let scene = Scene::through("http://proxy.example:3128", None, serve);
    scene.name("proxy.example", &[&["10.0.0.1"]]);
    for _ in 0..3 {
        assert_eq!(scene.send("http://public.example/hook").await.unwrap().status, 200);
    }
    assert_eq!(scene.dialled(), [PROXY]);
    assert_eq!(
        *told.lock().unwrap(),
        ["CONNECT 93.184.216.34:80 HTTP/1.1\r\nHost: 93.184.216.34:80\r\n\r\n"]
    );
    scene.name("new.example", &[&["2606:4700::1111"]]);
    assert_eq!(scene.send("http://new.example:8080/").await.unwrap().status, 200);
    assert_eq!(lines(&told)[1], "CONNECT [2606:4700::1111]:8080 HTTP/1.1");
}

#[tokio::test(start_paused = true)]
async fn tls_is_spoken_with_the_name_itself() {
    let authority = Authority::new("ours");
    for (certified, outcome) in [
        ("public.example", Ok(200)),
        ("proxy.example", Err(Failure::Tls("the certificate is another name's"))),
    ] {
        let (serve, told) = proxy(OPEN, authority.host(certified, &[b"h2", b"http/1.1"]));
        let scene = Scene::through("http://me:secret@10.0.0.1:3128", Some(authority.believers()), serve);
        let answer = scene.send("https://public.example/").await;
        assert_eq!(answer.map(|answer| answer.status), outcome);
        assert_eq!(lines(&told), ["CONNECT 93.184.216.34:443 HTTP/1.1"]);
        assert!(told.lock().unwrap()[0].contains("\r\nProxy-Authorization: Basic bWU6c2VjcmV0\r\n"));
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_reserved_is_refused_before_the_proxy_hears_of_it() {
    let (serve, _) = proxy(OPEN, answering(FINE));
    let scene = Scene::through("http://10.0.0.1:3128", None, serve);
    scene.name("private.example", &[&["93.184.216.34", "10.0.0.9"]]);
    for url in ["http://private.example/", "http://10.0.0.1/", "http://169.254.169.254/latest"] {
        assert!(matches!(scene.send(url).await, Err(Failure::Reserved(_))), "{url}");
    }
    assert_eq!(scene.send("http://nowhere.example/").await, Err(Failure::Name));
    assert_eq!(scene.dialled(), <[&str; 0]>::default());
}

#[tokio::test(start_paused = true)]
async fn a_proxy_that_refuses_is_a_connection_that_could_not_be_made() {
    for answer in [
        b"HTTP/1.1 403 Forbidden\r\n\r\n".as_slice(),
        b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n",
        b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 3\r\n\r\nno.",
        b"SSH-2.0-x\r\n\r\n",
    ] {
        let (serve, told) = proxy(answer, |_, _| {});
        let scene = Scene::through("http://10.0.0.1:3128", None, serve);
        scene.name("many.example", &[&["93.184.216.34", "93.184.216.35"]]);
        assert_eq!(scene.send("http://many.example/").await, Err(Failure::Refused));
        // Each address has its chance.
        assert_eq!(told.lock().unwrap().len(), 2);
    }
    // One that never ends its head, and one that never answers.
    let endless: &'static [u8] = Box::leak(vec![b'a'; 100_000].into_boxed_slice());
    let (serve, _) = proxy(endless, |_, _| {});
    let scene = Scene::through("http://10.0.0.1:3128", None, serve);
    assert_eq!(scene.send("http://public.example/").await, Err(Failure::Refused));
    let scene = Scene::through("http://9.9.9.9:3128", None, |_, _| {});
    assert_eq!(scene.send("http://public.example/").await, Err(Failure::Unconnected));
}
