//! Whom the gateway lets through, and to where.

use super::*;

#[tokio::test(start_paused = true)]
async fn a_request_says_what_it_must_and_connections_are_used_again() {
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let heard = Arc::clone(&seen);
    let scene = Scene::new(move |_, mut stream| {
        let heard = Arc::clone(&heard);
        tokio::spawn(async move {
            while let Some(request) = request_of(&mut stream).await {
                heard.lock().unwrap().push(request);
                stream.write_all(FINE).await.unwrap();
            }
        });
    });
    for _ in 0..3 {
        let answer = scene.send("http://public.example:8080/hook?a=b").await.unwrap();
        assert_eq!((answer.status, answer.body.as_ref()), (200, &b"ok"[..]));
    }
    assert_eq!(scene.dialled(), ["93.184.216.34:8080"]);
    let request = seen.lock().unwrap()[0].to_ascii_lowercase();
    assert!(request.starts_with("post /hook?a=b http/1.1\r\n"), "{request}");
    assert!(request.contains("host: public.example:8080\r\n") && request.contains("content-length: 2\r\n"));
}

#[tokio::test(start_paused = true)]
async fn a_name_that_turns_private_is_refused_at_the_next_connection() {
    let scene = Scene::new(answering(b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"));
    scene.name("turning.example", &[&["93.184.216.34"], &["127.0.0.1"]]);
    assert_eq!(scene.send("http://turning.example/").await.unwrap().status, 200);
    let refused = scene.send("http://turning.example/").await;
    assert_eq!(refused, Err(Failure::Reserved("the machine itself")));
    assert_eq!(scene.dialled(), ["93.184.216.34:80"]);
}

#[tokio::test(start_paused = true)]
async fn a_name_of_which_one_address_is_reserved_is_refused_as_a_whole() {
    let scene = Scene::new(answering(FINE));
    scene.name("mixed.example", &[&["93.184.216.34", "10.0.0.7", "2606:4700::1111"]]);
    assert_eq!(scene.send("http://mixed.example/").await, Err(Failure::Reserved("private networks")));
    assert_eq!(scene.dialled(), <[&str; 0]>::default());
}

#[tokio::test(start_paused = true)]
async fn a_redirect_is_an_answer_and_nobody_goes_there() {
    let scene = Scene::new(answering(
        b"HTTP/1.1 307 Temporary Redirect\r\nlocation: http://169.254.169.254/latest/meta-data\r\ncontent-length: 0\r\n\r\n",
    ));
    assert_eq!(scene.send("http://public.example/").await.unwrap().status, 307);
    assert_eq!(scene.dialled(), ["93.184.216.34:80"]);
}

#[tokio::test(start_paused = true)]
async fn addresses_in_any_spelling_lead_nowhere() {
    let scene = Scene::new(answering(FINE));
    scene.name("127.0.0.1.", &[&["127.0.0.1"]]);
    scene.name("localhost", &[&["127.0.0.1", "::1"]]);
    scene.name("localhost.", &[&["127.0.0.1"]]);
    for url in [
        "http://127.0.0.1/",
        "http://127.0.0.1./",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.1/",
        "http://0177.0.0.1/",
        "http://127.1/",
        "http://0/",
        "http://[::1]/",
        "http://[::]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[::127.0.0.1]/",
        "http://[64:ff9b::127.0.0.1]/",
        "http://[64:ff9b:1::1]/",
        "http://[2002:7f00:1::]/",
        "http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
        "http://[fe80::1%25eth0]/",
        "http://169.254.169.254/",
        "http://[fd00:ec2::254]/",
        "http://localhost/",
        "http://localhost./",
        "http://LOCALHOST/",
        "http://public.example:0/",
        "http://public.example:22/",
        "http://public.example:6379/",
        "http://public.example:99999/",
        "http://public.example:/",
        "http://user@public.example/",
        "http:///",
        "http://",
        "/hook",
        "public.example",
        "file:///etc/passwd",
        "ftp://public.example/",
        "gopher://public.example/",
        "",
    ] {
        let refused = scene.send(url).await;
        let meant = matches!(refused, Err(Failure::Address(_) | Failure::Reserved(_) | Failure::Name));
        assert!(meant, "{url}: {refused:?}");
    }
    assert_eq!(scene.dialled(), <[&str; 0]>::default());
    assert_eq!(scene.send("http://nowhere.example/").await, Err(Failure::Name));
    assert_eq!(scene.send("http://[2606:4700::1111]:81/").await.unwrap().status, 200);
}

#[tokio::test(start_paused = true)]
async fn an_operator_may_allow_networks_and_only_those() {
    let scene = Scene::with("127.0.0.0/8, ::1", None, answering(FINE));
    scene.name("localhost", &[&["127.0.0.1", "::1"]]);
    for url in [
        "http://127.0.0.1:9000/",
        "http://[::1]:9000/",
        "http://localhost:9000/",
        "http://[::ffff:127.0.0.1]/",
    ] {
        assert_eq!(scene.send(url).await.unwrap().status, 200, "{url}");
    }
    for url in ["http://10.0.0.1/", "http://[64:ff9b::127.0.0.1]/", "http://127.0.0.1:25/", "http://127.1/"] {
        assert!(scene.send(url).await.is_err(), "{url}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_name_server_that_leads_from_alias_to_alias_has_as_long_as_a_connection() {
    let scene = Scene::new(answering(FINE));
    let begun = tokio::time::Instant::now();
    assert_eq!(scene.send("http://endless.example/").await, Err(Failure::Unconnected));
    assert_eq!(begun.elapsed().as_secs(), 5);
}

#[tokio::test(start_paused = true)]
async fn a_silent_address_costs_a_moment_if_another_one_answers() {
    let scene = Scene::new(answering(FINE));
    scene.name("two.example", &[&["9.9.9.9", "2606:4700::1111", "93.184.216.34"]]);
    let begun = tokio::time::Instant::now();
    assert_eq!(scene.send("http://two.example/").await.unwrap().status, 200);
    assert_eq!(begun.elapsed().as_millis(), 250);
    assert_eq!(scene.dialled(), ["9.9.9.9:80", "[2606:4700::1111]:80"]);
    scene.name("silent.example", &[&["9.9.9.9"]]);
    assert_eq!(scene.send("http://silent.example/").await, Err(Failure::Unconnected));
}
