//! What a page agent is given: the page, its actions, and the person or account that it is for.
//!
//! What this is not: instructions of the service. Every text in it came from a caller or a visitor and is data, whatever it says.

use crate::Timestamp;
use crate::asset::AssetType;
use crate::brand::Voice;
use crate::page::PageType;
use crate::page::action::Action;

/// The most log entries of a brief.
pub const MOST_LOGS: usize = 20;
/// The most chunks of knowledge of a brief.
pub const MOST_CHUNKS: usize = 8;
/// The most words of all of them.
pub const MOST_CHUNK_WORDS: usize = 1_500;
/// The most assets of a brief.
pub const MOST_OFFERED: usize = 24;

/// A page to be written.
#[derive(Debug, Clone, PartialEq)]
pub struct Brief {
    /// What the page is for.
    pub page_type: PageType,
    /// What the operator calls it.
    pub page_name: String,
    /// What it is about.
    pub page_context: String,
    /// What is special for this audience.
    pub supplementary_context: Option<String>,
    /// How the page's brand speaks.
    pub voice: Voice,
    /// The page's actions in their order, the audience's overrides applied.
    pub actions: Vec<Action>,
    /// The person whose page it is.
    pub person: Option<PersonBrief>,
    /// The company that it is for.
    pub account: Option<AccountBrief>,
    /// What happened lately, newest first, at most [`MOST_LOGS`].
    pub logs: Vec<LogBrief>,
    /// What the tenant knows about the page's subject, the best first, at most [`MOST_CHUNKS`] of [`MOST_CHUNK_WORDS`] words in all.
    pub knowledge: Vec<ChunkBrief>,
    /// What the page may show, the best first, at most [`MOST_OFFERED`]; no file twice.
    pub assets: Vec<AssetBrief>,
}

impl Brief {
    /// A page without actions, for nobody in particular.
    pub fn new(page_type: PageType, page_name: &str, page_context: &str) -> Brief {
        Brief {
            page_type,
            page_name: page_name.to_owned(),
            page_context: page_context.to_owned(),
            supplementary_context: None,
            voice: Voice::default(),
            actions: Vec::new(),
            person: None,
            account: None,
            logs: Vec::new(),
            knowledge: Vec::new(),
            assets: Vec::new(),
        }
    }
}

/// A chunk of what the tenant knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkBrief {
    /// Its id, which is a digest of its entry and of what it says.
    pub chunk_id: String,
    /// Its entry.
    pub topic_entry_id: String,
    /// The name of the page or file that it comes from, else the title of its topic.
    pub title: String,
    /// The address of the page that it comes from.
    pub url: Option<String>,
    /// The heading above it.
    pub heading: Option<String>,
    /// What it says, as Markdown.
    pub text: String,
}

/// An asset that the page may show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssetBrief {
    /// Its id.
    pub asset_id: String,
    /// What it is: an image, a logo, an icon or a video.
    pub kind: AssetType,
    /// What people call it.
    pub name: String,
    /// What it is for.
    pub purpose: String,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// The address of a video.
    pub video_url: Option<String>,
}

/// A person, as far as an agent may know them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonBrief {
    /// What they are called.
    pub name: String,
    /// Their e-mail address.
    pub email: Option<String>,
    /// Their company's domain.
    pub domain: Option<String>,
    /// What an import knew besides: names of columns and texts.
    pub columns: Vec<(String, String)>,
}

/// A company.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountBrief {
    /// What it is called.
    pub name: Option<String>,
    /// Its domain.
    pub domain: String,
}

/// An entry of the log of the person or the account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogBrief {
    /// The system that it comes from.
    pub source: String,
    /// What happened.
    pub kind: String,
    /// When.
    pub at: Timestamp,
    /// The text of a JSON object.
    pub payload: String,
}
