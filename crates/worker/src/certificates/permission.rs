//! Whether a domain's CAA records allow the authority: asked before an order, so that none is made that has to be refused.

use pagesmith_model::certificate::caa::{self, Issuer};
use pagesmith_model::certificate::challenge::ChallengeKind;
use pagesmith_operations::tenant_domains::check::DnsChecker;

/// What the authority may look at, or why nothing is allowed. All that there is where the authority does not tell its names, or the records
/// cannot be found out: then the authority judges alone.
pub(super) async fn challenges(
    dns_checker: &DnsChecker,
    name: &str,
    issuer: &Issuer<'_>,
) -> Result<Vec<ChallengeKind>, String> {
    if issuer.identities.is_empty() {
        return Ok(issuer.challenges.to_vec());
    }
    let Some((owner, records)) = dns_checker.caa(name).await else { return Ok(issuer.challenges.to_vec()) };
    let allowed = caa::allowed(&records, issuer);
    if !allowed.is_empty() {
        return Ok(allowed);
    }
    let (named, own) = (caa::named(&records), issuer.identities.join(", "));
    let is_own = |name: &&str| issuer.identities.iter().any(|own| own.eq_ignore_ascii_case(name));
    Err(if named.is_empty() {
        format!("The CAA records of {owner} allow no authority, and so not {own}.")
    } else if named.iter().any(is_own) {
        format!("The CAA records of {owner} allow {own} for another account or another challenge only.")
    } else {
        format!("The CAA records of {owner} allow {}, and not {own}.", named.join(", "))
    })
}
