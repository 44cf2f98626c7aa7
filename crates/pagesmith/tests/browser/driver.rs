//! A browser in a test's hand: ChromeDriver as a process of its own, and one session with Chromium.
//!
//! ChromeDriver speaks JSON over HTTP, of which this needs five commands; the browser's own protocol goes through it too: sizes, colour
//! schemes, keys, rights. Nothing of it reaches the network: every name but those below `localhost` resolves to nothing.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use http::Request;
use http::request::Builder;
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};

/// The widths that pages are looked at: a small telephone, a tablet, a desk.
pub const WIDTHS: [u32; 3] = [320, 768, 1440];

/// A colour scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    Light,
    Dark,
}

/// A key by what it does or writes.
#[derive(Debug, Clone, Copy)]
pub enum Key {
    Alt,
    Control,
    Up,
    Down,
    Letter(char),
}

impl Key {
    /// The character that stands for it in WebDriver.
    fn code(self) -> char {
        match self {
            Key::Alt => '\u{e00a}',
            Key::Control => '\u{e009}',
            Key::Up => '\u{e013}',
            Key::Down => '\u{e015}',
            Key::Letter(letter) => letter,
        }
    }
}

/// A browser; it ends with the test.
pub struct Browser {
    client: Client<HttpConnector, Full<bytes::Bytes>>,
    /// Where the session's commands go.
    session: String,
    process: Child,
    // Open as long as ChromeDriver may want to say something.
    _says: BufReader<ChildStdout>,
}

/// What the test command says; without it there is no test.
#[expect(clippy::disallowed_methods, reason = "the test command says where the programs are")]
pub fn setting(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set: run `cargo x browser`"))
}

/// How long something may take to arrive. Test machines have been seen to stand still for four seconds, with all that runs on them.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// Notes what goes wrong from a page's first byte on.
const WITNESS: &str = "
    window.shifts = 0; window.broken = [];
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value
    }).observe({ type: 'layout-shift', buffered: true });
    addEventListener('securitypolicyviolation', (event) => window.broken.push(`${event.violatedDirective} ${event.blockedURI}`));
    addEventListener('error', (event) => window.broken.push(`error: ${event.message || event.target.src}`), true);
";

/// ChromeDriver, what it says, and its port.
///
/// It takes any free port of IPv4 and then wants the same one of IPv6. If another program has that,
/// it says so and ends: then another port is tried.
fn driver() -> (Child, BufReader<ChildStdout>, u16) {
    let mut said = Vec::new();
    for _ in 0..5 {
        let mut process = Command::new(setting("PAGESMITH_TEST_CHROMEDRIVER"))
            .args(["--port=0", "--log-level=WARNING"])
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut says = BufReader::new(process.stdout.take().unwrap());
        for line in says.by_ref().lines() {
            let line = line.unwrap();
            if let Some(port) = line.split("successfully on port ").nth(1) {
                return (process, says, port.trim_end_matches('.').parse().unwrap());
            }
            said.push(line);
        }
        process.wait().unwrap();
    }
    panic!("ChromeDriver does not start: {said:#?}");
}

