//! The challenge TLS-ALPN-01: what an authority is shown by TLS, by every server, and a certificate without port 80.

use pagesmith_model::certificate::challenge::{ChallengeChoice, ChallengeKind};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::UnixTime;
use rustls::{DigitallySignedStruct, Error, SignatureScheme};
use sha2::{Digest, Sha256};

use super::*;

/// Believes everything, as an authority does that looks at a name.
#[derive(Debug)]
struct Anything;

impl ServerCertVerifier for Anything {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        rustls::crypto::ring::default_provider().signature_verification_algorithms.supported_schemes()
    }
}

/// The certificate that is shown to whoever speaks these protocols, and what is said after it.
async fn look(address: SocketAddr, name: &str, protocols: &[&str]) -> std::io::Result<(Vec<u8>, Vec<u8>)> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = config.dangerous().with_custom_certificate_verifier(Arc::new(Anything));
    let mut config = config.with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
    let socket = TcpStream::connect(address).await?;
    let to = ServerName::try_from(name.to_owned()).unwrap();
    let mut socket = TlsConnector::from(Arc::new(config)).connect(to, socket).await?;
    let shown = socket.get_ref().1.peer_certificates().unwrap()[0].to_vec();
    let spoken = socket.get_ref().1.alpn_protocol().map(<[u8]>::to_vec);
    assert_eq!(spoken.as_deref(), Some(protocols[0].as_bytes()));
    let mut said = Vec::new();
    socket.read_to_end(&mut said).await?;
    Ok((shown, said))
}

#[tokio::test]
async fn every_node_shows_the_certificate_of_a_challenge_to_an_authority_alone() {
    let app = app().await;
    keys::issued(&app).await;
    let ([_, tls], _node) = listen(&app).await;
    let (shown, said) = look(tls, "GO.acme.test", &["acme-tls/1"]).await.unwrap();
    assert!(said.is_empty());
    // The extension by its number, critical, with the digest of what is answered.
    let digest = Sha256::digest(b"a-Token_1.thumbprint");
    let extension = [&[6, 8, 0x2b, 6, 1, 5, 5, 7, 1, 31, 1, 1, 0xff, 4, 34, 4, 32], &digest[..]].concat();
    assert!(shown.windows(extension.len()).any(|part| part == extension), "{shown:?}");
    assert!(shown.windows(NAME.len()).any(|part| part == NAME.as_bytes()));
    for (name, protocols) in [
        ("other.test", &["acme-tls/1"][..]),
        // Whoever offers another protocol as well is no authority, and this server has not looked yet for a certificate that is issued.
        (NAME, &["acme-tls/1", "http/1.1"]),
        (NAME, &["http/1.1"]),
    ] {
        assert!(look(tls, name, protocols).await.is_err(), "{name} {protocols:?}");
    }
    certificates(&app).refresh(&app.database.open(), &app.platform).await.unwrap();
    let digest_is_in = |shown: &[u8]| shown.windows(32).any(|part| part == &digest[..]);
    let (again, _) = look(tls, NAME, &["acme-tls/1"]).await.unwrap();
    assert!(digest_is_in(&again), "an order for the next certificate runs");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_domain_gets_its_certificate_without_port_80() {
    let app = app().await;
    let ([_, tls], _node) = listen(&app).await;
    let Some(pebble) = Pebble::start(app.names.address, [1, tls.port()]).await else { return };
    domain(&app).await;
    let challenges = ChallengeChoice::Automatic.kinds(Ipv4Addr::LOCALHOST.into());
    assert_eq!(challenges[0], ChallengeKind::TlsAlpn);
    let tools = ordering_by(&app, "first", (&pebble.directory, &pebble.gateway), challenges);
    let certificate = until(&app, &tools, |certificate| certificate.issued.is_some()).await;
    assert_eq!((certificate.failures, certificate.order), (0, None));
    certificates(&app).refresh(&app.database.open(), &app.platform).await.unwrap();
    assert!(ask(tls, &pebble.root().await, NAME).await.is_ok());
    // The challenge is over.
    assert!(look(tls, NAME, &["acme-tls/1"]).await.is_err());
}
