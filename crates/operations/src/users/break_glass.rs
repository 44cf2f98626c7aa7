//! Users for emergencies: they sign in with a password where passwords are off for everybody else, whatever becomes of identity providers.

use pagesmith_model::audit::Action;
use pagesmith_model::user::User;
use pagesmith_model::{Result, UserId};
use pagesmith_store::Tx;
use pagesmith_store::tables::users as table;

use super::{find, record};
use crate::context::Context;

/// Marks a user, or takes the mark away; the same again changes nothing.
pub fn set(tx: &mut Tx<'_>, ctx: &Context, user_id: &UserId, is_marked: bool) -> Result<User> {
    let user = find(tx, user_id)?;
    if user.is_break_glass == is_marked {
        return Ok(user);
    }
    tx.run(table::set_break_glass(user_id, is_marked.then_some(ctx.now)))?;
    record(tx, ctx, user_id, Action::BreakGlassChanged)?;
    Ok(User { is_break_glass: is_marked, ..user })
}

/// Whether somebody could sign in with a password if passwords are off.
pub fn is_any(tx: &mut Tx<'_>) -> Result<bool> {
    table::are_any_break_glass(tx)
}
