//! The listener for TLS: it is bound, and its certificates are read, before anything is touched.

use std::sync::Arc;

use pagesmith_http::server::tls::{Certificates, TlsAcceptor};
use pagesmith_http::state;
use tokio::net::TcpListener;

use crate::config::Tls;
use crate::failure::{Failure, Result};

/// TLS that is ready to be spoken.
pub(super) struct Bound {
    pub(super) listener: TcpListener,
    pub(super) certificates: Arc<Certificates>,
    pub(super) acceptor: TlsAcceptor,
}

/// Binds the listener of the configuration, if it has one.
pub(super) async fn listen(config: &Tls) -> Result<Option<Bound>> {
    let Some((listen, folder)) = &config.listener else { return Ok(None) };
    let unusable = |error| Failure::new(format!("tls.certificates = {}: {error}", folder.display()));
    let certificates = Certificates::read(folder).map_err(unusable)?;
    let acceptor = certificates.acceptor()?;
    let bound = TcpListener::bind(listen).await;
    let listener = bound.map_err(|error| Failure::cannot_listen(*listen, &error))?;
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
