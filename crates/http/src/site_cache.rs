//! Finished pages, kept in memory.
//!
//! A page is valid if it was rendered from the target that the database has now ([`ValidatedCache`]). Invariant: all pages together never take
//! more than [`BUDGET`] bytes.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderValue, header};
use bytes::Bytes;
use pagesmith_model::{Error, Result, TenantId};
use pagesmith_operations::site::Address;
use pagesmith_store::tables::site::targets::SiteTarget;

use crate::coding::Coding;
use crate::in_flight::KeptBytes;
use crate::path_ids::PathIds;
use crate::reply::etag;
use crate::site_cache::validated_cache::{ValidatedCache, Weighed};

pub(crate) mod file_cache;
pub(crate) mod link_cache;
pub(crate) mod validated_cache;

/// How many bytes of pages are kept, in all their forms.
const BUDGET: u64 = 64 * 1024 * 1024;
/// About how many pages that is; the keys of half as many pages that were dropped are remembered.
const EXPECTED_ENTRIES: usize = 4_000;
/// About what a page takes beside its text.
const ENTRY_OVERHEAD: usize = 2_000;

/// A page's bytes in one form.
#[derive(Debug, Clone)]
pub(crate) struct Form {
    /// The bytes.
    pub bytes: KeptBytes,
    /// Their tag.
    pub tag: HeaderValue,
}

/// A page as it is sent. It is made as it is and compressed when somebody first asks for that, so that nobody waits for what nobody wants.
#[derive(Debug, Clone)]
pub(crate) struct Finished {
    identity: Form,
    gzip: Option<Form>,
    brotli: Option<Form>,
    /// The headers that are the same in every form: what the browser may run and fetch, what caches and crawlers may do, what other sites are
    /// told of where a visitor comes from.
    pub headers: HeaderMap,
    /// What is shown.
    pub about: PathIds,
}

impl Finished {
    /// A document under that policy, which everybody may see and keep.
    pub fn new(html: String, policy: &str) -> Result<Finished> {
        let value = |text: &str| HeaderValue::try_from(text).map_err(Error::internal);
        let fixed = HeaderValue::from_static;
        // A copy of the map has the same room, which is enough for what an answer adds.
        let mut headers = HeaderMap::with_capacity(16);
        headers.insert(header::CONTENT_SECURITY_POLICY, value(policy)?);
        // Caches between the server and the visitor revalidate at every visit, so none of them delays a change.
        headers.insert(header::CACHE_CONTROL, fixed("public, max-age=0, must-revalidate"));
        headers.insert(header::REFERRER_POLICY, fixed("strict-origin-when-cross-origin"));
        headers.insert(header::VARY, fixed("accept-encoding"));
        headers.insert(header::CONTENT_TYPE, fixed("text/html; charset=utf-8"));
        Ok(Finished {
            identity: Form { tag: value(&etag(html.as_bytes()))?, bytes: Bytes::from(html).into() },
            gzip: None,
            brotli: None,
            headers,
            about: PathIds::default(),
        })
    }

    /// The page in that form, if it has been made.
    pub fn form(&self, coding: Coding) -> Option<&Form> {
        match coding {
            Coding::Identity => Some(&self.identity),
            Coding::Gzip => self.gzip.as_ref(),
            Coding::Brotli => self.brotli.as_ref(),
        }
    }

    /// The same page, in one form more.
    pub fn with(&self, coding: Coding) -> Result<Finished> {
        let mut page = self.clone();
        let Some(name) = coding.name() else { return Ok(page) };
        let tag = self.identity.tag.to_str().map_err(Error::internal)?.trim_end_matches('"');
        let tag = HeaderValue::try_from(format!("{tag}-{name}\"")).map_err(Error::internal)?;
        let coded = Bytes::from(coding.encode(self.identity.bytes.bytes())?);
        let form = Some(Form { bytes: coded.into(), tag });
        match coding {
            Coding::Identity => {}
            Coding::Gzip => page.gzip = form,
            Coding::Brotli => page.brotli = form,
        }
        Ok(page)
    }

    fn size(&self) -> usize {
        let forms = [Some(&self.identity), self.gzip.as_ref(), self.brotli.as_ref()];
        forms.into_iter().flatten().map(|form| form.bytes.bytes().len()).sum::<usize>()
            + self.headers.values().map(HeaderValue::len).sum::<usize>()
            + ENTRY_OVERHEAD
    }
}

/// Names a page.
pub(crate) type Key = (TenantId, Address);

/// Finished pages, each rendered from a target.
pub(crate) type Cache = ValidatedCache<Key, SiteTarget, Arc<Finished>>;

impl Default for Cache {
    fn default() -> Cache {
        Cache::new(EXPECTED_ENTRIES, BUDGET)
    }
}

impl Weighed for Arc<Finished> {
    fn weight(&self) -> u64 {
        self.size() as u64
    }
}

