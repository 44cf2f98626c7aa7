//! TLS outwards: rustls, both versions of HTTP, the system's authorities.

use std::io;
use std::sync::{Arc, LazyLock};

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{CertificateError, ClientConfig, RootCertStore};
use tokio_rustls::TlsConnector;

use super::Failure;

static SYSTEM: LazyLock<Arc<RootCertStore>> = LazyLock::new(|| {
    let mut roots = RootCertStore::empty();
    for certificate in rustls_native_certs::load_native_certs().certs {
        // One unreadable certificate among the system's does not matter.
        drop(roots.add(certificate));
    }
    Arc::new(roots)
});

/// The authorities that the system trusts, and those of a text in PEM form; nothing if it has none, or one that cannot be read.
pub fn roots_of_pem(pem: &[u8]) -> Option<Arc<RootCertStore>> {
    let mut roots = RootCertStore::clone(&SYSTEM);
    let mut count = 0;
    for certificate in CertificateDer::pem_slice_iter(pem) {
        roots.add(certificate.ok()?).ok()?;
        count += 1;
    }
    (count > 0).then(|| Arc::new(roots))
}

/// Who believes `roots`, or those whom the system believes.
pub(super) fn connector(roots: Option<Arc<RootCertStore>>) -> Result<TlsConnector, Failure> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let versions = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let versions = versions.map_err(|_| Failure::Tls("it is not set up here"))?;
    let roots = roots.unwrap_or_else(|| Arc::clone(&SYSTEM));
    let mut config = versions.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsConnector::from(Arc::new(config)))
}

/// What a failed handshake means to the owner of the address.
pub(super) fn failure(error: &io::Error) -> Failure {
    let cause = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    let why = match cause {
        None => "the connection was closed",
        Some(rustls::Error::InvalidCertificate(wrong)) => match wrong {
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                "the certificate is another name's"
            }
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
                "the certificate has expired"
            }
            CertificateError::UnknownIssuer => "nobody we trust has signed the certificate",
            _ => "the certificate is not valid",
        },
        Some(_) => "TLS was not spoken as it should be",
    };
    Failure::Tls(why)
}
