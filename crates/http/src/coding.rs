//! How a page travels: as it is, or compressed in the way that its visitor likes best.
//!
//! What a visitor takes is read by the rules of RFC 9110, section 12.5.3. Where nothing that it takes can be had, the page goes out as it
//! is, which every browser reads. The levels are chosen so that a page of usual size takes less than a millisecond.

use std::io::Write;

use axum::http::{HeaderMap, header};
use flate2::Compression;
use flate2::write::GzEncoder;
use pagesmith_model::{Error, Result};

/// A form of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    /// As it is.
    Identity,
    /// Compressed as nearly everything understands it.
    Gzip,
    /// Compressed best.
    Brotli,
}

/// A weight in thousandths.
type Weight = u16;

impl Coding {
    /// The form that the visitor likes best: Brotli before gzip where it does not care.
    pub fn wanted(headers: &HeaderMap) -> Coding {
        let (mut brotli, mut gzip, mut identity, mut others) = (None, None, None, None);
        for value in headers.get_all(header::ACCEPT_ENCODING) {
            let Ok(value) = value.to_str() else { continue };
            for entry in value.split(',') {
                let (name, weight) = weighed(entry);
                let place = match name {
                    _ if name.eq_ignore_ascii_case("br") => &mut brotli,
                    _ if name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip") => {
                        &mut gzip
                    }
                    _ if name.eq_ignore_ascii_case("identity") => &mut identity,
                    "*" => &mut others,
                    _ => continue,
                };
                *place = Some(weight);
            }
        }
        let weight = |named: Option<Weight>| named.or(others).unwrap_or(0);
        let (brotli, gzip) = (weight(brotli), weight(gzip));
        // Nobody who takes a compressed page wants it larger unless they say so.
        let identity = identity.unwrap_or(0);
        if brotli > 0 && brotli >= gzip && brotli >= identity {
            Coding::Brotli
        } else if gzip > 0 && gzip >= identity {
            Coding::Gzip
        } else {
            Coding::Identity
        }
    }

    /// Its name in `Content-Encoding`, and at the end of a tag.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Coding::Identity => None,
            Coding::Gzip => Some("gzip"),
            Coding::Brotli => Some("br"),
        }
    }

    /// Bytes in this form.
    pub fn encode(self, bytes: &[u8]) -> Result<Vec<u8>> {
        let mut coded = Vec::with_capacity(bytes.len() / 3);
        match self {
            Coding::Identity => coded.extend_from_slice(bytes),
            Coding::Gzip => {
                let mut encoder = GzEncoder::new(&mut coded, Compression::new(6));
                encoder.write_all(bytes).and_then(|()| encoder.try_finish()).map_err(Error::internal)?;
            }
            Coding::Brotli => {
                let mut encoder = brotli::CompressorWriter::new(&mut coded, 4096, 5, 20);
                encoder.write_all(bytes).and_then(|()| encoder.flush()).map_err(Error::internal)?;
                drop(encoder);
            }
        }
        Ok(coded)
    }
}

/// The name and the weight of an entry; one that cannot be read weighs nothing.
fn weighed(entry: &str) -> (&str, Weight) {
    let mut parts = entry.split(';').map(str::trim);
    let name = parts.next().unwrap_or_default();
    let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
    let Some(weight) = weight else { return (name, 1000) };
    let thousandths = weight.parse::<f32>().ok().filter(|weight| (0.0..=1.0).contains(weight));
    (name, thousandths.map_or(0, |weight| (weight * 1000.0).round() as Weight))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use axum::http::HeaderValue;

    use super::*;

    fn wanted(values: &[&str]) -> Coding {
        let entry = |value: &&str| (header::ACCEPT_ENCODING, HeaderValue::from_str(value).unwrap());
        Coding::wanted(&values.iter().map(entry).collect())
    }

    #[test]
    fn the_form_is_the_one_that_the_visitor_likes_best() {
        use Coding::{Brotli, Gzip, Identity};
        for (values, expected) in [
            (&[][..], Identity),
            (&[""], Identity),
            (&["gzip, deflate, br, zstd"], Brotli),
            (&["gzip"], Gzip),
            (&["GZIP"], Gzip),
            (&["x-gzip"], Gzip),
            (&["deflate, zstd"], Identity),
            (&["br;q=0.5, gzip"], Gzip),
            (&["br; q=0.5 , gzip;q=0.4"], Brotli),
            (&["br;q=0, gzip;q=0"], Identity),
            (&["*"], Brotli),
            (&["br;q=0, *"], Gzip),
            (&["*;q=0"], Identity),
            (&["identity;q=1, gzip;q=0.5"], Identity),
            (&["identity;q=0.5, gzip;q=1"], Gzip),
            (&["identity;q=0"], Identity),
            (&["gzip", "br"], Brotli),
            (&["br;q=2"], Identity),
            (&["br;q=x, gzip;q=0.001"], Gzip),
        ] {
            assert_eq!(wanted(values), expected, "{values:?}");
        }
    }

    #[test]
    fn what_was_compressed_comes_back_and_is_smaller() {
        let page = "<p>The same words again, and again the same words.</p>".repeat(200);
        let gzip = Coding::Gzip.encode(page.as_bytes()).unwrap();
        let mut text = String::new();
        flate2::read::GzDecoder::new(&gzip[..]).read_to_string(&mut text).unwrap();
        assert_eq!(text, page);
        let brotli = Coding::Brotli.encode(page.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        brotli::Decompressor::new(&brotli[..], 4096).read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes, page.as_bytes());
        assert!(gzip.len() < page.len() / 10 && brotli.len() < page.len() / 10);
    }
}
