//! What a question is answered from: the chunks of the tenant's knowledge that say most about its words, and the text of the page that it
//! is asked on. Nothing of persons, and nothing of other pages.

use std::collections::HashSet;
use std::sync::Arc;

use pagesmith_ask::{Answer, DocumentFrequencies, Passage, Question, ReadPassages, Support, Text, answer};
use pagesmith_knowledge_index::text::{Language, Languages, content_id};
use pagesmith_knowledge_index::{Found, Wanted, search};
use pagesmith_model::content::texts::{self, BlockText};
use pagesmith_model::content::{Content, address};
use pagesmith_model::json::JsonText;
use pagesmith_model::page::access::PageAccess;
use pagesmith_model::page::action::Action;
use pagesmith_model::site::SiteSettings;
use pagesmith_model::{AudienceId, PageId, Result};
use pagesmith_store::Tx;
use pagesmith_store::tables::questions::asked::{self as table, AskedAudience};
use pagesmith_store::tables::questions::askers;

use crate::context::TenantContext;
use crate::questions::answering::Given;
use crate::questions::settings::Effective;
use crate::visits::collect::Report;
use crate::visits::{day_of, joined};

/// How many chunks of knowledge are looked at.
const MOST_CHUNKS: usize = 20;
/// How many characters of a passage a model is given.
const MOST_GIVEN: usize = 2_000;

/// A question as it was asked.
#[derive(Debug, Clone)]
pub struct AskedQuestion {
    /// The page.
    pub page_id: PageId,
    /// The audience.
    pub audience_id: AudienceId,
    /// What was asked.
    pub question: String,
    /// The request as a report of a page view, for a visit that nothing has been reported of yet.
    pub report: Report,
}

/// What is known of a question, and what surrounds it.
#[derive(Debug, Clone)]
pub struct Material {
    question: Question,
    content: Content,
    texts: Vec<BlockText>,
    /// The language of the page.
    language: Language,
    found: Found,
    title: String,
    /// What the site is called.
    names: Vec<String>,
    /// Whether the page is a person's own, so that its texts may tell of the person.
    is_of_person: bool,
    /// The action that is offered where nothing is known, with its place among the page's.
    pub action: Option<(usize, Action)>,
}

/// Why a question is not answered, or what it is answered from.
#[derive(Debug, Clone)]
pub enum Looked {
    /// Visitors are not shown the page, or it takes no questions.
    NotTaken,
    /// Too much was asked already; with the language of the page.
    UsedUp(Option<String>),
    /// What is known.
    Taken(Box<Material>),
}

/// Looks for what is known of a question, if the page takes it.
pub fn look(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    asked: &AskedQuestion,
    kept: &ReadPassages,
) -> Result<Looked> {
    let (tenant, place) = (&ctx.tenant, (&asked.page_id, &asked.audience_id));
    let Some(on) = table::find(tx, tenant, place, day_of(ctx.now))? else { return Ok(Looked::NotTaken) };
    let settings = Effective { site: on.settings, page: on.of_page.clone() };
    if !settings.is_shown() {
        return Ok(Looked::NotTaken);
    }
    let content: Content = on.content.read()?;
    if is_used_up(tx, ctx, asked, &on)? {
        return Ok(Looked::UsedUp(content.head.language));
    }
    // What a page says that is opened by signed links alone is for those who have one, and a question shows none.
    let is_signed = on.access == PageAccess::Signed;
    let texts = if is_signed { vec![] } else { texts::of(&content) };
    let hint = content.head.language.as_deref().unwrap_or_default();
    let language = language_of(hint, &texts, kept);
    let languages = Languages(on.index.languages);
    let languages = if texts.is_empty() { languages } else { languages.with(language) };
    let site: Option<SiteSettings> = on.site.as_ref().map(JsonText::read).transpose()?;
    let site_name = site.and_then(|site| site.site_name);
    let names: Vec<String> = [site_name, content.head.site_name.clone()].into_iter().flatten().collect();
    let known_names: Vec<&str> = names.iter().map(String::as_str).collect();
    let question = Question::read(&asked.question, hint, languages, &known_names);
    let words = question.words();
    let found = search(tx, tenant, Wanted::Words(&words, on.index), MOST_CHUNKS, Some(&kept.postings))?;
    let actions = on.overrides.apply(on.actions.read()?);
    let offered = settings.page.offered(&actions, on.header_action_id.as_deref());
    let action = offered.map(|(at, action)| (at, action.clone()));
    let (title, is_of_person) = (on.title, on.person_id.is_some());
    let material = Material { question, texts, language, found, title, names, is_of_person, action, content };
    Ok(Looked::Taken(Box::new(material)))
}

