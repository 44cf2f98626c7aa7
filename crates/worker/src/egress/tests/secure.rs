//! TLS: whose certificate is believed, and which HTTP is spoken.

use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::TlsAcceptor;

use super::*;

/// An authority, and those who believe it.
pub(super) struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
}

impl Authority {
    pub(super) fn new(name: &str) -> Authority {
        let mut params = CertificateParams::new(vec![]).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Authority { issuer: CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap() }
    }

    pub(super) fn believers(&self) -> Arc<RootCertStore> {
        let mut roots = RootCertStore::empty();
        roots.add(self.issuer.der().clone()).unwrap();
        Arc::new(roots)
    }

    /// Who answers as `name`, and offers these protocols.
    pub(super) fn host(
        &self,
        name: &str,
        protocols: &[&[u8]],
    ) -> impl Fn(SocketAddr, DuplexStream) + Send + Sync + 'static {
        let key = KeyPair::generate().unwrap();
        let certificate =
            CertificateParams::new(vec![name.to_owned()]).unwrap().signed_by(&key, &self.issuer).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)
            .unwrap();
        config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        move |_, stream| {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                let Ok(stream) = acceptor.accept(stream).await else { return };
                let is_second = stream.get_ref().1.alpn_protocol() == Some(b"h2");
                let service = service_fn(|request: Request<Incoming>| async move {
                    let version = format!("{:?}", request.version());
                    Ok::<_, std::convert::Infallible>(Response::new(Full::new(Bytes::from(version))))
                });
                let io = TokioIo::new(stream);
                if is_second {
                    drop(http2::Builder::new(TokioExecutor::new()).serve_connection(io, service).await);
                } else {
                    drop(http1::Builder::new().serve_connection(io, service).await);
                }
            });
        }
    }
}

#[tokio::test(start_paused = true)]
async fn both_versions_of_http_are_spoken_and_the_newer_one_if_there_is_a_choice() {
    let authority = Authority::new("ours");
    for (offered, spoken) in [
        (&[b"h2".as_slice(), b"http/1.1".as_slice()][..], "HTTP/2.0"),
        (&[b"h2".as_slice()], "HTTP/2.0"),
        (&[b"http/1.1".as_slice()], "HTTP/1.1"),
        (&[], "HTTP/1.1"),
    ] {
        let scene = Scene::with("", Some(authority.believers()), authority.host("public.example", offered));
        for _ in 0..3 {
            let answer = scene.send("https://public.example/hook").await.unwrap();
            assert_eq!(answer.body.as_ref(), spoken.as_bytes());
        }
        assert_eq!(scene.dialled(), ["93.184.216.34:443"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_certificate_must_be_the_hosts_own_and_signed_by_somebody_we_trust() {
    let authority = Authority::new("ours");
    let other = Scene::with("", Some(authority.believers()), authority.host("other.example", &[]));
    let refused = other.send("https://public.example/").await;
    assert_eq!(refused, Err(Failure::Tls("the certificate is another name's")));
    let unknown =
        Scene::with("", Some(Authority::new("another").believers()), authority.host("public.example", &[]));
    let refused = unknown.send("https://public.example/").await;
    assert_eq!(refused, Err(Failure::Tls("nobody we trust has signed the certificate")));
    let system = Scene::new(authority.host("public.example", &[]));
    assert!(matches!(system.send("https://public.example/").await, Err(Failure::Tls(_))));
}

#[tokio::test(start_paused = true)]
async fn one_that_cannot_speak_tls_or_is_silent_is_a_failure() {
    let closing = Scene::new(|_, stream| drop(stream));
    assert_eq!(closing.send("https://public.example/").await, Err(Failure::Tls("the connection was closed")));
    let plain = Scene::new(|_, mut stream| {
        tokio::spawn(async move {
            stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
            request_of(&mut stream).await;
        });
    });
    assert_eq!(
        plain.send("https://public.example/").await,
        Err(Failure::Tls("TLS was not spoken as it should be"))
    );
    let silent = Scene::new(|_, mut stream| {
        tokio::spawn(async move { request_of(&mut stream).await });
    });
    let begun = tokio::time::Instant::now();
    assert_eq!(silent.send("https://public.example/").await, Err(Failure::Unconnected));
    assert_eq!(begun.elapsed().as_secs(), 5);
}
