//! ID tokens: what a provider has signed about somebody, for us, for one sign-in (OpenID Connect Core 1.0, 3.1.3.7).
//!
//! Invariant: no claim of a token is looked at before its signature is right.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;
use subtle::ConstantTimeEq as _;

use super::claims::Claims;
use super::keys::{Algorithm, KeySet, Signed};
use crate::time::Timestamp;

/// How far a provider's clock may be from ours.
pub const LEEWAY: Duration = Duration::from_mins(1);
/// The longest token that is looked at, in bytes.
const LONGEST: usize = 64 * 1024;

/// What a token has to say to count.
#[derive(Debug, Clone, Copy)]
pub struct Expected<'a> {
    /// Who has to have issued it.
    pub issuer: &'a str,
    /// For whom: us.
    pub client_id: &'a str,
    /// For which sign-in.
    pub nonce: &'a str,
    /// The instant.
    pub now: Timestamp,
}

/// Why a token does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// It is no signed token.
    Form,
    /// It is signed in a way that is not taken, or not at all.
    Algorithm,
    /// By a key that is not known: the provider may have another one since.
    UnknownKey,
    /// The signature is wrong.
    Signature,
    /// It was issued by somebody else.
    Issuer,
    /// It is for somebody else.
    Audience,
    /// It has expired.
    Expired,
    /// It does not hold yet.
    NotYet,
    /// It belongs to another sign-in.
    Nonce,
    /// It does not say about whom.
    Subject,
}

impl Refusal {
    /// What is wrong with the token, as the end of a sentence.
    pub fn why(self) -> &'static str {
        match self {
            Refusal::Form => "it has no proper form",
            Refusal::Algorithm => "it is not signed in a way that is accepted (RS256, ES256 or EdDSA)",
            Refusal::UnknownKey => "it is signed by a key that the provider does not publish",
            Refusal::Signature => "its signature is wrong",
            Refusal::Issuer => "it was issued by somebody else",
            Refusal::Audience => "it was issued for another application",
            Refusal::Expired => "it has expired; look at the clocks of both servers",
            Refusal::NotYet => "it is not valid yet; look at the clocks of both servers",
            Refusal::Nonce => "it belongs to another sign-in",
            Refusal::Subject => "it does not say whom it is about",
        }
    }
}

/// The claims of a token that counts.
pub fn verify(token: &str, keys: &KeySet, expected: &Expected<'_>) -> Result<Claims, Refusal> {
    if token.len() > LONGEST {
        return Err(Refusal::Form);
    }
    let (signed, signature) = token.rsplit_once('.').ok_or(Refusal::Form)?;
    let (head, body) = signed.split_once('.').filter(|(_, body)| !body.contains('.')).ok_or(Refusal::Form)?;
    let head = object(head)?;
    // What a token declares critical has to be understood, and nothing of the kind is.
    if head.value("crit").is_some() {
        return Err(Refusal::Form);
    }
    let algorithm = head.text("alg").and_then(Algorithm::parse).ok_or(Refusal::Algorithm)?;
    let signature = URL_SAFE_NO_PAD.decode(signature).map_err(|_| Refusal::Form)?;
    match keys.check(algorithm, head.text("kid"), signed.as_bytes(), &signature) {
        Signed::Right => {}
        Signed::Wrong => return Err(Refusal::Signature),
        Signed::UnknownKey => return Err(Refusal::UnknownKey),
    }
    let claims = object(body)?;
    judge(&claims, expected)?;
    Ok(claims)
}

fn object(part: &str) -> Result<Claims, Refusal> {
    let bytes = URL_SAFE_NO_PAD.decode(part).map_err(|_| Refusal::Form)?;
    let value = serde_json::from_slice(&bytes).map_err(|_| Refusal::Form)?;
    Claims::of(value).ok_or(Refusal::Form)
}

fn judge(claims: &Claims, expected: &Expected<'_>) -> Result<(), Refusal> {
    if claims.text("iss") != Some(expected.issuer) {
        return Err(Refusal::Issuer);
    }
    let (is_for_us, is_for_others) = match claims.value("aud") {
        Some(Value::String(one)) => (one == expected.client_id, false),
        Some(Value::Array(all)) => (all.iter().any(|one| one == expected.client_id), all.len() > 1),
        _ => (false, false),
    };
    let party = claims.value("azp");
    let is_other_party = party.is_some_and(|party| party != expected.client_id);
    if !is_for_us || is_other_party || is_for_others && party.is_none() {
        return Err(Refusal::Audience);
    }
    let now = expected.now.as_micros() / 1_000_000;
    let leeway = i64::try_from(LEEWAY.as_secs()).unwrap_or_default();
    let expires = claims.seconds("exp").ok_or(Refusal::Form)?;
    if now >= expires.saturating_add(leeway) {
        return Err(Refusal::Expired);
    }
    let issued = claims.seconds("iat").ok_or(Refusal::Form)?;
    let holds_from = claims.seconds("nbf").map_or(issued, |from| from.max(issued));
    if holds_from > now.saturating_add(leeway) {
        return Err(Refusal::NotYet);
    }
    let nonce = claims.text("nonce").unwrap_or_default();
    if !bool::from(nonce.as_bytes().ct_eq(expected.nonce.as_bytes())) {
        return Err(Refusal::Nonce);
    }
    claims.subject().map(drop).ok_or(Refusal::Subject)
}

#[cfg(test)]
mod tests;
