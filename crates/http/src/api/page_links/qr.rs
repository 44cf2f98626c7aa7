//! QR codes of links, for print and screen.

use std::marker::PhantomData;

use axum::body::Body;
use axum::http::{HeaderValue, Response, header};
use fast_qr::{ECL, QRBuilder};
use pagesmith_endpoint::endpoint;
use pagesmith_model::{Error, PageLinkId, Result};
use pagesmith_operations::page_links;

use crate::api::page_links::view::ViewContext;
use crate::description::{Operation, Schemas};
use crate::extract::{Call, Path};
use crate::reply::{AnswerContext, IntoAnswer};

/// How many modules (the squares of a code) stay free around it, as ISO/IEC 18004 wants.
const QUIET: usize = 4;
/// How many pixels a module has in a PNG: enough for a print of some centimetres.
const PIXELS: usize = 16;

/// A picture of the media type that a schema names.
pub(crate) struct Picture<T> {
    bytes: Vec<u8>,
    format: PhantomData<fn() -> T>,
}

/// The formats of pictures.
pub(crate) trait PictureFormat {
    const MEDIA_TYPE: &'static str;
    const EXAMPLE: &'static str;
}

/// Scalable vector graphics.
pub(crate) struct Svg;
/// Portable network graphics.
pub(crate) struct Png;

impl PictureFormat for Svg {
    const MEDIA_TYPE: &'static str = "image/svg+xml";
    const EXAMPLE: &'static str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 33 33\">…</svg>";
}

impl PictureFormat for Png {
    const MEDIA_TYPE: &'static str = "image/png";
    const EXAMPLE: &'static str = "(the bytes of a picture)";
}

impl Picture<Svg> {
    /// The code of a text.
    pub(crate) fn of(text: &str) -> Result<Picture<Svg>> {
        Ok(Picture { bytes: svg(&Modules::of(text)?).into_bytes(), format: PhantomData })
    }
}

impl Picture<Png> {
    /// The code of a text.
    pub(crate) fn of(text: &str) -> Result<Picture<Png>> {
        Ok(Picture { bytes: png(&Modules::of(text)?)?, format: PhantomData })
    }
}

impl<T: PictureFormat> IntoAnswer for Picture<T> {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        operation.file(T::MEDIA_TYPE, T::EXAMPLE);
    }

    fn into_answer(self, context: &AnswerContext<'_>) -> Result<Response<Body>> {
        let mut response = Response::new(Body::from(context.share.hold(self.bytes)?));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(T::MEDIA_TYPE));
        // A picture that is opened as a document runs nothing.
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'"));
        Ok(response)
    }
}

/// Returns the QR code of a page link as SVG.
///
/// The code is the `url` of the link, with the margin that readers need. About 15 % of it may be damaged. It stays right as long as the path does.
#[endpoint]
pub(crate) async fn get_page_link_qr_svg(call: Call, Path(id): Path<PageLinkId>) -> Result<Picture<Svg>> {
    Picture::<Svg>::of(&url_of(&call, id).await?)
}

/// Returns the QR code of a page link as PNG.
///
/// The code is the `url` of the link, black on white, 16 pixels a module. For print at any size take the SVG.
#[endpoint]
pub(crate) async fn get_page_link_qr_png(call: Call, Path(id): Path<PageLinkId>) -> Result<Picture<Png>> {
    Picture::<Png>::of(&url_of(&call, id).await?)
}

async fn url_of(call: &Call, id: PageLinkId) -> Result<String> {
    let views = ViewContext::of(call);
    let link = call.single_read(move |tx, ctx| page_links::find(tx, ctx, &id)).await?;
    Ok(views.url(&link))
}

/// The squares of a code, with the margin.
struct Modules {
    width: usize,
    dark: Vec<bool>,
}

impl Modules {
    fn of(text: &str) -> Result<Modules> {
        let code = QRBuilder::new(text).ecl(ECL::M).build().map_err(Error::internal)?;
        let width = code.size + 2 * QUIET;
        let mut dark = vec![false; width * width];
        for y in 0..code.size {
            for (x, module) in code[y].iter().enumerate() {
                dark[(y + QUIET) * width + x + QUIET] = module.value();
            }
        }
        Ok(Modules { width, dark })
    }