#[cfg(test)]
mod tests {
    use pagesmith_model::id::Uuid7Source;
    use pagesmith_model::page::access::PageAccess;
    use pagesmith_model::{PageId, Timestamp};

    use super::*;
    use crate::site_cache::validated_cache::PointInTime;

    fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(micros)
    }

    fn point(micros: i64, commits: u64) -> PointInTime {
        PointInTime { at: at(micros), commits }
    }

    fn target(changed: i64) -> SiteTarget {
        SiteTarget {
            page_id: PageId::parse("page_00000000000000000000000000").unwrap(),
            page_updated_at: at(changed),
            audience_id: None,
            audience_updated_at: None,
            version_id: None,
            is_gone: false,
            access: PageAccess::Open,
            access_changes: 0,
            is_by_secret: false,
            site_revision: 0,
        }
    }

    fn page(bytes: usize) -> Arc<Finished> {
        Arc::new(Finished::new("x".repeat(bytes), "p").unwrap())
    }

    fn key(name: usize) -> Key {
        let tenant = TenantId::mint(Uuid7Source::new().next(at(0), 0));
        (tenant, Address::Page(name.to_string()))
    }

    #[test]
    fn a_page_is_valid_while_its_target_is_the_same() {
        let (cache, rendered) = (Cache::default(), page(10));
        let key = key(1);
        cache.insert(key.clone(), target(1), point(0, 0), Arc::clone(&rendered));
        assert!(cache.validate(&key, Some(&target(1)), point(0, 0)).is_some());
        assert!(cache.validate(&key, Some(&target(2)), point(0, 0)).is_none());
        // What was once invalid does not come back.
        assert!(cache.validate(&key, Some(&target(1)), point(0, 0)).is_none());
        cache.insert(key.clone(), target(1), point(0, 0), rendered);
        cache.clear();
        assert!(cache.validate(&key, Some(&target(1)), point(0, 0)).is_none());
    }

    #[test]
    fn a_page_is_fresh_for_a_second_and_until_something_is_committed() {
        let (cache, key) = (Cache::default(), key(1));
        let fresh = |now| cache.fresh(&key, now).is_some();
        assert!(!fresh(point(0, 5)));
        cache.insert(key.clone(), target(1), point(0, 5), page(10));
        assert!(fresh(point(0, 5)) && fresh(point(999_999, 5)));
        assert!(!fresh(point(1_000_000, 5)) && !fresh(point(0, 6)) && !fresh(point(-1, 5)));
        // Validated again, it is fresh from then on.
        assert!(cache.validate(&key, Some(&target(1)), point(1_000_000, 6)).is_some());
        assert!(fresh(point(1_999_999, 6)) && !fresh(point(1_999_999, 5)));
        assert!(cache.validate(&key, None, point(1_000_000, 6)).is_none());
        assert!(!fresh(point(1_000_000, 6)));
    }

    #[test]
    fn no_more_is_kept_than_the_budget_allows_and_what_is_asked_for_stays() {
        let (cache, rendered) = (Cache::default(), page(1_000_000));
        let tenant = key(0).0;
        let key = |name: usize| (tenant.clone(), Address::Page(name.to_string()));
        for name in 0..200 {
            cache.insert(key(name), target(1), point(0, 0), Arc::clone(&rendered));
            assert!(cache.validate(&key(0), Some(&target(1)), point(0, 0)).is_some(), "{name}");
        }
        let held = cache.weight();
        assert!(held <= BUDGET && held > BUDGET / 2, "{held}");
        assert_eq!(held, (cache.count() * rendered.size()) as u64);
        cache.insert(key(999), target(1), point(0, 0), page(BUDGET as usize));
        assert!(cache.validate(&key(999), Some(&target(1)), point(0, 0)).is_none());
    }

    #[test]
    fn every_form_of_a_page_counts_and_has_a_tag_of_its_own() {
        let (cache, rendered) = (Cache::default(), page(100_000));
        let (key, plain) = (key(1), rendered.size());
        cache.insert(key.clone(), target(1), point(0, 0), Arc::clone(&rendered));
        let all = Arc::new(rendered.with(Coding::Gzip).unwrap().with(Coding::Brotli).unwrap());
        cache.insert(key, target(1), point(0, 0), Arc::clone(&all));
        let forms =
            [Coding::Identity, Coding::Gzip, Coding::Brotli].map(|coding| all.form(coding).unwrap().clone());
        assert_eq!(all.size(), plain + forms[1].bytes.bytes().len() + forms[2].bytes.bytes().len());
        assert_eq!(cache.weight(), all.size() as u64);
        let [plain, gzip, brotli] = forms.map(|form| form.tag.to_str().unwrap().trim_matches('"').to_owned());
        assert_eq!([gzip, brotli], [format!("{plain}-gzip"), format!("{plain}-br")]);
        assert!(rendered.form(Coding::Gzip).is_none());
    }
}
