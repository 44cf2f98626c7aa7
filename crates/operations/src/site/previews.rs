//! Previews: links that show one version, whatever its state, or one form to whoever has the link, until it expires.
//!
//! A link is signed with the server's key (while another takes its path, either opens) and kept nowhere: it names the audience and the version, or the form, and its end, and the signature covers
//! these and the tenant. Invariant: a link opens only on the site of its own tenant, and no part of it can be changed.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use pagesmith_model::version::Version;
use pagesmith_model::{AudienceId, FormId, Result, TenantId, Timestamp, VersionId};
use pagesmith_store::Tx;
use pagesmith_store::tables::{self, audiences, pages, persons};
use subtle::ConstantTimeEq;

use crate::context::{Context, TenantContext};
use crate::forms;
use crate::site::PageParts;
use crate::versions::{self, VersionPath};

/// How long a link works unless another time is asked for.
pub const USUAL: Duration = Duration::from_secs(60 * 60);
/// The path below which previews are; no page's slug is this word.
const FOLDER: &str = "/preview/";
/// What signatures of previews are made for.
const PURPOSE: &str = "preview";
/// What a link to a form has in the place of the audience that a link to a version names.
const FORM: &str = "form";

/// What a link names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    audience_id: AudienceId,
    version_id: VersionId,
    /// Until when it works; a whole second.
    pub expires_at: Timestamp,
}

/// What a path below the folder of previews turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PreviewLink {
    /// A link to a version that works.
    Open(Ticket),
    /// A link to a form that works.
    OpenForm(FormId),
    /// One that has worked.
    Expired,
    /// Nothing of ours.
    Forged,
}

/// The path of a link to a version that lasts so long, and when it ends.
pub fn grant(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    path: &VersionPath,
    lasts: Duration,
) -> Result<(String, Timestamp)> {
    let version = versions::find(tx, ctx, path)?;
    link(ctx, version.audience_id.as_str(), version.version_id.as_str(), lasts)
}

/// The path of a link to a form that lasts so long, and when it ends.
pub fn grant_form(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    form_id: &FormId,
    lasts: Duration,
) -> Result<(String, Timestamp)> {
    let form = forms::find(tx, ctx, form_id)?;
    link(ctx, FORM, form.form_id.as_str(), lasts)
}

fn link(ctx: &TenantContext, first: &str, second: &str, lasts: Duration) -> Result<(String, Timestamp)> {
    let seconds = ctx.now.plus(lasts).as_micros().div_euclid(1_000_000);
    let signatures = sign(ctx, &ctx.tenant, first, second, seconds)?;
    let signature = signatures.first().map_or("", String::as_str);
    Ok((format!("{FOLDER}{first}/{second}/{seconds}-{signature}"), instant(seconds)))
}

fn instant(seconds: i64) -> Timestamp {
    Timestamp::from_micros(seconds.saturating_mul(1_000_000))
}

/// The signatures of the server's keys, that of the one that signs first.
fn sign(ctx: &Context, tenant: &TenantId, first: &str, second: &str, seconds: i64) -> Result<Vec<String>> {
    let parts = [tenant.as_str(), first, second, &seconds.to_string()];
    let digests = ctx.secret()?.digests(PURPOSE, &parts);
    Ok(digests.iter().map(|digest| URL_SAFE_NO_PAD.encode(digest)).collect())
}

/// Reads a path; `None` if it is not below the folder of previews.
pub fn read_path(ctx: &Context, tenant: &TenantId, path: &str) -> Result<Option<PreviewLink>> {
    let Some(rest) = path.strip_prefix(FOLDER) else { return Ok(None) };
    let parts: Vec<&str> = rest.split('/').collect();
    let [first, second, end] = parts[..] else { return Ok(Some(PreviewLink::Forged)) };
    let Some((seconds, signature)) = end.split_once('-') else { return Ok(Some(PreviewLink::Forged)) };
    let Ok(number) = seconds.parse::<i64>() else { return Ok(Some(PreviewLink::Forged)) };
    let opens = if first == FORM {
        FormId::parse(second).map(PreviewLink::OpenForm)
    } else {
        AudienceId::parse(first).zip(VersionId::parse(second)).map(|(audience_id, version_id)| {
            PreviewLink::Open(Ticket { audience_id, version_id, expires_at: instant(number) })
        })
    };
    let Some(opens) = opens else { return Ok(Some(PreviewLink::Forged)) };
    let ours = sign(ctx, tenant, first, second, number)?;
    // The number is signed in the one way in which we write it.
    let is_signed = ours.iter().any(|ours| bool::from(ours.as_bytes().ct_eq(signature.as_bytes())));
    let is_ours = number.to_string() == seconds && is_signed;
    Ok(Some(match is_ours {
        false => PreviewLink::Forged,
        true if instant(number) <= ctx.now => PreviewLink::Expired,
        true => opens,
    }))
}

/// What there is of a version.
#[derive(Debug, Clone)]
pub struct Preview {
    /// The version.
    pub version: Version,
    /// What its page would be drawn from; `None` as long as nothing is written.
    pub parts: Option<Box<PageParts>>,
    /// Whether it is the page of a person who was deleted.
    pub is_gone: bool,
}

