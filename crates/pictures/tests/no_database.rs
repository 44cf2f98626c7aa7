//! Pictures from all over: as cameras, programs and attackers make them.
#![expect(clippy::unwrap_used, reason = "a test ends where something is missing")]

use std::io::Cursor;

use image::codecs::gif::GifEncoder;
use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, Frame, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use pagesmith_pictures::{Answer, Format, Kind, Picture, Refusal, Variant, WIDTHS, read, read_as_avif};
use proptest::prelude::*;

/// A picture with a colour in each corner: red and green above, blue and white below.
fn corners(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| match (x < width / 2, y < height / 2) {
        (true, true) => Rgb([200, 20, 20]),
        (false, true) => Rgb([20, 200, 20]),
        (true, false) => Rgb([20, 20, 200]),
        (false, false) => Rgb([240, 240, 240]),
    })
}

fn encoded(image: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Vec::new();
    image.into().write_to(&mut Cursor::new(&mut bytes), format).unwrap();
    bytes
}

fn jpeg(image: &RgbImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, 92).encode_image(image).unwrap();
    bytes
}

/// A JPEG with this EXIF orientation, and where and by whom it was taken.
fn with_exif(jpeg: &[u8], orientation: u8) -> Vec<u8> {
    let mut tiff = b"MM\0\x2a\0\0\0\x08\0\x02".to_vec();
    tiff.extend([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]);
    // The artist: a text behind the entries.
    tiff.extend([0x01, 0x3b, 0, 2, 0, 0, 0, 20, 0, 0, 0, 38]);
    tiff.extend([0, 0, 0, 0]);
    tiff.extend(b"SECRET GPS 60.39,5.3\0");
    let segment = [b"Exif\0\0".as_slice(), &tiff].concat();
    let length = u16::try_from(segment.len() + 2).unwrap().to_be_bytes();
    let comment = b"\xff\xfe\0\x0fSECRET BY IDA";
    [&jpeg[..2], b"\xff\xe1", &length, &segment, comment, &jpeg[2..]].concat()
}

fn pixels(variant: &Variant) -> RgbImage {
    let decoded = image::load_from_memory(&variant.bytes).unwrap();
    assert_eq!((decoded.width(), decoded.height()), (variant.width, variant.height));
    decoded.to_rgb8()
}

/// The name of the corner's colour that is seen at a place.
fn seen(image: &RgbImage, x: u32, y: u32) -> &'static str {
    match image.get_pixel(x, y).0 {
        [r, g, b] if r > 200 && g > 200 && b > 200 => "white",
        [r, g, b] if r > g && r > b => "red",
        [_, g, b] if g > b => "green",
        _ => "blue",
    }
}

fn made(bytes: &[u8]) -> Picture {
    read(Kind::Raster, bytes).unwrap()
}

#[test]
fn a_picture_has_every_width_below_its_own_and_its_own_or_the_last() {
    for (width, expected) in [
        (1, vec![1]),
        (320, vec![320]),
        (700, vec![320, 640, 700]),
        (2_560, WIDTHS.to_vec()),
        (3_000, WIDTHS.to_vec()),
    ] {
        let picture = made(&jpeg(&corners(width, 30)));
        assert_eq!((picture.width, picture.height), (width, 30));
        let widths: Vec<u32> = picture.variants.iter().map(|variant| variant.width).collect();
        assert_eq!(widths, expected);
        for variant in &picture.variants {
            pixels(variant);
            let exact = f64::from(variant.width) * 30.0 / f64::from(width);
            assert!((f64::from(variant.height) - exact).abs() <= 0.5 || variant.height == 1, "{variant:?}");
        }
    }
}

#[test]
fn a_picture_is_turned_as_its_camera_says_and_says_nothing_else_of_it() {
    // What is seen above on the left and on the right; from the fifth on, width and height change places.
    let expected = [
        ("red", "green"),
        ("green", "red"),
        ("white", "blue"),
        ("blue", "white"),
        ("red", "blue"),
        ("blue", "red"),
        ("white", "green"),
        ("green", "white"),
    ];
    let plain = jpeg(&corners(400, 200));
    for (orientation, (left, right)) in (1..).zip(expected) {
        let original = with_exif(&plain, orientation);
        let picture = made(&original);
        let size = if orientation < 5 { (400, 200) } else { (200, 400) };
        assert_eq!((picture.width, picture.height), size, "{orientation}");
        for variant in &picture.variants {
            let image = pixels(variant);
            let edge = variant.width - 1 - variant.width / 10;
            assert_eq!((seen(&image, 5, 5), seen(&image, edge, 5)), (left, right), "{orientation}");
            assert!(!variant.bytes.windows(6).any(|part| part == b"SECRET"), "{orientation}");
            assert!(
                !variant.bytes.windows(4).any(|part| part == b"EXIF" || part == b"Exif"),
                "{orientation}"
            );
        }
    }
    assert!(with_exif(&plain, 1).windows(6).any(|part| part == b"SECRET"), "the test looks for nothing");
}

