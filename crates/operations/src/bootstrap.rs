//! The first start: a tenant and a key, so that a stranger can begin.

use pagesmith_model::audit::Action;
use pagesmith_model::key::{Key, Scope};
use pagesmith_model::{Error, KeyId, Result};
use pagesmith_store::Tx;
use pagesmith_store::tables::tenants as table;

use crate::context::Context;
use crate::keys::{self, IssuedKey, NewKey};
use crate::tenants::{self, NewTenant};

/// The name and slug of the first tenant.
pub const TENANT: &str = "default";
/// The fewest characters that a key given by the operator may have.
pub const SHORTEST_KEY: usize = 32;

/// Makes the tenant `default` and one key if there is no tenant at all; `given` is the key's text if the operator
/// chose it. On a later start nothing happens.
pub fn first_start(tx: &mut Tx<'_>, ctx: &Context, given: Option<&str>) -> Result<Option<IssuedKey>> {
    if !table::list(tx)?.is_empty() {
        return Ok(None);
    }
    let tenant = tenants::create(
        tx,
        ctx,
        &NewTenant { name: TENANT.to_owned(), slug: Some(TENANT.to_owned()), default_region: None },
    )?;
    let issued = match given {
        Some(secret) => {
            check_given(secret)?;
            let key = Key {
                key_id: KeyId::mint(ctx.uuid()?),
                name: TENANT.to_owned(),
                scope: Scope::Write,
                tenants: vec![tenant.tenant_id],
                rate_limit: None,
                created_at: ctx.now,
                expires_at: None,
                last_used_at: None,
                revoked_at: None,
            };
            keys::issue(tx, ctx, key, secret.to_owned(), Action::KeyCreated)?
        }
        None => {
            let new = NewKey {
                name: TENANT.to_owned(),
                scope: Scope::Write,
                tenants: vec![TENANT.to_owned()],
                expires_in: None,
                rate_limit: None,
            };
            keys::create(tx, ctx, &new)?
        }
    };
    Ok(Some(issued))
}

/// Refuses a key that could be guessed, or that a header cannot carry.
pub fn check_given(secret: &str) -> Result<()> {
    if secret.chars().count() < SHORTEST_KEY {
        return Err(Error::conflict(format!("A given key must have at least {SHORTEST_KEY} characters.")));
    }
    if !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Error::conflict("A given key must be printable ASCII without spaces."));
    }
    Ok(())
}
