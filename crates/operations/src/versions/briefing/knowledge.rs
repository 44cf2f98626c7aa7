//! What a tenant knows about a page's subject and its audience, by the index of its knowledge.
//!
//! What this is not: the decision what of it is about the page, which is the page agent's.

use pagesmith_knowledge_index::{Wanted, search};
use pagesmith_model::brief::{MOST_CHUNK_WORDS, MOST_CHUNKS};
use pagesmith_model::{Result, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::knowledge::chunks::FoundChunk;

use super::Material;

/// How much of a text is looked at, in bytes.
const MOST_BYTES: usize = 20_000;
/// How many chunks are found by what the page's audience is.
const OF_AUDIENCE: usize = 3;

/// What is searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subjects {
    /// What the page is about.
    pub page: String,
    /// What it is about for its audience.
    pub audience: String,
}

impl Subjects {
    /// The subjects of a version.
    pub fn of(material: &Material) -> Subjects {
        let head = |text: &str| text[..text.floor_char_boundary(MOST_BYTES)].to_owned();
        let page = &material.page;
        let supplement = material.version.supplementary_context.as_deref().unwrap_or_default();
        let company =
            material.account.as_ref().and_then(|account| account.name.as_deref()).unwrap_or_default();
        let told = material.logs.iter().map(|entry| entry.payload.as_str()).collect::<Vec<_>>().join("\n");
        let audience = format!("{}\n{company}\n{}", head(supplement), head(&told));
        Subjects {
            page: format!("{}\n{}", page.name, head(&page.page_context)),
            audience: format!("{}\n{audience}", page.name),
        }
    }
}

/// The chunks that say most about these subjects: first those about the page, then those about what its audience cares about.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId, of: &Subjects) -> Result<Vec<FoundChunk>> {
    let about_page = search(tx, tenant, Wanted::Subject(&of.page), MOST_CHUNKS, None)?.hits;
    let about_audience = search(tx, tenant, Wanted::Subject(&of.audience), OF_AUDIENCE, None)?.hits;
    let mut found: Vec<FoundChunk> = Vec::new();
    let mut words = 0;
    // The last places of what is about the page are those of what is about the audience.
    let (first, rest) = about_page.split_at(about_page.len().min(MOST_CHUNKS - OF_AUDIENCE));
    for hit in first.iter().chain(&about_audience).chain(rest) {
        let more = hit.found.chunk.text.split_whitespace().count();
        let is_new = found.iter().all(|known| known.chunk.chunk_id != hit.found.chunk.chunk_id);
        if is_new && found.len() < MOST_CHUNKS && words + more <= MOST_CHUNK_WORDS {
            words += more;
            found.push(hit.found.clone());
        }
    }
    Ok(found)
}
