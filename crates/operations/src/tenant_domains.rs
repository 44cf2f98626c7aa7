//! Domains of tenants' own: added, verified by checks of their DNS ([`check`]), and removed.
//!
//! Whoever's token the DNS shows first holds the domain; the others wait until it is free. Invariants: a domain has one holder in the whole
//! installation, who holds it exactly while [`TenantDomain::is_held`]; and a domain that is added anew has a token that never was in its DNS.

use pagesmith_model::audit::Action;
use pagesmith_model::tenant_domain::check::{ExpectedDns, Seen, Verdict};
use pagesmith_model::tenant_domain::{
    HostName, MOST_DOMAINS, NewTenantDomain, TenantDomain, TenantDomainPatch,
};
use pagesmith_model::{Error, Issue, IssueCode, Kind, Result, TenantDomainId};
use pagesmith_store::tables::site;
use pagesmith_store::tables::tenant_domains::{self as table, held};
use pagesmith_store::tables::{page_links, revisions};
use pagesmith_store::{Query, Tx};
use serde_json::json;

use crate::audit;
use crate::context::TenantContext;
use crate::precondition::Precondition;

pub mod check;
pub mod map;

use check::Installation;

/// Adds a domain; nobody holds it yet.
pub fn create(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    new: &NewTenantDomain,
    installation: &Installation,
) -> Result<TenantDomain> {
    let name = accept(&new.domain, installation)?;
    if let Some(holder) = held::find(tx, name.as_str())?.filter(|held| held.tenant != ctx.tenant) {
        let detail = format!("Another tenant has verified the domain '{}'.", holder.domain);
        return Err(conflict("held_elsewhere", detail));
    }
    if table::count(tx, &ctx.tenant)? >= u64::try_from(MOST_DOMAINS).unwrap_or(u64::MAX) {
        let detail = format!("A tenant may have at most {MOST_DOMAINS} domains.");
        return Err(Error::new(Kind::Conflict(Some(json!({ "limit": MOST_DOMAINS }))), detail));
    }
    let id = TenantDomainId::mint(ctx.uuid()?);
    let domain = TenantDomain::new(id, name, token(ctx)?, ctx.now);
    if tx.run(table::insert(&ctx.tenant, &domain))? == 0 {
        let detail = format!("The tenant has the domain '{}' already.", domain.domain);
        return Err(conflict("added_already", detail));
    }
    Ok(domain)
}

/// The name that a tenant may add; an issue for any other.
fn accept(text: &str, installation: &Installation) -> Result<HostName> {
    let refuse =
        |code, rule: &str| Error::invalid(vec![Issue::body(code, &["domain"], format!("domain: {rule}."))]);
    let name = HostName::parse(text).map_err(|rule| refuse(IssueCode::InvalidFormat, rule))?;
    if installation.owns(&name) {
        return Err(refuse(IssueCode::InvalidValue, "must not be a domain of this service itself"));
    }
    Ok(name)
}

/// 160 random bits as 32 lower-case letters and digits.
fn token(ctx: &TenantContext) -> Result<String> {
    const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let bytes = ctx.random::<32>()?;
    Ok(bytes.iter().map(|byte| char::from(DIGITS[usize::from(byte & 31)])).collect())
}

fn conflict(reason: &str, detail: String) -> Error {
    Error::new(Kind::Conflict(Some(json!({ "reason": reason }))), detail)
}

/// The domain.
pub fn find(tx: &mut Tx<'_>, ctx: &TenantContext, id: &TenantDomainId) -> Result<TenantDomain> {
    table::find(tx, &ctx.tenant, id)?.ok_or_else(|| Error::not_found(TenantDomainId::NOUN))
}

/// The domain of this id, if the text is one and the tenant has it.
pub fn find_named(tx: &mut Tx<'_>, ctx: &TenantContext, id: &str) -> Result<Option<TenantDomain>> {
    TenantDomainId::parse(id).map_or(Ok(None), |id| table::find(tx, &ctx.tenant, &id))
}

/// The verified domain of this id; 404 for every other text.
pub fn find_verified(tx: &mut Tx<'_>, ctx: &TenantContext, id: &str) -> Result<TenantDomain> {
    let found = find_named(tx, ctx, id)?.filter(|domain| domain.is_verified);
    found.ok_or_else(|| Error::not_found(TenantDomainId::NOUN))
}