fn is_used_up(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    asked: &AskedQuestion,
    on: &AskedAudience,
) -> Result<bool> {
    let limits = &on.settings;
    let open = joined::all(tx, ctx, &asked.report)?;
    let mut of_visitor: i64 = open.iter().map(|session| session.counted.questions).sum();
    if let (true, Some(visitor)) = (open.is_empty(), asked.report.visitors.first()) {
        // Of a visit that is not counted there is no session.
        of_visitor += askers::count(tx, &ctx.tenant, day_of(ctx.now), visitor)?;
    }
    Ok(on.on_page >= limits.per_page || on.in_all >= limits.per_tenant || of_visitor >= limits.per_visitor)
}

/// How much of a page is looked at to find out its language, at least and at most, in bytes.
const SAMPLE: usize = 800;
const LONGEST_SAMPLE: usize = 4_000;

/// The language of a page that says what language it is in or not.
fn language_of(said: &str, texts: &[BlockText], kept: &ReadPassages) -> Language {
    let primary = said.split('-').next().unwrap_or_default().to_ascii_lowercase();
    let said = Language::of_code(&primary);
    if said != Language::default() {
        return said;
    }
    let mut sample = String::new();
    for text in texts {
        if sample.len() >= SAMPLE {
            break;
        }
        sample.push_str(&text.text);
        sample.push('\n');
    }
    sample.truncate(sample.floor_char_boundary(LONGEST_SAMPLE));
    kept.language(sample)
}

/// Where something that is quoted stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// What names what the source says: the same as long as it says the same.
    pub chunk_id: String,
    /// The number of the block of the page that says so.
    pub block: Option<usize>,
    /// What the source is called.
    pub title: Option<String>,
    /// The address of the page that it was read from.
    pub url: Option<String>,
}

/// Sentences from a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quoted {
    /// The sentences.
    pub sentences: Vec<String>,
    /// Where they stand.
    pub source: Source,
}

/// Who has put the sentences of an answer into words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writer {
    /// Nobody: they are quoted letter by letter.
    Quoted,
    /// A model: a source says what they say.
    Model,
}

/// What a visitor is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisitorAnswer {
    /// The sentences by their sources: quoted ones the best first, a model's in its order; nothing if nothing is known.
    pub quotes: Vec<Quoted>,
    /// What of the question nothing is known of.
    pub missed: Vec<String>,
    /// The code of the language of the question.
    pub language: &'static str,
    /// Who wrote the sentences.
    pub writer: Writer,
}

/// What is known of a question without a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// The answer.
    pub told: VisitorAnswer,
    /// The passages that a model may answer from, the best first; none if nothing is known.
    near: Vec<usize>,
}

impl VisitorAnswer {
    /// The answer as one text.
    pub fn text(&self) -> String {
        let sentences = self.quotes.iter().flat_map(|quoted| quoted.sentences.iter().map(String::as_str));
        sentences.collect::<Vec<&str>>().join(" ")
    }

    /// What names the sources, each once.
    pub fn chunk_ids(&self) -> Vec<String> {
        let mut ids: Vec<String> = Vec::new();
        for Quoted { source, .. } in &self.quotes {
            if !ids.contains(&source.chunk_id) {
                ids.push(source.chunk_id.clone());
            }
        }
        ids
    }
}

impl Material {
    /// The page's content.
    pub fn content(&self) -> &Content {
        &self.content
    }

