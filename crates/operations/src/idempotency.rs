//! Answering a request twice and doing it once.
//!
//! The answer is kept in the transaction of the change, so that there is never one without the other. A request that comes again
//! gets the very bytes of the first answer; another request under the same key is refused. Bodies are sealed
//! with the server's key, since one may hold a secret that is shown once.

use std::time::Duration;

use pagesmith_model::hexadecimal::hexadecimal;
use pagesmith_model::{Error, Result, TenantId, Timestamp};
use pagesmith_store::Tx;
use pagesmith_store::fault;
use pagesmith_store::tables::idempotency::{self as table, Record, RecordKey};

use crate::context::{Context, TenantContext};

/// How long an answer is kept.
pub const KEPT: Duration = Duration::from_hours(24);
/// What is said where a kept answer was sealed under a key that is lost.
const UNREADABLE: &str = "This Idempotency-Key was used before and the request was carried out, but its answer cannot be \
    repeated, since the server's key has been replaced. Look at the resource, or send another Idempotency-Key to do it again.";
/// How many expired answers one sweep takes at most.
const SWEPT: i64 = 1_000;

/// A request that names itself with an `Idempotency-Key`.
#[derive(Debug, Clone)]
pub struct Request {
    /// What makes it the same request.
    pub key: RecordKey,
    /// SHA-256 of its canonical body.
    pub digest: [u8; 32],
}

/// An answer: status and body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The body's bytes.
    pub body: Vec<u8>,
    /// Whether it was given before.
    pub replayed: bool,
}

impl Request {
    /// The request that a form of the console is, which was drawn with this key: another form, or the same with something else entered, is
    /// another request. What was entered may be a password, so its digest is one that only this server makes.
    pub fn of_form(
        ctx: &TenantContext,
        form: &str,
        key: &str,
        entered: &[(String, String)],
    ) -> Result<Request> {
        let parts: Vec<&str> = entered.iter().flat_map(|(name, value)| [name.as_str(), value]).collect();
        let digest = ctx.keyed_digest("form of the console", &parts)?;
        let key = RecordKey {
            tenant: ctx.tenant.clone(),
            idempotency_key: format!("console-{key}-{}", hexadecimal(&digest[..8])),
            method: "POST".into(),
            path: form.to_owned(),
        };
        Ok(Request { key, digest })
    }
}

/// Runs a change that answers with a text, once if the request names itself.
pub fn text_once(
    tx: &mut Tx<'_>,
    ctx: &Context,
    request: Option<&Request>,
    change: impl FnOnce(&mut Tx<'_>) -> Result<String>,
) -> Result<String> {
    let Some(request) = request else { return change(tx) };
    let answer = once(tx, ctx, request, |tx| Ok((200, change(tx)?.into_bytes())))?;
    String::from_utf8(answer.body).map_err(|_| Error::internal("a kept answer is no text"))
}

/// Runs `change` and keeps its answer, or gives the answer that was kept.
pub fn once(
    tx: &mut Tx<'_>,
    ctx: &Context,
    request: &Request,
    change: impl FnOnce(&mut Tx<'_>) -> Result<(u16, Vec<u8>)>,
) -> Result<Answer> {
    let (keys, bound) = (ctx.secret()?, bound_to(&request.key));
    if let Some(kept) = table::find(tx, &request.key, ctx.now)? {
        if kept.request_digest != request.digest {
            return Err(Error::conflict("This Idempotency-Key was used for another request."));
        }
        // Done once is enough: that the first answer cannot be read any more is no reason to do it again.
        let body = keys.open(&bound, &kept.body).ok_or_else(|| Error::conflict(UNREADABLE))?;
        return Ok(Answer { status: kept.status, body, replayed: true });
    }
    let (status, body) = change(tx)?;
    let record = Record {
        request_digest: request.digest,
        status,
        body: keys.seal(ctx.random()?, &bound, &body),
        expires_at: ctx.now.plus(KEPT),
    };
    if tx.run(table::insert(&request.key, &record, ctx.now))? == 0 {
        return Err(fault::retry("another server has answered this request"));
    }
    Ok(Answer { status, body, replayed: false })
}

/// Ties a sealed body to its place: moved to another row, it does not open.
pub(crate) fn bound_to(key: &RecordKey) -> Vec<u8> {
    let parts = [key.tenant.as_str(), &key.idempotency_key, &key.method, &key.path];
    parts.iter().flat_map(|part| [part.as_bytes(), &[0]].concat()).collect()
}

/// Some of the answers that have expired, of all tenants.
pub fn expired(tx: &mut Tx<'_>, now: Timestamp) -> Result<Vec<RecordKey>> {
    table::expired(tx, now, SWEPT)
}

/// Some of the answers that have expired of a tenant.
pub fn expired_of(tx: &mut Tx<'_>, tenant: &TenantId, now: Timestamp) -> Result<Vec<RecordKey>> {
    table::expired_of(tx, tenant, now, SWEPT)
}

/// Forgets these answers of a tenant if they have expired.
pub fn forget(tx: &mut Tx<'_>, expired: &[RecordKey], now: Timestamp) -> Result<()> {
    tx.batch(expired.iter().map(|key| table::remove_expired(key, now)).collect())?;
    Ok(())
}

/// Whether a sweep that found `swept` answers should be followed by another at once.
pub fn is_behind(swept: usize) -> bool {
    i64::try_from(swept).is_ok_and(|swept| swept >= SWEPT)
}
