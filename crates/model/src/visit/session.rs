//! A session: a visit to an audience of a page, from the first report of a page view until nothing has come for its time.

use crate::visit::origin::Origin;
use crate::visit::sums::Counted;
use crate::{AnalyticsSessionId, AudienceId, AudienceSessionId, PageId, PageLinkId, PersonId, Timestamp};

/// A session.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    /// Its id.
    pub session_id: AudienceSessionId,
    /// The visitor's session across the tenant's pages.
    pub analytics_session_id: AnalyticsSessionId,
    /// The page.
    pub page_id: PageId,
    /// The audience.
    pub audience_id: AudienceId,
    /// When it began, which its id tells.
    pub started_at: Timestamp,
    /// Its last activity.
    pub last_at: Timestamp,
    /// Who it is, as a number that tells nothing else; only while it is open.
    pub visitor: Option<Vec<u8>>,
    /// What is counted of it.
    pub counted: Counted,
    /// Why it is not counted, if it is not.
    pub verdict: Option<String>,
    /// Where it came from.
    pub origin: Origin,
    /// The page link that was followed.
    pub page_link_id: Option<PageLinkId>,
    /// The class of the device.
    pub device: Option<String>,
    /// The language of the browser.
    pub language: Option<String>,
    /// Who it is, where a personal link and what followed have told.
    pub person_id: Option<PersonId>,
    /// What a form has told.
    pub form: Option<FormSubmitted>,
}

/// What the submission of a form tells of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormSubmitted {
    /// The submission.
    pub submission_id: String,
    /// What the visitor is known by.
    pub identifier: Option<String>,
    /// `email`, `linkedin` or `tel`.
    pub identifier_type: Option<String>,
    /// The e-mail address.
    pub email: Option<String>,
    /// The phone number.
    pub phone: Option<String>,
}

/// An answer that a visitor gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interaction {
    /// The block of the page.
    pub component_id: String,
    /// What the block is about.
    pub component_context: Option<String>,
    /// The question.
    pub label: String,
    /// What could be answered.
    pub options: Vec<String>,
    /// What was answered.
    pub response_text: String,
    /// What an answer to the visitor rests on.
    pub grounding_chunk_ids: Vec<String>,
    /// When.
    pub at: Timestamp,
}

/// What sums are made by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dimension {
    /// All sessions of a page.
    Page,
    /// Those of each audience.
    Audience,
    /// Those of each page link.
    Link,
    /// Those of each source.
    Source,
    /// Those of each campaign.
    Campaign,
    /// Those of each host that led to the page.
    Referrer,
    /// Those of each class of devices.
    Device,
    /// Those of each language.
    Language,
}

impl Dimension {
    /// All of them.
    pub const ALL: [Dimension; 8] = [
        Dimension::Page,
        Dimension::Audience,
        Dimension::Link,
        Dimension::Source,
        Dimension::Campaign,
        Dimension::Referrer,
        Dimension::Device,
        Dimension::Language,
    ];

    /// Those whose values visitors choose, so that there may be any number of them.
    pub const LIMITED: [Dimension; 4] =
        [Dimension::Source, Dimension::Campaign, Dimension::Referrer, Dimension::Language];

    /// As it is stored.
    pub fn number(self) -> i64 {
        match self {
            Dimension::Page => 0,
            Dimension::Audience => 1,
            Dimension::Link => 2,
            Dimension::Source => 3,
            Dimension::Campaign => 4,
            Dimension::Referrer => 5,
            Dimension::Device => 6,
            Dimension::Language => 7,
        }
    }

    /// The value of a session; nothing if it has none.
    pub fn value_of(self, session: &Session) -> Option<String> {
        match self {
            Dimension::Page => Some(String::new()),
            Dimension::Audience => Some(session.audience_id.as_str().to_owned()),
            Dimension::Link => session.page_link_id.as_ref().map(|id| id.as_str().to_owned()),
            Dimension::Source => session.origin.source.clone(),
            Dimension::Campaign => session.origin.campaign.clone(),
            Dimension::Referrer => session.origin.referrer.clone(),
            Dimension::Device => session.device.clone(),
            Dimension::Language => session.language.clone(),
        }
    }
}
