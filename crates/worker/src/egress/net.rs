//! Names and connections: the part of the gateway that tests replace.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

use super::resolver::Resolver;

/// A connection's two directions.
pub trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

/// The addresses of a name, when they are known.
pub type Resolving<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>>;

/// A connection, when it is there.
pub type Dialling<'a> = Pin<Box<dyn Future<Output = io::Result<Box<dyn Duplex>>> + Send + 'a>>;

/// Who resolves names and makes connections.
pub trait Net: Send + Sync {
    /// All addresses of a name; [`io::ErrorKind::NotFound`] if it is certain that there are none.
    fn resolve<'a>(&'a self, name: &'a str) -> Resolving<'a>;

    /// A connection to just that address.
    fn dial(&self, address: SocketAddr) -> Dialling<'_>;
}

/// The machine's own. What it looks up names with belongs to the runtime that uses it: runtimes that share one make it anew again and again.
#[derive(Default)]
pub struct System {
    resolver: Resolver,
}

impl Net for System {
    fn resolve<'a>(&'a self, name: &'a str) -> Resolving<'a> {
        Box::pin(self.resolver.resolve(name))
    }

    fn dial(&self, address: SocketAddr) -> Dialling<'_> {
        Box::pin(async move {
            let stream = TcpStream::connect(address).await?;
            stream.set_nodelay(true)?;
            Ok(Box::new(stream) as Box<dyn Duplex>)
        })
    }
}

#[cfg(test)]
impl System {
    /// One that looks names up in this way.
    pub(super) fn with(resolver: Resolver) -> System {
        System { resolver }
    }
}
