//! Fetching the page of an entry: through the outbound gateway, with few redirects, each of which is judged like the first address, and as
//! far as the site's `robots.txt` allows.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use pagesmith_model::Timestamp;
use pagesmith_operations::topics::readings::Claimed;
use tokio::time::timeout;
use url::Url;

use crate::egress::{Fetched, Outgoing};
use crate::tools::reading::ReadingConfig;
use crate::tools::reading::problem::{Problem, of_failure};

/// How long fetching may take, with everything.
const TIME_LIMIT: Duration = Duration::from_secs(15);
/// How many redirects are followed.
const MOST_REDIRECTS: usize = 3;
/// The largest page, in bytes, as it is sent and as it is unpacked.
pub(super) const LARGEST: usize = 5 * 1024 * 1024;
/// How long a tag or a date that a server sends may be.
const LONGEST_VALIDATOR: usize = 500;

/// A page as it was sent.
pub(super) struct FetchedPage {
    pub(super) url: Url,
    pub(super) status: u16,
    /// Nothing if the page is still what was read before.
    pub(super) body: Option<PageBody>,
    pub(super) etag: Option<String>,
    pub(super) last_modified: Option<String>,
}

/// What a page consists of.
pub(super) struct PageBody {
    pub(super) bytes: Bytes,
    pub(super) encoding: Option<String>,
    pub(super) content_type: Option<String>,
}

/// What is asked for.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FetchRequest<'a> {
    /// The types that are taken; those of pages if it is empty.
    pub(super) accept: &'static str,
    /// The tag of what is known already.
    pub(super) etag: Option<&'a str>,
    /// Its date.
    pub(super) last_modified: Option<&'a str>,
}

/// Fetches the page of an entry.
pub(super) async fn page(
    config: &ReadingConfig,
    now: Timestamp,
    claimed: &Claimed,
    address: &str,
) -> Result<FetchedPage, Problem> {
    let (etag, last_modified) = (claimed.of.etag.as_deref(), claimed.of.last_modified.as_deref());
    get(config, now, FetchRequest { accept: "", etag, last_modified }, address).await
}

/// Fetches what an address leads to.
pub(super) async fn get(
    config: &ReadingConfig,
    now: Timestamp,
    wanted: FetchRequest<'_>,
    address: &str,
) -> Result<FetchedPage, Problem> {
    let too_long = |_| Err(Problem::passing("The page was not there within 15 seconds."));
    timeout(TIME_LIMIT, follow(config, now, wanted, address)).await.unwrap_or_else(too_long)
}

async fn follow(
    config: &ReadingConfig,
    now: Timestamp,
    wanted: FetchRequest<'_>,
    address: &str,
) -> Result<FetchedPage, Problem> {
    let parsed = Url::parse(address);
    let mut url = parsed.map_err(|_| Problem::permanent("The address cannot be called."))?;
    for _ in 0..=MOST_REDIRECTS {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Problem::permanent("The address does not begin with http:// or https://."));
        }
        url.set_fragment(None);
        if !config.robots.allows(&config.egress, now, &url).await? {
            let reason = "The site's robots.txt does not allow the page to be read.";
            return Err(Problem { url: Some(url.to_string()), ..Problem::permanent(reason) });
        }
        let outgoing = Outgoing { url: url.to_string(), headers: headers(wanted), body: Bytes::new() };
        let fetched = config.egress.fetch(outgoing, LARGEST).await.map_err(of_failure)?;
        match next(&url, &fetched)? {
            Some(next) => url = next,
            None => return answered(url, wanted, &fetched),
        }
    }
    Err(Problem::permanent("The page redirects more than three times."))
}

fn headers(wanted: FetchRequest<'_>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let pages = "text/html, application/xhtml+xml, text/markdown;q=0.9, text/plain;q=0.8";
    let accept = if wanted.accept.is_empty() { pages } else { wanted.accept };
    headers.insert(header::ACCEPT, HeaderValue::from_static(accept));
    headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip, br"));
    let validators =
        [(header::IF_NONE_MATCH, wanted.etag), (header::IF_MODIFIED_SINCE, wanted.last_modified)];
    for (name, text) in validators {
        if let Some(value) = text.and_then(|text| HeaderValue::from_str(text).ok()) {
            headers.insert(name, value);
        }
    }
    headers
}

/// Where an answer leads on, if it does.
fn next(url: &Url, fetched: &Fetched<Option<Bytes>>) -> Result<Option<Url>, Problem> {
    if !matches!(fetched.status, 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let to = fetched.header(header::LOCATION).and_then(|to| url.join(to).ok());
    let nowhere = || Problem::permanent("The page redirects to no address.").at(url.as_str(), fetched.status);
    to.ok_or_else(nowhere).map(Some)
}

/// What an answer that leads nowhere else says.
fn answered(
    url: Url,
    wanted: FetchRequest<'_>,
    fetched: &Fetched<Option<Bytes>>,
) -> Result<FetchedPage, Problem> {
    let status = fetched.status;
    let validator = |name: HeaderName| {
        let text = fetched.header(name)?;
        (text.len() <= LONGEST_VALIDATOR).then(|| text.to_owned())
    };
    let (etag, last_modified) = (validator(header::ETAG), validator(header::LAST_MODIFIED));
    let was_asked = wanted.etag.is_some() || wanted.last_modified.is_some();
    let text = |name: HeaderName| fetched.header(name).map(str::to_owned);
    let body = match status {
        304 if was_asked => None,
        200..=299 => match fetched.body.clone() {
            Some(bytes) => Some(PageBody {
                bytes,
                encoding: text(header::CONTENT_ENCODING),
                content_type: text(header::CONTENT_TYPE),
            }),
            None => return Err(Problem::permanent("The page is larger than 5 MiB.").at(url.as_str(), status)),
        },
        _ => {
            let reason = format!("The server answered {status}.");
            let is_passing = status == 429 || status >= 500;
            let problem = if is_passing { Problem::passing(reason) } else { Problem::permanent(reason) };
            return Err(problem.at(url.as_str(), status));
        }
    };
    Ok(FetchedPage { url, status, body, etag, last_modified })
}
