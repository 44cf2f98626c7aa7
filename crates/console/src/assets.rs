//! The console's style, scripts and sign: part of the binary, named by what they hold.
//!
//! A name holds the beginning of the digest of the bytes, so that a browser may keep a file for ever. `htmx.min.js` is htmx as its
//! makers publish it, and `static/htmx.toml` says which version; everything else is ours and served as it is written.

use std::sync::LazyLock;

use pagesmith_model::hexadecimal::hexadecimal;
use sha2::{Digest, Sha256};

/// Where all of them stand.
pub const PATH: &str = "/console/static/";

/// How many bytes of a digest a name holds.
const NAMED_BYTES: usize = 8;

/// A file as it is served.
#[derive(Debug)]
pub struct Asset {
    /// What the code calls it: `console.css`.
    pub name: &'static str,
    /// What it is called below [`PATH`]: `console.0123456789abcdef.css`.
    pub file: String,
    /// Its media type.
    pub content_type: &'static str,
    /// Its bytes.
    pub bytes: &'static [u8],
}

static ASSETS: LazyLock<[Asset; 6]> = LazyLock::new(|| {
    [
        asset("console.css", "text/css; charset=utf-8", include_bytes!("static/console.css")),
        asset("console.js", "text/javascript; charset=utf-8", include_bytes!("static/console.js")),
        asset("htmx.min.js", "text/javascript; charset=utf-8", include_bytes!("static/htmx.min.js")),
        asset("palette.js", "text/javascript; charset=utf-8", include_bytes!("static/palette.js")),
        asset("mark.svg", "image/svg+xml", include_bytes!("static/mark.svg")),
        asset("upload.js", "text/javascript; charset=utf-8", include_bytes!("static/upload.js")),
    ]
});

fn asset(name: &'static str, content_type: &'static str, bytes: &'static [u8]) -> Asset {
    let digest = hexadecimal(&Sha256::digest(bytes)[..NAMED_BYTES]);
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    Asset { name, file: format!("{stem}.{digest}.{ending}"), content_type, bytes }
}

/// All of them.
pub fn all() -> &'static [Asset] {
    &*ASSETS
}

/// The one with this name below [`PATH`]. It may be kept for ever.
pub fn find(file: &str) -> Option<&'static Asset> {
    all().iter().find(|asset| asset.file == file)
}

/// The address of one by the name that the code calls it.
pub fn url(name: &str) -> String {
    let file = all().iter().find(|asset| asset.name == name).map_or(name, |asset| asset.file.as_str());
    format!("{PATH}{file}")
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use pagesmith_model::hexadecimal::hexadecimal;
    use sha2::{Digest, Sha256};

    use super::{PATH, all, find, url};

    /// What a first screen may weigh, compressed: the shell with the style and every script.
    const BUDGET: usize = 45 * 1024;

    fn compressed(bytes: &[u8]) -> usize {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap().len()
    }

    #[test]
    fn an_address_leads_to_its_file() {
        for asset in all() {
            let url = url(asset.name);
            let file = url.strip_prefix(PATH).unwrap();
            assert_eq!(find(file).map(|found| found.name), Some(asset.name));
            assert_ne!(file, asset.name);
        }
        assert!(find("console.css").is_none() && find("").is_none());
    }

    #[test]
    fn the_first_screen_is_light() {
        let shell = crate::parts::gallery::shell_screen().into_string();
        let weights: Vec<(&str, usize)> =
            all().iter().map(|asset| (asset.name, compressed(asset.bytes))).collect();
        let total = weights.iter().map(|(_, weight)| weight).sum::<usize>() + compressed(shell.as_bytes());
        assert!(total <= BUDGET, "{total} of {BUDGET} bytes: {weights:?}");
    }

    #[test]
    fn htmx_is_what_its_makers_published() {
        let record: Record = toml_of(include_str!("static/htmx.toml"));
        let htmx = all().iter().find(|asset| asset.name == "htmx.min.js").unwrap();
        let digest = hexadecimal(&Sha256::digest(htmx.bytes));
        assert_eq!(digest, record.sha256);
        let text = std::str::from_utf8(htmx.bytes).unwrap();
        assert!(text.contains(&format!("version=\"{}\"", record.version)), "another version");
        assert!(include_str!("static/htmx.LICENSE").starts_with("Zero-Clause BSD"));
    }

    struct Record {
        version: String,
        sha256: String,
    }

    /// The two lines that matter of the record.
    fn toml_of(text: &str) -> Record {
        let value = |name: &str| {
            let line = text
                .lines()
                .find_map(|line| line.strip_prefix(name)?.trim_start().strip_prefix('='))
                .unwrap();
            line.trim().trim_matches('"').to_owned()
        };
        Record { version: value("version"), sha256: value("sha256") }
    }
}
