//! How far the certificate of a PostgreSQL server is verified: as `sslmode` and `sslrootcert` say, as in libpq.
//!
//! Invariant: whatever is verified of the certificate, the server proves in the handshake that the certificate is its own. Channel
//! binding relies on it: a password that is proven to one certificate is of no use to whoever shows a copy of it.

use std::path::Path;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme, crypto};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::database_url::{Authorities, Encryption};
use crate::fault::Fault;

/// What servers of PostgreSQL 17 and newer want to hear first where TLS begins at once (`sslnegotiation=direct`).
const PROTOCOL: &[u8] = b"postgresql";

/// What makes encrypted connections, or nothing where there are none.
pub(crate) fn connector(encryption: &Encryption) -> Result<Option<MakeRustlsConnect>, Fault> {
    let (trusted, checks_name) = match encryption {
        Encryption::Off => return Ok(None),
        Encryption::IfOffered | Encryption::Unverified => (None, false),
        Encryption::Authority(file) => (Some(of_file(file)?), false),
        Encryption::Name(Authorities::File(file)) => (Some(of_file(file)?), true),
        Encryption::Name(Authorities::System) => (Some(of_system()), true),
    };
    let provider = Arc::new(crypto::ring::default_provider());
    let algorithms = provider.signature_verification_algorithms;
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| Fault::Unavailable(error.to_string()))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(Verifier { trusted, checks_name, algorithms }))
        .with_no_client_auth();
    config.alpn_protocols = vec![PROTOCOL.to_vec()];
    Ok(Some(MakeRustlsConnect::new(config)))
}

/// Authorities, and the certificates that they were read from.
#[derive(Debug)]
struct Trusted {
    roots: RootCertStore,
    /// A server's own certificate may be among them.
    certificates: Vec<CertificateDer<'static>>,
}

fn of_file(file: &Path) -> Result<Trusted, Fault> {
    let refused = |why: String| {
        Fault::Refused(format!(
            "sslrootcert={} in the setting `database` cannot be used ({why}): name a readable file with certificates in PEM form",
            file.display()
        ))
    };
    let certificates = CertificateDer::pem_file_iter(file)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| refused(error.to_string()))?;
    let mut roots = RootCertStore::empty();
    for certificate in &certificates {
        roots.add(certificate.clone()).map_err(|error| refused(error.to_string()))?;
    }
    if roots.is_empty() {
        return Err(refused("it contains no certificate".to_owned()));
    }
    Ok(Trusted { roots, certificates })
}

fn of_system() -> Trusted {
    let certificates = rustls_native_certs::load_native_certs().certs;
    let mut roots = RootCertStore::empty();
    // One unreadable certificate among the system's does not matter.
    roots.add_parsable_certificates(certificates);
    Trusted { roots, certificates: vec![] }
}

#[derive(Debug)]
struct Verifier {
    /// Nothing where any certificate will do.
    trusted: Option<Trusted>,
    checks_name: bool,
    algorithms: WebPkiSupportedAlgorithms,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        _ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let Some(trusted) = &self.trusted else { return Ok(ServerCertVerified::assertion()) };
        let parsed = ParsedCertificate::try_from(certificate)?;
        let signed = verify_server_cert_signed_by_trust_anchor(
            &parsed,
            &trusted.roots,
            intermediates,
            now,
            self.algorithms.all,
        );
        match signed {
            // A certificate that signed itself is its own authority (`openssl req -x509` makes such), which the library takes for
            // a mistake. It has looked at the certificate's times before that.
            Err(error) if is_authority(&error) && trusted.certificates.contains(certificate) => {}
            signed => signed?,
        }
        if self.checks_name {
            verify_server_name(&parsed, name)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signature, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signature, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

/// Whether a certificate was refused because it is that of an authority.
fn is_authority(error: &rustls::Error) -> bool {
    match error {
        rustls::Error::InvalidCertificate(CertificateError::Other(other)) => {
            matches!(other.0.downcast_ref(), Some(webpki::Error::CaUsedAsEndEntity))
        }
        _ => false,
    }
}
