//! The operations on tenants' own domains.

use pagesmith_endpoint::endpoint;
use pagesmith_model::tenant_domain::{NewTenantDomain, TenantDomain, TenantDomainPatch};
use pagesmith_model::{Result, TenantDomainId};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::precondition::Precondition;
use pagesmith_operations::tenant_domains;
use pagesmith_store::{Tx, tables};

use crate::api::tenant_domains::shown::Needs;
use crate::api::tenant_domains::view::{AddedDomainView, DomainDnsView, DomainWithStatus, TenantDomainView};
use crate::collection::Collection;
use crate::extract::body::EmptyObject;
use crate::extract::{Body, Call, IdempotencyKey, IfMatch, Paging, Path};
use crate::reply::{DONE, Reply, Single, Success};

pub(crate) mod shown;
pub(crate) mod view;

/// How many checks a tenant may wait for at a time.
const CHECKS_PER_TENANT: usize = 4;

/// Lists the domains of the tenant, newest first.
///
/// Domains that are not verified are listed as well.
#[endpoint]
pub(crate) async fn list_tenant_domains(
    call: Call,
    paging: Paging,
) -> Result<Reply<Collection<TenantDomainView>>> {
    let list = paging.keyset(&call, "tenant domains", &[])?;
    let needs = Needs::of(&call.state);
    let found = list.read(&call, move |tx, ctx, after, extent| {
        let (part, total) = tables::tenant_domains::list(tx, &ctx.tenant, after, extent)?;
        Ok((part.try_map(|domain| needs.shown(tx, domain))?, total))
    });
    let position = |shown: &DomainWithStatus| shown.domain.tenant_domain_id.clone();
    list.answer(&call, found.await?, position, TenantDomainView::from).await
}

/// Adds a domain of the tenant's own.
///
/// The domain is `pending_verification` until its DNS shows the TXT record in `records`. Pages are shown on it from then on; it is `active`
/// when its other records lead here as well and, where the service gets certificates by itself, it has one. Its DNS is checked again and again for seven days, and whenever `verifyTenantDomain` asks for it.
///
/// Several tenants may add the same domain: the first whose record is seen has it. A domain that another tenant has verified, one that the
/// tenant has added, and one more than 100 fail with 409. A tenant cannot add IP addresses, public suffixes such as `co.uk`, and domains of this service itself.
#[endpoint]
pub(crate) async fn add_tenant_domain(
    call: Call,
    key: IdempotencyKey,
    Body(new): Body<NewTenantDomain>,
) -> Result<Reply<AddedDomainView, 201>> {
    let (installation, slug) = (call.state.dns_checker.installation.clone(), call.tenant_slug().to_owned());
    call.change_once(key, move |tx, ctx| {
        let domain = tenant_domains::create(tx, ctx, &new, &installation)?;
        let wanted = installation.wanted(&domain, &slug);
        Ok(AddedDomainView::of(domain, &wanted))
    })
    .await
}

/// Returns a domain.
///
/// `getTenantDomainDns` returns the records that the domain needs, and why it is not `active`.
#[endpoint]
pub(crate) async fn get_tenant_domain(
    call: Call,
    Path(id): Path<TenantDomainId>,
) -> Result<Single<TenantDomainView>> {
    let needs = Needs::of(&call.state);
    let find = move |tx: &mut Tx<'_>, ctx: &TenantContext| {
        let domain = tenant_domains::find(tx, ctx, &id)?;
        needs.shown(tx, domain)
    };
    Ok(Single(TenantDomainView::from(call.point_read(find).await?)))
}

/// Returns the DNS records that a domain needs, and what was seen of them.
///
/// `seen` is what the domain's DNS answered at `lastLookAt`; `problems` says what is wrong with it. Nothing is checked for this answer:
/// `verifyTenantDomain` checks at once.
#[endpoint]
pub(crate) async fn get_tenant_domain_dns(
    call: Call,
    Path(id): Path<TenantDomainId>,
) -> Result<Single<DomainDnsView>> {
    let needs = Needs::of(&call.state);
    let found = call.read(move |tx, ctx| {
        let (domain, is_held_elsewhere) = tenant_domains::find_with_holder(tx, ctx, &id)?;
        Ok((needs.shown(tx, domain)?, is_held_elsewhere))
    });
    let (shown, is_held_elsewhere) = found.await?;
    let wanted = call.state.dns_checker.installation.wanted(&shown.domain, call.tenant_slug());
    Ok(Single(DomainDnsView::of(shown, &wanted, is_held_elsewhere)))
}

