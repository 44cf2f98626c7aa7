//! Where one request ends and the next begins, in a stream of bytes that arrives in any pieces.
//!
//! Whoever passes the bytes on does so a message at a time, and learns of a head that must be refused before any of it is passed.
//! Bytes are never changed. A body in chunks that has not the strict form is passed on as it comes, and everything after it:
//! hyper refuses it, and the connection ends there.

use crate::head::{self, Body, Fault, MAX_HEAD, Refused};

/// The place in the stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Framing {
    /// In a head, of which that many bytes were looked at.
    Head(usize),
    /// In a body with that many bytes to come.
    Length(u64),
    /// In a body of chunks.
    Chunks(Chunks),
    /// In something that has no end that could be known.
    Endless,
}

/// The place in a body of chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Chunks {
    /// In a chunk's size: how many digits there were, and their value.
    Size(u8, u64),
    /// After the size, in what else may be on its line.
    Extension(u64),
    /// Before the line feed that ends the size's line.
    SizeEnd(u64),
    /// In the bytes of a chunk, with that many to come.
    Data(u64),
    /// Before the carriage return after a chunk's bytes.
    DataReturn,
    /// Before the line feed after that.
    DataFeed,
    /// At the start of a line after the last chunk.
    TrailerStart,
    /// In such a line.
    Trailer,
    /// Before the line feed that ends such a line.
    TrailerEnd,
    /// Before the line feed that ends the body.
    End,
}

/// As many hexadecimal digits as a size has at most.
const MAX_DIGITS: u8 = 15;

impl Framing {
    /// Before the first request.
    pub(crate) fn new() -> Framing {
        Framing::Head(0)
    }

    /// Whether a request's head comes next, or has begun.
    pub(crate) fn is_head(&self) -> bool {
        matches!(self, Framing::Head(_))
    }

    /// How many of these bytes, all that have not been passed on yet, may be: at most those of one message.
    pub(crate) fn pass(&mut self, bytes: &[u8]) -> Result<usize, Refused> {
        let Framing::Head(seen) = *self else { return Ok(self.pass_body(bytes)) };
        let is_new_line = seen == 0 || bytes[seen.min(bytes.len())..].contains(&b'\n');
        if bytes.is_empty() || !(is_new_line || bytes.len() >= MAX_HEAD) {
            *self = Framing::Head(bytes.len());
            return Ok(0);
        }
        let Some(head) = head::read(bytes)? else {
            *self = Framing::Head(bytes.len());
            return Ok(0);
        };
        *self = match head.body {
            Body::Length(0) => Framing::Head(0),
            Body::Length(length) => Framing::Length(length),
            Body::Chunked => Framing::Chunks(Chunks::Size(0, 0)),
        };
        if self.is_head() {
            return Ok(head.length);
        }
        Ok(head.length + self.pass_body(&bytes[head.length..]))
    }

    /// What is wrong with these bytes, after which none come: `None` if they are not the beginning of a request.
    pub(crate) fn cut_off(&self, bytes: &[u8]) -> Option<Refused> {
        if !self.is_head() {
            return None;
        }
        match head::read(bytes) {
            Err(refused) => Some(refused),
            Ok(_) if head::is_begun(bytes) => {
                Some(Fault::Malformed("The request ends before its head does.").into())
            }
            Ok(_) => None,
        }
    }

    fn pass_body(&mut self, bytes: &[u8]) -> usize {
        match self {
            Framing::Head(_) => 0,
            Framing::Endless => bytes.len(),
            Framing::Length(left) => {
                let passed = at_most(bytes.len(), *left);
                *left -= passed as u64;
                if *left == 0 {
                    *self = Framing::Head(0);
                }
                passed
            }
            Framing::Chunks(chunks) => {
                let mut chunks = *chunks;
                let mut passed = 0;
                while passed < bytes.len() {
                    if let Chunks::Data(left) = chunks {
                        let taken = at_most(bytes.len() - passed, left);
                        passed += taken;
                        let left = left - taken as u64;
                        chunks = if left == 0 { Chunks::DataReturn } else { Chunks::Data(left) };
                        continue;
                    }
                    let byte = bytes[passed];
                    passed += 1;
                    if chunks == Chunks::End && byte == b'\n' {
                        *self = Framing::Head(0);
                        return passed;
                    }
                    let Some(next) = chunks.after(byte) else {
                        *self = Framing::Endless;
                        return bytes.len();
                    };
                    chunks = next;
                }
                *self = Framing::Chunks(chunks);
                passed
            }
        }
    }
}

fn at_most(length: usize, left: u64) -> usize {
    usize::try_from(left).map_or(length, |left| length.min(left))
}

