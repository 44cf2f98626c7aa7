//! From the bytes of an answer to its text: unpacked within bounds, and decoded as the answer, the document or its bytes say.

use std::io::Read;

use pagesmith_documents::charset;

use super::fetch::{LARGEST, PageBody};
use crate::tools::reading::problem::Problem;

/// The text of a page.
pub(super) fn text(body: &PageBody) -> Result<String, Problem> {
    let bytes = unpacked(body)?;
    Ok(charset::decode(&bytes, body.content_type.as_deref()))
}

/// The bytes without their packing. What unpacks to more than the largest page is refused before it is all there.
fn unpacked(body: &PageBody) -> Result<Vec<u8>, Problem> {
    let packing = body.encoding.as_deref().unwrap_or_default().trim().to_ascii_lowercase();
    let packed = body.bytes.as_ref();
    match packing.as_str() {
        "" | "identity" => Ok(packed.to_vec()),
        "gzip" | "x-gzip" => bounded(flate2::read::MultiGzDecoder::new(packed)),
        "deflate" => bounded(flate2::read::ZlibDecoder::new(packed)),
        "br" => bounded(brotli::Decompressor::new(packed, 4_096)),
        _ => Err(Problem::permanent("The page is packed in a way that is not known.")),
    }
}

fn bounded(unpacking: impl Read) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    let most = u64::try_from(LARGEST).unwrap_or(u64::MAX);
    let read = unpacking.take(most + 1).read_to_end(&mut bytes);
    read.map_err(|_| Problem::permanent("The page cannot be unpacked."))?;
    if bytes.len() > LARGEST {
        return Err(Problem::permanent("The page is larger than 5 MiB when it is unpacked."));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use bytes::Bytes;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use proptest::prelude::*;

    use super::*;

    fn body(bytes: Vec<u8>, encoding: Option<&str>, content_type: Option<&str>) -> PageBody {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        PageBody { bytes: Bytes::from(bytes), encoding: owned(encoding), content_type: owned(content_type) }
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut packing = GzEncoder::new(Vec::new(), Compression::best());
        packing.write_all(bytes).unwrap();
        packing.finish().unwrap()
    }

    #[test]
    fn a_small_answer_that_unpacks_to_much_is_refused() {
        let bomb = gzip(&vec![b'x'; LARGEST + 1]);
        assert!(bomb.len() < 20_000);
        let problem = text(&body(bomb, Some("gzip"), None)).unwrap_err();
        assert_eq!(problem.reason, "The page is larger than 5 MiB when it is unpacked.");
        assert_eq!(text(&body(gzip(b"small"), Some("GZIP"), None)).unwrap(), "small");
        for (bytes, packing) in [(b"no gzip".to_vec(), "gzip"), (vec![0xff; 9], "br"), (vec![], "zstd")] {
            assert!(!text(&body(bytes, Some(packing), None)).unwrap_err().may_pass);
        }
    }

    proptest! {
        #[test]
        fn any_bytes_have_a_text_or_a_problem(bytes in prop::collection::vec(any::<u8>(), 0..200), packing in 0..4_usize) {
            let packing = [None, Some("gzip"), Some("br"), Some("deflate")][packing];
            let _ = text(&body(bytes, packing, Some("text/html")));
        }
    }
}