    /// The answer without a model.
    pub fn answer(&self, kept: &ReadPassages) -> Answered {
        let read: Vec<Arc<Passage>> = self.passages().map(|text| kept.read(&text)).collect();
        let passages: Vec<&Passage> = read.iter().map(|passage| &**passage).collect();
        let hits = u64::try_from(self.found.hits.len()).unwrap_or_default();
        let known = DocumentFrequencies {
            chunks: self.found.chunks.saturating_sub(hits),
            occurs: self.found.occurs.clone(),
        };
        let Answer { quotes, missed, near, .. } = answer(&self.question, &passages, &known);
        let mut seen: HashSet<String> = HashSet::new();
        let mut told = Vec::new();
        for quote in quotes {
            // What stands on the page and in the knowledge is told once.
            let sentences: Vec<String> = quote
                .sentences
                .into_iter()
                .filter(|sentence| seen.insert((*sentence).to_owned()))
                .map(str::to_owned)
                .collect();
            if !sentences.is_empty() {
                told.push(Quoted { sentences, source: self.source(quote.passage) });
            }
        }
        let language = self.question.language();
        Answered { told: VisitorAnswer { quotes: told, missed, language, writer: Writer::Quoted }, near }
    }

    /// The numbers of the passages that a model may be given, the best first. What a person's own page says is not given away.
    pub(super) fn givable(&self, answered: &Answered) -> Vec<usize> {
        let is_given = |passage: &usize| !(self.is_of_person && *passage < self.texts.len());
        answered.near.iter().copied().filter(is_given).collect()
    }

    /// What sentences about these passages are checked against.
    pub(super) fn support(&self, given: &[usize]) -> Support {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let all: Vec<Text<'_>> = self.passages().collect();
        let texts: Vec<Text<'_>> =
            given.iter().filter_map(|passage| all.get(*passage)).map(|text| excerpt(*text)).collect();
        Support::of(&texts, &names)
    }

    /// What a model is given, the best first: passages without what they are about beside what they say.
    pub fn given(&self, answered: &Answered) -> Vec<Given> {
        let all: Vec<Text<'_>> = self.passages().collect();
        let given = |passage: usize| {
            let text = excerpt(*all.get(passage)?);
            Some(Given { heading: text.heading.to_owned(), text: text.text.to_owned() })
        };
        self.givable(answered).into_iter().filter_map(given).collect()
    }

    /// What the question may be answered from: the texts of the page, then the chunks of knowledge.
    fn passages(&self) -> impl Iterator<Item = Text<'_>> {
        let of_page = self.texts.iter().map(|text| Text {
            context: &self.title,
            heading: &text.heading,
            text: &text.text,
            language: self.language,
        });
        let of_knowledge = self.found.hits.iter().map(|hit| Text {
            context: &hit.found.chunk.context,
            heading: hit.found.chunk.heading.as_deref().unwrap_or_default(),
            text: &hit.found.chunk.text,
            language: Language::of_code(&hit.found.chunk.language),
        });
        of_page.chain(of_knowledge)
    }

    pub(super) fn source(&self, passage: usize) -> Source {
        if let Some(text) = self.texts.get(passage) {
            let title = Some(text.heading.clone()).filter(|heading| !heading.is_empty());
            let chunk_id = content_id(&["page", &text.heading, &text.text]);
            return Source { chunk_id, block: Some(text.block), title, url: None };
        }
        let chunk = &self.found.hits[passage - self.texts.len()].found.chunk;
        let used = self.content.head.sources.iter().find(|source| source.chunk_id == chunk.chunk_id);
        let is_used_in = |id: &str| used.is_some_and(|used| used.block_ids.iter().any(|known| known == id));
        let block = self.content.blocks.iter().position(|block| block.block_id().is_some_and(is_used_in));
        // A page that was read is there for everybody; how a tenant calls its files and topics is its own business.
        let url = chunk.source_url.clone().filter(|url| address::is_fetched(url));
        let title =
            url.is_some().then(|| chunk.source_name.clone()).flatten().or_else(|| chunk.heading.clone());
        Source { chunk_id: chunk.chunk_id.clone(), block, title, url }
    }
}

/// The beginning of a passage that is too long for a model.
fn excerpt(text: Text<'_>) -> Text<'_> {
    match text.text.char_indices().nth(MOST_GIVEN) {
        Some((end, _)) => Text { text: &text.text[..end], ..text },
        None => text,
    }
}
