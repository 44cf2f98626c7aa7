//! What is shown in a frame of the site's own origin: links that last for a while.

use std::time::Duration;

use pagesmith_model::Timestamp;

use crate::visit::Visit;

/// A preview's link works for so many seconds at least, and for twice as many at most.
const SECONDS: u64 = 3600;

/// For how long a preview's link is to work: until the end of the next whole hour, so that it stays the same within an hour.
pub(crate) fn lasts(now: Timestamp) -> Duration {
    let seconds = now.as_micros().div_euclid(1_000_000);
    Duration::from_secs(2 * SECONDS - seconds.rem_euclid(SECONDS as i64).unsigned_abs())
}

/// The address of a path of the tenant's site.
pub(crate) fn address(visit: &Visit, path: &str) -> String {
    let origin = (visit.installation.site_origin)(&visit.tenant.slug);
    format!("{}{path}", origin.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_link_of_a_preview_stays_the_same_within_an_hour() {
        let until = |second: i64| second + lasts(Timestamp::from_micros(second * 1_000_000)).as_secs() as i64;
        assert_eq!([until(7200), until(7201), until(10_799)], [14_400; 3]);
        assert_eq!(until(10_800), 18_000);
    }
}