/// Checks the DNS of a domain now.
///
/// The answer comes within five seconds and has the status that the check led to. A domain that had been given up as `failed` is checked
/// for another seven days. A tenant can have four such requests at a time; one more fails with 429.
#[endpoint]
pub(crate) async fn verify_tenant_domain(
    call: Call,
    Path(id): Path<TenantDomainId>,
    key: IdempotencyKey,
    Body(EmptyObject {}): Body<EmptyObject>,
) -> Result<Reply<TenantDomainView>> {
    let wanted_id = id.clone();
    let domain = call.point_read(move |tx, ctx| tenant_domains::find(tx, ctx, &wanted_id)).await?;
    let permit = call.permit(&call.state.dns_checks_in_flight, CHECKS_PER_TENANT, 1, |limit| {
        format!("The tenant waits for {limit} checks of its domains already.")
    })?;
    let checker = &call.state.dns_checker;
    let wanted = checker.installation.wanted(&domain, call.tenant_slug());
    let seen = checker.check(&domain.domain, &wanted).await;
    drop(permit);
    let needs = Needs::of(&call.state);
    let reply = call
        .change_once(key, move |tx, ctx| {
            let domain = tenant_domains::note_check(tx, ctx, &id, (&seen, &wanted), true)?;
            needs.shown(tx, domain).map(TenantDomainView::from)
        })
        .await?;
    call.state.domains.refresh().await?;
    Ok(reply)
}

/// What `If-Match` demands of a domain.
async fn precondition(
    call: &Call,
    id: &TenantDomainId,
    if_match: &IfMatch,
) -> Result<Precondition<TenantDomain>> {
    let (id, needs) = (id.clone(), Needs::of(&call.state));
    let read = move |tx: &mut Tx<'_>, ctx: &TenantContext| {
        let domain = tenant_domains::find(tx, ctx, &id)?;
        needs.shown(tx, domain)
    };
    let precondition = if_match.precondition(call, read, |shown| Ok(TenantDomainView::from(shown))).await?;
    Ok(precondition.of_part(|shown| shown.domain))
}

/// Makes a domain the tenant's default domain, or takes that from it.
///
/// The default domain is the canonical address of the tenant's pages for search engines, whatever domain a page was opened under.
/// Without one it is the fallback domain. A domain that is not verified fails with 409.
#[endpoint]
pub(crate) async fn update_tenant_domain(
    call: Call,
    Path(id): Path<TenantDomainId>,
    if_match: IfMatch,
    Body(patch): Body<TenantDomainPatch>,
) -> Result<Reply<TenantDomainView>> {
    let precondition = precondition(&call, &id, &if_match).await?;
    let needs = Needs::of(&call.state);
    call.change(move |tx, ctx| {
        let domain = tenant_domains::update(tx, ctx, &id, &patch, &precondition)?;
        needs.shown(tx, domain).map(TenantDomainView::from)
    })
    .await
}

/// Removes a domain.
///
/// The domain shows nothing from then on. A tenant that adds it again, including this one, has to verify it with a new record.
/// While page links are on the domain, this fails with 409.
#[endpoint]
pub(crate) async fn remove_tenant_domain(
    call: Call,
    Path(id): Path<TenantDomainId>,
    if_match: IfMatch,
) -> Result<Reply<Success>> {
    let precondition = precondition(&call, &id, &if_match).await?;
    let reply = call
        .change(move |tx, ctx| tenant_domains::delete(tx, ctx, &id, &precondition).map(|()| DONE))
        .await?;
    call.state.domains.refresh().await?;
    Ok(reply)
}
