//! Variants of pictures as JPEG, where these are smaller than WebP.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgba, RgbaImage};
use pagesmith_operations::files::addresses;
use pagesmith_testkit::TestApp;

use super::upload;
use super::variants::{lasting, own, page_with};
use crate::site::visitor;

/// A picture of squares as large as the blocks of JPEG, which makes less of them than WebP does; made narrower, it is the other way round. One sees
/// through its first dot as far as `alpha` says.
fn squares(alpha: u8) -> Vec<u8> {
    let shade = |x: u32, y: u32| if (x / 8 + y / 8).is_multiple_of(2) { u8::MAX } else { 0 };
    let mut image = RgbaImage::from_fn(400, 300, |x, y| Rgba([shade(x, y), shade(x, y), shade(x, y), 255]));
    image.get_pixel_mut(0, 0).0[3] = alpha;
    let mut bytes = Vec::new();
    DynamicImage::ImageRgba8(image).write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png).unwrap();
    bytes
}

#[tokio::test]
async fn a_page_shows_each_variant_in_the_format_in_which_it_is_smaller() {
    let app = TestApp::start().await;
    let client = app.client();
    let file = upload(&client, "Squares.png", &squares(255)).await;
    page_with(&app, &client, &format!("https://acme.example{}", lasting(&app, &file).await)).await;
    app.make_variants().await;
    let picture = own(&app, &app.tenant, &file).await.unwrap();
    let site = visitor(&app, "acme.localhost");
    let html = site.get("/spring").await.expect(200).text();
    let [narrow, wide] = &picture.picture.variants[..] else { panic!("{picture:?}") };
    for (variant, size, media_type, name, start) in [
        (narrow, (320, 240), "image/webp", "Squares.webp", &b"RIFF"[..]),
        (wide, (400, 300), "image/jpeg", "Squares.jpg", b"\xff\xd8\xff"),
    ] {
        assert_eq!(
            (variant.width, variant.height, variant.media_type.as_str()),
            (size.0, size.1, media_type)
        );
        let path = addresses::of_variant(&picture.file.file_id, variant);
        let listed = format!("http://acme.localhost:8080{path} {}w", variant.width);
        assert!(html.contains(&listed), "{listed} is not in {html}");
        let answer = site.get(&path).await.expect(200);
        assert_eq!(answer.header("content-type"), Some(media_type));
        let disposition = answer.header("content-disposition").unwrap();
        assert!(disposition.starts_with(&format!("inline; filename=\"{name}\"")), "{disposition}");
        assert!(answer.bytes.starts_with(start));
        let decoded = image::load_from_memory(&answer.bytes).unwrap();
        assert_eq!((decoded.width(), decoded.height()), size);
    }
}

#[tokio::test]
async fn what_one_sees_through_is_never_jpeg() {
    let app = TestApp::start().await;
    let file = upload(&app.client(), "Squares.png", &squares(254)).await;
    app.make_variants().await;
    let picture = own(&app, &app.tenant, &file).await.unwrap().picture;
    let types: Vec<&str> = picture.variants.iter().map(|variant| variant.media_type.as_str()).collect();
    assert_eq!(types, ["image/webp", "image/webp"]);
}
