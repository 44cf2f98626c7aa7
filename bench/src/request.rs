//! Requests as finished bytes, so that sending one costs the load generator next to nothing.
//!
//! Only what must differ from request to request (a number in the name, the id of a page) is written
//! over, in place and with a fixed width; the length of a request never changes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::sample::{ID, PERSON, SERIAL};

const SERIAL_WIDTH: usize = NO_NUMBER.len();

/// Stands in a head where the request puts two groups of an IPv6 address that are its number.
pub const ADDRESS: &str = "<addr>";
/// As long as a number is.
const NO_NUMBER: &str = "000000000";
/// As long as these groups are, whatever the number.
const NO_GROUPS: &str = "0000:0000";

/// A power of three, so that no two numbers below a thousand millions become one.
pub const SPREAD: u64 = 387_420_489;

/// Gives the numbers that make names differ, across all requests of a run.
static NEXT_SERIAL: AtomicU64 = AtomicU64::new(1);

/// Persons by their number: those who are known already, and now and then somebody new.
pub struct Crowd {
    known: AtomicU64,
    /// One in so many requests is about somebody new.
    one_new_in: u64,
}

impl Crowd {
    /// So many are known at first.
    pub fn new(known: u64, one_new_in: u64) -> Arc<Crowd> {
        Arc::new(Crowd { known: AtomicU64::new(known), one_new_in })
    }

    fn next(&self, random: u64) -> u64 {
        if random.is_multiple_of(self.one_new_in) {
            return self.known.fetch_add(1, Ordering::Relaxed);
        }
        // The last few may not have arrived yet.
        random / self.one_new_in % self.known.load(Ordering::Relaxed).saturating_sub(1_000).max(1)
    }
}

/// A request with places left open, or several to choose from.
#[derive(Clone)]
pub struct Template {
    bytes: Vec<u8>,
    /// Each gets the same number.
    serials_at: Vec<usize>,
    address_at: Option<usize>,
    id_at: Option<usize>,
    ids: Arc<Vec<String>>,
    person_at: Option<usize>,
    crowd: Option<Arc<Crowd>>,
    choices: Arc<Vec<Vec<u8>>>,
    mixed: Vec<Template>,
    turns: Arc<Vec<Turns>>,
    turn: usize,
    random: u64,
}

/// Two requests that are sent in turn, and whose turn it is; it goes on from one run to the next.
struct Turns(AtomicU64, [Vec<u8>; 2]);

impl Template {
    /// `path` and `body` may hold the marks of `sample.rs`, each once; `ids` fill the one for a page.
    pub fn new(method: &str, path: &str, body: Option<&str>, key: &str, ids: &Arc<Vec<String>>) -> Self {
        let id = ids.first().cloned().unwrap_or_default();
        let fill = |text: &str| text.replace(SERIAL, NO_NUMBER).replace(PERSON, NO_NUMBER).replace(ID, &id);
        let body = body.unwrap_or_default();
        let filled = fill(body);
        let content = if body.is_empty() {
            String::new()
        } else {
            format!("content-type: application/json\r\ncontent-length: {}\r\n", filled.len())
        };
        let before = format!("{method} ");
        let head = format!(
            " HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: {key}\r\naccept: application/json\r\n{content}\r\n"
        );
        let body_at = before.len() + fill(path).len() + head.len();
        Self {
            bytes: format!("{before}{}{head}{filled}", fill(path)).into_bytes(),
            serials_at: body.find(SERIAL).map(|at| body_at + at).into_iter().collect(),
            address_at: None,
            id_at: path.find(ID).map(|at| before.len() + at),
            ids: Arc::clone(ids),
            person_at: body.find(PERSON).map(|at| body_at + at),
            crowd: None,
            choices: Arc::default(),
            mixed: Vec::new(),
            turns: Arc::default(),
            turn: 0,
            random: 0,
        }
    }

    /// A visit of a site, which takes the page compressed as `coding` says.
    pub fn visit(host: &str, path: &str, coding: &str) -> Self {
        let bytes = format!(
            "GET {path} HTTP/1.1\r\nhost: {host}\r\naccept: text/html\r\naccept-encoding: {coding}\r\n\r\n"
        );
        Self { bytes: bytes.into_bytes(), ..Self::new("GET", "/", None, "", &Arc::default()) }
    }

    /// A screen of the console, for the user whose session the cookie is of.
    pub fn screen(path: &str, cookie: &str) -> Self {
        let bytes = format!(
            "GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/html\r\ncookie: {cookie}\r\n\r\n"
        );
        Self { bytes: bytes.into_bytes(), ..Self::new("GET", "/", None, "", &Arc::default()) }
    }

