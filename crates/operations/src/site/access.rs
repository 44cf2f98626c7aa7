//! Who may open a person's or an account's own page: set for its audience, told by its link, and asked at every visit.
//!
//! Such an audience has two addresses. The one made of the name opens under `open`. The one that ends in a random part opens under `open` and
//! `unguessable`; under `signed` it needs an expiry and a signature as well. Invariant: an address that may not be opened is answered like one
//! that does not exist.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pagesmith_model::audience::Audience;
use pagesmith_model::audit::Action;
use pagesmith_model::page::access::{PageAccess, with_random};
use pagesmith_model::site::SiteSettings;
use pagesmith_model::{AudienceId, Error, PageId, Result, TenantId, Timestamp};
use pagesmith_store::Tx;
use pagesmith_store::tables::audiences::{self as table, AudienceDetail};
use pagesmith_store::tables::site::targets::SiteTarget;
use subtle::ConstantTimeEq;

use crate::audiences;
use crate::audit;
use crate::context::{Context, TenantContext};
use crate::site::address::{Address, Resolution};

/// What signatures of links are made for.
const PURPOSE: &str = "audience link";
/// Links end at a full hour, so that the same is answered for a while.
const ROUND: i64 = 3_600;
const DAY: u64 = 86_400;

/// What is set for an audience.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AccessChange {
    /// Who may open it; nothing: as the tenant decides.
    pub access: Option<PageAccess>,
    /// Whether it gets another secret address, and the links that were signed are not valid any more.
    pub renew: bool,
}

/// Sets who may open an audience. What was signed before a change is not valid after it.
pub fn set(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (page_id, audience_id): (&PageId, &AudienceId),
    wanted: AccessChange,
) -> Result<()> {
    let listed = audiences::find(tx, ctx, page_id, audience_id)?.listed;
    let before = listed.access();
    let mut audience = listed.audience;
    if !audience.is_own() {
        return Err(Error::conflict(
            "The audience is nobody's own page: it is shown at the page's link to everybody.",
        ));
    }
    let changes = audience.access != wanted.access || wanted.renew;
    if !changes && audience.secret_slug.is_some() {
        return Ok(());
    }
    audience.access = wanted.access;
    if wanted.renew || audience.secret_slug.is_none() {
        audience.secret_slug = Some(with_random(named(&audience), ctx.random()?));
    }
    if wanted.renew || audience.access(listed.of_persons) != before {
        audience.access_changes += 1;
    }
    audience.updated_at = ctx.now;
    tx.run(table::update_access(&ctx.tenant, &audience))?;
    audit::record(tx, ctx, Some(&ctx.tenant), Action::AccessUpdated, audience_id.as_str())?;
    Ok(())
}

/// The part of the secret address before the random one.
fn named(audience: &Audience) -> &str {
    match &audience.secret_slug {
        Some(secret) => secret.rsplit_once('-').map_or(secret, |(named, _)| named),
        None => &audience.slug,
    }
}

/// The path of an audience's link; it is signed where that is wanted.
pub fn path(ctx: &TenantContext, found: &AudienceDetail, settings: &SiteSettings) -> Result<String> {
    let (listed, page_slug) = (&found.listed, &found.page_slug);
    let path = format!("/{page_slug}/{}", listed.address());
    if listed.access() != PageAccess::Signed {
        return Ok(path);
    }
    let lasts = Duration::from_secs(u64::from(settings.signed_link_days) * DAY);
    let end = ctx.now.plus(lasts).as_micros().div_euclid(1_000_000);
    let end = (end + ROUND - 1).div_euclid(ROUND) * ROUND;
    let audience = &listed.audience;
    let signed = Signed {
        tenant: &ctx.tenant,
        page_id: &audience.page_id,
        audience_id: &audience.audience_id,
        access_changes: audience.access_changes,
    };
    let signatures = signed.signatures(ctx, end)?;
    Ok(format!("{path}/{end}-{}", signatures.first().map_or("", String::as_str)))
}

/// What a signature is for.
struct Signed<'a> {
    tenant: &'a TenantId,
    page_id: &'a PageId,
    audience_id: &'a AudienceId,
    access_changes: i64,
}

impl Signed<'_> {
    /// The signatures of the server's keys, that of the one that signs first.
    fn signatures(&self, ctx: &Context, end: i64) -> Result<Vec<String>> {
        let (changes, end) = (self.access_changes.to_string(), end.to_string());
        let parts = [self.tenant.as_str(), self.page_id.as_str(), self.audience_id.as_str(), &changes, &end];
        let digests = ctx.secret()?.digests(PURPOSE, &parts);
        Ok(digests.iter().map(|digest| URL_SAFE_NO_PAD.encode(digest)).collect())
    }
}

/// What keeps a visitor from what is at an address, if anything does.
pub(crate) fn refusal(
    ctx: &Context,
    tenant: &TenantId,
    address: &Address,
    target: &SiteTarget,
) -> Result<Option<Resolution>> {
    let ticket = match (address, target.access, target.is_by_secret) {
        (Address::Signed { ticket, .. }, PageAccess::Signed, true) => ticket,
        (Address::Signed { .. }, ..) | (_, PageAccess::Signed, _) | (_, PageAccess::Unguessable, false) => {
            return Ok(Some(Resolution::Nothing));
        }
        (_, PageAccess::Unguessable, true) | (_, PageAccess::Open, _) => return Ok(None),
    };
    let Some(audience_id) = &target.audience_id else { return Ok(Some(Resolution::Nothing)) };
    let (end, signature) = ticket.split_once('-').unwrap_or_default();
    let Ok(number) = end.parse::<i64>() else { return Ok(Some(Resolution::Nothing)) };
    let signed =
        Signed { tenant, page_id: &target.page_id, audience_id, access_changes: target.access_changes };
    let signatures = signed.signatures(ctx, number)?;
    let is_signed = signatures.iter().any(|ours| bool::from(ours.as_bytes().ct_eq(signature.as_bytes())));
    // The number is signed in the one way in which we write it.
    if !is_signed || number.to_string() != end {
        return Ok(Some(Resolution::Nothing));
    }
    let end = Timestamp::from_micros(number.saturating_mul(1_000_000));
    Ok((end <= ctx.now).then_some(Resolution::Expired))
}
