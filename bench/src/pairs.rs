//! Pairs of finished versions of one audience, published in turn: each such call is one event.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::request::Template;
use crate::server::Server;
use crate::{Result, client, sample, sites_sample};

/// How long a version may take to be written.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Somebody with a key.
#[derive(Clone)]
pub struct Caller {
    pub address: SocketAddr,
    pub key: String,
}

/// A version that can be published.
#[derive(Clone)]
pub struct Version {
    pub id: String,
    publish: String,
}

impl Caller {
    /// Somebody who calls that server.
    pub fn new(server: &Server, key: &str) -> Caller {
        Caller { address: server.address, key: key.to_owned() }
    }

    /// Asks for something; the answer, which must be a success.
    pub fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value> {
        let template = self.template(method, path, body);
        let (status, head, answer) = client::fetch(self.address, &template)?;
        if status / 100 != 2 {
            return Err(format!("{method} {path}: {head}{}", String::from_utf8_lossy(&answer)).into());
        }
        Ok(serde_json::from_slice(&answer)?)
    }

    /// Removes something.
    pub fn remove(&self, path: &str) -> Result<()> {
        let (status, head, _) = client::fetch(self.address, &self.template("DELETE", path, None))?;
        if status / 100 == 2 { Ok(()) } else { Err(format!("DELETE {path}: {head}").into()) }
    }

    fn template(&self, method: &str, path: &str, body: Option<&Value>) -> Template {
        let body = body.map(Value::to_string);
        Template::new(method, path, body.as_deref(), &self.key, &Arc::default())
    }

    /// Subscribes an address to the publishing of versions.
    pub fn subscribe(&self, url: &str) -> Result<()> {
        let body = json!({ "url": url, "events": ["page.version.published"] });
        self.ask("POST", "/v0/webhook_subscriptions", Some(&body)).map(drop)
    }

    /// So many audiences, each of a page of its own and with two finished versions.
    pub fn pairs(&self, count: usize) -> Result<Vec<[Version; 2]>> {
        let mut body: Value = serde_json::from_str(&sample::create_body().replace(sample::SERIAL, "pairs"))?;
        body["actions"] = sites_sample::actions();
        body["scripts"] = json!([]);
        (0..count).map(|_| self.pair(&body)).collect()
    }

    fn pair(&self, page: &Value) -> Result<[Version; 2]> {
        let page = self.ask("POST", "/v0/pages", Some(page))?;
        let page = format!("/v0/pages/{}", text(&page, "pageId")?);
        let draft = json!({ "publishBehavior": "draft" });
        let audience = self.ask("POST", &format!("{page}/audiences"), Some(&draft))?;
        let at = format!("{page}/audiences/{}", text(&audience, "audienceId")?);
        let first = self.finished(&at, text(&audience["latestVersion"], "versionId")?)?;
        let second = self.ask("POST", &format!("{at}/versions"), Some(&json!({})))?;
        Ok([first, self.finished(&at, text(&second, "versionId")?)?])
    }

    /// An audience of a page with a version that is written and can be published; the ids of both.
    pub fn finished_audience(&self, page: &str) -> Result<(String, String)> {
        let draft = json!({ "publishBehavior": "draft" });
        let audience = self.ask("POST", &format!("{page}/audiences"), Some(&draft))?;
        let id = text(&audience, "audienceId")?;
        let version =
            self.finished(&format!("{page}/audiences/{id}"), text(&audience["latestVersion"], "versionId")?)?;
        Ok((id.to_owned(), version.id))
    }

    /// A version as soon as it is written.
    fn finished(&self, audience: &str, id: &str) -> Result<Version> {
        let path = format!("{audience}/versions/{id}");
        let begun = Instant::now();
        while self.ask("GET", &path, None)?["status"] != "draft" {
            if begun.elapsed() > TIME_LIMIT {
                return Err("a version was not written".into());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(Version { id: id.to_owned(), publish: format!("{path}/publish") })
    }

    /// The request that publishes a version.
    pub fn publish(&self, version: &Version) -> Template {
        self.template("POST", &version.publish, Some(&json!({})))
    }
}

fn text<'a>(answer: &'a Value, field: &str) -> Result<&'a str> {
    answer[field].as_str().ok_or_else(|| format!("no {field} in {answer}").into())
}

/// A connection for one request at a time.
pub struct Line(TcpStream);

impl Line {
    /// To that address.
    pub fn open(address: SocketAddr) -> Result<Line> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(TIME_LIMIT))?;
        Ok(Line(stream))
    }

    /// Sends a request and reads its answer, which must be a success.
    pub fn call(&mut self, template: &mut Template) -> Result<()> {
        self.0.write_all(template.next())?;
        let (mut answer, mut part) = (Vec::new(), [0; 16 * 1024]);
        loop {
            let count = self.0.read(&mut part)?;
            if count == 0 {
                return Err("the server closed a connection".into());
            }
            answer.extend_from_slice(&part[..count]);
            if let Some(status) = client::whole(&answer)? {
                let told = String::from_utf8_lossy(&answer);
                return if status / 100 == 2 { Ok(()) } else { Err(told.into_owned().into()) };
            }
        }
    }
}