/// A domain with whether another tenant holds it.
pub fn find_with_holder(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    id: &TenantDomainId,
) -> Result<(TenantDomain, bool)> {
    let domain = find(tx, ctx, id)?;
    let is_held_elsewhere = is_held_elsewhere(tx, ctx, &domain)?;
    Ok((domain, is_held_elsewhere))
}

fn is_held_elsewhere(tx: &mut Tx<'_>, ctx: &TenantContext, domain: &TenantDomain) -> Result<bool> {
    Ok(held::find(tx, domain.domain.as_str())?.is_some_and(|held| held.tenant != ctx.tenant))
}

/// Changes the given fields.
pub fn update(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    id: &TenantDomainId,
    patch: &TenantDomainPatch,
    precondition: &Precondition<TenantDomain>,
) -> Result<TenantDomain> {
    let mut domain = find(tx, ctx, id)?;
    precondition.check(&domain)?;
    let Some(is_default) = patch.is_default.filter(|is_default| *is_default != domain.is_default) else {
        return Ok(domain);
    };
    if is_default && !domain.is_verified {
        let detail = format!("The domain '{}' is not verified.", domain.domain);
        return Err(conflict("not_verified", detail));
    }
    domain.is_default = is_default;
    domain.updated_at = ctx.now;
    tx.change(vec![
        table::unset_default(&ctx.tenant, ctx.now),
        table::update(&ctx.tenant, &domain)?,
        site::touch(&ctx.tenant, ctx.now),
    ])?;
    Ok(domain)
}

/// Removes a domain: whoever wants it next has to verify it, with another token.
pub fn delete(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    id: &TenantDomainId,
    precondition: &Precondition<TenantDomain>,
) -> Result<()> {
    let domain = find(tx, ctx, id)?;
    precondition.check(&domain)?;
    if page_links::is_any_on(tx, &ctx.tenant, id)? {
        let detail = format!("Page links are on the domain '{}': move or delete them first.", domain.domain);
        return Err(conflict("page_links", detail));
    }
    let mut changes = vec![table::remove(&ctx.tenant, id)];
    if domain.is_held() {
        changes.extend(released(ctx, &domain));
    }
    if domain.is_default {
        changes.push(site::touch(&ctx.tenant, ctx.now));
    }
    changes.extend(noted(tx, ctx, Action::DomainRemoved, &domain)?);
    tx.change(changes)
}

/// Takes a domain from its tenant.
fn released(ctx: &TenantContext, domain: &TenantDomain) -> [Query; 2] {
    [held::remove(&ctx.tenant, domain), revisions::raise(revisions::DOMAINS)]
}

fn noted(tx: &Tx<'_>, ctx: &TenantContext, action: Action, domain: &TenantDomain) -> Result<Vec<Query>> {
    let subject = domain.tenant_domain_id.as_str();
    audit::entry(tx, ctx, Some(&ctx.tenant), action, subject).map(|(_, queries)| queries)
}

/// Takes note of what was seen of a domain's DNS, for which `wanted` was wanted; `again` begins with a domain anew that was given up.
pub fn note_check(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    id: &TenantDomainId,
    (seen, wanted): (&Seen, &ExpectedDns),
    again: bool,
) -> Result<TenantDomain> {
    let before = find(tx, ctx, id)?;
    let mut domain = before.clone();
    if again {
        domain.check_again(ctx.now);
    }
    let verdict = seen.verdict(wanted);
    let verdict = match verdict.is_proved {
        Some(true) if !before.is_held() && is_held_elsewhere(tx, ctx, &before)? => {
            Verdict { is_proved: Some(false), ..verdict }
        }
        _ => verdict,
    };
    domain.note_check(seen.clone(), verdict, ctx.now);
    let mut changes = vec![table::update(&ctx.tenant, &domain)?];
    match (before.is_held(), domain.is_held()) {
        (false, true) => {
            if tx.run(held::insert(&ctx.tenant, &domain))? == 0 {
                return Err(Error::internal("a domain that somebody holds was found free"));
            }
            changes.push(revisions::raise(revisions::DOMAINS));
            changes.extend(noted(tx, ctx, Action::DomainVerified, &domain)?);
        }
        (true, false) => {
            changes.extend(released(ctx, &domain));
            changes.extend(noted(tx, ctx, Action::DomainLost, &domain)?);
        }
        // What leads here now may want a certificate.
        (true, true) if before.status != domain.status => changes.push(revisions::raise(revisions::DOMAINS)),
        _ => {}
    }
    if before.is_default != domain.is_default {
        changes.push(site::touch(&ctx.tenant, ctx.now));
    }
    tx.change(changes)?;
    Ok(domain)
}
