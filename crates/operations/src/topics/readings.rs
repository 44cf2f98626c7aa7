//! The pages and files of entries are read: claimed by a worker under a lease, and what it found is kept.
//!
//! A worker whose lease has ended changes nothing any more. Pages are read in turn: tenants one after the other, of each what has waited
//! longest, and of one host only a few at a time. A page that was read is read again after thirty days. Files wait among the pages, as those
//! of a host without a name; they never change, so one that was read is read again on demand alone.

pub use pagesmith_store::tables::topics::readings::LEASES;

use std::collections::HashMap;
use std::time::Duration;

use pagesmith_model::file::File;
use pagesmith_model::json::JsonText;
use pagesmith_model::topic::entry::reading::{KEPT_READINGS, Reading, ReadingOutcome};
use pagesmith_model::topic::entry::{EnrichmentStatus, Entry, EntryContent, ExtractedFields};
use pagesmith_model::{Error, FileId, LeaseId, Result, TenantId, Timestamp, TopicEntryId, TopicId};
use pagesmith_store::tables::files;
use pagesmith_store::tables::pending_work::{self, WorkKind};
use pagesmith_store::tables::topics::readings::{self, After, Waiting};
use pagesmith_store::tables::topics::{entries, texts};
use pagesmith_store::{Query, Tx, Wakeup};

use crate::context::{Context, TenantContext};
use crate::knowledge;
use crate::topics::find_entry;

/// How long a lease lasts: longer than reading a page may take.
pub const LEASE: Duration = Duration::from_secs(120);
/// When a page is read again by itself.
const AGAIN: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// When a file is read again by itself that could not be read for a reason that may pass.
const FILE_AGAIN: Duration = Duration::from_secs(60 * 60);
/// How long a page rests after a try that failed for a reason that may pass.
const RETRY_DELAY: Duration = Duration::from_secs(3);
/// How often a page is tried if the reason may pass.
const MOST_TRIES: i64 = 2;
/// How often a page is tried if workers are lost over it.
const MOST_LOST: i64 = 4;
/// How many pages of one host a worker reads at the same time; and how many files.
pub const PER_HOST: usize = 2;
/// How many pages of a tenant are looked at to find some of different hosts.
const LOOKED_AT: i64 = 32;

/// Queues the page or file of an entry; to travel with the change of the entry. Nothing if it is a text.
pub(crate) fn queue(tx: &mut Tx<'_>, ctx: &TenantContext, entry: &Entry) -> Vec<Query> {
    let host = match &entry.content {
        EntryContent::Url(page) => host(&page.url),
        EntryContent::File(_) => String::new(),
        EntryContent::Text(_) => return vec![],
    };
    let waits = entry.status == EnrichmentStatus::Pending;
    let due_at = waits.then_some(ctx.now);
    let ids = (&entry.topic_id, &entry.topic_entry_id);
    let mut changes = vec![readings::put(&ctx.tenant, ids, &host, due_at, ctx.request_id())];
    if waits {
        changes.push(pending_work::add(&ctx.tenant, WorkKind::Readings));
        tx.wake_after_commit(Wakeup::Readings);
    }
    changes
}

/// The host of an address; empty if it has none.
fn host(address: &str) -> String {
    let url = url::Url::parse(address).ok();
    url.as_ref().and_then(url::Url::host_str).unwrap_or_default().to_owned()
}

/// Has a page or file read again at once; 409 if the entry is a text.
pub fn refresh(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    topic_id: &TopicId,
    topic_entry_id: &TopicEntryId,
) -> Result<Entry> {
    let mut entry = find_entry(tx, ctx, topic_id, topic_entry_id)?;
    if matches!(entry.content, EntryContent::Text(_)) {
        return Err(Error::conflict("Only the entry of a web page or a file can be read again."));
    }
    if entry.status == EnrichmentStatus::Pending {
        return Ok(entry);
    }
    entry.status = EnrichmentStatus::Pending;
    entry.updated_at = ctx.now;
    let mut changes = entries::update(&ctx.tenant, &entry)?;
    match entry.content {
        // Nothing is known of an earlier reading that would be of use to the next one.
        EntryContent::File(_) => changes.extend(queue(tx, ctx, &entry)),
        EntryContent::Url(_) | EntryContent::Text(_) => {
            changes.push(readings::hasten(&ctx.tenant, topic_entry_id, ctx.now, ctx.request_id()));
            changes.push(pending_work::add(&ctx.tenant, WorkKind::Readings));
            tx.wake_after_commit(Wakeup::Readings);
        }
    }
    tx.change(changes)?;
    Ok(entry)
}

/// How many files one transaction queues that nobody has queued.
const QUEUED_AT_ONCE: i64 = 64;

