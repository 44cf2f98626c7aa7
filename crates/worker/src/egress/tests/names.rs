//! The resolver with a name server of the test's own, on a port of the machine: one that is silent, late, or answers too much.

use std::collections::BTreeSet;
use std::net::Ipv4Addr;
use std::time::Duration;

use hickory_resolver::Hosts;
use hickory_resolver::config::{NameServerConfig, ResolverConfig, ResolverOpts};
use hickory_resolver::proto::op::{Message, MessageType};
use hickory_resolver::proto::rr::rdata::{A, CNAME};
use hickory_resolver::proto::rr::{Name, RData, Record, RecordType};
use tokio::net::{TcpListener, UdpSocket};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

use super::super::net::System;
use super::super::resolver::{Resolver, Setup};
use super::*;

const PUBLIC: Ipv4Addr = Ipv4Addr::new(93, 184, 216, 34);
/// Far longer than any of these tests takes.
const LONG: Duration = Duration::from_secs(600);

/// What the name server answers for a name; nothing: it is silent.
fn answers(name: &str, is_late: bool) -> Option<Vec<Record>> {
    let named = |owner: &str, data| Record::from_rdata(Name::from_ascii(owner).unwrap(), 60, data);
    let address = |owner: &str, ip: Ipv4Addr| named(owner, RData::A(A(ip)));
    let alias = |from: &str, to: &str| named(from, RData::CNAME(CNAME(Name::from_ascii(to).unwrap())));
    let first = name.split('.').next().unwrap_or_default();
    Some(match first {
        "hang" => return None,
        _ if first.starts_with("hang-") => return None,
        "late" if !is_late => return None,
        "late" | "quick" => vec![address(name, PUBLIC)],
        "inside" => vec![address(name, PUBLIC), address(name, Ipv4Addr::new(10, 0, 0, 7))],
        "alias" => {
            vec![alias(name, "a.example."), alias("a.example.", "b.example."), address("b.example.", PUBLIC)]
        }
        "hidden" => vec![alias(name, "db.internal."), address("db.internal.", Ipv4Addr::new(10, 0, 0, 8))],
        // Each name is an alias of a new one.
        _ if first.starts_with('x') => vec![alias(name, &format!("x{name}"))],
        "huge" => {
            let public = (0..2_000).map(|at| address(name, Ipv4Addr::from(u32::from(PUBLIC) + at)));
            public.chain([address(name, Ipv4Addr::new(169, 254, 169, 254))]).collect()
        }
        _ => vec![],
    })
}

/// The answer to a question as bytes, of no more than `most`; beyond that it says that it is cut off.
fn answered(question: &[u8], is_late: bool, most: usize) -> Option<Vec<u8>> {
    let mut message = Message::from_vec(question).ok()?;
    let query = message.queries.first()?.clone();
    let records = answers(&query.name().to_lowercase().to_ascii(), is_late)?;
    message.metadata.message_type = MessageType::Response;
    message.metadata.recursion_available = true;
    if query.query_type() == RecordType::A {
        message.answers = records;
    }
    let bytes = message.to_vec().ok()?;
    if bytes.len() <= most {
        return Some(bytes);
    }
    message.answers.clear();
    message.metadata.truncation = true;
    message.to_vec().ok()
}

/// A name server; it ends with this.
struct NameServer {
    port: u16,
    /// Every name that was asked for.
    asked: watch::Receiver<BTreeSet<String>>,
    late: watch::Sender<bool>,
    tasks: [JoinHandle<()>; 2],
}

impl NameServer {
    async fn start() -> NameServer {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let socket = Arc::new(UdpSocket::bind((Ipv4Addr::LOCALHOST, port)).await.unwrap());
        let (noted, asked) = watch::channel(BTreeSet::new());
        let (late, is_late) = watch::channel(false);
        let datagrams = tokio::spawn(async move {
            let mut bytes = [0; 1024];
            while let Ok((length, from)) = socket.recv_from(&mut bytes).await {
                let question = bytes[..length].to_vec();
                let name = Message::from_vec(&question).unwrap().queries[0].name().to_lowercase().to_ascii();
                noted.send_modify(|names| {
                    names.insert(name.clone());
                });
                let (socket, mut is_late) = (Arc::clone(&socket), is_late.clone());
                tokio::spawn(async move {
                    if name.starts_with("late.") {
                        is_late.wait_for(|late| *late).await.unwrap();
                    }
                    let is_late = *is_late.borrow();
                    if let Some(answer) = answered(&question, is_late, 512) {
                        socket.send_to(&answer, from).await.unwrap();
                    }
                });
            }
        });
        let streams = tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                tokio::spawn(async move {
                    while let Ok(length) = stream.read_u16().await {
                        let mut question = vec![0; usize::from(length)];
                        stream.read_exact(&mut question).await.unwrap();
                        let Some(answer) = answered(&question, true, usize::from(u16::MAX)) else { return };
                        stream.write_u16(u16::try_from(answer.len()).unwrap()).await.unwrap();
                        stream.write_all(&answer).await.unwrap();
                    }
                });
            }
        });
        NameServer { port, asked, late, tasks: [datagrams, streams] }
    }

    fn resolver(&self, limit: Duration) -> Resolver {
        let port = self.port;
        let setup = move || {
            let mut server = NameServerConfig::udp_and_tcp(Ipv4Addr::LOCALHOST.into());
            server.connections.iter_mut().for_each(|connection| connection.port = port);
            let mut hosts = Hosts::default();
            hosts
                .read_hosts_conf(&b"127.0.0.9 receiver box.example # hang.example\n10.9.9.9 secret"[..])
                .unwrap();
            Setup {
                config: ResolverConfig::from_parts(None, vec![], vec![server]),
                options: ResolverOpts::default(),
                hosts,
            }
        };
        Resolver::new(setup, limit)
    }
}

