//! HTTP/1.1 by hand, so that a test decides about every byte.

use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Result, Write};
use std::net::{IpAddr, Shutdown, SocketAddr, TcpStream};

use serde_json::Value;

use super::{KEY, TIME_LIMIT};

/// A connection.
pub struct Connection {
    stream: BufReader<TcpStream>,
}

/// An answer.
#[derive(Debug)]
pub struct Reply {
    pub version: String,
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

/// The head of a request that creates a page, with a body of that length to follow.
pub fn create_head(length: usize) -> String {
    format!(
        "POST /v0/pages HTTP/1.1\r\nhost: api\r\nx-api-key: {KEY}\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n"
    )
}

impl Connection {
    pub fn open(address: SocketAddr) -> Result<Connection> {
        Connection::on(TcpStream::connect_timeout(&address, TIME_LIMIT)?)
    }

    /// A connection from one of this machine's other addresses.
    pub fn open_from(own: IpAddr, address: SocketAddr) -> Result<Connection> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let stream = runtime.block_on(async {
            let socket = tokio::net::TcpSocket::new_v4()?;
            socket.bind(SocketAddr::new(own, 0))?;
            socket.connect(address).await?.into_std()
        })?;
        stream.set_nonblocking(false)?;
        Connection::on(stream)
    }

    fn on(stream: TcpStream) -> Result<Connection> {
        stream.set_read_timeout(Some(TIME_LIMIT))?;
        stream.set_write_timeout(Some(TIME_LIMIT))?;
        stream.set_nodelay(true)?;
        Ok(Connection { stream: BufReader::new(stream) })
    }

    pub fn send(&mut self, bytes: impl AsRef<[u8]>) -> Result<()> {
        self.stream.get_mut().write_all(bytes.as_ref())
    }

    /// Says that nothing more will be sent; answers still arrive. The other side may have closed already.
    pub fn finish_sending(&self) {
        drop(self.stream.get_ref().shutdown(Shutdown::Write));
    }

    /// A request and its answer.
    pub fn call(
        &mut self,
        method: &str,
        path: &str,
        key: Option<&str>,
        body: Option<&Value>,
    ) -> Result<Reply> {
        let mut text = format!("{method} {path} HTTP/1.1\r\nhost: api\r\n");
        if let Some(key) = key {
            text += &format!("x-api-key: {key}\r\n");
        }
        match body.map(ToString::to_string) {
            None => text += "\r\n",
            Some(body) => {
                let length = body.len();
                text += &format!("content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}");
            }
        }
        self.send(text)?;
        self.receive()
    }

    /// The answer to an upload of these bytes.
    pub fn upload(&mut self, key: &str, name: &str, bytes: &[u8]) -> Result<Reply> {
        let head = format!(
            "POST /v0/files?name={name} HTTP/1.1\r\nhost: api\r\nx-api-key: {key}\r\n\
             content-type: application/octet-stream\r\ncontent-length: {}\r\n\r\n",
            bytes.len()
        );
        self.send([head.as_bytes(), bytes].concat())?;
        self.receive()
    }

    /// The next answer.
    pub fn receive(&mut self) -> Result<Reply> {
        let head = self.head()?;
        self.body_of(head)
    }

    /// The head of the next answer, of which nothing else is read.
    pub fn head(&mut self) -> Result<Reply> {
        let first = self.line()?;
        let mut words = first.split(' ');
        let version = words.next().unwrap_or_default().to_owned();
        let status = words.next().and_then(|word| word.parse().ok());
        let status = status.ok_or_else(|| Error::new(ErrorKind::InvalidData, first.clone()))?;
        let mut reply = Reply { version, status, headers: vec![], body: vec![] };
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(':') else { break };
            reply.headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        Ok(reply)
    }

    /// The answer whose head was read.
    pub fn body_of(&mut self, mut head: Reply) -> Result<Reply> {
        let length = head.header("content-length").map_or(0, |length| length.parse().unwrap());
        assert!(head.header("transfer-encoding").is_none(), "every answer's length is known");
        head.body.resize(length, 0);
        self.stream.read_exact(&mut head.body)?;
        Ok(head)
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        Ok(line.trim_end().to_owned())
    }

    /// What still comes until the other side closes, which must happen.
    #[track_caller]
    pub fn rest(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self.stream.read_to_end(&mut bytes) {
            Err(error) if error.kind() != ErrorKind::ConnectionReset => panic!("not closed: {error}"),
            _ => bytes,
        }
    }

    /// The answer if there is one; the other side must close after it, or instead of it.
    #[track_caller]
    pub fn last(&mut self) -> Option<Reply> {
        let reply = match self.receive() {
            Ok(reply) => Some(reply),
            Err(error) => {
                let closed = [ErrorKind::UnexpectedEof, ErrorKind::ConnectionReset, ErrorKind::BrokenPipe];
                assert!(closed.contains(&error.kind()), "not closed: {error}");
                None
            }
        };
        assert_eq!(self.rest(), b"", "more than one answer");
        reply
    }

    /// Its status.
    #[track_caller]
    pub fn last_status(&mut self) -> Option<u16> {
        self.last().map(|reply| reply.status)
    }
}

impl Reply {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The answer, which must have that status.
    #[track_caller]
    pub fn expect(self, status: u16) -> Reply {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.body));
        self
    }
}
