//! Pictures: drawn so that nothing on the page moves when they arrive, in the form that the visitor's screen needs where there are several.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{Markup, html};
use pagesmith_model::content::address;
use pagesmith_model::content::part::Picture;

/// A form of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Where it is.
    pub url: String,
    /// Its width in pixels.
    pub width: u32,
}

/// What is known of a picture that is the site's own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownPicture {
    /// Its forms, from the narrowest. Without any, the page's address of it is drawn.
    pub sources: Vec<Source>,
    /// The same forms as AVIF, if there are any.
    pub avifs: Vec<Source>,
    /// Its width in pixels; 0 if it has none.
    pub width: u32,
    /// Its height.
    pub height: u32,
    /// Its colour, which stands for it until it is there.
    pub colour: Option<[u8; 3]>,
    /// The picture in very few pixels, as WebP; may be empty.
    pub placeholder: Vec<u8>,
}

/// Pictures that are known, by the paths of the addresses that the page has of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownPictures {
    known: BTreeMap<String, (usize, KnownPicture)>,
}

impl KnownPictures {
    /// None.
    pub const fn none() -> KnownPictures {
        KnownPictures { known: BTreeMap::new() }
    }

    /// Adds a picture by the path of its address.
    pub fn add(&mut self, path: String, picture: KnownPicture) {
        let number = self.known.len();
        self.known.entry(path).or_insert((number, picture));
    }

    /// The picture at an absolute address, on whatever host: the paths of own pictures are guessed by nobody, and lead to the same
    /// picture wherever they lead to one.
    fn find(&self, url: &str) -> Option<&(usize, KnownPicture)> {
        if self.known.is_empty() {
            return None;
        }
        let (_, rest) = url.split_once("://")?;
        self.known.get(&rest[rest.find('/')?..])
    }

    /// The rules of the page's own style that show each picture's colours until it is there. Styles of single elements are not
    /// allowed by the page's policy. With them, rules by which a picture in two formats is where its `img` alone would be.
    pub(crate) fn css(&self) -> String {
        let mut known: Vec<&(usize, KnownPicture)> = self.known.values().collect();
        known.sort_by_key(|(number, _)| *number);
        let mut css = String::new();
        if known.iter().any(|(_, picture)| !picture.avifs.is_empty()) {
            css.push_str("picture{display:contents}source{display:none}");
        }
        for (number, picture) in known {
            let Some([red, green, blue]) = picture.colour else { continue };
            let _ = write!(css, ".{}{{background:#{red:02x}{green:02x}{blue:02x}", class_of(*number));
            if !picture.placeholder.is_empty() {
                let bytes = STANDARD.encode(&picture.placeholder);
                let _ = write!(css, " url(data:image/webp;base64,{bytes}) 0 0/100% 100%");
            }
            css.push('}');
        }
        css
    }
}

fn class_of(number: usize) -> String {
    format!("ps-picture-{number}")
}

/// When a picture is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Loading {
    /// At once: it is what the visitor sees first.
    First,
    /// When the visitor comes near it.
    Later,
}

/// The picture; `None` if it cannot be fetched. `sizes` says how wide it is drawn, as the attribute of that name does.
pub(crate) fn draw(
    picture: &Picture,
    wanted: Loading,
    sizes: &str,
    pictures: &KnownPictures,
) -> Option<Markup> {
    if !address::is_fetched(&picture.url) {
        return None;
    }
    let known = pictures.find(&picture.url);
    let own =
        known.map(|(_, known)| (known.width, known.height)).filter(|(width, height)| width * height > 0);
    let size = own.or(match (picture.width, picture.height) {
        (Some(width @ 1..), Some(height @ 1..)) => Some((width, height)),
        _ => None,
    });
    let sources = known.map_or(&[][..], |(_, known)| &known.sources);
    // What a browser takes that knows no `srcset`: neither the largest nor the smallest.
    let usual = sources.iter().find(|source| source.width >= USUAL).or(sources.last());
    let src = usual.map_or(picture.url.as_str(), |source| &source.url);
    let is_chosen = sources.len() > 1;
    let coloured = known.filter(|(_, known)| known.colour.is_some()).map(|(number, _)| class_of(*number));
    let class = coloured.or_else(|| size.is_none().then(|| "unsized".to_owned()));
    let is_first = wanted == Loading::First;
    let image = html! {
        img src=(src) srcset=[is_chosen.then(|| srcset(sources))] sizes=[is_chosen.then_some(sizes)]
            alt=(picture.alt_text) width=[size.map(|size| size.0)] height=[size.map(|size| size.1)]
            class=[class] loading=[(!is_first).then_some("lazy")]
            fetchpriority=[is_first.then_some("high")] decoding="async";
    };
    let avifs = known.map_or(&[][..], |(_, known)| &known.avifs);
    if avifs.is_empty() {
        return Some(image);
    }
    Some(html! { picture { source type="image/avif" srcset=(srcset(avifs)) sizes=(sizes); (image) } })
}

/// How wide the usual form is at least, in pixels.
const USUAL: u32 = 960;

fn srcset(sources: &[Source]) -> String {
    let each: Vec<String> =
        sources.iter().map(|source| format!("{} {}w", source.url, source.width)).collect();
    each.join(", ")
}

/// A picture in a box of fixed size, such as a face or a logo: in the narrowest form that is sharp on screens with twice as many pixels.
pub(crate) fn boxed(
    url: &str,
    alt_text: &str,
    (width, height): (u16, u16),
    pictures: &KnownPictures,
) -> Option<Markup> {
    address::is_fetched(url).then(|| {
        let sources = pictures.find(url).map_or(&[][..], |(_, known)| &known.sources);
        let enough = sources.iter().find(|source| source.width >= 2 * u32::from(width)).or(sources.last());
        let src = enough.map_or(url, |source| &source.url);
        html! { img src=(src) alt=(alt_text) width=(width) height=(height) loading="lazy" decoding="async"; }
    })
}
