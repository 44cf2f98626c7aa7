//! Sessions: who is signed in, by which token, and how sessions end.
//!
//! A look-up is a point read. It writes only what is due: once a minute when the session was seen, and now and then another token.
//! After a change of role the token is replaced at the next use.

use std::net::IpAddr;

use pagesmith_model::audit::Action;
use pagesmith_model::network::canonical;
use pagesmith_model::user::User;
use pagesmith_model::user::session::{
    LONGEST_CLIENT, MOST_OF_USER, OLDER_TOKEN_FOR, PresentedToken, Session, SessionLimits, Upkeep,
};
use pagesmith_model::{Error, Kind, Result, UserId, UserSessionId, key};
use pagesmith_store::tables::users::sessions;
use pagesmith_store::{Store, Tx};

use super::{Client, record, token};
use crate::context::Context;

/// A user who is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authenticated {
    /// Who.
    pub user: User,
    /// By which session.
    pub session: Session,
    /// The token that takes the place of the one that was shown, if it was replaced: the browser has to keep it.
    pub new_token: Option<String>,
}

/// A session that has just begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSession {
    /// Its token, which nobody will see again.
    pub token: String,
    /// The session.
    pub session: Session,
    /// Who is signed in.
    pub user: User,
}

/// Who is signed in by this token; 401 if nobody is.
pub async fn authenticate(
    store: &Store,
    ctx: &Context,
    limits: SessionLimits,
    client: &Client,
    shown_token: &str,
) -> Result<Authenticated> {
    let (now, digest) = (ctx.now, key::digest(shown_token));
    let found = store.point_read(move |tx| open(tx, &digest, now)).await?;
    let (user, session, shown) = found.ok_or_else(not_signed_in)?;
    if session.upkeep(shown, now) == Upkeep::Nothing {
        return Ok(Authenticated { user, session, new_token: None });
    }
    let (ctx, client) = (ctx.clone(), client.clone());
    store.write(move |tx| keep_up(tx, &ctx, limits, &client, &digest)).await
}

fn not_signed_in() -> Error {
    Error::new(Kind::Unauthorized, "You are not signed in.")
}

type OpenSession = (User, Session, PresentedToken);

/// The session of a token's digest, if it opens anything.
fn open(tx: &mut Tx<'_>, digest: &[u8; 32], now: pagesmith_model::Timestamp) -> Result<Option<OpenSession>> {
    let found = sessions::find(tx, digest)?;
    Ok(found.filter(|(user, session, shown)| user.disabled_at.is_none() && session.is_open(*shown, now)))
}

/// Writes what is due, as things are now: another request may have done it meanwhile.
fn keep_up(
    tx: &mut Tx<'_>,
    ctx: &Context,
    limits: SessionLimits,
    client: &Client,
    digest: &[u8; 32],
) -> Result<Authenticated> {
    let (user, session, shown) = open(tx, digest, ctx.now)?.ok_or_else(not_signed_in)?;
    let upkeep = session.upkeep(shown, ctx.now);
    let mut session = session.seen(upkeep, ctx.now, limits);
    let mut new_token = None;
    if upkeep != Upkeep::Nothing {
        (session.client, session.network) = described(client);
        tx.run(sessions::set_seen(&session))?;
    }
    if upkeep == Upkeep::Rotate {
        let (text, digest) = token(ctx)?;
        tx.run(sessions::set_token(&session, &digest, ctx.now.plus(OLDER_TOKEN_FOR)))?;
        new_token = Some(text);
    }
    Ok(Authenticated { user, session, new_token })
}

/// What is kept of a client: what its browser says of itself, and the network that it is in.
fn described(client: &Client) -> (String, String) {
    let named = client.user_agent.chars().filter(|char| !char.is_control()).take(LONGEST_CLIENT).collect();
    (named, network_of(client.address))
}