impl Drop for NameServer {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

/// The network with these names, and connections in memory.
struct Named {
    names: System,
    fake: Arc<Fake>,
}

impl Net for Named {
    fn resolve<'a>(&'a self, name: &'a str) -> Resolving<'a> {
        self.names.resolve(name)
    }

    fn dial(&self, address: SocketAddr) -> Dialling<'_> {
        self.fake.dial(address)
    }
}

/// A way outwards with the names of a name server.
fn scene(server: &NameServer, allowed: &str, limit: Duration) -> Scene {
    let scene = Scene::new(answering(FINE));
    let names = System::with(server.resolver(limit));
    let net = Arc::new(Named { names, fake: Arc::clone(&scene.net) });
    let options = Options { net, ..Options::new(allowed.parse().unwrap()) };
    Scene { egress: Egress::new(&options), ..scene }
}

#[tokio::test]
async fn names_whose_servers_are_silent_delay_no_others() {
    let server = NameServer::start().await;
    let resolver = Arc::new(server.resolver(LONG));
    let mut hanging = JoinSet::new();
    let look_up = |name: String| {
        let resolver = Arc::clone(&resolver);
        async move { resolver.resolve(&name).await }
    };
    // Far more of one owner's than are looked up at a time, and some of many others'.
    for at in 0..300 {
        hanging.spawn(look_up(format!("hang-{at}.greedy.example")));
    }
    for at in 0..100 {
        hanging.spawn(look_up(format!("hang.owner-{at}.example")));
    }
    let mut asked = server.asked.clone();
    let greedy =
        |asked: &BTreeSet<String>| asked.iter().filter(|name| name.ends_with(".greedy.example.")).count();
    asked.wait_for(|asked| asked.len() - greedy(asked) == 100 && greedy(asked) == 8).await.unwrap();
    for at in 0..50 {
        let found = resolver.resolve(&format!("quick.other-{at}.example")).await.unwrap();
        assert_eq!(found, [IpAddr::from(PUBLIC)]);
    }
    assert_eq!(greedy(&server.asked.borrow()), 8, "the others of the greedy owner wait for their turn");
    assert!(hanging.try_join_next().is_none(), "all of them are still being looked up");
    // Known without a name server, also while everybody hangs.
    assert_eq!(resolver.resolve("receiver").await.unwrap(), ["127.0.0.9".parse::<IpAddr>().unwrap()]);
}

#[tokio::test]
async fn a_name_whose_server_is_silent_has_its_time_and_no_more() {
    let server = NameServer::start().await;
    let resolver = server.resolver(Duration::from_millis(50));
    let error = resolver.resolve("hang.example").await.unwrap_err();
    assert_ne!(error.kind(), std::io::ErrorKind::NotFound, "it is not known that there is no such name");
    let scene = scene(&server, "", Duration::from_millis(50));
    assert_eq!(scene.send("http://hang.example/").await, Err(Failure::Unresolved));
}

#[tokio::test]
async fn a_late_answer_is_an_answer() {
    let server = NameServer::start().await;
    let resolver = Arc::new(server.resolver(LONG));
    let waiting = Arc::clone(&resolver);
    let waiting = tokio::spawn(async move { waiting.resolve("late.example").await });
    server.asked.clone().wait_for(|asked| asked.contains("late.example.")).await.unwrap();
    assert!(!waiting.is_finished());
    server.late.send_replace(true);
    assert_eq!(waiting.await.unwrap().unwrap(), [IpAddr::from(PUBLIC)]);
}

#[tokio::test]
async fn whatever_a_name_server_answers_every_address_is_judged() {
    let server = NameServer::start().await;
    let scene = scene(&server, "127.0.0.0/8", LONG);
    for (url, outcome) in [
        ("http://quick.example/", Ok(200)),
        ("http://alias.example/", Ok(200)),
        ("http://inside.example/", Err(Failure::Reserved("private networks"))),
        ("http://hidden.example/", Err(Failure::Reserved("private networks"))),
        ("http://huge.example/", Err(Failure::Reserved("neighbours on the link"))),
        ("http://secret/", Err(Failure::Reserved("private networks"))),
        ("http://nothing.example/", Err(Failure::Name)),
        // What the machine itself knows.
        ("http://receiver:9000/", Ok(200)),
        ("http://box.example:9000/", Ok(200)),
        ("http://localhost:9000/", Ok(200)),
        ("http://site.localhost:9000/", Ok(200)),
        ("http://127.0.0.1:9000/", Ok(200)),
        ("http://[::1]:9000/", Err(Failure::Reserved("the machine itself and old forms of IPv4"))),
    ] {
        assert_eq!(scene.send(url).await.map(|answer| answer.status), outcome, "{url}");
    }
    let dialled = scene.dialled();
    assert!(dialled.iter().all(|to| to.starts_with("93.184.216.34:") || to.starts_with("127.")));
    // Nobody else is asked what the machine is called.
    let asked = server.asked.borrow().clone();
    assert!(
        asked
            .iter()
            .all(|name| !name.contains("localhost") && !name.contains("receiver") && name != "box.example.")
    );
    // An alias of an alias of an alias leads nowhere in the end.
    assert!(scene.send("http://x.example/").await.is_err());
    assert!(server.asked.borrow().len() < 40, "it is not followed for long");
}
