//! `robots.txt`: what a site allows to be read, kept for an hour.
//!
//! As RFC 9309 has it: a file that is not there allows everything, and one whose server fails allows nothing.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, header};
use pagesmith_model::Timestamp;
use robotxt::Robots;
use url::{Origin, Url};

use super::problem::{Problem, of_failure};
use crate::egress::{Egress, Outgoing};

/// Whom the file names.
const AGENT: &str = "pagesmith";
/// For how long it is kept.
const KEPT: Duration = Duration::from_secs(60 * 60);
/// Of how many sites it is kept.
const SITES: usize = 1_000;
/// How much of it is read, in bytes; what is behind that does not count, as RFC 9309 allows.
const LARGEST: usize = 500 * 1024;
/// How many redirects are followed.
const MOST_REDIRECTS: usize = 3;

/// What the sites that were asked last allow.
#[derive(Default)]
pub(crate) struct RobotsCache {
    sites: Mutex<HashMap<Origin, (Timestamp, Arc<Robots>)>>,
}

impl RobotsCache {
    fn sites(&self) -> MutexGuard<'_, HashMap<Origin, (Timestamp, Arc<Robots>)>> {
        self.sites.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a page may be read.
    pub(crate) async fn allows(&self, egress: &Egress, now: Timestamp, url: &Url) -> Result<bool, Problem> {
        let origin = url.origin();
        let known =
            self.sites().get(&origin).filter(|(until, _)| *until > now).map(|(_, robots)| Arc::clone(robots));
        let robots = match known {
            Some(robots) => robots,
            None => {
                let robots = Arc::new(ask(egress, url).await?);
                let mut sites = self.sites();
                if sites.len() >= SITES {
                    sites.retain(|_, (until, _)| *until > now);
                }
                if sites.len() >= SITES {
                    sites.clear();
                }
                sites.insert(origin, (now.plus(KEPT), Arc::clone(&robots)));
                robots
            }
        };
        Ok(robots.is_url_allowed(url))
    }
}

/// Fetches the file of a site.
async fn ask(egress: &Egress, page: &Url) -> Result<Robots, Problem> {
    let unusable = || Problem::permanent("The address cannot be called.");
    let mut url = page.join("/robots.txt").map_err(|_| unusable())?;
    for _ in 0..=MOST_REDIRECTS {
        let outgoing = Outgoing { url: url.to_string(), headers: HeaderMap::new(), body: Bytes::new() };
        let fetched = egress.fetch_beginning(outgoing, LARGEST).await.map_err(of_failure)?;
        match fetched.status {
            200..=299 => {
                return Ok(Robots::parse(whole_lines(&fetched.body), AGENT));
            }
            300..=399 => match fetched.header(header::LOCATION).and_then(|to| url.join(to).ok()) {
                Some(next) if matches!(next.scheme(), "http" | "https") => url = next,
                _ => return Ok(Robots::allow_all()),
            },
            500..=599 => return Ok(Robots::disallow_all()),
            _ => return Ok(Robots::allow_all()),
        }
    }
    Ok(Robots::allow_all())
}

/// The lines that were read to their end: a rule that is cut would say something else.
fn whole_lines(read: &[u8]) -> &[u8] {
    if read.len() < LARGEST {
        return read;
    }
    let end = read.iter().rposition(|byte| *byte == b'\n').unwrap_or(0);
    read.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_that_is_cut_does_not_count() {
        assert_eq!(whole_lines(b"Disallow: /private"), b"Disallow: /private");
        let mut long = vec![b'#'; LARGEST - 12];
        long.extend(b"\nDisallow: /");
        assert_eq!(whole_lines(&long), &vec![b'#'; LARGEST - 12]);
    }
}
