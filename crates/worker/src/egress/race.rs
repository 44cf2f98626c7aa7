//! The first of several addresses that answers.
//!
//! Each has a moment's start before the next is tried as well, so that a network that swallows one family of addresses costs
//! a moment and not the whole time there is.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::time::sleep;

use super::net::{Duplex, Net};

/// The start that an address has before the next.
const START: Duration = Duration::from_millis(250);
/// More addresses of one name are not tried.
const MOST: usize = 8;

/// A connection to one of the addresses.
pub(super) async fn dial(net: &dyn Net, addresses: &[IpAddr], port: u16) -> io::Result<Box<dyn Duplex>> {
    let mut waiting = in_turn(addresses).into_iter();
    let mut running = FuturesUnordered::new();
    let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
    loop {
        if let Some(address) = waiting.next() {
            running.push(net.dial(SocketAddr::new(address, port)));
        }
        let is_last = waiting.len() == 0;
        tokio::select! {
            biased;
            dialled = running.next() => match dialled {
                Some(Ok(stream)) => return Ok(stream),
                Some(Err(error)) => last = error,
                None if is_last => return Err(last),
                None => {}
            },
            () = sleep(START), if !is_last => {}
        }
    }
}

/// The addresses with the families taking turns, the first one's first.
fn in_turn(addresses: &[IpAddr]) -> Vec<IpAddr> {
    let first_is_new = addresses.first().is_some_and(IpAddr::is_ipv6);
    let (one, other): (Vec<IpAddr>, Vec<IpAddr>) =
        addresses.iter().partition(|address| address.is_ipv6() == first_is_new);
    let (mut one, mut other) = (one.into_iter(), other.into_iter());
    let mut turns = Vec::with_capacity(addresses.len().min(MOST));
    while turns.len() < MOST {
        match (one.next(), other.next()) {
            (None, None) => break,
            (first, second) => turns.extend(first.into_iter().chain(second)),
        }
    }
    turns.truncate(MOST);
    turns
}