#[test]
fn other_colour_spaces_become_srgb_and_a_broken_profile_changes_nothing() {
    use image::ImageEncoder;
    let grey_green = RgbImage::from_pixel(64, 64, Rgb([60, 200, 60]));
    let of_profile = |profile: Vec<u8>| {
        let mut bytes = Vec::new();
        let mut encoder = JpegEncoder::new_with_quality(&mut bytes, 95);
        encoder.set_icc_profile(profile).unwrap();
        encoder.encode_image(&grey_green).unwrap();
        let picture = made(&bytes);
        assert!(!picture.variants[0].bytes.windows(4).any(|part| part == b"ICCP"));
        pixels(&picture.variants[0]).get_pixel(32, 32).0
    };
    let plain = of_profile(b"not a profile".to_vec());
    let wide = of_profile(moxcms::ColorProfile::new_display_p3().encode().unwrap());
    // The same numbers mean a stronger green in a wider space.
    assert!(i16::from(wide[0]) < i16::from(plain[0]) - 20, "{wide:?} {plain:?}");
}

#[test]
fn what_one_sees_through_stays_so_and_has_no_placeholder() {
    let mut image = RgbaImage::from_pixel(500, 100, Rgba([10, 120, 240, 255]));
    let solid = made(&encoded(image.clone(), ImageFormat::Png));
    assert_eq!(solid.colour, Some([10, 120, 240]));
    assert!((20..400).contains(&solid.placeholder.len()), "{}", solid.placeholder.len());
    image::load_from_memory(&solid.placeholder).unwrap();
    for x in 0..250 {
        for y in 0..100 {
            image.put_pixel(x, y, Rgba([0, 0, 0, 0]));
        }
    }
    let seen_through = made(&encoded(image, ImageFormat::WebP));
    assert_eq!((seen_through.colour, seen_through.placeholder.len()), (None, 0));
    for variant in &seen_through.variants {
        assert_eq!(variant.format, Format::WebP);
        let decoded = image::load_from_memory(&variant.bytes).unwrap().to_rgba8();
        assert_eq!((decoded.get_pixel(5, 5).0[3], decoded.get_pixel(variant.width - 5, 5).0[3]), (0, 255));
    }
}

#[test]
fn each_variant_is_jpeg_where_that_is_smaller_unless_one_sees_through_it() {
    // Squares as large as the blocks of JPEG; made narrower, they are no longer.
    let mut image = RgbaImage::from_fn(400, 300, |x, y| {
        let shade = if (x / 8 + y / 8) % 2 == 0 { u8::MAX } else { 0 };
        Rgba([shade, shade, shade, u8::MAX])
    });
    let formats = |image: &RgbaImage| -> Vec<Format> {
        let picture = made(&encoded(image.clone(), ImageFormat::Png));
        for variant in &picture.variants {
            let begins: &[u8] = if variant.format == Format::Jpeg { b"\xff\xd8\xff" } else { b"RIFF" };
            assert!(variant.bytes.starts_with(begins));
            let (first, second) =
                (pixels(variant).get_pixel(2, 2).0[0], pixels(variant).get_pixel(9, 2).0[0]);
            assert!(first > 200 && second < 55, "{first} {second}");
        }
        picture.variants.iter().map(|variant| variant.format).collect()
    };
    assert_eq!(formats(&image), [Format::WebP, Format::Jpeg]);
    // The least that one can see through it.
    image.get_pixel_mut(0, 0).0[3] = 254;
    assert_eq!(formats(&image), [Format::WebP, Format::WebP]);
}

