//! Attempts to show a password: counted before the password is looked at, so that attempts at the same time are counted as well.
//!
//! An attempt that turns out right is taken back. What is counted is known by keyed digests: neither the addresses of clients nor what
//! was typed is kept. It makes no difference whether there is such a user.

use std::time::Duration;

use pagesmith_model::audit::Action;
use pagesmith_model::user::guessing::{Failures, GuessingState, OF_USER, completes_series};
use pagesmith_model::{Error, Kind, Result, Timestamp, UserId};
use pagesmith_store::Tx;
use pagesmith_store::tables::users::{addresses, failures};

use super::Client;
use crate::audit;
use crate::context::Context;

/// An address where a user was signed in is known for so long.
pub(super) const KNOWN_FOR: Duration = Duration::from_hours(90 * 24);

/// The names under which an attempt is counted.
#[derive(Debug, Clone)]
pub(crate) struct Counted {
    pair: [u8; 32],
    address: [u8; 32],
    user: [u8; 32],
}

impl Counted {
    /// Of this client for the user with this address, which may be any text.
    pub(crate) fn of(ctx: &Context, client: &Client, email: &str) -> Result<Counted> {
        let origin = client.origin();
        Ok(Counted {
            pair: ctx.keyed_digest("sign-in attempts of a client for a user", &[&origin, email])?,
            address: address_digest(ctx, client)?,
            user: ctx.keyed_digest("sign-in attempts for a user", &[email])?,
        })
    }
}

/// A user that there never is, so that the statements are the same without a user.
pub(super) fn nobody() -> UserId {
    UserId::from_bytes([0; 16])
}

/// What is kept of a client's address.
fn address_digest(ctx: &Context, client: &Client) -> Result<[u8; 32]> {
    ctx.keyed_digest("address of a client that signs in", &[&client.origin()])
}

/// Refuses an attempt that comes during a delay, or counts it as if it were wrong; how many the pair has had with it.
pub(crate) fn count(
    tx: &mut Tx<'_>,
    ctx: &Context,
    client: &Client,
    counted: &Counted,
    user_id: Option<&UserId>,
) -> Result<u32> {
    let nobody = nobody();
    let since = ctx.now.minus(KNOWN_FOR);
    let digest = address_digest(ctx, client)?;
    let is_known = addresses::is_known(tx, user_id.unwrap_or(&nobody), &digest, since)?;
    let guessing = GuessingState {
        pair: failures::find(tx, &counted.pair)?,
        address: failures::find(tx, &counted.address)?,
        user: failures::find(tx, &counted.user)?,
        is_known,
    };
    if let Some(until) = guessing.waits_until(ctx.now) {
        return Err(wait(&guessing, until, ctx.now));
    }
    let of_pair = Failures::and_one(guessing.pair, ctx.now);
    tx.run(failures::save(&counted.pair, of_pair))?;
    tx.run(failures::save(&counted.address, Failures::and_one(guessing.address, ctx.now)))?;
    tx.run(failures::save(&counted.user, Failures::and_one(guessing.user, ctx.now)))?;
    Ok(of_pair.count)
}

fn wait(guessing: &GuessingState, until: Timestamp, now: Timestamp) -> Error {
    let micros = until.since(now).as_micros();
    let retry_after = u32::try_from(micros.div_ceil(1_000_000)).unwrap_or(u32::MAX);
    let limit = if guessing.is_known { guessing.pair_limit() } else { OF_USER }.free;
    Error::new(
        Kind::Limited { limit, resets_at: until, retry_after },
        "There were too many attempts to sign in; please wait a little.",
    )
}

/// Takes back what was counted for an attempt that was right.
pub(crate) fn take_back(tx: &mut Tx<'_>, counted: &Counted) -> Result<()> {
    tx.run(failures::remove(&counted.pair))?;
    tx.run(failures::take_back(&counted.address))?;
    tx.run(failures::take_back(&counted.user))?;
    Ok(())
}

/// Notes that the user was signed in from here.
pub(super) fn know_address(tx: &mut Tx<'_>, ctx: &Context, client: &Client, user_id: &UserId) -> Result<()> {
    tx.run(addresses::save(user_id, &address_digest(ctx, client)?, ctx.now)).map(drop)
}

/// What an entry of the audit names where nobody has the address that was typed.
const NOBODY: &str = "unknown user";

/// Notes a series of wrong attempts. It is an entry of the installation, so that it takes as long with a user as without.
pub(super) fn note_series(
    tx: &mut Tx<'_>,
    ctx: &Context,
    of_pair: u32,
    user_id: Option<&UserId>,
) -> Result<()> {
    if completes_series(of_pair) {
        let subject = user_id.map_or(NOBODY, UserId::as_str);
        audit::record(tx, ctx, None, Action::SignInFailed, subject)?;
    }
    Ok(())
}
