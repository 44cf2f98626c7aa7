//! `Idempotency-Key`: the same request twice is done once.

use pagesmith_model::hexadecimal::hexadecimal;
use pagesmith_model::{Issue, IssueCode, Result};
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::idempotency::Request;
use pagesmith_store::tables::idempotency::RecordKey;
use sha2::{Digest, Sha256};

use crate::description::{Operation, Schemas};
use crate::extract::{Extract, Findings, Incoming};
use crate::json;

const NAME: &str = "idempotency-key";
/// The longest key.
const MAX_LENGTH: usize = 255;

/// The request's own name for itself, if it has one.
pub struct IdempotencyKey(pub Option<Request>);

impl IdempotencyKey {
    /// The same for a body that holds a password: whoever reads the database cannot try passwords with the digest of the body.
    pub(crate) fn of_secret(self, ctx: &TenantContext) -> Result<IdempotencyKey> {
        let of_secret = |Request { key, digest }: Request| -> Result<Request> {
            let digest = ctx.keyed_digest("body with a password", &[&hexadecimal(&digest)])?;
            Ok(Request { key, digest })
        };
        self.0.map(of_secret).transpose().map(IdempotencyKey)
    }
}

impl Extract for IdempotencyKey {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        operation.takes_header(
            "Idempotency-Key",
            "Key of 1 to 255 characters that makes it safe to repeat this request: for 24 hours the same request with the same key \
             is answered with the first answer, and carried out once.",
            "6f1d3c2a-9b7e-4c55-8a0f-2d1e7b9c4a10",
        );
    }

    fn extract(request: &Incoming, findings: &mut Findings) -> Option<IdempotencyKey> {
        let mut values = request.parts.headers.get_all(NAME).iter();
        let Some(value) = values.next() else { return Some(IdempotencyKey(None)) };
        let text = value.to_str().ok().filter(|text| (1..=MAX_LENGTH).contains(&text.len()));
        let Some(text) = text.filter(|_| values.next().is_none()) else {
            let message = "Idempotency-Key: must be one value of 1 to 255 printable characters.";
            findings.issues.add(Issue::header(IssueCode::InvalidValue, NAME, message));
            return None;
        };
        let tenant = request.caller.as_ref()?.tenant.tenant_id.clone();
        let key = RecordKey {
            tenant,
            idempotency_key: text.to_owned(),
            method: "POST".into(),
            path: request.parts.uri.path().to_owned(),
        };
        Some(IdempotencyKey(Some(Request { key, digest: digest(&request.body) })))
    }
}

/// The digest of the body's canonical form: names sorted, white space gone. No body is an empty object.
fn digest(body: &[u8]) -> [u8; 32] {
    let text: &[u8] = if body.is_empty() { b"{}" } else { body };
    let canonical = json::parse(text).ok().and_then(|document| document.canonical().ok());
    match canonical {
        Some(canonical) => Sha256::digest(canonical).into(),
        // The body's own extractor refuses it.
        None => Sha256::digest(text).into(),
    }
}