impl Browser {
    /// A fresh browser, in which nothing was opened yet.
    pub async fn start() -> Browser {
        let (process, says, port) = driver();
        let mut arguments = vec![
            "--headless=new",
            "--disable-gpu",
            "--hide-scrollbars",
            "--disable-dev-shm-usage",
            "--force-color-profile=srgb",
            "--lang=en-GB",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1",
        ];
        if rustix::process::geteuid().is_root() {
            // Chromium's sandbox refuses root.
            arguments.push("--no-sandbox");
        }
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": { "binary": setting("PAGESMITH_TEST_CHROMIUM"), "args": arguments },
            "goog:loggingPrefs": { "browser": "ALL" },
        } } });
        let session = format!("http://127.0.0.1:{port}/session");
        let client = Client::builder(TokioExecutor::new()).build_http();
        let mut browser = Browser { client, session, process, _says: says };
        let made = browser.post("", &wanted).await;
        browser.session = format!("{}/{}", browser.session, made["sessionId"].as_str().unwrap());
        browser.protocol("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WITNESS })).await;
        browser
    }

    /// A command to ChromeDriver, and what it answers.
    async fn post(&self, path: &str, body: &Value) -> Value {
        self.command(Request::post(format!("{}{path}", self.session)), body.to_string()).await
    }

    /// A question to ChromeDriver, and what it answers.
    async fn get(&self, path: &str) -> Value {
        self.command(Request::get(format!("{}{path}", self.session)), String::new()).await
    }

    async fn command(&self, request: Builder, body: String) -> Value {
        let request = request.header("content-type", "application/json").body(Full::from(body)).unwrap();
        let path = request.uri().path().to_owned();
        let answer = self.client.request(request).await.unwrap();
        let status = answer.status();
        let mut answer: Value =
            serde_json::from_slice(&answer.into_body().collect().await.unwrap().to_bytes()).unwrap();
        assert!(status.is_success(), "{path}: {answer:#}");
        answer["value"].take()
    }

    /// A command of the browser's own protocol.
    pub async fn protocol(&self, command: &str, parameters: Value) -> Value {
        self.post("/goog/cdp/execute", &json!({ "cmd": command, "params": parameters })).await
    }

    /// Sets how wide pages are and which colours visitors like.
    pub async fn wear(&self, width: u32, scheme: Scheme) {
        self.faded_in().await;
        let screen = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.protocol("Emulation.setDeviceMetricsOverride", screen).await;
        let value = if scheme == Scheme::Dark { "dark" } else { "light" };
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": value }] });
        self.protocol("Emulation.setEmulatedMedia", features).await;
    }

    /// Opens an address and waits until the page is drawn with its fonts.
    pub async fn open(&self, url: &str) {
        self.post("/url", &json!({ "url": url })).await;
        self.settled().await;
    }

    /// Waits until everything that was asked for is drawn.
    pub async fn settled(&self) {
        let wait = "const done = arguments[0];
            document.fonts.ready.then(() => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))";
        self.ask_later(wait).await;
    }

    /// Waits until the screen has faded in. A change of the window's size before that ends the fading, which the browser notes as an error.
    async fn faded_in(&self) {
        let wait = "const done = arguments[0];
            const fades = (animation) => animation.effect?.pseudoElement?.startsWith('::view-transition');
            requestAnimationFrame(() => requestAnimationFrame(() =>
                Promise.allSettled(document.getAnimations().filter(fades).map((animation) => animation.finished))
                    .then(() => requestAnimationFrame(() => done(null)))))";
        self.ask_later(wait).await;
    }

    /// What a piece of script returns; it runs past the page's policy.
    pub async fn ask(&self, script: &str) -> Value {
        self.post("/execute/sync", &json!({ "script": script, "args": [] })).await
    }

    /// What a piece of script returns within the first frame of the page, whatever its origin.
    pub async fn within_frame(&self, script: &str) -> Value {
        self.post("/frame", &json!({ "id": 0 })).await;
        let found = self.ask(script).await;
        self.post("/frame", &json!({ "id": null })).await;
        found
    }

    /// Presses a key where the focus is within the first frame of the page, whatever its origin; the key as WebDriver names it.
    pub async fn press_within_frame(&self, key: char) {
        self.post("/frame", &json!({ "id": 0 })).await;
        let field = self.get("/element/active").await;
        let field = field.as_object().unwrap().values().next().unwrap().as_str().unwrap();
        self.post(&format!("/element/{field}/value"), &json!({ "text": key })).await;
        self.post("/frame", &json!({ "id": null })).await;
    }

    /// What a piece of script hands to its last argument.
    pub async fn ask_later(&self, script: &str) -> Value {
        self.post("/execute/async", &json!({ "script": script, "args": [] })).await
    }

    /// What an expression is, asked past the screen's own script and whether or not that may run.
    pub async fn evaluated(&self, expression: &str) -> Value {
        let asked = json!({ "expression": expression, "returnByValue": true });
        self.protocol("Runtime.evaluate", asked).await["result"]["value"].take()
    }

    /// Waits until an expression holds, also over the way to another screen. A script that waits by itself
    /// ends with its screen and is never heard of again.
    pub async fn arrives(&self, expression: &str) {
        let holds = format!("Boolean({expression})");
        let begun = Instant::now();
        while begun.elapsed() < TIME_LIMIT {
            if self.evaluated(&holds).await == true {
                return;
            }
        }
        let seen = self.evaluated("location.href + ' ' + document.body.innerText").await;
        panic!("never: {expression}; {seen}");
    }

    /// The texts that a piece of script returns.
    pub async fn list(&self, script: &str) -> Vec<String> {
        let found = self.ask(script).await;
        found.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
    }

    /// Presses a key and lets it go.
    pub async fn press(&self, key: &str) {
        let (code, text) = match key {
            "Tab" => (9, ""),
            "ArrowDown" => (40, ""),
            "Enter" => (13, "\r"),
            "Escape" => (27, ""),
            " " => (32, " "),
            "/" => (191, "/"),
            "," => (188, ","),
            "?" => (191, "?"),
            letter if letter.len() == 1 => (u32::from(letter.as_bytes()[0].to_ascii_uppercase()), letter),
            other => panic!("no code for {other}"),
        };
        let event = |kind: &str| json!({ "type": kind, "key": key, "code": if key == " " { "Space" } else { key }, "windowsVirtualKeyCode": code, "text": text });
        self.protocol("Input.dispatchKeyEvent", event("keyDown")).await;
        self.protocol("Input.dispatchKeyEvent", event("keyUp")).await;
    }

    /// Presses a key while others are held, as ChromeDriver names them.
    pub async fn chord(&self, held: &[Key], key: Key) {
        let event = |kind: &str, key: Key| json!({ "type": kind, "value": key.code() });
        let mut events: Vec<Value> = held.iter().map(|held| event("keyDown", *held)).collect();
        events.extend([event("keyDown", key), event("keyUp", key)]);
        events.extend(held.iter().rev().map(|held| event("keyUp", *held)));
        let actions = json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": events }] });
        self.post("/actions", &actions).await;
    }

    /// Chooses a file of this machine in the field that has the focus. The dialog of the operating system is out of reach.
    pub async fn choose_file(&self, path: &std::path::Path) {
        let field = self.get("/element/active").await;
        let field = field.as_object().unwrap().values().next().unwrap().as_str().unwrap();
        self.post(&format!("/element/{field}/value"), &json!({ "text": path })).await;
    }

    /// Clicks at a place of the window, whatever is there, a frame of another origin as well.
    pub async fn click_at(&self, x: i64, y: i64) {
        let to = json!({ "type": "pointerMove", "duration": 0, "x": x, "y": y, "origin": "viewport" });
        let press =
            [json!({ "type": "pointerDown", "button": 0 }), json!({ "type": "pointerUp", "button": 0 })];
        let actions =
            json!({ "actions": [{ "type": "pointer", "id": "mouse", "actions": [to, press[0], press[1]] }] });
        self.post("/actions", &actions).await;
    }

    /// Everything that the browser's console holds but plain remarks, since it was last asked.
    pub async fn complaints(&self) -> Vec<String> {
        let log = self.post("/se/log", &json!({ "type": "browser" })).await;
        let entries = log.as_array().unwrap().iter();
        let bad = entries.filter(|entry| matches!(entry["level"].as_str(), Some("SEVERE" | "WARNING")));
        let messages = bad.map(|entry| entry["message"].as_str().unwrap());
        // Whoever goes on before a screen has faded in makes the browser give the fading up, which it notes as an error.
        messages.filter(|message| !message.contains("Transition was aborted")).map(str::to_owned).collect()
    }

    /// The page as a picture: PNG, from the top, so high at most.
    pub async fn picture(&self, most_high: u32) -> Vec<u8> {
        use base64::Engine as _;
        let size = self.protocol("Page.getLayoutMetrics", json!({})).await["cssContentSize"].clone();
        let number = |name: &str| size[name].to_string().parse::<f64>().unwrap();
        let clip = json!({ "x": 0, "y": 0, "width": number("width"), "height": number("height").min(f64::from(most_high)), "scale": 1 });
        let wanted = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
        let shot = self.protocol("Page.captureScreenshot", wanted).await;
        base64::engine::general_purpose::STANDARD.decode(shot["data"].as_str().unwrap()).unwrap()
    }
}

impl Browser {
    /// Asks ChromeDriver to close the browser and to clear away what it kept in files.
    fn close(&self) -> std::io::Result<()> {
        let (address, path) = self.session.trim_start_matches("http://").split_once('/').unwrap_or_default();
        let mut connection = TcpStream::connect(address)?;
        connection.set_read_timeout(Some(Duration::from_secs(5)))?;
        write!(connection, "DELETE /{path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n")?;
        connection.read(&mut [0; 64]).map(drop)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // A browser that does not close by itself goes with everything that ChromeDriver has started.
        let _ = self.close();
        let group = rustix::process::Pid::from_child(&self.process);
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        let _ = self.process.wait();
    }
}
