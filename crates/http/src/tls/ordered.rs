//! Certificates that an authority has issued, as the database has them: kept in memory on every server, and read again when one has changed.

use std::collections::HashMap;
use std::sync::Arc;

use arc_swap::ArcSwap;
use pagesmith_model::{Result, Timestamp};
use pagesmith_operations::certificates::{self, Pair};
use pagesmith_operations::context::Context;
use pagesmith_store::Store;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::sign::CertifiedKey;

/// A certificate, and when it was issued.
type IssuedCertificate = (Timestamp, Arc<CertifiedKey>);

/// Everything as of one revision.
#[derive(Debug, Default)]
struct Snapshot {
    revision: Option<i64>,
    by_name: HashMap<String, IssuedCertificate>,
}

/// The certificates that were issued, by name.
#[derive(Debug, Default)]
pub(super) struct Ordered {
    snapshot: ArcSwap<Snapshot>,
}

impl Ordered {
    /// The certificate for a name in lower case.
    pub(super) fn find(&self, name: &str) -> Option<Arc<CertifiedKey>> {
        self.snapshot.load().by_name.get(name).map(|(_, certified)| Arc::clone(certified))
    }

    /// Reads what has changed.
    pub(super) async fn refresh(&self, store: &Store, ctx: Context) -> Result<()> {
        let known = self.snapshot.load_full();
        let before = Arc::clone(&known);
        let changes = store.read(move |tx| {
            let is_known = |name: &str, issued_at| {
                before.by_name.get(name).is_some_and(|(known, _)| *known == issued_at)
            };
            certificates::changes(tx, &ctx, before.revision, &is_known)
        });
        let Some((revision, names, pairs)) = changes.await? else { return Ok(()) };
        let mut by_name: HashMap<String, IssuedCertificate> = known
            .by_name
            .iter()
            .filter(|(name, _)| names.contains(*name))
            .map(|(name, known)| (name.clone(), known.clone()))
            .collect();
        for pair in pairs {
            match certified(&pair) {
                Some(certified) => drop(by_name.insert(pair.name, (pair.issued_at, certified))),
                None => tracing::error!(name = pair.name, "a certificate that was issued cannot be used"),
            }
        }
        self.snapshot.store(Arc::new(Snapshot { revision: Some(revision), by_name }));
        Ok(())
    }
}

/// The certificate with its key.
fn certified(pair: &Pair) -> Option<Arc<CertifiedKey>> {
    let chain: std::result::Result<Vec<CertificateDer<'static>>, _> =
        CertificateDer::pem_slice_iter(pair.chain.as_bytes()).collect();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(pair.key.clone()));
    let certified = CertifiedKey::new(chain.ok()?, ring::sign::any_supported_type(&key).ok()?);
    certified.keys_match().ok()?;
    Some(Arc::new(certified))
}
