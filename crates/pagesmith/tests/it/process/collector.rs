//! An OpenTelemetry collector on a port of the machine, which keeps the spans that it is sent.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;

/// See the module. Its threads end with the test's process.
pub struct Collector {
    pub address: SocketAddr,
    spans: Arc<Mutex<Vec<Span>>>,
}

impl Collector {
    pub fn start() -> Collector {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, spans) = (listener.local_addr().unwrap(), Arc::<Mutex<Vec<Span>>>::default());
        let kept = Arc::clone(&spans);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let kept = Arc::clone(&kept);
                std::thread::spawn(move || attend(stream, &kept));
            }
        });
        Collector { address, spans }
    }

    /// The spans of that name that have arrived.
    pub fn spans(&self, name: &str) -> Vec<Span> {
        self.spans.lock().unwrap().iter().filter(|span| span.name == name).cloned().collect()
    }
}

fn attend(stream: TcpStream, kept: &Mutex<Vec<Span>>) {
    let mut stream = BufReader::new(stream);
    while let Some(body) = request(&mut stream) {
        let sent = ExportTraceServiceRequest::decode(body.as_slice()).unwrap();
        let scopes = sent.resource_spans.into_iter().flat_map(|resource| resource.scope_spans);
        kept.lock().unwrap().extend(scopes.flat_map(|scope| scope.spans));
        stream.get_mut().write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").unwrap();
    }
}

/// The body of the next request.
fn request(stream: &mut BufReader<TcpStream>) -> Option<Vec<u8>> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).unwrap_or(0) == 0 {
            return None;
        }
        if line == "\r\n" {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    Some(body)
}

/// An attribute of a span, as text.
pub fn attribute(span: &Span, name: &str) -> Option<String> {
    let found = span.attributes.iter().find(|attribute| attribute.key == name)?;
    Some(match found.value.clone()?.value? {
        Value::StringValue(text) => text,
        Value::IntValue(number) => number.to_string(),
        other => format!("{other:?}"),
    })
}
