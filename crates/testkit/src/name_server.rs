//! A name server of the test's own, on a port of the machine: it has the records that a test gives it.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use hickory_resolver::proto::op::{Message, MessageType, ResponseCode};
use hickory_resolver::proto::rr::rdata::{A, AAAA, CAA, CNAME, TXT};
use hickory_resolver::proto::rr::{Name, RData, Record, RecordType};
use tokio::net::UdpSocket;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// What is answered about a name.
enum Entry {
    Records(Vec<RData>),
    /// That the server has failed.
    Failure,
    /// Nothing.
    Silence,
}

type Zone = BTreeMap<String, Entry>;

/// A name server; it ends with this.
pub struct NameServer {
    /// Where it answers.
    pub address: SocketAddr,
    zone: Arc<Mutex<Zone>>,
    /// How many questions were left unanswered.
    pub unanswered: watch::Receiver<usize>,
    task: JoinHandle<()>,
}

impl NameServer {
    /// A server that knows no name.
    pub async fn start() -> NameServer {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = socket.local_addr().unwrap();
        let zone = Arc::<Mutex<Zone>>::default();
        let answered = Arc::clone(&zone);
        let (count, unanswered) = watch::channel(0);
        let task = tokio::spawn(async move {
            let mut bytes = [0; 1024];
            while let Ok((length, from)) = socket.recv_from(&mut bytes).await {
                let answer = answer(&answered.lock().unwrap(), &bytes[..length]);
                match answer {
                    Some(answer) => drop(socket.send_to(&answer, from).await.unwrap()),
                    None => count.send_modify(|count| *count += 1),
                }
            }
        });
        NameServer { address, zone, unanswered, task }
    }

    fn add(&self, name: &str, data: RData) {
        let mut zone = self.zone.lock().unwrap();
        let entry = zone.entry(name.to_owned()).or_insert_with(|| Entry::Records(vec![]));
        if let Entry::Records(records) = entry {
            records.push(data);
        }
    }

    /// Adds a text.
    pub fn txt(&self, name: &str, text: &str) {
        self.add(name, RData::TXT(TXT::new(vec![text.to_owned()])));
    }

    /// Adds another name.
    pub fn cname(&self, name: &str, target: &str) {
        self.add(name, RData::CNAME(CNAME(Name::from_ascii(format!("{target}.")).unwrap())));
    }

    /// Adds a record about who may issue certificates.
    pub fn caa(&self, name: &str, tag: &str, value: &str) {
        let mut data = CAA::new_issue(false, None, vec![]);
        (data.tag, data.value) = (tag.to_owned(), value.as_bytes().to_vec());
        self.add(name, RData::CAA(data));
    }

    /// Adds an address.
    pub fn address(&self, name: &str, address: &str) {
        let data = match address.parse().unwrap() {
            IpAddr::V4(address) => RData::A(A(address)),
            IpAddr::V6(address) => RData::AAAA(AAAA(address)),
        };
        self.add(name, data);
    }

    /// Answers no more questions about a name.
    pub fn fall_silent(&self, name: &str) {
        self.zone.lock().unwrap().insert(name.to_owned(), Entry::Silence);
    }

    /// Answers questions about a name by a failure.
    pub fn fail(&self, name: &str) {
        self.zone.lock().unwrap().insert(name.to_owned(), Entry::Failure);
    }

    /// Takes all records of a name away.
    pub fn clear(&self, name: &str) {
        self.zone.lock().unwrap().remove(name);
    }
}

impl Drop for NameServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn answer(zone: &Zone, question: &[u8]) -> Option<Vec<u8>> {
    let mut message = Message::from_vec(question).ok()?;
    let query = message.queries.first()?.clone();
    message.metadata.message_type = MessageType::Response;
    message.metadata.recursion_available = true;
    let mut name = query.name().to_lowercase().to_ascii().trim_end_matches('.').to_owned();
    match zone.get(&name) {
        Some(Entry::Silence) => return None,
        Some(Entry::Failure) => message.metadata.response_code = ResponseCode::ServFail,
        Some(Entry::Records(_)) => {}
        None => message.metadata.response_code = ResponseCode::NXDomain,
    }
    // Another name leads on, unless it is what was asked for; a circle ends somewhere.
    for _ in 0..8 {
        let Some(Entry::Records(records)) = zone.get(&name) else { break };
        let owner = Name::from_ascii(format!("{name}.")).unwrap();
        let wanted = |data: &&RData| {
            let kind = data.record_type();
            kind == query.query_type() || kind == RecordType::CNAME
        };
        let found: Vec<&RData> = records.iter().filter(wanted).collect();
        message
            .answers
            .extend(found.iter().map(|data| Record::from_rdata(owner.clone(), 60, (*data).clone())));
        match found.first() {
            Some(RData::CNAME(target)) if query.query_type() != RecordType::CNAME => {
                name = target.0.to_lowercase().to_ascii().trim_end_matches('.').to_owned();
            }
            _ => break,
        }
    }
    message.to_vec().ok()
}
