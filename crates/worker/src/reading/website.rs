//! A website's brand: its page and a few of its style sheets are fetched as pages of entries are, and looked at for colours, fonts and names.
//!
//! Every address, also of a style sheet, is judged like the first one and asked for as far as the site's `robots.txt` allows. A sheet that
//! cannot be read is left out.

use std::time::Duration;

use pagesmith_documents::{brand, styles};
use pagesmith_model::Timestamp;
use pagesmith_operations::brands::websites::{Reading, Website, Websites};
use tokio::time::{sleep, timeout};
use url::Url;

use super::body;
use super::fetch::{self, FetchRequest};
use super::page;
use crate::tools::reading::ReadingConfig;
use crate::tools::reading::problem::Problem;

/// How long everything may take.
const TIME_LIMIT: Duration = Duration::from_secs(18);
/// How long its style sheets may take of that.
const SHEETS_TIME_LIMIT: Duration = Duration::from_secs(6);
/// How many characters of styles are looked at.
const STYLES_KEPT: usize = 2_000_000;

/// Reads websites.
pub struct WebsiteReader {
    config: ReadingConfig,
}

impl WebsiteReader {
    /// A reader that fetches as this says.
    pub fn new(config: ReadingConfig) -> WebsiteReader {
        WebsiteReader { config }
    }

    async fn website(&self, address: &str, now: Timestamp) -> Result<Website, Problem> {
        let fetched = fetch::get(&self.config, now, FetchRequest::default(), address).await?;
        let body = fetched.body.ok_or_else(|| Problem::permanent("The page has no text."))?;
        let kind = body.content_type.as_deref().unwrap_or("text/html").to_ascii_lowercase();
        if !["text/html", "application/xhtml+xml"].iter().any(|known| kind.trim().starts_with(known)) {
            return Err(Problem::permanent("What the address leads to is no page of text."));
        }
        let (url, at) = (fetched.url.to_string(), fetched.url);
        let told = page::on_thread(move || {
            let text = body::text(&body)?;
            brand::read(&text, &at).map_err(|refusal| Problem::permanent(refusal.reason("page")))
        });
        let mut told = told.await?;
        let (mut css, unread_sheets) = self.sheets(&told.sheets, now).await;
        // What a page has itself counts more than its sheets.
        css.push_str(&std::mem::take(&mut told.styles));
        let css: String = css.chars().take(STYLES_KEPT).collect();
        let found = page::on_thread(move || Ok(styles::read(&css))).await?;
        Ok(Website {
            url,
            name: told.name,
            icon: told.icon,
            logo: told.logo,
            theme_color: told.theme_color.as_deref().and_then(styles::colour),
            background: found.background,
            text: found.text,
            accent: found.accent,
            primary: found.primary,
            heading_fonts: found.heading_fonts,
            body_fonts: found.body_fonts,
            corner_radius: found.corner_radius,
            legal_links: told.legal_links,
            unread_sheets,
        })
    }

    /// The style sheets that could be read in time, and how many could not.
    async fn sheets(&self, sheets: &[Url], now: Timestamp) -> (String, usize) {
        let (mut css, mut read) = (String::new(), 0);
        let all = async {
            for sheet in sheets {
                let wanted = FetchRequest { accept: "text/css", ..FetchRequest::default() };
                let Ok(fetched) = fetch::get(&self.config, now, wanted, sheet.as_str()).await else {
                    continue;
                };
                let Some(body) = fetched.body else { continue };
                let is_css =
                    body.content_type.as_deref().is_none_or(|kind| kind.trim().starts_with("text/css"));
                let text =
                    body::text(&body).ok().filter(|text| is_css && css.len() + text.len() <= STYLES_KEPT);
                if let Some(text) = text {
                    css.push_str(&text);
                    css.push('\n');
                    read += 1;
                }
            }
        };
        let _ = timeout(SHEETS_TIME_LIMIT, all).await;
        (css, sheets.len() - read)
    }
}

impl Websites for WebsiteReader {
    fn read<'a>(&'a self, address: &'a str, now: Timestamp) -> Reading<'a> {
        Box::pin(async move {
            let pause = sleep(self.config.unreachable_takes);
            let read = timeout(TIME_LIMIT, self.website(address, now)).await;
            match read {
                Err(_) => Err("The website could not be read within 18 seconds.".to_owned()),
                Ok(Ok(website)) => Ok(website),
                Ok(Err(problem)) => {
                    // The time that it takes does not tell why nothing could be reached.
                    if let Some(cause) = &problem.unreachable {
                        tracing::info!(address, %cause, "a website could not be reached");
                        pause.await;
                    }
                    Err(problem.reason)
                }
            }
        })
    }
}
