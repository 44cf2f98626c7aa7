//! Fake servers: they answer with the bytes that PostgreSQL, or the coordinator of a Citus cluster, sends.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

/// The OIDs of types.
const BOOL: i32 = 16;
const TEXT: i32 = 25;

/// A server that hears the beginning of a greeting and answers each connection in one way; its port.
pub(crate) fn fake_server(answer: Vec<u8>) -> u16 {
    listening(move |mut stream, _| {
        let mut heard = [0; 1024];
        let _ = stream.read(&mut heard);
        let _ = stream.write_all(&answer);
    })
}

/// The coordinator of a Citus cluster; its port. It carries statements out without a row and in silence, or with the messages that `answer`
/// has for them.
pub(crate) fn coordinator(answer: impl Fn(&str) -> Option<Vec<u8>> + Send + Sync + 'static) -> u16 {
    let answer: Arc<Answer> = Arc::new(answer);
    listening(move |stream, number| {
        let answer = Arc::clone(&answer);
        // It ends with the client's connection.
        std::thread::spawn(move || converse(stream, number, &*answer));
    })
}

type Answer = dyn Fn(&str) -> Option<Vec<u8>> + Send + Sync;

fn listening(take: impl Fn(TcpStream, u8) + Send + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for (stream, number) in listener.incoming().zip(1..) {
            take(stream.unwrap(), number);
        }
    });
    port
}

fn converse(mut stream: TcpStream, number: u8, answer: &Answer) -> io::Result<()> {
    body(&mut stream)?;
    stream.write_all(&welcome("15.4"))?;
    let (mut prepared, mut bound) = (HashMap::<String, String>::new(), String::new());
    loop {
        let mut letter = [0];
        stream.read_exact(&mut letter)?;
        let body = body(&mut stream)?;
        let texts: Vec<_> = body.split(|&byte| byte == 0).map(String::from_utf8_lossy).collect();
        let said = match letter[0] {
            b'Q' => [carried_out(&texts[0], number, answer), message(b'Z', b"I")].concat(),
            b'P' => {
                prepared.insert(texts[0].to_string(), texts[1].to_string());
                message(b'1', b"")
            }
            b'D' => described(&prepared[&texts[0][1..]]),
            b'B' => {
                prepared[texts[1].as_ref()].clone_into(&mut bound);
                message(b'2', b"")
            }
            b'E' => carried_out(&bound, number, answer),
            b'C' => message(b'3', b""),
            b'S' => message(b'Z', b"I"),
            _ => return Ok(()),
        };
        stream.write_all(&said)?;
    }
}

/// The rest of a message, behind its letter.
fn body(stream: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let mut body = vec![0; usize::try_from(u32::from_be_bytes(length)).unwrap() - 4];
    stream.read_exact(&mut body)?;
    Ok(body)
}

fn carried_out(text: &str, number: u8, answer: &Answer) -> Vec<u8> {
    if text.contains("pg_backend_pid") {
        return [columns(&[TEXT]), row(&[&[b'0' + number]]), complete()].concat();
    }
    if is_about_citus(text) {
        return [row(&[&[1], &[1]]), complete()].concat();
    }
    answer(text).unwrap_or_else(complete)
}

/// Whether the program asks what the database is: it is a cluster, and nobody has set how to plan.
fn is_about_citus(text: &str) -> bool {
    text.contains("extname = 'citus'")
}

/// The parameters of a statement, which are texts, and its columns.
fn described(text: &str) -> Vec<u8> {
    let count = (1..).take_while(|number| text.contains(&format!("${number}"))).count();
    let types = [TEXT.to_be_bytes()].repeat(count).concat();
    let parameters = message(b't', &[&u16::try_from(count).unwrap().to_be_bytes()[..], &types].concat());
    let columns = if is_about_citus(text) { columns(&[BOOL, BOOL]) } else { message(b'n', b"") };
    [parameters, columns].concat()
}

fn columns(types: &[i32]) -> Vec<u8> {
    let mut body = u16::try_from(types.len()).unwrap().to_be_bytes().to_vec();
    for one in types {
        // Name, table, its column, type, size, modifier, format.
        body.extend(
            [&b"c\0"[..], &[0; 6], &one.to_be_bytes(), &[255, 255], &[255, 255, 255, 255], &[0, 0]].concat(),
        );
    }
    message(b'T', &body)
}

fn row(values: &[&[u8]]) -> Vec<u8> {
    let mut body = u16::try_from(values.len()).unwrap().to_be_bytes().to_vec();
    for value in values {
        body.extend([&u32::try_from(value.len()).unwrap().to_be_bytes()[..], value].concat());
    }
    message(b'D', &body)
}

/// A statement has been carried out.
pub(crate) fn complete() -> Vec<u8> {
    message(b'C', b"SELECT 1\0")
}

/// A message of the protocol.
pub(crate) fn message(letter: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len() + 4).unwrap().to_be_bytes();
    [&[letter][..], &length, body].concat()
}

/// A client is let in.
pub(crate) fn welcome(version: &str) -> Vec<u8> {
    let parameter = format!("server_version\0{version}\0");
    [message(b'R', &[0; 4]), message(b'S', parameter.as_bytes()), message(b'Z', b"I")].concat()
}
