//! What a tenant has chosen for the measurement of visits.

use pagesmith_model::audit::Action;
use pagesmith_model::network::Networks;
use pagesmith_model::visit::session::Session;
use pagesmith_model::{Error, Result, TenantId};
use pagesmith_store::Tx;
use pagesmith_store::tables::visits::settings as table;

use crate::audit;
use crate::context::TenantContext;
use crate::precondition::Precondition;

/// For how many days rows of sessions are kept where a tenant has chosen nothing.
pub const RETENTION_DAYS: i64 = 400;

/// What a browser's wish not to be tracked is worth: `Sec-GPC` or `DNT`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PrivacySignal {
    /// Nothing: visits are counted without naming anybody anyway.
    #[default]
    Ignored,
    /// The visit is counted and never becomes a person's.
    NoPerson,
    /// The visit is not counted.
    CountsNothing,
}

impl PrivacySignal {
    /// All of them.
    pub const ALL: [PrivacySignal; 3] =
        [PrivacySignal::Ignored, PrivacySignal::NoPerson, PrivacySignal::CountsNothing];

    /// As it is stored and sent.
    pub fn as_str(self) -> &'static str {
        match self {
            PrivacySignal::Ignored => "ignore",
            PrivacySignal::NoPerson => "no_person",
            PrivacySignal::CountsNothing => "count_nothing",
        }
    }

    /// The one of that name.
    pub fn parse(text: &str) -> Option<PrivacySignal> {
        PrivacySignal::ALL.into_iter().find(|signal| signal.as_str() == text)
    }
}

/// What a tenant has chosen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chosen {
    /// What a browser's wish is worth.
    pub privacy_signal: PrivacySignal,
    /// The tenant's own networks, from which nothing is counted.
    pub own_networks: Networks,
    /// For how many days rows of sessions are kept.
    pub retention_days: i64,
    /// The same as it is kept.
    pub kept: table::VisitSettings,
}

/// What a tenant has chosen, or what holds without a choice.
pub fn find(tx: &mut Tx<'_>, tenant: &TenantId) -> Result<Chosen> {
    chosen(table::find(tx, tenant)?)
}

/// The same, and the open sessions of these visitors.
pub(super) fn find_with_open_sessions(
    tx: &mut Tx<'_>,
    tenant: &TenantId,
    visitors: &[&[u8]],
) -> Result<(Chosen, Vec<Session>)> {
    let (kept, open) = table::find_with_open_sessions(tx, tenant, visitors)?;
    Ok((chosen(kept)?, open))
}

fn chosen(kept: table::VisitSettings) -> Result<Chosen> {
    let signal = kept.privacy_signal.as_deref().and_then(PrivacySignal::parse).unwrap_or_default();
    let networks = kept.own_networks.as_deref().unwrap_or_default();
    let own_networks = networks.parse().map_err(|_| Error::internal("networks that are none"))?;
    let retention_days = kept.retention_days.unwrap_or(RETENTION_DAYS);
    Ok(Chosen { privacy_signal: signal, own_networks, retention_days, kept })
}

/// Chooses something else. When rows expire later, those that are gone stay gone.
pub fn set(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    (retention_days, signal, own_networks): (i64, PrivacySignal, &str),
    precondition: &Precondition<Chosen>,
) -> Result<Chosen> {
    precondition.check(&find(tx, &ctx.tenant)?)?;
    let before = table::find(tx, &ctx.tenant)?;
    let settings = table::VisitSettings {
        retention_days: Some(retention_days),
        privacy_signal: Some(signal.as_str().to_owned()),
        own_networks: Some(own_networks.to_owned()),
        ..before.clone()
    };
    if settings != before {
        tx.run(table::save(&ctx.tenant, &settings))?;
        let subject = ctx.tenant.as_str();
        audit::record(tx, ctx, Some(&ctx.tenant), Action::VisitSettingsUpdated, subject)?;
    }
    find(tx, &ctx.tenant)
}