/// 24 bits of an IPv4 address, 48 of an IPv6 one.
fn network_of(address: IpAddr) -> String {
    match canonical(address) {
        IpAddr::V4(address) => {
            let [a, b, c, _] = address.octets();
            format!("{a}.{b}.{c}.0/24")
        }
        IpAddr::V6(address) => {
            let [a, b, c, ..] = address.segments();
            format!("{}/48", std::net::Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0))
        }
    }
}

/// Begins a session, in the place of the one of the token that the browser has, if it has any.
pub(super) fn begin(
    tx: &mut Tx<'_>,
    ctx: &Context,
    limits: SessionLimits,
    client: &Client,
    user: User,
    replaced: Option<&str>,
) -> Result<NewSession> {
    if let Some(replaced) = replaced
        && let Some((_, session, _)) = sessions::find(tx, &key::digest(replaced))?
    {
        tx.run(sessions::remove(&session.user_id, &session.user_session_id))?;
    }
    for session in sessions::list(tx, &user.user_id, ctx.now)?.iter().skip(MOST_OF_USER - 1) {
        tx.run(sessions::remove(&user.user_id, &session.user_session_id))?;
    }
    let id = UserSessionId::mint(ctx.uuid()?);
    let session = Session::begin(id, user.user_id.clone(), described(client), ctx.now, limits);
    let (token, digest) = token(ctx)?;
    tx.run(sessions::insert(&session, &digest))?;
    Ok(NewSession { token, session, user })
}

/// The open sessions of a user, the one that was seen last first.
pub fn list(tx: &mut Tx<'_>, ctx: &Context, user_id: &UserId) -> Result<Vec<Session>> {
    sessions::list(tx, user_id, ctx.now)
}

/// Whether this session of the user is open.
pub fn is_open(tx: &mut Tx<'_>, ctx: &Context, user_id: &UserId, session_id: &UserSessionId) -> Result<bool> {
    let open = sessions::list(tx, user_id, ctx.now)?;
    Ok(open.iter().any(|session| session.user_session_id == *session_id))
}

/// Ends the session that this is, by its user; a session that has ended already changes nothing.
pub fn sign_out(tx: &mut Tx<'_>, ctx: &Context, shown_token: &str) -> Result<()> {
    let Some((user, session, _)) = open(tx, &key::digest(shown_token), ctx.now)? else { return Ok(()) };
    tx.run(sessions::remove(&user.user_id, &session.user_session_id))?;
    let ctx = ctx.clone().by(pagesmith_model::actor::Actor::User(user.user_id.clone()));
    record(tx, &ctx, &user.user_id, Action::SignedOut)
}

/// Ends a session of a user.
pub fn end(tx: &mut Tx<'_>, ctx: &Context, user_id: &UserId, session: &UserSessionId) -> Result<()> {
    if tx.run(sessions::remove(user_id, session))? == 0 {
        return Err(Error::not_found(UserSessionId::NOUN));
    }
    record(tx, ctx, user_id, Action::SessionsEnded)
}

/// Ends all sessions of a user but one, or all without exception; how many there were.
pub fn end_others(
    tx: &mut Tx<'_>,
    ctx: &Context,
    user_id: &UserId,
    kept: Option<&UserSessionId>,
) -> Result<u64> {
    let ended = tx.run(match kept {
        Some(kept) => sessions::remove_others(user_id, kept),
        None => sessions::remove_of_user(user_id),
    })?;
    if ended > 0 {
        record(tx, ctx, user_id, Action::SessionsEnded)?;
    }
    Ok(ended)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_an_address_only_the_network_is_shown() {
        for (address, network) in [
            ("203.0.113.77", "203.0.113.0/24"),
            ("::ffff:203.0.113.77", "203.0.113.0/24"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"),
        ] {
            assert_eq!(network_of(address.parse().unwrap()), network);
        }
    }

    #[test]
    fn what_a_browser_says_of_itself_is_bounded() {
        let user_agent = format!("Mozilla\n{}", "é".repeat(500));
        let (client, _) = described(&Client { address: IpAddr::from([127, 0, 0, 1]), user_agent });
        assert!(client.starts_with("Mozillaé") && client.chars().count() == LONGEST_CLIENT);
    }
}
