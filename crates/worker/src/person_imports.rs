//! Imports of persons are carried out: claimed under a lease, the file read on a thread of its own, written part by part.
//!
//! Nothing is lost if this is stopped anywhere: a lease ends, and another worker goes on behind the last part that was written. What this holds in
//! memory is bounded: two parts of the file, which fields of whom were filled, and of a check the persons that it has seen.

use std::io::{self, Read};
use std::sync::Arc;

use bytes::{Buf, Bytes};
use futures_util::TryStreamExt;
use pagesmith_model::person_import::{ImportStatus, PersonImport};
use pagesmith_model::{Error, RequestId, Result, TenantId};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::person_imports::work::{self, Claimed, End};
use pagesmith_operations::persons::import::sheet::{FilePart, Sheet, Unreadable};
use pagesmith_operations::persons::import::{self, EMBEDDED_ROWS, ROWS, SeenFields};
use pagesmith_operations::persons::known::KnownPersons;
use pagesmith_store::tables::pending_work::WorkKind;
use pagesmith_store::{Tx, Wakeup};
use tokio::sync::{mpsc, watch};

use crate::claimed_work::{self, ClaimedWork};
use crate::tools::Tools;
use crate::turns::Turns;

/// How many imports are carried out at the same time, each of another tenant: what a check holds in memory is bounded by that.
const CONCURRENCY: usize = 2;
/// How many parts of a file wait to be written.
const AHEAD: usize = 2;

/// Imports that wait.
enum PersonImports {}

impl ClaimedWork for PersonImports {
    type Claimed = Claimed;
    const WAKEUP: Wakeup = Wakeup::PersonImports;
    const CONCURRENCY: usize = CONCURRENCY;
    const NOUN: &'static str = "import of persons";

    async fn claim(tools: &Tools, turns: &mut Turns, limit: usize) -> Result<Vec<Claimed>> {
        claim(tools, turns, limit).await
    }

    fn tenant(claimed: &Claimed) -> &TenantId {
        &claimed.tenant
    }

    async fn attempt(tools: Tools, claimed: Claimed, stop: watch::Receiver<bool>) {
        attempt(tools, claimed, stop).await;
    }
}

/// Carries imports out until `stop` turns true; what is not done then is left to others at once.
pub async fn run(tools: Tools, stop: watch::Receiver<bool>) {
    claimed_work::run::<PersonImports>(tools, stop).await;
}

/// Carries every import out that is due, in rounds; how a test steps it.
pub async fn drain(tools: &Tools) -> Result<()> {
    claimed_work::drain::<PersonImports>(tools).await
}

/// Claims up to `limit` imports; tenants have their turns.
pub async fn claim(tools: &Tools, turns: &mut Turns, limit: usize) -> Result<Vec<Claimed>> {
    let now = tools.platform.clock().now();
    let is_due = move |tx: &mut Tx<'_>, tenant: &TenantId| work::is_due(tx, tenant, now);
    let of = (WorkKind::PersonImports, &work::LEASES);
    let tenants = claimed_work::due_tenants(tools, of, (turns, limit), is_due).await?;
    let claim = |tenant: TenantId, _, _: &[Claimed]| {
        let ctx = tools.context();
        // One that has failed is told of, so this is a change like any other.
        tools.store.write(move |tx| Ok(work::claim(tx, &ctx, &tenant)?.into_iter().collect()))
    };
    claimed_work::claim_each(tools, tenants, (turns, limit), claim).await
}

/// Carries a claimed import out, unless the process stops.
pub async fn attempt(tools: Tools, claimed: Claimed, stop: watch::Receiver<bool>) {
    let id = claimed.import.person_import_id.to_string();
    let cause = claimed.request_id.clone();
    let request_id = cause.as_ref().map(RequestId::as_str);
    let mut carried = Carrying::of(&tools, claimed);
    let how = match carried.carry_out(stop).await {
        Ok(Some(how)) => how,
        // Somebody else has it, or nobody.
        Ok(None) => return,
        Err(error) => {
            tracing::warn!(import = id, request_id, %error, "a part of an import could not be written");
            End::Later
        }
    };
    let (ctx, claimed) = (carried.ctx(), carried.claimed);
    match tools.store.write(move |tx| work::finish(tx, &ctx, &claimed, &how)).await {
        Ok(true) => {}
        Ok(false) => {
            tracing::info!(import = id, request_id, "an import was taken from its worker, or cancelled");
        }
        // Its lease ends, and then it goes on.
        Err(error) => {
            tracing::warn!(import = id, request_id, %error, "the end of an import could not be kept");
        }
    }
}

