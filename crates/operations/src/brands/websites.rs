//! Websites as brands are proposed from them: what is asked for, and who answers.
//!
//! What this is not: a reader. That is given as [`Websites`], since it speaks to the network.

use std::future::Future;
use std::pin::Pin;

use pagesmith_model::Timestamp;

/// Red, green and blue.
pub type Rgb = [u8; 3];

/// What a website tells of its brand. Nothing of it was judged: colours may be unreadable.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Website {
    /// The address that answered, after redirects.
    pub url: String,
    /// What the site calls itself.
    pub name: Option<String>,
    /// The address of its icon.
    pub icon: Option<String>,
    /// The address of its logo, and what is said of it.
    pub logo: Option<(String, Option<String>)>,
    /// The colour that it wishes the browser to have around it.
    pub theme_color: Option<Rgb>,
    /// Behind its pages.
    pub background: Option<Rgb>,
    /// Of its texts.
    pub text: Option<Rgb>,
    /// Of its buttons or links.
    pub accent: Option<Rgb>,
    /// Of its head or foot.
    pub primary: Option<Rgb>,
    /// Names of the fonts of headings.
    pub heading_fonts: Vec<String>,
    /// Names of the fonts of everything else.
    pub body_fonts: Vec<String>,
    /// The corners of its buttons, in pixels.
    pub corner_radius: Option<u8>,
    /// Texts and addresses of the links that the law wants.
    pub legal_links: Vec<(String, String)>,
    /// Style sheets that could not be read.
    pub unread_sheets: usize,
}

/// A website when it has been read, or why it was not: a sentence for whoever asked.
pub type Reading<'a> = Pin<Box<dyn Future<Output = Result<Website, String>> + Send + 'a>>;

/// Who reads websites.
pub trait Websites: Send + Sync {
    /// Reads the website at that address, as far as it lets itself be read.
    fn read<'a>(&'a self, address: &'a str, now: Timestamp) -> Reading<'a>;
}
