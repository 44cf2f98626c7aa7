//! A connection to a server that breaks as a test wishes.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// What becomes of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It is closed at once.
    Closed,
    /// Nothing ever comes back.
    Silent,
    /// It breaks after that many bytes to the server.
    CutRequest(usize),
    /// It breaks after that many bytes of answers.
    CutAnswer(usize),
    /// Nothing is passed on, and the answer has that status.
    Status(u16),
    /// The byte at that place towards the server is another one.
    Flipped(usize),
}

#[derive(Default)]
struct Plan {
    fault: Option<Fault>,
    /// How many connections it is for.
    times: usize,
    /// How many connections it was for.
    met: usize,
}

/// A proxy before a server; it ends with the runtime of its test.
pub struct Breaker {
    address: SocketAddr,
    plan: Arc<Mutex<Plan>>,
    /// Changes whenever connections that are open have to end.
    era: watch::Sender<u32>,
}

impl Breaker {
    pub async fn before(endpoint: &str) -> Breaker {
        let server: SocketAddr = endpoint.strip_prefix("http://").unwrap().parse().unwrap();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (plan, (era, eras)) = (Arc::<Mutex<Plan>>::default(), watch::channel(0));
        let planned = Arc::clone(&plan);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let fault = {
                    let mut plan = planned.lock().unwrap();
                    let is_met = plan.met < plan.times;
                    plan.met += usize::from(is_met);
                    plan.fault.filter(|_| is_met)
                };
                let mut eras = eras.clone();
                eras.mark_unchanged();
                tokio::spawn(async move {
                    tokio::select! {
                        () = serve(client, server, fault) => {}
                        _ = eras.changed() => {}
                    }
                });
            }
        });
        Breaker { address, plan, era }
    }

    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// From now on that many connections break so; those that are open end.
    pub fn breaks(&self, fault: Fault, times: usize) {
        *self.plan.lock().unwrap() = Plan { fault: Some(fault), times, met: 0 };
        self.era.send_modify(|era| *era += 1);
    }

    /// Nothing breaks any more; how many connections did. Those that are open end.
    pub fn heals(&self) -> usize {
        let before = std::mem::take(&mut *self.plan.lock().unwrap());
        self.era.send_modify(|era| *era += 1);
        before.met
    }
}

async fn serve(mut client: TcpStream, server: SocketAddr, fault: Option<Fault>) {
    match fault {
        Some(Fault::Closed) => return,
        Some(Fault::Silent) => return std::future::pending().await,
        Some(Fault::Status(status)) => return refuse(&mut client, status).await,
        _ => {}
    }
    let Ok(mut server) = TcpStream::connect(server).await else { return };
    let (mut from_client, mut to_client) = client.split();
    let (mut from_server, mut to_server) = server.split();
    let (most_there, most_back, flipped) = match fault {
        Some(Fault::CutRequest(after)) => (after, usize::MAX, None),
        Some(Fault::CutAnswer(after)) => (usize::MAX, after, None),
        Some(Fault::Flipped(at)) => (usize::MAX, usize::MAX, Some(at)),
        _ => (usize::MAX, usize::MAX, None),
    };
    tokio::select! {
        () = pass(&mut from_client, &mut to_server, most_there, flipped) => {}
        () = pass(&mut from_server, &mut to_client, most_back, None) => {}
    }
}

/// Passes on that many bytes.
async fn pass(
    from: &mut (impl AsyncReadExt + Unpin),
    to: &mut (impl AsyncWriteExt + Unpin),
    most: usize,
    flipped: Option<usize>,
) {
    let (mut buffer, mut passed) = (vec![0; 16 * 1024], 0);
    while passed < most {
        let Ok(count @ 1..) = from.read(&mut buffer).await else { return };
        let count = count.min(most - passed);
        if let Some(at) = flipped.and_then(|at| at.checked_sub(passed)).filter(|at| *at < count) {
            buffer[at] ^= 1;
        }
        if to.write_all(&buffer[..count]).await.is_err() {
            return;
        }
        passed += count;
    }
}

/// Reads the head of a request, and answers in the place of the server.
async fn refuse(client: &mut TcpStream, status: u16) {
    let mut head = Vec::new();
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let Ok(byte) = client.read_u8().await else { return };
        head.push(byte);
    }
    let answer = format!("HTTP/1.1 {status} Broken\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    drop(client.write_all(answer.as_bytes()).await);
    // What the client still sends is taken, or the answer would be lost with the connection.
    drop(client.shutdown().await);
    drop(tokio::io::copy(client, &mut tokio::io::sink()).await);
}
