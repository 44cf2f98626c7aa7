//! Names and connections: the part of the door that a test puts its own in place of.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

/// A connection's two directions.
pub trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

/// The addresses of a name, when they are known.
pub type Resolving<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>>;

/// A connection, when it is there.
pub type Dialling<'a> = Pin<Box<dyn Future<Output = io::Result<Box<dyn Duplex>>> + Send + 'a>>;

/// Who resolves names and makes connections.
pub trait Net: Send + Sync {
    /// All addresses of a name.
    fn resolve<'a>(&'a self, name: &'a str) -> Resolving<'a>;

    /// A connection to just that address.
    fn dial(&self, address: SocketAddr) -> Dialling<'_>;
}

/// The machine's own.
#[derive(Debug, Clone, Copy)]
pub struct System;

impl Net for System {
    fn resolve<'a>(&'a self, name: &'a str) -> Resolving<'a> {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }

    fn dial(&self, address: SocketAddr) -> Dialling<'_> {
        Box::pin(async move {
            let stream = TcpStream::connect(address).await?;
            stream.set_nodelay(true)?;
            Ok(Box::new(stream) as Box<dyn Duplex>)
        })
    }
}
