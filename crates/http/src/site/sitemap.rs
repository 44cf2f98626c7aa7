//! The list of a site's pages for search engines: those whose own links show something that may be listed.
//!
//! A tenant may have any number of pages, so a list covers a range of them; where there is more than one, the first file is an index. Whether a
//! page may be listed is in its metadata, which no query reads: a list may be shorter than its range, never longer.

use std::fmt::Write as _;

use pagesmith_model::json::JsonText;
use pagesmith_model::page::metadata::Metadata;
use pagesmith_model::tenant::Tenant;
use pagesmith_model::{Error, PageId, Result};
use pagesmith_store::tables::site::targets::{self, Listing};
use pagesmith_store::tables::{pages, tenant_domains};

use crate::hosts::canonical_address;
use crate::state::AppState;

/// How many pages a list covers; the protocol allows five times as many.
const RANGE: i64 = 10_000;
/// How many lists an index names at most.
const LISTS: usize = 50_000;
const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// A file of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SitemapFile {
    /// The list, or the index where it takes several.
    Whole,
    /// The list of the pages behind that one; of the first pages where there is none.
    Behind(Option<PageId>),
}

impl SitemapFile {
    /// The file at that path.
    pub fn of(path: &str) -> Option<SitemapFile> {
        if path == "/sitemap.xml" {
            return Some(SitemapFile::Whole);
        }
        match path.strip_prefix("/sitemap/")?.strip_suffix(".xml")? {
            "first" => Some(SitemapFile::Behind(None)),
            id => PageId::parse(id).map(|page_id| SitemapFile::Behind(Some(page_id))),
        }
    }
}

/// What a file contains.
enum Contents {
    List(Vec<Listing>),
    /// The last pages of all ranges but the last one.
    Index(Vec<PageId>),
}

/// Writes a file; nothing if there is none such.
pub(crate) async fn write(state: &AppState, tenant: &Tenant, part: SitemapFile) -> Result<Option<String>> {
    let id = tenant.tenant_id.clone();
    let turn = state.lists.acquire().await.map_err(Error::internal)?;
    let found = state.store.for_tenant(&tenant.tenant_id).search(move |tx| {
        let after = match &part {
            SitemapFile::Behind(Some(page_id)) => page_id.as_str(),
            SitemapFile::Behind(None) | SitemapFile::Whole => "",
        };
        let domain = tenant_domains::default_domain(tx, &id)?;
        let end = pages::names::further(tx, &id, after, RANGE)?;
        if part == SitemapFile::Whole && end.is_some() {
            let (mut ends, mut next) = (vec![], end);
            while let Some(page_id) = next
                && ends.len() < LISTS - 1
            {
                next = pages::names::further(tx, &id, page_id.as_str(), RANGE)?;
                ends.push(page_id);
            }
            return Ok((domain, Contents::Index(ends)));
        }
        let pages = targets::list(tx, &id, after, end.as_ref(), RANGE)?;
        Ok((domain, Contents::List(pages)))
    });
    let (domain, contents) = found.await?;
    let at = |path: &str| canonical_address(&state.settings, &tenant.slug, domain.as_deref(), path);
    let text = match contents {
        Contents::List(pages) => list(&pages, &at)?,
        Contents::Index(ends) => index(&ends, &at),
    };
    drop(turn);
    Ok(Some(text))
}

fn index(ends: &[PageId], at: &dyn Fn(&str) -> String) -> String {
    let mut text = begin("sitemapindex");
    let names = std::iter::once("first").chain(ends.iter().map(PageId::as_str));
    for name in names {
        let _ =
            writeln!(text, "<sitemap><loc>{}</loc></sitemap>", escaped(&at(&format!("/sitemap/{name}.xml"))));
    }
    text.push_str("</sitemapindex>\n");
    text
}

fn list(pages: &[Listing], at: &dyn Fn(&str) -> String) -> Result<String> {
    let mut text = begin("urlset");
    for page in pages {
        let here = at(&format!("/{}", page.slug));
        let (of_page, of_audience) = (read(page.metadata.as_ref())?, read(page.metadata_override.as_ref())?);
        if pagesmith_render::is_listed(of_page.as_ref(), of_audience.as_ref(), &here) {
            let (here, changed) = (escaped(&here), page.updated_at);
            let _ = writeln!(text, "<url><loc>{here}</loc><lastmod>{changed}</lastmod></url>");
        }
    }
    text.push_str("</urlset>\n");
    Ok(text)
}

fn begin(element: &str) -> String {
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{element} xmlns=\"{NAMESPACE}\">\n")
}

fn read(metadata: Option<&JsonText>) -> Result<Option<Metadata>> {
    metadata.map(|kept| serde_json::from_str(kept.as_str()).map_err(Error::internal)).transpose()
}

fn escaped(url: &str) -> String {
    url.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page_id(number: u8) -> PageId {
        PageId::parse(&format!("page_0000000000000000000000000{number}")).unwrap()
    }

    #[test]
    fn a_file_is_named_by_the_page_that_its_pages_follow() {
        assert_eq!(SitemapFile::of("/sitemap.xml"), Some(SitemapFile::Whole));
        assert_eq!(SitemapFile::of("/sitemap/first.xml"), Some(SitemapFile::Behind(None)));
        let id = page_id(1);
        assert_eq!(SitemapFile::of(&format!("/sitemap/{id}.xml")), Some(SitemapFile::Behind(Some(id))));
        for path in [
            "/sitemap",
            "/sitemap/",
            "/sitemap/.xml",
            "/sitemap/page_1.xml",
            "/a/sitemap.xml",
            "/Sitemap.xml",
        ] {
            assert_eq!(SitemapFile::of(path), None, "{path}");
        }
    }

    #[test]
    fn an_index_names_one_list_more_than_it_has_ends() {
        let text = index(&[page_id(1), page_id(2)], &|path| format!("http://acme.localhost{path}"));
        let locations: Vec<&str> = text.lines().filter(|line| line.contains("<loc>")).collect();
        assert_eq!(locations.len(), 3);
        assert!(locations[0].contains("<loc>http://acme.localhost/sitemap/first.xml</loc>"));
        assert!(locations[2].contains(page_id(2).as_str()));
    }
}
