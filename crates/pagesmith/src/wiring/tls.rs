//! The listener for TLS: it is bound, and its certificates are read, before anything is touched; and how certificates are ordered.

use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use pagesmith_http::state;
use pagesmith_http::tls::{Acceptor, Certificates};
use pagesmith_model::hexadecimal::hexadecimal;
use pagesmith_operations::Platform;
use pagesmith_worker::certificates::{Automatic, CertificateMetrics};
use pagesmith_worker::egress::{self, Egress};
use tokio::net::TcpListener;

use super::{authorities, bind, with_own_resolver};
use crate::config::{Acme, Tls};
use crate::failure::{Failure, ListenSetting, Result};

/// TLS that is ready to be spoken.
pub(super) struct Bound {
    pub(super) listener: TcpListener,
    pub(super) certificates: Arc<Certificates>,
    pub(super) acceptor: Acceptor,
}

/// Binds the listener of the configuration, if it has one.
pub(super) async fn listen(config: &Tls) -> Result<Option<Bound>> {
    let Some(listen) = &config.listen else { return Ok(None) };
    let folder = config.folder.as_deref();
    let unusable = |error| {
        let folder = folder.map(|folder| folder.display().to_string()).unwrap_or_default();
        Failure::new(format!("tls.certificates = {folder}: {error}"))
    };
    let certificates = Certificates::of(folder, config.acme.is_some()).map_err(unusable)?;
    let acceptor = certificates.acceptor()?;
    let listener = bind(ListenSetting::Tls, *listen).await?;
    tracing::info!(address = %listener.local_addr()?, "listening for TLS");
    Ok(Some(Bound { listener, certificates, acceptor }))
}

impl Bound {
    /// What requests are told of it.
    pub(super) fn settings(&self, config: &Tls) -> state::Tls {
        let port = self.listener.local_addr().map(|address| address.port()).ok();
        state::Tls {
            certificates: Arc::clone(&self.certificates),
            port: port.filter(|port| *port != 443),
            strict_transport: config.strict_transport,
        }
    }
}

/// How certificates are ordered, where HTTP in the clear is answered at the address `plain`.
pub(super) fn automatic(
    (acme, plain): (&Acme, IpAddr),
    outwards: &egress::Options,
    platform: &Arc<Platform>,
    certificates: &Arc<Certificates>,
) -> Result<Automatic> {
    let roots = acme.roots.as_deref().map(|file| authorities("tls.acme_roots", file));
    // The operator has chosen the authority, which may be one of the operator's own network.
    let allowed = "0.0.0.0/0,::/0".parse().map_err(|_| Failure::new("no network is any network"))?;
    let options = egress::Options { allowed, roots: roots.transpose()?, ..with_own_resolver(outwards) };
    let covering = Arc::clone(certificates);
    let holder = hexadecimal(&platform.context().random::<16>()?);
    Ok(Automatic {
        directory: acme.directory.clone(),
        contact: acme.contact.clone(),
        own_names: acme.hosts.clone(),
        challenges: acme.challenge.kinds(plain),
        orders_per_hour: acme.orders_per_hour,
        gateway: Egress::new(&options),
        is_covered: Arc::new(move |name| covering.is_in_files(name)),
        metrics: CertificateMetrics::default(),
        holder,
        compared: Mutex::default(),
    })
}