impl Chunks {
    /// The place after one more byte that is not of a chunk's data; `None` if it cannot be there.
    fn after(self, byte: u8) -> Option<Chunks> {
        Some(match (self, byte) {
            (Chunks::Size(1.., size) | Chunks::Extension(size), b'\r') => Chunks::SizeEnd(size),
            (Chunks::Size(1.., size), b';' | b' ' | b'\t') => Chunks::Extension(size),
            (Chunks::Size(digits @ ..MAX_DIGITS, size), _) => {
                Chunks::Size(digits + 1, size << 4 | u64::from(char::from(byte).to_digit(16)?))
            }
            (Chunks::Extension(size), byte) if byte != b'\n' => Chunks::Extension(size),
            (Chunks::SizeEnd(0), b'\n') => Chunks::TrailerStart,
            (Chunks::SizeEnd(size), b'\n') => Chunks::Data(size),
            (Chunks::DataReturn, b'\r') => Chunks::DataFeed,
            (Chunks::DataFeed, b'\n') => Chunks::Size(0, 0),
            (Chunks::TrailerStart, b'\r') => Chunks::End,
            (Chunks::Trailer, b'\r') => Chunks::TrailerEnd,
            (Chunks::TrailerStart | Chunks::Trailer, byte) if byte != b'\n' => Chunks::Trailer,
            (Chunks::TrailerEnd, b'\n') => Chunks::TrailerStart,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What is passed of a stream that comes in pieces of these lengths: whole messages, and how it ends.
    fn messages(stream: &[u8], pieces: &[usize]) -> (Vec<Vec<u8>>, Option<Refused>) {
        let (mut framing, mut held, mut whole) = (Framing::new(), Vec::new(), vec![Vec::new()]);
        let mut rest = stream;
        let mut pieces = pieces.iter().copied().chain(std::iter::repeat(usize::MAX));
        while !rest.is_empty() {
            let (piece, later) = rest.split_at(pieces.next().unwrap_or(1).clamp(1, rest.len()));
            rest = later;
            held.extend_from_slice(piece);
            loop {
                let passed = match framing.pass(&held) {
                    Ok(passed) => passed,
                    Err(refused) => return (whole, Some(refused)),
                };
                whole.last_mut().unwrap().extend(held.drain(..passed));
                if passed == 0 {
                    break;
                }
                if framing.is_head() {
                    whole.push(Vec::new());
                }
            }
        }
        let refused = framing.cut_off(&held);
        (whole, refused)
    }

    const CHUNKED: &str = "POST /a HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n3;x=\"y\"\r\nabc\r\n0b \r\n\r\n\r\n0123456\r\n0\r\nt: v\r\n\r\n";
    const WITH_LENGTH: &str =
        "PUT /b HTTP/1.1\r\nhost: a\r\ncontent-length: 18\r\n\r\nGET / HTTP/1.1\r\n\r\n";
    const PLAIN: &str = "GET /c HTTP/1.1\r\nhost: a\r\n\r\n";

    #[test]
    fn messages_are_told_apart() {
        let stream = [PLAIN, CHUNKED, PLAIN, WITH_LENGTH, "\r\n", PLAIN].concat();
        let (found, refused) = messages(stream.as_bytes(), &[]);
        let found: Vec<String> = found.into_iter().map(|bytes| String::from_utf8(bytes).unwrap()).collect();
        let last = format!("\r\n{PLAIN}");
        assert_eq!(found, [PLAIN, CHUNKED, PLAIN, WITH_LENGTH, &last, ""]);
        assert_eq!(refused, None);
    }

    #[test]
    fn chunks_of_another_form_have_no_end() {
        let (head, _) = CHUNKED.split_once("3;x").unwrap();
        for chunks in [
            "zz\r\n",
            "\r\n",
            ";\r\n",
            "1\na\r\n",
            "1\r\nab\r\n",
            "1;\n",
            "0\r\nt: v\n\r\n",
            "0\r\n\rx",
            "0000000000000001\r\n",
        ] {
            let mut framing = Framing::new();
            let stream = format!("{head}{chunks}{PLAIN}");
            assert_eq!(framing.pass(stream.as_bytes()), Ok(stream.len()), "{chunks:?}");
            assert_eq!(framing, Framing::Endless, "{chunks:?}");
        }
    }

    #[test]
    fn what_cannot_begin_a_request_is_refused_however_it_comes() {
        let refused =
            Refused::from(Fault::Malformed("A line of the request's head does not end as it must."));
        for pieces in [&[][..], &[1, 1]] {
            assert_eq!(messages(b"\r\r", pieces), (vec![vec![]], Some(refused.clone())), "{pieces:?}");
            assert_eq!(messages(b"\r\n\r", pieces), (vec![vec![]], None), "{pieces:?}");
        }
    }

    fn part() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![
            4 => Just(PLAIN.as_bytes().to_vec()),
            4 => Just(CHUNKED.as_bytes().to_vec()),
            4 => Just(WITH_LENGTH.as_bytes().to_vec()),
            1 => Just(b"\r\n".to_vec()),
            1 => Just(b"hello\r\n\r\n".to_vec()),
            1 => Just(format!("GET / HTTP/1.1\r\nx: {}\r\n", "a".repeat(MAX_HEAD)).into_bytes()),
            1 => proptest::collection::vec(any::<u8>(), 0..40),
            1 => "[ -~\r\n]{0,60}".prop_map(String::into_bytes),
        ]
    }

    proptest! {
        #[test]
        fn how_the_stream_is_cut_makes_no_difference(
            parts in proptest::collection::vec(part(), 0..6),
            pieces in proptest::collection::vec(1..200_usize, 0..400),
        ) {
            let stream = parts.concat();
            let whole = messages(&stream, &[]);
            prop_assert_eq!(&messages(&stream, &pieces), &whole);
            if stream.len() < 2_000 {
                prop_assert_eq!(&messages(&stream, &vec![1; stream.len()]), &whole);
            }
        }
    }
}
