//! Documents of Office: DOCX and PPTX, which are archives of XML.

mod body;
mod package;
mod slides;
mod styles;
mod word;
mod xml;

use package::Package;

use crate::refusal::Refusal;

/// The title and the text of an archive that should hold a document.
pub(crate) fn read(bytes: &[u8]) -> Result<(Option<String>, String), Refusal> {
    let mut package = Package::open(bytes)?;
    let main = package.main()?.ok_or(Refusal::NoDocument)?;
    let text = match xml::root(&main.text).as_deref() {
        Some("document") => word::read(&mut package, &main)?,
        Some("presentation") => slides::read(&mut package, &main)?,
        _ => return Err(Refusal::NoDocument),
    };
    Ok((package.title()?, text))
}

/// Why a file of the older kind is not read. A protected document of today is wrapped in one.
pub(crate) fn old(bytes: &[u8]) -> Refusal {
    let name: Vec<u8> = "EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let is_protected = bytes.windows(name.len()).any(|part| part == name);
    if is_protected { Refusal::Protected } else { Refusal::Old }
}