    fn rows(&self) -> impl Iterator<Item = &[bool]> {
        self.dark.chunks(self.width)
    }
}

/// One path of rectangles, one for each run of dark modules in a row.
fn svg(code: &Modules) -> String {
    let mut path = String::new();
    for (y, row) in code.rows().enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|one, other| one == other) {
            if run[0] {
                path.push_str(&format!("M{x} {y}h{length}v1h-{length}z", length = run.len()));
            }
            x += run.len();
        }
    }
    let width = code.width;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {width}\" shape-rendering=\"crispEdges\">\
         <path fill=\"#fff\" d=\"M0 0h{width}v{width}H0z\"/><path d=\"{path}\"/></svg>"
    )
}

/// One bit a pixel, 1 for white.
fn png(code: &Modules) -> Result<Vec<u8>> {
    let side = code.width * PIXELS;
    let mut bits = Vec::with_capacity(side * side / 8);
    for row in code.rows() {
        // A module is two whole bytes wide.
        let line: Vec<u8> =
            row.iter().flat_map(|dark| [if *dark { 0 } else { u8::MAX }; PIXELS / 8]).collect();
        for _ in 0..PIXELS {
            bits.extend_from_slice(&line);
        }
    }
    let side = u32::try_from(side).map_err(Error::internal)?;
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, side, side);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    let mut writer = encoder.write_header().map_err(Error::internal)?;
    writer.write_image_data(&bits).map_err(Error::internal)?;
    writer.finish().map_err(Error::internal)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rqrr::{Grid, SimpleGrid};

    use super::*;

    /// What a reader finds in a picture of a code.
    fn read(bytes: &[u8]) -> String {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        // The pixel in the middle of each module.
        let at = |module: usize| (module + QUIET) * PIXELS + PIXELS / 2;
        let width = info.width as usize / PIXELS - 2 * QUIET;
        let grid = SimpleGrid::from_func(width, |x, y| pixels[at(y) * info.line_size + at(x)] == 0);
        let (about, text) = Grid::new(grid).decode().unwrap();
        // 0 is M: about 15 % of a code may be damaged.
        assert_eq!(about.ecc_level, 0);
        text
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn a_reader_reads_what_was_written(text in "https://[a-z0-9.-]{1,40}(:[0-9]{2,5})?/[a-zA-Z0-9%~._/-]{0,300}") {
            prop_assert_eq!(read(&png(&Modules::of(&text).unwrap()).unwrap()), text);
        }
    }

    #[test]
    fn what_is_too_long_for_a_code_is_an_error() {
        assert!(Modules::of(&"a".repeat(2_331)).is_ok());
        assert!(Modules::of(&"a".repeat(2_332)).is_err());
    }

    #[test]
    fn both_pictures_show_the_same_squares() {
        let code = Modules::of("https://acme.pages.example/spring").unwrap();
        assert_eq!((code.width - 2 * QUIET) % 4, 1, "a code has 21, 25, 29 … modules a side");
        let decoder = png::Decoder::new(std::io::Cursor::new(png(&code).unwrap()));
        let mut reader = decoder.read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!(info.width as usize, code.width * PIXELS);
        let line = info.line_size;
        let drawn = svg(&code);
        for (y, row) in code.rows().enumerate() {
            for (x, dark) in row.iter().enumerate() {
                let byte = pixels[(y * PIXELS + PIXELS / 2) * line + x * PIXELS / 8];
                assert_eq!(byte == 0, *dark, "{x} {y}");
            }
            let dark = row.iter().filter(|dark| **dark).count();
            let in_row =
                drawn.split('M').filter_map(|run| run.split_once(' ')?.1.strip_prefix(&format!("{y}h")));
            let drawn: usize =
                in_row.map(|run| run.split('v').next().unwrap().parse::<usize>().unwrap()).sum();
            assert_eq!(drawn, if y == 0 { code.width } else { dark }, "{y}");
        }
    }
}
