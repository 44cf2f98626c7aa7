//! Small documents of each format, made here.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A PDF of these objects, the first of which is its catalogue; `trailer` is among what the file says of itself.
pub fn pdf_of(objects: &[Vec<u8>], trailer: &str) -> Vec<u8> {
    let mut bytes = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec();
    let mut places = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        places.push(bytes.len());
        bytes.extend(format!("{} 0 obj\n", at + 1).bytes());
        bytes.extend(object);
        bytes.extend(b"\nendobj\n");
    }
    let begins = bytes.len();
    bytes.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
    for place in places {
        bytes.extend(format!("{place:010} 00000 n \n").bytes());
    }
    let size = objects.len() + 1;
    bytes.extend(
        format!("trailer\n<< /Size {size} /Root 1 0 R {trailer} >>\nstartxref\n{begins}\n%%EOF\n").bytes(),
    );
    bytes
}

/// A stream of a PDF.
pub fn stream(dictionary: &str, content: &[u8]) -> Vec<u8> {
    let mut bytes = format!("<< {dictionary} /Length {} >>\nstream\n", content.len()).into_bytes();
    bytes.extend(content);
    bytes.extend(b"\nendstream");
    bytes
}

/// The objects of a PDF of one page with this content; `/F1` is a Latin font, `/F2` one with the characters of 価格表.
pub fn page_objects(content: &[u8]) -> Vec<Vec<u8>> {
    let to_unicode = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /C def /CMapType 2 def \
        1 begincodespacerange <0000> <FFFF> endcodespacerange \
        3 beginbfchar <0001> <4FA1> <0002> <683C> <0003> <8868> endbfchar endcmap end end";
    let text = |text: &str| text.as_bytes().to_vec();
    vec![
        text("<< /Type /Catalog /Pages 2 0 R >>"),
        text("<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 612 792] >>"),
        text(
            "<< /Type /Page /Parent 2 0 R /Contents 5 0 R
                /Resources << /Font << /F1 4 0 R /F2 6 0 R >> /XObject << /X 5 0 R >> >> >>",
        ),
        text("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"),
        stream("/Type /XObject /Subtype /Form /BBox [0 0 612 792]", content),
        text(
            "<< /Type /Font /Subtype /Type0 /BaseFont /G /Encoding /Identity-H /DescendantFonts [7 0 R] /ToUnicode 8 0 R >>",
        ),
        text(
            "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /G /DW 1000 /FontDescriptor 9 0 R
                /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>",
        ),
        stream("", to_unicode.as_bytes()),
        text("<< /Type /FontDescriptor /FontName /G /Flags 4 >>"),
        text("<< /Title (Warranty of heat pumps) >>"),
    ]
}

/// A PDF with a heading, a paragraph over two lines, and a line of Chinese characters.
pub fn pdf() -> Vec<u8> {
    let content = "BT /F1 24 Tf 72 720 Td (Warranty) Tj ET
        BT /F1 10 Tf 72 690 Td (Every heat pump of Acme has a warr-) Tj 0 -12 Td (anty of ten years, in caf\\351s too.) Tj ET
        BT /F1 10 Tf 72 640 Td (The compressor is replaced by our quokka team within two days.) Tj ET
        BT /F2 10 Tf 72 600 Td <000100020003> Tj ET";
    pdf_of(&page_objects(content.as_bytes()), "/Info 10 0 R")
}

/// An archive of these files.
pub fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

fn relationships(of: &[(&str, &str, &str)]) -> String {
    let one = |(id, kind, target): &(&str, &str, &str)| {
        format!("<Relationship Id=\"{id}\" Type=\"{OFFICE}/{kind}\" Target=\"{target}\"/>")
    };
    let all: String = of.iter().map(one).collect();
    format!("<?xml version=\"1.0\"?><Relationships xmlns=\"x\">{all}</Relationships>")
}

/// A DOCX document with this body; `Titel` is a style of headings.
pub fn docx_of(body: &str) -> Vec<u8> {
    let document =
        format!("<?xml version=\"1.0\"?><w:document xmlns:w=\"w\"><w:body>{body}</w:body></w:document>");
    archive(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("_rels/.rels", relationships(&[("rId1", "officeDocument", "word/document.xml")]).as_bytes()),
        ("word/document.xml", document.as_bytes()),
        ("word/_rels/document.xml.rels", relationships(&[("rId1", "styles", "styles.xml")]).as_bytes()),
        (
            "word/styles.xml",
            "<w:styles xmlns:w=\"w\"><w:style w:styleId=\"Titel1\"><w:name w:val=\"heading 2\"/></w:style>
             <w:style w:styleId=\"Eigener\"><w:name w:val=\"Ours\"/><w:basedOn w:val=\"Titel1\"/></w:style></w:styles>"
                .as_bytes(),
        ),
        (
            "docProps/core.xml",
            "<cp:coreProperties xmlns:cp=\"c\" xmlns:dc=\"d\"><dc:title>Liefer&amp;Wartung</dc:title></cp:coreProperties>"
                .as_bytes(),
        ),
    ])
}

