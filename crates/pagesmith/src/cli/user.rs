//! `user create`, `list`, `set-role`, `set-operator`, `break-glass`, `disable`, `enable`, `remove`, `reset-password`, `remove-totp`,
//! `disconnect`, `sessions`.
//!
//! Users sign in at the console. A user is named by id or e-mail address. No password is ever typed here: `create` and
//! `reset-password` print a link, on the last line alone (or as `link` of the JSON), by which the user sets one within 30 minutes.

mod print;

use clap::{ArgGroup, Subcommand};
use pagesmith_model::user::{Role, USUAL_LANGUAGE, User};
use pagesmith_model::{Timestamp, UserId};
use pagesmith_operations::users::links::{self, LinkTarget};
use pagesmith_operations::users::{
    self, NewUser, break_glass, identities, memberships, second_factor, sessions,
};
use pagesmith_operations::{Context, tenants};
use pagesmith_store::{Store, Tx};

use super::session::Session;
use crate::failure::Result;

/// What can be done with users.
#[derive(Subcommand)]
pub enum Command {
    /// Create a user and print a link to set the password, valid for 30 minutes.
    Create {
        /// The e-mail address to sign in with.
        email: String,
        /// The user's name.
        #[arg(long)]
        name: String,
        /// The language of the console, such as en or de.
        #[arg(long, default_value = USUAL_LANGUAGE)]
        language: String,
        /// A tenant to give the user a role in (id or slug).
        #[arg(long, requires = "role")]
        tenant: Option<String>,
        /// The role: owner, editor, analyst or viewer.
        #[arg(long, requires = "tenant")]
        role: Option<Role>,
        /// Let the user sign in with a password even where sign_in.passwords is false.
        #[arg(long)]
        break_glass: bool,
        /// Let the user run the installation at the console: tenants, servers, backups.
        #[arg(long)]
        operator: bool,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// List the users with their roles.
    List {
        /// Only users of this tenant (id or slug).
        #[arg(long)]
        tenant: Option<String>,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Give a user a role in a tenant, or take it away.
    #[command(group = ArgGroup::new("change").args(["role", "none"]).required(true))]
    SetRole {
        /// The user's id or e-mail address.
        user: String,
        /// The tenant (id or slug).
        #[arg(long)]
        tenant: String,
        /// The role: owner, editor, analyst or viewer.
        #[arg(long)]
        role: Option<Role>,
        /// Take the user's role in the tenant away.
        #[arg(long)]
        none: bool,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Let a user sign in with a password even where sign_in.passwords is false, for emergencies.
    BreakGlass {
        /// The user's id or e-mail address.
        user: String,
        /// Take that away again.
        #[arg(long)]
        remove: bool,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Let a user run the installation at the console (tenants, servers, backups), or no longer.
    SetOperator {
        /// The user's id or e-mail address.
        user: String,
        /// No longer.
        #[arg(long)]
        none: bool,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Disable a user: end all sessions and refuse to sign the user in.
    Disable {
        /// The user's id or e-mail address.
        user: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Enable a disabled user.
    Enable {
        /// The user's id or e-mail address.
        user: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Remove a user with name and e-mail address; only the id stays in the audit log and in histories.
    Remove {
        /// The user's id or e-mail address.
        user: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print a link to set a user's password, valid for 30 minutes; the old password works until it is used.
    ResetPassword {
        /// The user's id or e-mail address.
        user: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Remove a user's authenticator app and recovery codes; the password alone is enough then.
    RemoveTotp {
        /// The user's id or e-mail address.
        user: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Disconnect a user from identity providers; the next sign-in there connects whoever has the user's address.
    Disconnect {
        /// The user's id or e-mail address.
        user: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// List where a user is signed in, or end these sessions.
    Sessions {
        /// The user's id or e-mail address.
        user: String,
        /// End all sessions.
        #[arg(long)]
        end: bool,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

/// A user with what is shown beside it.
pub struct Listed {
    /// The user.
    pub user: User,
    /// The slugs of tenants with the user's role in each.
    pub roles: Vec<(String, Role)>,
    /// The identity providers at which the user is known.
    pub issuers: Vec<String>,
}

/// How many users are read at once.
const PAGE: i64 = 500;

/// Does it and prints the user or the users.
pub fn run(session: &Session, command: Command) -> Result<()> {
    let context = session.context();
    let console_url = session.config()?.console_url();
    session.with_store(async move |store| {
        let (shown, link, json) = match command {
            Command::List { tenant, json } => return print::all(&list(store, tenant).await?, json),
            Command::Sessions { user, end, json } => {
                return sessions_of(store, context, user, end, json).await;
            }
            Command::Create { email, name, language, tenant, role, break_glass, operator, json } => {
                let new = NewUser { email, name, language };
                let create = move |tx: &mut Tx<'_>| {
                    let user = users::create(tx, &context, &new)?;
                    if let Some((tenant, role)) = tenant.as_deref().zip(role) {
                        set_role(tx, &context, &user, tenant, Some(role))?;
                    }
                    users::set_operator(tx, &context, &user.user_id, operator)?;
                    let user = break_glass::set(tx, &context, &user.user_id, break_glass)?;
                    let token = links::password_link(tx, &context, &user.user_id)?;
                    Ok((listed(tx, user)?, token))
                };
                let (shown, token) = store.write(create).await?;
                (shown, Some(token), json)
            }
            Command::SetRole { user, tenant, role, none: _, json } => {
                let change = move |tx: &mut Tx<'_>, user: &User| set_role(tx, &context, user, &tenant, role);
                (change_user(store, user, change).await?, None, json)
            }
            Command::BreakGlass { user, remove: none, json } => {
                let set = break_glass::set;
                let change =
                    move |tx: &mut Tx<'_>, user: &User| set(tx, &context, &user.user_id, !none).map(drop);
                (change_user(store, user, change).await?, None, json)
            }
            Command::Disconnect { user, json } => {
                let change =
                    move |tx: &mut Tx<'_>, user: &User| identities::disconnect(tx, &context, &user.user_id);
                (change_user(store, user, change).await?, None, json)
            }
            Command::SetOperator { user, none, json } => {
                let set = users::set_operator;
                let change =
                    move |tx: &mut Tx<'_>, user: &User| set(tx, &context, &user.user_id, !none).map(drop);
                (change_user(store, user, change).await?, None, json)
            }
            Command::Disable { user, json } => {
                let change =
                    move |tx: &mut Tx<'_>, user: &User| users::disable(tx, &context, &user.user_id).map(drop);
                (change_user(store, user, change).await?, None, json)
            }
            Command::Enable { user, json } => {
                let change =
                    move |tx: &mut Tx<'_>, user: &User| users::enable(tx, &context, &user.user_id).map(drop);
                (change_user(store, user, change).await?, None, json)
            }
            Command::Remove { user, json } => {
                (store.write(move |tx| remove(tx, &context, &user)).await?, None, json)
            }
            Command::ResetPassword { user, json } => {
                let link = move |tx: &mut Tx<'_>| {
                    let user = users::find_by_name(tx, &user)?;
                    let token = links::password_link(tx, &context, &user.user_id)?;
                    Ok((listed(tx, user)?, token))
                };
                let (shown, token) = store.write(link).await?;
                (shown, Some(token), json)
            }
            Command::RemoveTotp { user, json } => {
                let change =
                    move |tx: &mut Tx<'_>, user: &User| second_factor::remove(tx, &context, &user.user_id);
                (change_user(store, user, change).await?, None, json)
            }
        };
        let link = link.map(|token| LinkTarget::Password.link(&console_url, &token));
        print::one(&shown, link.as_deref(), json)
    })
}

/// Changes the user of that id or address; the user as it is then.
async fn change_user(
    store: &Store,
    name: String,
    change: impl Fn(&mut Tx<'_>, &User) -> pagesmith_model::Result<()> + Send + 'static,
) -> Result<Listed> {
    let change = move |tx: &mut Tx<'_>| {
        let user = users::find_by_name(tx, &name)?;
        change(tx, &user)?;
        let user = users::find(tx, &user.user_id)?;
        listed(tx, user)
    };
    Ok(store.write(change).await?)
}

/// Removes the user of that id or address; the user as it was.
fn remove(tx: &mut Tx<'_>, context: &Context, name: &str) -> pagesmith_model::Result<Listed> {
    let user = users::find_by_name(tx, name)?;
    let shown = listed(tx, user.clone())?;
    users::remove(tx, context, &user.user_id)?;
    Ok(shown)
}

fn set_role(
    tx: &mut Tx<'_>,
    context: &Context,
    user: &User,
    tenant: &str,
    role: Option<Role>,
) -> pagesmith_model::Result<()> {
    let ctx = context.of(tenants::find(tx, tenant)?.tenant_id);
    let is_member = memberships::role(tx, &ctx.tenant, &user.user_id)?.is_some();
    match role {
        Some(role) if is_member => memberships::change(tx, &ctx, &user.user_id, role).map(drop),
        Some(role) => memberships::add(tx, &ctx, &user.user_id, role).map(drop),
        None if is_member => memberships::remove(tx, &ctx, &user.user_id),
        None => Ok(()),
    }
}

fn listed(tx: &mut Tx<'_>, user: User) -> pagesmith_model::Result<Listed> {
    let roles = memberships::of_user(tx, &user.user_id)?;
    let issuers = identities::issuers_of(tx, &user.user_id)?;
    let roles = roles.into_iter().map(|(tenant, role)| (tenant.slug, role)).collect();
    Ok(Listed { user, roles, issuers })
}

async fn list(store: &Store, tenant: Option<String>) -> Result<Vec<Listed>> {
    if let Some(tenant) = tenant {
        let of_tenant = move |tx: &mut Tx<'_>| {
            let tenant = tenants::find(tx, &tenant)?.tenant_id;
            let found = memberships::list(tx, &tenant)?;
            found.into_iter().map(|(user, _)| listed(tx, user)).collect()
        };
        return Ok(store.read(of_tenant).await?);
    }
    let mut all: Vec<Listed> = Vec::new();
    loop {
        let after: Option<UserId> = all.last().map(|last| last.user.user_id.clone());
        let page = move |tx: &mut Tx<'_>| {
            let found = users::list(tx, after.as_ref(), PAGE)?;
            found.into_iter().map(|user| listed(tx, user)).collect::<pagesmith_model::Result<Vec<_>>>()
        };
        let found = store.read(page).await?;
        if found.is_empty() {
            return Ok(all);
        }
        all.extend(found);
    }
}

async fn sessions_of(store: &Store, context: Context, name: String, end: bool, json: bool) -> Result<()> {
    let now: Timestamp = context.now;
    let look = move |tx: &mut Tx<'_>| {
        let user = users::find_by_name(tx, &name)?;
        if end {
            sessions::end_others(tx, &context, &user.user_id, None)?;
        }
        sessions::list(tx, &context, &user.user_id)
    };
    let found = if end { store.write(look).await? } else { store.read(look).await? };
    print::sessions(&found, now, json)
}