    /// What a visitor's browser sends to a site. Head and body may hold the mark of a number, which is the same in all places, and the head that of
    /// an address.
    pub fn post(host: &str, path: &str, heads: &[(&str, &str)], body: &str) -> Self {
        let length = body.replace(SERIAL, NO_NUMBER).len();
        let heads: String = heads.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        Self::open(&format!(
            "POST {path} HTTP/1.1\r\nhost: {host}\r\n{heads}content-length: {length}\r\n\r\n{body}"
        ))
    }

    /// What a visitor's browser asks a site for; the head may hold the same marks.
    pub fn get(host: &str, path: &str, heads: &[(&str, &str)]) -> Self {
        let heads: String = heads.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        Self::open(&format!("GET {path} HTTP/1.1\r\nhost: {host}\r\n{heads}\r\n"))
    }

    /// A file that is uploaded, with a number at its end: no two are the same.
    pub fn upload(path: &str, key: &str, bytes: &[u8]) -> Self {
        let length = bytes.len() + SERIAL_WIDTH;
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: {key}\r\n\
             content-type: application/octet-stream\r\ncontent-length: {length}\r\n\r\n"
        );
        let serials_at = vec![head.len() + bytes.len()];
        let bytes = [head.as_bytes(), bytes, NO_NUMBER.as_bytes()].concat();
        Self { bytes, serials_at, ..Self::new("GET", "/", None, "", &Arc::default()) }
    }

    /// So many at once, without waiting for answers.
    pub fn repeated(&self, count: usize) -> Self {
        Self { bytes: self.bytes.repeat(count), ..self.clone() }
    }

    /// A request as it stands, with the marks of a number and of an address.
    fn open(text: &str) -> Self {
        let has_address = text.contains(ADDRESS);
        let mut text = text.replace(ADDRESS, NO_GROUPS);
        let mut serials_at = Vec::new();
        while let Some(at) = text.find(SERIAL) {
            text = text.replacen(SERIAL, NO_NUMBER, 1);
            serials_at.push(at);
        }
        let address_at = text.find(NO_GROUPS).filter(|_| has_address);
        Self {
            bytes: text.into_bytes(),
            serials_at,
            address_at,
            ..Self::new("GET", "/", None, "", &Arc::default())
        }
    }

    /// The same with its person from a crowd.
    pub fn among(self, crowd: Arc<Crowd>) -> Self {
        Self { crowd: Some(crowd), ..self }
    }

    /// One of several requests at random.
    pub fn any_of(templates: Vec<Template>) -> Self {
        let choices = templates.into_iter().map(|template| template.bytes).collect();
        Self { choices: Arc::new(choices), ..Self::new("GET", "/", None, "", &Arc::default()) }
    }

    /// One of several at random, each with its own open places.
    pub fn mixed(templates: Vec<Template>) -> Self {
        Self { mixed: templates, ..Self::new("GET", "/", None, "", &Arc::default()) }
    }

    /// Two requests in turn: another two for each connection.
    pub fn in_turn(pairs: Vec<[Template; 2]>) -> Self {
        let turns = pairs.into_iter().map(|pair| Turns(AtomicU64::new(0), pair.map(|one| one.bytes)));
        Self { turns: Arc::new(turns.collect()), ..Self::new("GET", "/", None, "", &Arc::default()) }
    }

    /// A copy whose random choices differ from those of other copies.
    pub fn for_connection(&self, number: usize) -> Self {
        let random = (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        Self { random, turn: number % self.turns.len().max(1), ..self.clone() }
    }

    /// The next request's bytes.
    pub fn next(&mut self) -> &[u8] {
        if !self.turns.is_empty() {
            let Turns(next, pair) = &self.turns[self.turn];
            return &pair[(next.fetch_add(1, Ordering::Relaxed) % 2) as usize];
        }
        // xorshift64: repeatable, and good enough to spread reads over the table.
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        if !self.choices.is_empty() {
            return &self.choices[(self.random % self.choices.len() as u64) as usize];
        }
        if !self.mixed.is_empty() {
            let at = (self.random % self.mixed.len() as u64) as usize;
            return self.mixed[at].next();
        }
        if !self.serials_at.is_empty() {
            let number = NEXT_SERIAL.fetch_add(1, Ordering::Relaxed);
            for place in 0..self.serials_at.len() {
                self.write(self.serials_at[place], number);
            }
            if let Some(at) = self.address_at {
                let groups = format!("{:04x}:{:04x}", number >> 16 & 0xffff, number & 0xffff);
                self.bytes[at..at + groups.len()].copy_from_slice(groups.as_bytes());
            }
        }
        if let (Some(at), Some(crowd)) = (self.person_at, &self.crowd) {
            let number = crowd.next(self.random >> 11);
            // Spread, so that new persons are not all neighbours in the index.
            self.write(at, number * SPREAD % 10u64.pow(SERIAL_WIDTH as u32));
        }
        if let Some(at) = self.id_at {
            let id = self.ids[(self.random % self.ids.len() as u64) as usize].as_bytes();
            self.bytes[at..at + id.len()].copy_from_slice(id);
        }
        &self.bytes
    }

    fn write(&mut self, at: usize, number: u64) {
        let mut rest = number;
        for digit in self.bytes[at..at + SERIAL_WIDTH].iter_mut().rev() {
            *digit = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_places_are_filled_and_the_length_is_right() {
        let ids = Arc::new(vec!["page_aaa".to_owned(), "page_bbb".to_owned()]);
        let path = format!("/v0/pages/{ID}");
        let mut template = Template::new("PATCH", &path, Some(r#"{"name":"x <serial>"}"#), "k", &ids);
        template = template.for_connection(3);
        let text = String::from_utf8(template.next().to_vec()).unwrap();
        assert!(text.starts_with("PATCH /v0/pages/page_"), "{text}");
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("content-length: {}", body.len())), "{text}");
        let first: u64 = body[11..20].parse().unwrap();
        let text = String::from_utf8(template.next().to_vec()).unwrap();
        let body = text.split_once("\r\n\r\n").unwrap().1;
        assert!(body[11..20].parse::<u64>().unwrap() > first);
        assert!(body.ends_with("\"}"), "{body}");
    }

    #[test]
    fn a_visitor_has_a_number_in_all_places_and_an_address() {
        let heads = [("user-agent", "Browser/<serial>"), ("x-forwarded-for", "2001:db8:<addr>::1")];
        let mut template = Template::post("acme.localhost", "/f", &heads, "a=<serial>&b=<serial>");
        template.next();
        let text = String::from_utf8(template.next().to_vec()).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let number = &body[2..11];
        assert_eq!(body, format!("a={number}&b={number}"));
        assert!(head.contains(&format!("user-agent: Browser/{number}\r\n")), "{head}");
        assert!(head.contains(&format!("content-length: {}", body.len())), "{head}");
        let value: u64 = number.parse().unwrap();
        assert!(value > 0);
        assert!(head.contains(&format!("2001:db8:{:04x}:{:04x}::1", value >> 16, value & 0xffff)), "{head}");
    }

    #[test]
    fn one_of_several_has_its_open_places_filled() {
        let post = |path: &str| Template::post("acme.localhost", path, &[], "a=<serial>");
        let mut template = Template::mixed(vec![post("/a"), post("/b")]).for_connection(0);
        let sent: std::collections::HashSet<String> =
            (0..20).map(|_| String::from_utf8(template.next().to_vec()).unwrap()).collect();
        assert_eq!(sent.len(), 20, "each has a number of its own: {sent:?}");
        let to = |path: &str| sent.iter().filter(|text| text.starts_with(&format!("POST {path} "))).count();
        assert!(to("/a") > 0 && to("/b") > 0 && to("/a") + to("/b") == 20, "{sent:?}");
    }

    #[test]
    fn two_requests_are_sent_in_turn_from_one_run_to_the_next() {
        let get = |path: &str| Template::new("GET", path, None, "k", &Arc::default());
        let template = Template::in_turn(vec![[get("/a"), get("/b")], [get("/c"), get("/d")]]);
        let path = |bytes: &[u8]| String::from_utf8(bytes[4..6].to_vec()).unwrap();
        let mut one = template.for_connection(0);
        assert_eq!([path(one.next()), path(one.next()), path(one.next())], ["/a", "/b", "/a"]);
        assert_eq!(path(template.for_connection(0).next()), "/b");
        assert_eq!(path(template.for_connection(1).next()), "/c");
    }

    #[test]
    fn one_in_five_is_somebody_new() {
        let template = Template::new("POST", "/", Some(r#"{"email":"p<person>@x"}"#), "k", &Arc::default());
        let mut template = template.among(Crowd::new(10_000, 5)).for_connection(1);
        let number = |bytes: &[u8]| {
            let text = String::from_utf8(bytes.to_vec()).unwrap();
            text.split_once("\"p").unwrap().1[..9].parse::<u64>().unwrap()
        };
        let known: std::collections::HashSet<u64> =
            (0..10_000).map(|at| at * SPREAD % 1_000_000_000).collect();
        assert_eq!(known.len(), 10_000);
        let fresh = (0..10_000).filter(|_| !known.contains(&number(template.next()))).count();
        assert!((1_800..3_000).contains(&fresh), "{fresh}");
    }
}