#[test]
fn avif_has_the_same_sizes_and_nothing_but_pixels() {
    let original = with_exif(&jpeg(&corners(400, 200)), 6);
    let (others, picture) = (made(&original), read_as_avif(&original).unwrap());
    let sizes = |picture: &Picture| -> Vec<(u32, u32)> {
        picture.variants.iter().map(|variant| (variant.width, variant.height)).collect()
    };
    assert_eq!(sizes(&picture), [(200, 400)]);
    assert_eq!(sizes(&picture), sizes(&others));
    let seen_through = RgbaImage::from_fn(330, 40, |x, _| Rgba([10, 120, 240, (x % 256) as u8]));
    let seen_through = read_as_avif(&encoded(seen_through, ImageFormat::Png)).unwrap();
    // What one sees through is a picture of its own, which says so.
    let names_alpha = |variant: &Variant| variant.bytes.windows(15).any(|part| part == b"auxiliary:alpha");
    for (picture, has_alpha) in [(&picture, false), (&seen_through, true)] {
        for variant in &picture.variants {
            assert_eq!((variant.format, &variant.bytes[4..12]), (Format::Avif, &b"ftypavif"[..]));
            assert_eq!(names_alpha(variant), has_alpha);
            assert!(!variant.bytes.windows(6).any(|part| part == b"SECRET"));
            assert!(!variant.bytes.windows(4).any(|part| part == b"EXIF" || part == b"Exif"));
        }
        let answer = Answer::Read(picture.clone());
        assert_eq!(Answer::decode(&answer.encode().unwrap()), Some(answer));
    }
    assert_eq!(read_as_avif(b"just words").unwrap_err(), Refusal::Unknown);
}

#[test]
fn of_a_picture_that_moves_the_first_frame_is_taken() {
    let frame = |colour| Frame::new(RgbaImage::from_pixel(40, 30, Rgba(colour)));
    let gif = |frames: Vec<Frame>| {
        let mut bytes = Vec::new();
        GifEncoder::new(&mut bytes).encode_frames(frames).unwrap();
        bytes
    };
    let moving = made(&gif(vec![frame([200, 20, 20, 255]), frame([20, 20, 200, 255])]));
    assert!(moving.is_animated);
    assert_eq!(seen(&pixels(&moving.variants[0]), 20, 15), "red");
    assert!(!made(&gif(vec![frame([200, 20, 20, 255])])).is_animated);
}

#[test]
fn hostile_headers_cost_nothing() {
    let mut png = encoded(corners(10, 10), ImageFormat::Png);
    for side in [60_000_u32, 16_384, u32::MAX] {
        png[16..20].copy_from_slice(&side.to_be_bytes());
        png[20..24].copy_from_slice(&side.to_be_bytes());
        let checksum = crc32(&png[12..29]);
        png[29..33].copy_from_slice(&checksum.to_be_bytes());
        let refused = read(Kind::Raster, &png).unwrap_err();
        assert!(
            matches!(refused, Refusal::LongSide | Refusal::Broken | Refusal::ManyPixels),
            "{side}: {refused:?}"
        );
    }
    png[16..20].copy_from_slice(&16_000_u32.to_be_bytes());
    png[20..24].copy_from_slice(&16_000_u32.to_be_bytes());
    let checksum = crc32(&png[12..29]);
    png[29..33].copy_from_slice(&checksum.to_be_bytes());
    assert_eq!(read(Kind::Raster, &png).unwrap_err(), Refusal::ManyPixels);
    // A GIF of 65,535 × 65,535 with one pixel in it.
    let gif = b"GIF89a\xff\xff\xff\xff\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";
    assert_eq!(read(Kind::Raster, gif).unwrap_err(), Refusal::LongSide);
}

/// The checksum of a chunk of a PNG.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg()))
    })
}

#[test]
fn what_lies_or_ends_early_is_refused() {
    let original = jpeg(&corners(64, 64));
    for (bytes, expected) in [
        (&b""[..], Refusal::Unknown),
        (b"just words", Refusal::Unknown),
        (b"%PDF-1.7", Refusal::Unknown),
        (b"BM\0\0\0\0", Refusal::Unknown),
        (b"\x89PNG\r\n\x1a\n", Refusal::Broken),
        (b"GIF89a/*\x01*/=1;alert(1)", Refusal::ManyPixels),
        (b"RIFF\x24\0\0\0WEBPVP8 ", Refusal::Broken),
        (&original[..200], Refusal::Broken),
    ] {
        assert_eq!(read(Kind::Raster, bytes).unwrap_err(), expected, "{bytes:?}");
    }
    // What is behind the end of a picture is nobody's: it does not get into the variants.
    let polyglot = [original, b"PK\x03\x04<script>SECRET</script>".to_vec()].concat();
    for variant in made(&polyglot).variants {
        assert!(!variant.bytes.windows(6).any(|part| part == b"SECRET"));
    }
}