/// The version that a link names, if it is still there and its page is not deleted.
pub fn read(tx: &mut Tx<'_>, tenant: &TenantId, ticket: &Ticket) -> Result<Option<Preview>> {
    let found = tables::versions::find(tx, tenant, &ticket.audience_id, &ticket.version_id)?;
    let Some(version) = found else { return Ok(None) };
    let page = pages::find(tx, tenant, &version.page_id)?.filter(|page| page.deleted_at.is_none());
    let audience = audiences::find(tx, tenant, &version.page_id, &version.audience_id)?;
    let Some((page, audience)) = page.zip(audience) else { return Ok(None) };
    let person = match &audience.person_id {
        Some(person_id) => persons::find(tx, tenant, person_id)?,
        None => None,
    };
    let is_gone = person.is_some_and(|person| person.deleted_at.is_some());
    let content = tables::versions::contents::find(tx, tenant, &version.version_id)?;
    let with = |content| PageParts::with(tx, tenant, page, audience, content).map(Box::new);
    let parts = content.map(with).transpose()?;
    Ok(Some(Preview { version, parts, is_gone }))
}

#[cfg(test)]
mod tests {
    use pagesmith_model::id::Uuid7Source;
    use pagesmith_model::seal::{SecretKey, SecretKeys};
    use proptest::prelude::*;

    use super::*;
    use crate::platform::{Clock, Platform, Random};

    const NOW: i64 = 1_772_366_400;

    fn scene() -> (Context, TenantId, String) {
        scene_of(false)
    }

    /// A link to a version, or to a form.
    fn scene_of(is_form: bool) -> (Context, TenantId, String) {
        let platform = Platform::new(Clock::manual(instant(NOW)), Random::seeded(1));
        platform.keep_secret(SecretKey::new([7; 32]));
        let ctx = platform.context();
        let ids = Uuid7Source::new();
        let tenant = TenantId::mint(ids.next(ctx.now, 1));
        let (audience, version) =
            (AudienceId::mint(ids.next(ctx.now, 2)), VersionId::mint(ids.next(ctx.now, 3)));
        let form = FormId::mint(ids.next(ctx.now, 4));
        let (first, second) =
            if is_form { (FORM, form.as_str()) } else { (audience.as_str(), version.as_str()) };
        let (path, _) =
            link(&ctx.clone().of(tenant.clone()), first, second, Duration::from_secs(60)).unwrap();
        (ctx, tenant, path)
    }

    fn shown(ctx: &Context, tenant: &TenantId, path: &str) -> Option<PreviewLink> {
        read_path(ctx, tenant, path).unwrap()
    }

    #[test]
    fn a_link_opens_until_it_ends_and_only_for_its_tenant() {
        let (ctx, tenant, path) = scene();
        assert!(matches!(shown(&ctx, &tenant, &path), Some(PreviewLink::Open(_))));
        let at = |seconds| {
            let mut later = ctx.clone();
            later.now = instant(NOW + seconds);
            later
        };
        assert!(matches!(shown(&at(59), &tenant, &path), Some(PreviewLink::Open(_))));
        assert_eq!(shown(&at(60), &tenant, &path), Some(PreviewLink::Expired));
        let other = TenantId::mint(Uuid7Source::new().next(ctx.now, 9));
        assert_eq!(shown(&ctx, &other, &path), Some(PreviewLink::Forged));
        assert_eq!(shown(&ctx, &tenant, "/previews/a"), None);
        assert_eq!(shown(&ctx, &tenant, "/preview/"), Some(PreviewLink::Forged));
        let later = path.replace(&format!("/{}-", NOW + 60), &format!("/0{}-", NOW + 60));
        assert_eq!(shown(&ctx, &tenant, &later), Some(PreviewLink::Forged));
    }

    #[test]
    fn a_link_to_a_form_opens_the_form_alone() {
        let (ctx, tenant, path) = scene_of(true);
        assert!(matches!(shown(&ctx, &tenant, &path), Some(PreviewLink::OpenForm(_))), "{path}");
        let other = TenantId::mint(Uuid7Source::new().next(ctx.now, 9));
        assert_eq!(shown(&ctx, &other, &path), Some(PreviewLink::Forged));
        let mut later = ctx.clone();
        later.now = instant(NOW + 60);
        assert_eq!(shown(&later, &tenant, &path), Some(PreviewLink::Expired));
    }

    #[test]
    fn a_link_opens_until_its_key_is_forgotten() {
        let (ctx, tenant, path) = scene();
        let (old, new) = (SecretKey::new([7; 32]), SecretKey::new([8; 32]));
        let under = |keys: SecretKeys| {
            let platform = Platform::new(Clock::manual(ctx.now), Random::seeded(2));
            platform.keep_secret(keys);
            shown(&platform.context(), &tenant, &path)
        };
        assert!(matches!(under(SecretKeys::new(new.clone(), vec![old])), Some(PreviewLink::Open(_))));
        assert_eq!(under(new.into()), Some(PreviewLink::Forged));
    }

    proptest! {
        #[test]
        fn no_character_of_a_link_can_be_another(
            is_form: bool, at in any::<prop::sample::Index>(), new in "[a-zA-Z0-9/_-]",
        ) {
            let (ctx, tenant, path) = scene_of(is_form);
            let at = FOLDER.len() + at.index(path.len() - FOLDER.len());
            let mut changed = path.clone();
            changed.replace_range(at..=at, &new);
            let expected = if changed == path { shown(&ctx, &tenant, &path) } else { Some(PreviewLink::Forged) };
            prop_assert_eq!(shown(&ctx, &tenant, &changed), expected);
        }
    }
}