/// Whether there is something to [`queue_files`].
pub fn has_unqueued_files(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<bool> {
    Ok(!entries::of_unqueued_files(tx, &ctx.tenant, 1)?.is_empty())
}

/// Queues files of a tenant's entries that nobody has queued; whether there may be more of them.
pub fn queue_files(tx: &mut Tx<'_>, ctx: &TenantContext) -> Result<bool> {
    let unqueued = entries::of_unqueued_files(tx, &ctx.tenant, QUEUED_AT_ONCE)?;
    for (topic_id, topic_entry_id) in &unqueued {
        let Some(mut entry) = entries::find(tx, &ctx.tenant, topic_id, topic_entry_id)? else { continue };
        entry.status = EnrichmentStatus::Pending;
        let mut changes = entries::update(&ctx.tenant, &entry)?;
        changes.extend(queue(tx, ctx, &entry));
        tx.change(changes)?;
    }
    Ok(i64::try_from(unqueued.len()).unwrap_or_default() == QUEUED_AT_ONCE)
}

/// Whether an entry was read, and what became of its last readings, newest first.
pub fn log(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    topic_id: &TopicId,
    topic_entry_id: &TopicEntryId,
) -> Result<(EnrichmentStatus, Vec<Reading>)> {
    let entry = find_entry(tx, ctx, topic_id, topic_entry_id)?;
    let log = readings::log(tx, &ctx.tenant, topic_entry_id)?.map_or(Ok(vec![]), |log| log.read())?;
    Ok((entry.status, log))
}

/// What is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The page at this address.
    Page(String),
    /// A file of the tenant.
    File(Box<File>),
}

/// A page or file that a worker may read as long as its lease lasts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimed {
    /// Whose it is.
    pub of: Waiting,
    /// What it is.
    pub source: Source,
    /// Whether the caller has given a summary, so that none has to be written.
    pub has_summary: bool,
    /// The worker's lease.
    pub lease: LeaseId,
}

/// Whether a page or file of a tenant is due.
pub fn is_due(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp) -> Result<bool> {
    Ok(readings::due_since(tx, tenant)?.is_some_and(|due_at| due_at <= now))
}

/// Gives a worker up to `limit` pages of a tenant, but no more than [`PER_HOST`] of a host, of which it reads `busy` already.
pub fn claim(
    tx: &mut Tx<'_>,
    ctx: &Context,
    (tenant, limit): (&TenantId, usize),
    busy: &HashMap<String, usize>,
) -> Result<Vec<Claimed>> {
    let mut busy = busy.clone();
    let mut claimed: Vec<Claimed> = Vec::new();
    let full: Vec<String> =
        busy.iter().filter(|(_, count)| **count >= PER_HOST).map(|(host, _)| host.clone()).collect();
    for of in readings::due(tx, tenant, ctx.now, &full, LOOKED_AT)? {
        let count = busy.entry(of.host.clone()).or_default();
        if claimed.len() == limit || *count >= PER_HOST {
            continue;
        }
        let Some((source, has_summary)) = source(tx, tenant, &of)? else {
            // Of an entry that is being removed.
            tx.run(readings::remove(tenant, &of.topic_entry_id))?;
            continue;
        };
        *count += 1;
        let lease = LeaseId::mint(ctx.uuid()?);
        tx.run(readings::lease(tenant, &of.topic_entry_id, &lease, ctx.now.plus(LEASE)))?;
        claimed.push(Claimed { of, source, has_summary, lease });
    }
    Ok(claimed)
}

/// What an entry is made of that is to be read, and whether the caller has given a summary.
fn source(tx: &mut Tx<'_>, tenant: &TenantId, of: &Waiting) -> Result<Option<(Source, bool)>> {
    let entry = entries::find(tx, tenant, &of.topic_id, &of.topic_entry_id)?;
    Ok(match entry.map(|entry| entry.content) {
        Some(EntryContent::Url(page)) => Some((Source::Page(page.url), page.ai_summary.is_some())),
        Some(EntryContent::File(content)) => {
            let file = FileId::parse(&content.file_id).map_or(Ok(None), |id| files::find(tx, tenant, &id))?;
            file.map(|file| (Source::File(Box::new(file)), content.ai_summary.is_some()))
        }
        Some(EntryContent::Text(_)) | None => None,
    })
}

impl Claimed {
    /// What it is, in a word.
    pub fn noun(&self) -> &'static str {
        match self.source {
            Source::Page(_) => "page",
            Source::File(_) => "file",
        }
    }

    /// Its address, if it has one.
    pub fn address(&self) -> Option<String> {
        match &self.source {
            Source::Page(address) => Some(address.clone()),
            Source::File(_) => None,
        }
    }

    /// When it is read again by itself after this outcome.
    fn again_at(&self, now: Timestamp, result: &ReadResult) -> Option<Timestamp> {
        match (&self.source, result) {
            (Source::Page(_), _) => Some(now.plus(AGAIN)),
            (Source::File(_), ReadResult::Failed { may_pass: true, .. }) => Some(now.plus(FILE_AGAIN)),
            (Source::File(_), _) => None,
        }
    }

    /// Whether workers were lost over it so often that it is not tried any more.
    pub fn is_hopeless(&self) -> bool {
        self.of.tries >= MOST_LOST
    }
}

