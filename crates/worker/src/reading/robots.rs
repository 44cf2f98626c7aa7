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
/// How much of it is read, in bytes; a larger one is none.
const LARGEST: usize = 500 * 1024;
/// How many redirects are followed.
const MOST_REDIRECTS: usize = 3;

/// What the sites that were asked last allow.
#[derive(Default)]
pub(super) struct RobotsCache {
    sites: Mutex<HashMap<Origin, (Timestamp, Arc<Robots>)>>,
}

impl RobotsCache {
    fn sites(&self) -> MutexGuard<'_, HashMap<Origin, (Timestamp, Arc<Robots>)>> {
        self.sites.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a page may be read.
    pub(super) async fn allows(&self, egress: &Egress, now: Timestamp, url: &Url) -> Result<bool, Problem> {
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
        let fetched = egress.fetch(outgoing, LARGEST).await.map_err(|failure| of_failure(&failure))?;
        match fetched.status {
            200..=299 => {
                return Ok(Robots::parse(&fetched.body.unwrap_or_default(), AGENT));
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
