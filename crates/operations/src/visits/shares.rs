//! Shares: links by which somebody without a user sees the figures of a page, with an end and, if wanted, a password.
//!
//! Whoever has the link may read what [`crate::access::Identity::Guest`] may. Attempts to guess a password are counted as those of signing in.

use std::time::Duration;

use pagesmith_model::audit::Action;
use pagesmith_model::hexadecimal::hexadecimal;
use pagesmith_model::visit::share::{LONGEST, LONGEST_NAME, MOST_OF_PAGE, VisitShare};
use pagesmith_model::{Error, Kind, PageId, Result, VisitShareId, key};
use pagesmith_store::tables::visits::shares as rows;
use pagesmith_store::{Store, Tx};
use subtle::ConstantTimeEq as _;

use crate::context::{Context, TenantContext};
use crate::users::attempts::{self, Counted};
use crate::users::{Client, Hasher, token};
use crate::{audit, pages};

/// What a share is to be.
#[derive(Debug, Clone)]
pub struct NewShare {
    /// What it is called.
    pub name: String,
    /// How long it is open.
    pub open_for: Duration,
    /// The password that is asked for, if one is.
    pub password: Option<String>,
}

/// The same with the hash of the password in its place.
#[derive(Clone)]
pub struct PreparedShare {
    name: String,
    open_for: Duration,
    password_hash: Option<String>,
}

impl NewShare {
    /// Hashes the password, which takes longer than a transaction may.
    pub async fn prepare(self, ctx: &TenantContext, hasher: &Hasher) -> Result<PreparedShare> {
        let NewShare { name, open_for, password } = self;
        let (length, open_for) = (name.trim().chars().count(), open_for.min(LONGEST));
        if length == 0 || length > LONGEST_NAME || open_for.is_zero() {
            return Err(Error::internal("a share was not checked"));
        }
        let password_hash = match password {
            None => None,
            Some(password) => Some(hasher.hash(ctx, password).await?),
        };
        Ok(PreparedShare { name: name.trim().to_owned(), open_for, password_hash })
    }
}

/// Makes a share; with it the token of its link, which nobody will see again.
pub fn create(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    page_id: &PageId,
    new: &PreparedShare,
) -> Result<(VisitShare, String)> {
    pages::find(tx, ctx, page_id)?;
    tx.run(rows::remove_ended(&ctx.tenant, page_id, ctx.now))?;
    if rows::list(tx, &ctx.tenant, page_id, ctx.now)?.len() >= MOST_OF_PAGE {
        let detail =
            format!("A page has at most {MOST_OF_PAGE} links to its figures: end those that are not wanted.");
        return Err(Error::conflict(detail));
    }
    let share = VisitShare {
        visit_share_id: VisitShareId::mint(ctx.uuid()?),
        page_id: page_id.clone(),
        name: new.name.clone(),
        password_hash: new.password_hash.clone(),
        created_by: ctx.actor().clone(),
        created_at: ctx.now,
        expires_at: ctx.now.plus(new.open_for),
    };
    let (token, digest) = token(ctx)?;
    tx.run(rows::insert(&ctx.tenant, &share, &digest))?;
    audit::record(tx, ctx, Some(&ctx.tenant), Action::VisitsShared, share.visit_share_id.as_str())?;
    Ok((share, token))
}

/// The open shares of a page, the newest first.
pub fn list(tx: &mut Tx<'_>, ctx: &TenantContext, page_id: &PageId) -> Result<Vec<VisitShare>> {
    pages::find(tx, ctx, page_id)?;
    rows::list(tx, &ctx.tenant, page_id, ctx.now)
}

/// Ends a share: its link shows nothing any more.
pub fn end(tx: &mut Tx<'_>, ctx: &TenantContext, page_id: &PageId, share: &VisitShareId) -> Result<()> {
    if tx.run(rows::remove(&ctx.tenant, page_id, share))? == 0 {
        return Err(Error::not_found(VisitShareId::NOUN));
    }
    audit::record(tx, ctx, Some(&ctx.tenant), Action::VisitShareEnded, share.as_str()).map(drop)
}

/// The open share of a link; 404 if there is none.
pub fn of_token(tx: &mut Tx<'_>, ctx: &TenantContext, token: &str) -> Result<VisitShare> {
    let found = rows::find_by_digest(tx, &ctx.tenant, &key::digest(token), ctx.now)?;
    found.ok_or_else(|| Error::not_found(VisitShareId::NOUN))
}

/// Whether `proof` is what [`prove`] has given for the share's present password.
pub fn is_proven(ctx: &Context, share: &VisitShare, proof: &str) -> Result<bool> {
    let expected = proof_of(ctx, share)?;
    Ok(expected.as_bytes().ct_eq(proof.as_bytes()).into())
}

/// Checks a password; what a browser keeps so as not to be asked again. 401 if it is wrong, 429 after too many attempts.
pub async fn prove(
    store: &Store,
    ctx: &Context,
    hasher: &Hasher,
    client: &Client,
    share: &VisitShare,
    password: String,
) -> Result<String> {
    let counted = Counted::of(ctx, client, share.visit_share_id.as_str())?;
    {
        let (ctx, client, counted) = (ctx.clone(), client.clone(), counted.clone());
        store.write(move |tx| attempts::count(tx, &ctx, &client, &counted, None)).await?;
    }
    if !hasher.verify(password, share.password_hash.clone()).await? {
        return Err(Error::new(Kind::Unauthorized, "The password is wrong."));
    }
    store.write(move |tx| attempts::take_back(tx, &counted)).await?;
    proof_of(ctx, share)
}

fn proof_of(ctx: &Context, share: &VisitShare) -> Result<String> {
    let hash = share.password_hash.as_deref().unwrap_or_default();
    let digest = ctx.keyed_digest("password of a share of visits", &[share.visit_share_id.as_str(), hash])?;
    Ok(hexadecimal(&digest))
}