/// What a worker found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedReading {
    /// The address that answered; a file has none.
    pub url: Option<String>,
    /// The status of its answer.
    pub status: Option<u16>,
    /// What that came to.
    pub result: ReadResult,
}

/// What a reading came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadResult {
    /// It was read.
    Read(Box<Facts>),
    /// It is still what was read before.
    Unchanged,
    /// It was not read.
    Failed {
        /// Why.
        reason: String,
        /// Whether another try may help.
        may_pass: bool,
    },
}

/// What was found in a page or file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// What it says about itself.
    pub found: ExtractedFields,
    /// Its text.
    pub text: String,
    /// The tag of its answer.
    pub etag: Option<String>,
    /// When it was last modified.
    pub last_modified: Option<String>,
}

/// Keeps what a worker found; false if the page was no longer the worker's.
pub fn finish(tx: &mut Tx<'_>, ctx: &TenantContext, claimed: &Claimed, ended: &EndedReading) -> Result<bool> {
    let Waiting { topic_id, topic_entry_id, etag, last_modified, .. } = &claimed.of;
    if !readings::is_held(tx, &ctx.tenant, topic_entry_id, &claimed.lease)? {
        return Ok(false);
    }
    let Some(before) = entries::find(tx, &ctx.tenant, topic_id, topic_entry_id)? else { return Ok(false) };
    let mut entry = before.clone();
    let mut after = After {
        due_at: None,
        again_at: claimed.again_at(ctx.now, &ended.result),
        etag: etag.clone(),
        last_modified: last_modified.clone(),
    };
    let mut changes = Vec::new();
    let (outcome, reason) = match &ended.result {
        ReadResult::Read(page) => {
            entry.status = EnrichmentStatus::Success;
            entry.found.clone_from(&page.found);
            after.etag.clone_from(&page.etag);
            after.last_modified.clone_from(&page.last_modified);
            changes.push(texts::put(&ctx.tenant, topic_entry_id, &page.text));
            changes.extend(knowledge::note(tx, ctx, (topic_id, topic_entry_id)));
            (ReadingOutcome::Success, None)
        }
        ReadResult::Unchanged => {
            entry.status = EnrichmentStatus::Success;
            (ReadingOutcome::Unchanged, None)
        }
        ReadResult::Failed { reason, may_pass } if *may_pass && claimed.of.tries + 1 < MOST_TRIES => {
            (after.due_at, after.again_at) = (Some(ctx.now.plus(RETRY_DELAY)), None);
            (ReadingOutcome::Retry, Some(reason.clone()))
        }
        ReadResult::Failed { reason, .. } => {
            // A page that was read before, and is read again by itself, keeps what was found.
            if entry.status == EnrichmentStatus::Pending {
                entry.status = EnrichmentStatus::Failed;
            }
            (ReadingOutcome::Failed, Some(reason.clone()))
        }
    };
    let reading = Reading { read_at: ctx.now, outcome, url: ended.url.clone(), status: ended.status, reason };
    changes.push(readings::end(&ctx.tenant, topic_entry_id, &after, &logged(&claimed.of.log, reading)?));
    if entry != before {
        entry.updated_at = ctx.now;
        changes.extend(entries::update(&ctx.tenant, &entry)?);
    }
    tx.change(changes)?;
    Ok(true)
}

/// The log with a reading in front.
fn logged(log: &JsonText, reading: Reading) -> Result<JsonText> {
    let mut readings: Vec<Reading> = log.read()?;
    readings.insert(0, reading);
    readings.truncate(KEPT_READINGS);
    JsonText::of(&readings)
}

/// Lets another worker take a page at once.
pub fn hand_back(tx: &mut Tx<'_>, claimed: &Claimed) -> Result<()> {
    tx.run(readings::hand_back(&claimed.of.tenant, &claimed.of.topic_entry_id, &claimed.lease))?;
    Ok(())
}

/// How many pages of a tenant one transaction makes due again.
const AGAIN_AT_ONCE: i64 = 256;
/// Of how many tenants a round does.
const TENANTS_AT_ONCE: i64 = 256;

/// Tenants of whose pages some were read long ago.
pub fn tenants_due_again(tx: &mut Tx<'_>, now: Timestamp) -> Result<Vec<TenantId>> {
    readings::tenants_due_again(tx, now, TENANTS_AT_ONCE)
}

/// Whether pages of a tenant were read long ago.
pub fn is_due_again(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp) -> Result<bool> {
    Ok(!readings::due_again(tx, tenant, now, 1)?.is_empty())
}

/// Queues pages of a tenant that were read long ago; whether there may be more of them.
pub fn queue_again(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp) -> Result<bool> {
    let found = readings::due_again(tx, tenant, now, AGAIN_AT_ONCE)?;
    for topic_entry_id in &found {
        tx.run(readings::begin_again(tenant, topic_entry_id, now))?;
    }
    if !found.is_empty() {
        tx.run(pending_work::add(tenant, WorkKind::Readings))?;
        tx.wake_after_commit(Wakeup::Readings);
    }
    Ok(i64::try_from(found.len()).unwrap_or_default() == AGAIN_AT_ONCE)
}