pub fn paragraph(properties: &str, text: &str) -> String {
    format!("<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
}

pub fn docx() -> Vec<u8> {
    let cell = |text: &str| format!("<w:tc>{}</w:tc>", paragraph("", text));
    docx_of(&format!(
        "{}{}<w:p><w:r><w:t>Die </w:t></w:r><w:del><w:r><w:delText>alte </w:delText></w:r></w:del>
         <w:r><w:t>Wartung über&#252;nimmt</w:t><w:tab/><w:t>der Numbat.</w:t></w:r>
         <w:r><w:rPr><w:vanish/></w:rPr><w:t>Geheim</w:t></w:r></w:p>
         {}{}<w:tbl><w:tr>{}{}</w:tr></w:tbl>",
        paragraph("<w:pStyle w:val=\"Eigener\"/>", "Lieferung"),
        paragraph("", "Wir liefern jede Wärmepumpe in drei Tagen nach ganz Europa und bauen sie ein."),
        paragraph("<w:numPr><w:numId w:val=\"3\"/></w:numPr>", "Norwegen"),
        paragraph("<w:numPr><w:numId w:val=\"3\"/></w:numPr>", "Island"),
        cell("Preis"),
        cell("9 €"),
    ))
}

/// A PPTX document with these slides.
pub fn pptx_of(slides: &[&str]) -> Vec<u8> {
    let ids: Vec<String> = (0..slides.len()).map(|at| format!("rId{at}")).collect();
    let names: Vec<String> = (0..slides.len()).map(|at| format!("slides/slide{at}.xml")).collect();
    // The last file is the first slide.
    let list: String = ids.iter().rev().map(|id| format!("<p:sldId id=\"256\" r:id=\"{id}\"/>")).collect();
    let presentation = format!(
        "<p:presentation xmlns:p=\"p\" xmlns:r=\"r\"><p:sldIdLst>{list}</p:sldIdLst></p:presentation>"
    );
    let targets: Vec<(&str, &str, &str)> =
        ids.iter().zip(&names).map(|(id, name)| (id.as_str(), "slide", name.as_str())).collect();
    let (of_slides, root) =
        (relationships(&targets), relationships(&[("rId1", "officeDocument", "/ppt/presentation.xml")]));
    let paths: Vec<String> = names.iter().map(|name| format!("ppt/{name}")).collect();
    let mut files: Vec<(&str, &[u8])> = vec![
        ("[Content_Types].xml", b"<Types/>"),
        ("_rels/.rels", root.as_bytes()),
        ("ppt/presentation.xml", presentation.as_bytes()),
        ("ppt/_rels/presentation.xml.rels", of_slides.as_bytes()),
    ];
    files
        .extend(paths.iter().zip(slides.iter().rev()).map(|(path, slide)| (path.as_str(), slide.as_bytes())));
    archive(&files)
}

fn shape(kind: &str, text: &str) -> String {
    format!(
        "<p:sp><p:nvSpPr><p:nvPr><p:ph type=\"{kind}\"/></p:nvPr></p:nvSpPr>
         <p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
    )
}

pub fn pptx() -> Vec<u8> {
    let slide = |shown: &str, shapes: &[String]| {
        format!("<p:sld xmlns:p=\"p\" xmlns:a=\"a\" show=\"{shown}\">{}</p:sld>", shapes.concat())
    };
    let [first, second, hidden] = [
        slide("1", &[shape("ctrTitle", "Our roadmap"), shape("sldNum", "1")]),
        slide(
            "1",
            &[
                shape("body", "The bilby release brings pages in every language of Europe to all teams."),
                shape("title", "Next year"),
            ],
        ),
        slide("0", &[shape("body", "Hidden words")]),
    ];
    pptx_of(&[&first, &second, &hidden])
}

pub const HTML: &str = "<!doctype html><title>Opening hours</title><nav><a href=/>Home</a></nav>
    <article><h2>Weekdays</h2><p>The potoroo desk is open from eight to five, and nobody waits there for more than a minute.</p></article>";

pub const MARKDOWN: &str = "# Returns\n\nGoods come back within thirty days, and the dunnart team pays for their way.\n\n## Damage\n\nTell us.\n";

/// Text in the encoding of older Windows.
pub fn windows_1252(text: &str) -> Vec<u8> {
    text.chars()
        .map(|char| match char {
            '€' => 0x80,
            char => u8::try_from(u32::from(char)).unwrap(),
        })
        .collect()
}

pub fn utf_16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}
