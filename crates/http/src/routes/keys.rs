//! Keys: by which programs call this API.

use pagesmith_model::key::Scope::{Read, Write};

use crate::api::keys;
use crate::table::Access::Owners;
use crate::table::{Group, row};

/// The group with its routes.
pub(super) fn group() -> Group {
    let routes = vec![
        row!(GET "/v0/keys", keys::list_keys, Owners(Read)),
        row!(POST "/v0/keys", keys::create_key, Owners(Write)),
        row!(GET "/v0/keys/{key_id}", keys::get_key, Owners(Read)),
        row!(POST "/v0/keys/{key_id}/rotate", keys::rotate_key, Owners(Write)),
        row!(POST "/v0/keys/{key_id}/revoke", keys::revoke_key, Owners(Write)),
    ];
    Group { name: "Keys", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    A key lets a program call this API for one tenant. Its text is shown once, when it is created; the server keeps a digest. A key that is \
    created with another one never has more than that: it lasts no longer and may send no more requests. In the console keys are the \
    owners' to manage. Keys that an operator has bound to several tenants are not listed.";