/// An import that is being carried out.
struct Carrying<'a> {
    tools: &'a Tools,
    claimed: Claimed,
    seen: Arc<SeenFields>,
    /// The persons as they would be, while an import is checked.
    known: Option<KnownPersons>,
    /// How many rows have to be passed that were written before.
    behind: u64,
}

impl<'a> Carrying<'a> {
    fn of(tools: &'a Tools, claimed: Claimed) -> Carrying<'a> {
        let is_check = claimed.import.status == ImportStatus::Checking;
        let behind = claimed.import.counts.rows();
        Carrying { tools, claimed, seen: Arc::default(), known: is_check.then(KnownPersons::default), behind }
    }

    /// A context of the request that caused the import.
    fn ctx(&self) -> TenantContext {
        let claimed = &self.claimed;
        self.tools.context_of(&claimed.tenant, claimed.request_id.as_ref())
    }

    /// Reads the file and writes its parts; nothing if the import is no longer this worker's.
    async fn carry_out(&mut self, mut stop: watch::Receiver<bool>) -> Result<Option<End>> {
        let (sender, bytes) = mpsc::channel(AHEAD);
        let feeding = tokio::spawn(feed(self.tools.clone(), self.claimed.clone(), sender));
        let (sender, mut parts) = mpsc::channel(AHEAD);
        let import = self.claimed.import.clone();
        let most = if self.tools.store.url().is_embedded() { EMBEDDED_ROWS } else { ROWS };
        let reading = tokio::task::spawn_blocking(move || {
            let incoming = Incoming { bytes, part: Bytes::new(), left: import.size };
            let mut sheet = Sheet::open(incoming, import.region.clone())?;
            if sheet.columns().names.len() != import.columns.len() {
                return Err(Unreadable::Broken("its columns are others".to_owned()));
            }
            sheet.set_columns(import.mapping());
            read(sheet, most, &sender)
        });
        loop {
            let part = tokio::select! {
                biased;
                _ = stop.wait_for(|stop| *stop) => return Ok(Some(End::Stopped)),
                part = parts.recv() => part,
            };
            let Some(part) = part else { break };
            if !self.take(part).await? {
                return Ok(None);
            }
        }
        let is_fed = feeding.await.is_ok_and(|fed| fed.is_ok());
        Ok(Some(match reading.await {
            Err(error) => {
                let import = self.claimed.import.person_import_id.as_str();
                let request_id = self.claimed.request_id.as_ref().map(RequestId::as_str);
                tracing::error!(import, request_id, %error, "the file of an import could not be read to its end");
                End::Later
            }
            _ if !is_fed => End::Later,
            Ok(Ok(())) => End::Read,
            Ok(Err(why)) => End::Broken(why.to_string()),
        }))
    }

    /// Takes a part; false if the import is no longer this worker's.
    async fn take(&mut self, mut part: FilePart) -> Result<bool> {
        let written = self.behind.min(part.lines.len() as u64);
        if written > 0 {
            if !self.renew().await? {
                return Ok(false);
            }
            self.behind -= written;
            part = self.recall(part, usize::try_from(written).unwrap_or(usize::MAX)).await?;
        }
        if part.lines.is_empty() {
            return Ok(true);
        }
        let part = Arc::new(part);
        let import = if self.known.is_some() { self.note(&part).await? } else { self.write(&part).await? };
        Ok(import.is_some_and(|import| {
            self.claimed.import = import;
            true
        }))
    }

    /// Keeps the import while nothing of it is written; false if it is no longer this worker's.
    async fn renew(&self) -> Result<bool> {
        let (ctx, claimed) = (self.ctx(), self.claimed.clone());
        self.tools.store.write(move |tx| work::renew(tx, &ctx, &claimed)).await
    }

    /// The rest of a part whose first lines were written before.
    async fn recall(&mut self, mut part: FilePart, written: usize) -> Result<FilePart> {
        let taken = part.lines[..written].iter().filter(|(_, refused)| refused.is_none()).count();
        let rest = part.rows.split_off(taken);
        let (rows, ctx) = (Arc::new(part.rows), self.ctx());
        let asked = Arc::clone(&rows);
        let found = self.tools.store.read(move |tx| import::look_up(tx, &ctx, &asked)).await?;
        Arc::make_mut(&mut self.seen).extend(import::recall(&rows, found));
        let lines = part.lines.split_off(written);
        Ok(FilePart { rows: rest, lines, ..part })
    }

    async fn write(&mut self, part: &Arc<FilePart>) -> Result<Option<PersonImport>> {
        let (ctx, claimed) = (self.ctx(), self.claimed.clone());
        let (part, before) = (Arc::clone(part), Arc::clone(&self.seen));
        let written =
            self.tools.store.write(move |tx| work::write(tx, &ctx, &claimed, &part, &before)).await?;
        Ok(written.map(|(import, seen)| {
            // Nobody else holds it any more: nothing is copied.
            Arc::make_mut(&mut self.seen).extend(seen);
            import
        }))
    }

    async fn note(&mut self, part: &Arc<FilePart>) -> Result<Option<PersonImport>> {
        let (ctx, claimed) = (self.ctx(), self.claimed.clone());
        let (of, asked) = (ctx.clone(), Arc::clone(part));
        let found = self.tools.store.read(move |tx| import::look_up(tx, &of, &asked.rows)).await?;
        let columns = claimed.import.mapping().names;
        let (known, seen) = (self.known.get_or_insert_default(), Arc::make_mut(&mut self.seen));
        let outcomes = import::rehearse(&ctx, &columns, &part.rows, found, known, seen)?;
        let part = Arc::clone(part);
        self.tools.store.write(move |tx| work::note(tx, &ctx, &claimed, &part, outcomes.clone())).await
    }
}

/// Passes the bytes of a file on as they are read; fails if they are fewer than the file has.
async fn feed(tools: Tools, claimed: Claimed, sender: mpsc::Sender<Bytes>) -> Result<()> {
    let mut left = claimed.import.size;
    let mut parts = tools.files.read(&claimed.tenant, &claimed.content_id, 0..left).await?;
    while let Some(part) = parts.try_next().await? {
        left = left.saturating_sub(part.len() as u64);
        if sender.send(part).await.is_err() {
            return Ok(());
        }
    }
    if left > 0 { Err(Error::internal(format!("{left} bytes of a file are missing"))) } else { Ok(()) }
}

/// Bytes that arrive, for a reader on a thread of its own.
///
/// Only the last byte of the file is its end: a reader that took a gap for it would take half a record for a whole one.
struct Incoming {
    bytes: mpsc::Receiver<Bytes>,
    part: Bytes,
    /// How many bytes are still to come.
    left: u64,
}

impl Read for Incoming {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.part.is_empty() && self.left > 0 {
            self.part = self.bytes.blocking_recv().ok_or(io::ErrorKind::UnexpectedEof)?;
            self.left = self.left.saturating_sub(self.part.len() as u64);
        }
        let length = buffer.len().min(self.part.len());
        self.part.copy_to_slice(&mut buffer[..length]);
        Ok(length)
    }
}

/// Reads the whole file, part by part, unless nobody takes them any more.
fn read(mut sheet: Sheet<Incoming>, most: usize, parts: &mpsc::Sender<FilePart>) -> Result<(), Unreadable> {
    while let Some(part) = sheet.next_part(most)? {
        if parts.blocking_send(part).is_err() {
            break;
        }
    }
    Ok(())
}