#[test]
fn a_drawing_keeps_its_shapes_and_runs_and_fetches_nothing() {
    let svg = br##"<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x "y">]>
        <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="120" height="80px" onload="alert(1)">
        <script>alert(2)</script><foreignObject><iframe src="https://evil.example"/></foreignObject>
        <style>@import url(https://evil.example/a.css); rect { fill: url(https://evil.example/b) }</style>
        <a xlink:href="javascript:alert(3)"><rect width="10" height="10" fill="red" onclick="alert(4)"/></a>
        <image href="https://evil.example/c.png"/><use href="https://evil.example/d.svg#x"/>
        <circle r="5"/></svg>"##;
    let picture = read(Kind::Drawing, svg).unwrap();
    assert_eq!((picture.width, picture.height, picture.variants.len()), (120, 80, 1));
    let left = String::from_utf8(picture.variants[0].bytes.clone()).unwrap();
    for gone in [
        "script",
        "alert",
        "onload",
        "onclick",
        "iframe",
        "href=\"http",
        "url(http",
        "@import",
        "javascript",
        "ENTITY",
    ] {
        assert!(!left.contains(gone), "{gone} in {left}");
    }
    assert!(left.contains("<rect") && left.contains("<circle"), "{left}");
    for (svg, expected) in [
        ("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 12'><g/></svg>", (24, 12)),
        ("<svg xmlns='http://www.w3.org/2000/svg' width='100%' height='1e9'><g/></svg>", (0, 0)),
    ] {
        let picture = read(Kind::Drawing, svg.as_bytes()).unwrap();
        assert_eq!((picture.width, picture.height), expected, "{svg}");
    }
    for broken in ["", "<svg", "<html><body/></html>", "<svg xmlns='http://www.w3.org/2000/svg'><a></svg>"] {
        assert!(read(Kind::Drawing, broken.as_bytes()).is_err(), "{broken}");
    }
}

/// What must hold of every picture.
fn bounded(picture: &Picture) {
    assert!((1..=WIDTHS.len()).contains(&picture.variants.len()));
    for variant in &picture.variants {
        assert!(variant.width <= picture.width && variant.width <= 2_560 && variant.height <= 16_383);
    }
    let answer = Answer::Read(picture.clone());
    assert_eq!(Answer::decode(&answer.encode().unwrap()).as_ref(), Some(&answer));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_are_an_error_or_a_bounded_picture(bytes in prop::collection::vec(any::<u8>(), 0..300), kind in 0..6_usize) {
        let starts: [&[u8]; 6] = [b"", b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"RIFF\x40\0\0\0WEBPVP8", b"RIFF\x40\0\0\0WEBPVP8X"];
        if let Ok(picture) = read(Kind::Raster, &[starts[kind], &bytes].concat()) {
            bounded(&picture);
        }
    }

    #[test]
    fn a_picture_that_is_changed_anywhere_is_an_error_or_a_bounded_picture(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8), kind in 0..3_usize, cut in any::<prop::sample::Index>()
    ) {
        let image = corners(24, 16);
        let mut bytes = match kind {
            0 => with_exif(&jpeg(&image), 6),
            1 => encoded(image, ImageFormat::Png),
            _ => encoded(image, ImageFormat::WebP),
        };
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let cut = if cut.index(4) == 0 { cut.index(bytes.len()) } else { bytes.len() };
        if let Ok(picture) = read(Kind::Raster, &bytes[..cut]) {
            bounded(&picture);
        }
    }

    #[test]
    fn any_answer_is_understood_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200), head in 0..3_usize) {
        let heads = ["", "{\"refused\":\"broken\"}\n", "{\"read\":{\"width\":1,\"height\":1,\"is_animated\":false,\"colour\":null,\"placeholder\":[],\"variants\":[{\"width\":1,\"height\":1,\"format\":\"webp\",\"length\":7}]}}\n"];
        let answer = Answer::decode(&[heads[head].as_bytes(), &bytes].concat());
        prop_assert!(!matches!(answer, Some(Answer::Read(_))) || bytes.len() == 7);
    }

    #[test]
    fn any_drawing_is_an_error_or_bounded(text in "[<>/ a-z'\"=&;!\\[\\]?-]{0,80}") {
        let svg = format!("<svg xmlns='http://www.w3.org/2000/svg'>{text}</svg>");
        if let Ok(picture) = read(Kind::Drawing, svg.as_bytes()) {
            prop_assert_eq!(picture.variants.len(), 1);
        }
    }
}
