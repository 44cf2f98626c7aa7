//! Links that are good once: where they lead, and how a password is set by one.

use std::time::Duration;

use pagesmith_model::audit::Action;
use pagesmith_model::user::User;
use pagesmith_model::{Error, Kind, Result, UserId, key};
use pagesmith_store::Tx;
use pagesmith_store::tables::users::links::{self, LinkPurpose};

use super::{find, record, token};
use crate::context::Context;

/// How long a link to make the first user or to set a password is good.
pub const GOOD_FOR: Duration = Duration::from_mins(30);

/// Where a link leads below the base URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkTarget {
    /// Where the first user is made.
    SetUp,
    /// Where a password is set.
    Password,
    /// Where an invitation is accepted.
    Invitation,
}

impl LinkTarget {
    /// The link of a token.
    pub fn link(self, console_url: &str, token: &str) -> String {
        let path = match self {
            LinkTarget::SetUp => "setup",
            LinkTarget::Password => "password",
            LinkTarget::Invitation => "invitation",
        };
        format!("{console_url}/console/{path}?token={token}")
    }
}

/// Makes the token of a link by which a user's password can be set, in the place of one before.
pub fn password_link(tx: &mut Tx<'_>, ctx: &Context, user_id: &UserId) -> Result<String> {
    if find(tx, user_id)?.disabled_at.is_some() {
        return Err(Error::conflict("The user is disabled."));
    }
    tx.run(links::remove_of_user(user_id))?;
    let (token, digest) = token(ctx)?;
    let purpose = LinkPurpose::Password(user_id.clone());
    tx.run(links::insert(&digest, &purpose, ctx.now, ctx.now.plus(GOOD_FOR)))?;
    record(tx, ctx, user_id, Action::PasswordLinkCreated)?;
    Ok(token)
}

/// The user whose password a link sets; 404 if the link is no good.
pub fn user_of(tx: &mut Tx<'_>, ctx: &Context, token: &str) -> Result<User> {
    match links::find(tx, &key::digest(token), ctx.now)? {
        Some(LinkPurpose::Password(user_id)) => find(tx, &user_id).map_err(|_| no_good()),
        _ => Err(no_good()),
    }
}

/// What whoever has an old link is told.
pub(super) fn no_good() -> Error {
    Error::new(Kind::NotFound, "The link is not good any more: it was used, replaced or is too old.")
}
