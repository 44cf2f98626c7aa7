//! What a tenant chooses for the measurement of visits. Ours, beyond the contract.

use pagesmith_endpoint::endpoint;
use pagesmith_model::network::Networks;
use pagesmith_model::{Error, Issue, IssueCode, Result};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::visits::settings::{self, Chosen, PrivacySignal};
use pagesmith_store::Tx;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::extract::{Body, Call, IfMatch};
use crate::reply::{Reply, Single};

/// How the visits to the pages of a tenant are measured.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "VisitSettings")]
#[schemars(example = json!({ "retentionDays": 400, "privacySignal": "ignore", "ownNetworks": ["203.0.113.0/24"] }))]
pub(crate) struct VisitSettingsView {
    /// For how many days the rows of sessions are kept. Sums stay.
    #[schemars(range(min = 1, max = 3650))]
    retention_days: i64,
    /// What the wish of a browser not to be tracked (`Sec-GPC`, `DNT`) is worth: `ignore`, `no_person` (the visit never becomes a
    /// person's) or `count_nothing`.
    privacy_signal: Signal,
    /// Networks from which nothing is counted, such as those of your own offices.
    #[schemars(length(max = 100), inner(length(min = 1, max = 50)))]
    own_networks: Vec<String>,
}

/// What the wish of a browser is worth.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Signal {
    /// Nothing.
    Ignore,
    /// The visit never becomes a person's.
    NoPerson,
    /// The visit is not counted.
    CountNothing,
}

impl From<Chosen> for VisitSettingsView {
    fn from(chosen: Chosen) -> VisitSettingsView {
        let networks = chosen.own_networks.to_string();
        VisitSettingsView {
            retention_days: chosen.retention_days,
            privacy_signal: match chosen.privacy_signal {
                PrivacySignal::Ignored => Signal::Ignore,
                PrivacySignal::NoPerson => Signal::NoPerson,
                PrivacySignal::CountsNothing => Signal::CountNothing,
            },
            own_networks: networks.split(',').filter(|one| !one.is_empty()).map(str::to_owned).collect(),
        }
    }
}

/// Returns how visits are measured.
///
/// Settings that were never made have their defaults.
#[endpoint]
pub(crate) async fn get_visit_settings(call: Call) -> Result<Single<VisitSettingsView>> {
    let chosen = call.point_read(move |tx, ctx| settings::find(tx, &ctx.tenant)).await?;
    Ok(Single(VisitSettingsView::from(chosen)))
}

/// Changes how visits are measured.
///
/// All fields are replaced. Rows of sessions that are older than `retentionDays` are removed within an hour and do not come back. The change is
/// recorded in the audit.
#[endpoint]
pub(crate) async fn set_visit_settings(
    call: Call,
    if_match: IfMatch,
    Body(wanted): Body<VisitSettingsView>,
) -> Result<Reply<VisitSettingsView>> {
    let mut networks = Vec::new();
    for (at, network) in wanted.own_networks.iter().enumerate() {
        let is_one = !network.contains(',') && !network.trim().is_empty();
        match network.parse::<Networks>().ok().filter(|_| is_one) {
            Some(network) => networks.push(network.to_string()),
            None => {
                let path = ["ownNetworks".to_owned(), at.to_string()];
                let path: Vec<&str> = path.iter().map(String::as_str).collect();
                let message = format!("ownNetworks.{at}: must be a network, such as 203.0.113.0/24.");
                return Err(Error::invalid(Issue::body(IssueCode::InvalidValue, &path, message)));
            }
        }
    }
    let signal = match wanted.privacy_signal {
        Signal::Ignore => PrivacySignal::Ignored,
        Signal::NoPerson => PrivacySignal::NoPerson,
        Signal::CountNothing => PrivacySignal::CountsNothing,
    };
    let read = |tx: &mut Tx<'_>, ctx: &TenantContext| settings::find(tx, &ctx.tenant);
    let precondition =
        if_match.precondition(&call, read, |chosen| Ok(VisitSettingsView::from(chosen))).await?;
    let (days, networks) = (wanted.retention_days, networks.join(","));
    call.change(move |tx, ctx| {
        settings::set(tx, ctx, (days, signal, &networks), &precondition).map(VisitSettingsView::from)
    })
    .await
}
