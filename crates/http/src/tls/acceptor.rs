//! Who speaks TLS: with visitors, by HTTP/2 or HTTP/1.1, and with an authority that looks at a name (TLS-ALPN-01, RFC 8737).
//!
//! An authority names `acme-tls/1` as the only protocol, and gets the certificate of its challenge, which the database has, whoever ordered. A
//! visitor never gets that one.

use std::io;
use std::sync::Arc;

use pagesmith_operations::certificates;
use pagesmith_store::Store;
use rcgen::{CertificateParams, CustomExtension, DistinguishedName, KeyPair};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use sha2::{Digest, Sha256};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio_rustls::LazyConfigAcceptor;
use tokio_rustls::server::TlsStream;

use super::Certificates;

/// HTTP/2, and what an authority speaks, as ALPN has them.
const HTTP_2: &[u8] = b"h2";
const HTTP_1: &[u8] = b"http/1.1";
const ACME: &[u8] = b"acme-tls/1";

/// Speaks TLS with certificates; cheap to clone.
#[derive(Debug, Clone)]
pub struct Acceptor {
    config: Arc<ServerConfig>,
    /// Whether authorities are answered: certificates are ordered by themselves.
    are_ordered: bool,
}

impl Acceptor {
    /// Speaks TLS with these certificates.
    pub(super) fn new(certificates: &Arc<Certificates>) -> io::Result<Acceptor> {
        let versions = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?;
        let mut config = versions
            .with_no_client_auth()
            .with_cert_resolver(Arc::clone(certificates) as Arc<dyn ResolvesServerCert>);
        config.alpn_protocols = vec![HTTP_2.to_vec(), HTTP_1.to_vec()];
        Ok(Acceptor { config: Arc::new(config), are_ordered: certificates.are_ordered() })
    }

    /// The connection once TLS is spoken on it; nothing if it was an authority's, which has seen what it wanted.
    pub(crate) async fn accept<S>(&self, socket: S, store: &Store) -> io::Result<Option<TlsStream<S>>>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let begun = LazyConfigAcceptor::new(rustls::server::Acceptor::default(), socket).await?;
        let challenged = if self.are_ordered { challenged(&begun.client_hello()) } else { None };
        let Some(name) = challenged else {
            return begun.into_stream(Arc::clone(&self.config)).await.map(Some);
        };
        let config = match answer(store, &name).await? {
            Some(key_authorization) => challenge_config(&name, &key_authorization)?,
            // Refused like every protocol that is not spoken here.
            None => Arc::clone(&self.config),
        };
        let mut shown = begun.into_stream(config).await?;
        shown.shutdown().await?;
        Ok(None)
    }
}

/// Whether the other side speaks HTTP/2.
pub(crate) fn is_second<S>(socket: &TlsStream<S>) -> bool {
    socket.get_ref().1.alpn_protocol() == Some(HTTP_2)
}

/// The name that an authority looks at, in lower case.
fn challenged(hello: &ClientHello<'_>) -> Option<String> {
    let mut protocols = hello.alpn()?;
    let is_only = protocols.next() == Some(ACME) && protocols.next().is_none();
    hello.server_name().filter(|_| is_only).map(str::to_ascii_lowercase)
}

/// What is answered to the authority under that name.
async fn answer(store: &Store, name: &str) -> io::Result<Option<String>> {
    let name = name.to_owned();
    store.read(move |tx| certificates::challenge_of_name(tx, &name)).await.map_err(io::Error::other)
}

/// TLS with the certificate of a challenge: of that name alone, signed by itself, with the digest of what is answered.
fn challenge_config(name: &str, key_authorization: &str) -> io::Result<Arc<ServerConfig>> {
    let digest = Sha256::digest(key_authorization.as_bytes());
    let mut params = CertificateParams::new(vec![name.to_owned()]).map_err(io::Error::other)?;
    params.distinguished_name = DistinguishedName::new();
    params.custom_extensions.push(CustomExtension::new_acme_identifier(&digest));
    let key = KeyPair::generate().map_err(io::Error::other)?;
    let certificate = params.self_signed(&key).map_err(io::Error::other)?;
    let key = PrivateKeyDer::Pkcs8(key.serialize_der().into());
    let key = ring::sign::any_supported_type(&key).map_err(io::Error::other)?;
    // The library's own check of the pair knows no critical extension such as this one.
    let shown = SingleCertAndKey::from(CertifiedKey::new(vec![certificate.der().clone()], key));
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(shown));
    config.alpn_protocols = vec![ACME.to_vec()];
    Ok(Arc::new(config))
}
