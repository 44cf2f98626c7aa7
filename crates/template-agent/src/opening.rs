//! How a page opens and what its head says: eyebrow, title, subtitle, picture.
//!
//! The best title is what the context says of itself in one sentence; a bare name is none. What the opening uses up does not stand
//! in the page a second time.

use pagesmith_model::content::part::Picture;
use pagesmith_model::page::PageType;

use crate::material::{Chapter, Material, Piece};
use crate::phrases::{self, Phrases};
use crate::rich::Rich;
use crate::stance;
use crate::tidy;

/// How a page opens.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Opening {
    /// A few words above the title.
    pub eyebrow: Option<String>,
    /// The title.
    pub title: String,
    /// What stands under it.
    pub subtitle: Option<String>,
    /// A picture beside it.
    pub picture: Option<Picture>,
    /// What the page is about, whatever its title says.
    pub subject: String,
}

/// The opening of a page; takes out of the material what it uses.
pub fn of(
    page_type: PageType,
    page_name: &str,
    material: &mut Material,
    words: Option<&Phrases>,
    has_notes: bool,
) -> Opening {
    let picture = take_picture(&mut material.chapters);
    let heading = material.heading.take().map(|heading| heading.trim_end_matches([':', '：']).to_owned());
    if material.brand.is_none() {
        material.brand = heading.clone().filter(|heading| is_name(heading));
    }
    let named = material.headline.take().or_else(|| heading.clone().filter(|heading| !is_name(heading)));
    let subject = match named.or_else(|| material.offer.take()) {
        Some(title) => title,
        None => {
            let tagline =
                |material: &mut Material| material.tagline.take_if(|text| (16..=120).contains(&width(text)));
            take_sentence(&mut material.chapters)
                .or_else(|| tagline(material))
                .or(heading)
                .unwrap_or_else(|| fallback(page_name, material))
        }
    };
    let subject = without_stop(&subject);
    let subtitle = material
        .tagline
        .take()
        .filter(|tagline| *tagline != subject)
        .or_else(|| take_lead(&mut material.chapters));
    let reader = &material.reader;
    let filled = |phrase: &str| phrases::filled(phrase, &reader.name, &reader.first, &reader.company);
    let greeting = words.and_then(|words| {
        let company_alone = || phrases::filled(words.for_one, &reader.company, "", "");
        match page_type {
            PageType::Inbound => filled(words.welcome).or_else(company_alone),
            _ => filled(words.for_person_at).or_else(|| filled(words.for_one)).or_else(company_alone),
        }
    });
    let special = material.special_heading.take().filter(|heading| tidy::length(heading) <= 80);
    let eyebrow = special
        .or(greeting)
        .or_else(|| material.brand.clone())
        .filter(|eyebrow| !subject.starts_with(eyebrow.as_str()));
    match (page_type, words) {
        (PageType::CallFollowup, Some(words)) => {
            let title = filled(words.thanks).unwrap_or_else(|| words.thanks_all.to_owned());
            let recap = has_notes.then(|| words.recap.to_owned());
            let eyebrow =
                [material.brand.as_deref(), Some(reader.company.as_str()).filter(|name| !name.is_empty())];
            let eyebrow = eyebrow.into_iter().flatten().collect::<Vec<_>>().join(" · ");
            // What the page is about still is to be said, only not so loud.
            match recap {
                Some(recap) => {
                    put_back(&mut material.chapters, subject.clone(), subtitle);
                    Opening { eyebrow: Some(eyebrow), title, subtitle: Some(recap), picture, subject }
                }
                None => Opening {
                    eyebrow: Some(eyebrow),
                    title,
                    subtitle: subtitle.or(Some(subject.clone())),
                    picture,
                    subject,
                },
            }
        }
        _ => Opening { eyebrow, title: subject.clone(), subtitle, picture, subject },
    }
}

/// A paragraph that the opening took and did not use.
fn put_back(chapters: &mut Vec<Chapter>, subject: String, subtitle: Option<String>) {
    let sentences: Vec<Rich> = subtitle.map(|text| Rich::of(&text)).into_iter().collect();
    let pieces = if sentences.is_empty() { Vec::new() } else { vec![Piece::Prose(sentences)] };
    let at = usize::from(chapters.first().is_some_and(|chapter| chapter.title.is_none()));
    match chapters.first_mut().filter(|_| at == 1) {
        Some(first) => {
            first.title = Some(subject);
            first.pieces.splice(0..0, pieces);
        }
        None if !pieces.is_empty() => chapters.insert(0, Chapter { title: Some(subject), level: 2, pieces }),
        None => {}
    }
}

/// How wide a text is: signs of Chinese or Japanese say more than letters.
fn width(text: &str) -> usize {
    text.chars().map(|char| if char > '\u{2e80}' { 2 } else { 1 }).sum()
}

/// Whether a heading is the name of a company or a product rather than a title.
fn is_name(heading: &str) -> bool {
    width(heading) <= 30
        && heading.split_whitespace().count() <= 3
        && !heading.ends_with(['?', '!', '.', '？', '！'])
}

fn without_stop(title: &str) -> String {
    let title = title.trim();
    let bare = title.strip_suffix(['.', '。']).filter(|bare| !bare.ends_with('.') && !bare.contains(". "));
    tidy::capital(bare.unwrap_or(title))
}

/// The first sentence of the context, if it makes a title.
fn take_sentence(chapters: &mut [Chapter]) -> Option<String> {
    let sentences = lead(chapters)?;
    let first = sentences.first()?;
    let fits = (16..=120).contains(&width(first.plain())) && !first.plain().ends_with([':', '：', ',']);
    fits.then(|| sentences.remove(0).plain().to_owned())
}

/// The next sentences of the context, as many as fit under a title.
fn take_lead(chapters: &mut [Chapter]) -> Option<String> {
    let is_all = chapters.iter().map(|chapter| chapter.pieces.len()).sum::<usize>() <= 1;
    let sentences = lead(chapters)?;
    let mut taken = 0;
    let mut size = 0;
    for sentence in sentences.iter().take(2) {
        size += width(sentence.plain());
        if (size > 200 && taken > 0)
            || size > 340
            || sentence.markdown().contains("](")
            || sentence.plain().ends_with([':', '：'])
        {
            break;
        }
        taken += 1;
    }
    // A word is no sentence, but it is better than nothing where nothing else is said.
    let is_word = sentences.len() == 1 && width(sentences[0].plain()) < 14;
    if is_word && !is_all {
        return None;
    }
    let taken: Vec<Rich> = sentences.drain(..taken).collect();
    (!taken.is_empty()).then(|| Rich::joined(&taken).plain().to_owned())
}

/// The first paragraph, if the context begins with one.
fn lead(chapters: &mut [Chapter]) -> Option<&mut Vec<Rich>> {
    let first = chapters.first_mut().filter(|chapter| chapter.title.is_none())?;
    first.pieces.iter_mut().find_map(|piece| match piece {
        Piece::Prose(sentences) if !sentences.is_empty() => Some(sentences),
        _ => None,
    })
}

/// The context's first picture, if it stands before the first heading.
fn take_picture(chapters: &mut [Chapter]) -> Option<Picture> {
    let first = chapters.first_mut().filter(|chapter| chapter.title.is_none())?;
    let at = first.pieces.iter().position(|piece| matches!(piece, Piece::Picture(_)))?;
    match first.pieces.remove(at) {
        Piece::Picture(picture) => Some(picture),
        _ => None,
    }
}

/// Whether a page's name is one for its operators.
fn is_internal(name: &str) -> bool {
    let folded = tidy::folded(name);
    let signs = [
        "page",
        "template",
        "test",
        "draft",
        "campaign",
        "outbound",
        "inbound",
        "deck",
        "copy",
        "entwurf",
        "kampagne",
        "q1",
        "q2",
        "q3",
        "q4",
        "v1",
        "v2",
        "v3",
        "follow-up",
    ];
    folded.split(|char: char| !char.is_alphanumeric() && char != '-').any(|word| signs.contains(&word))
}

/// A title where the context has none.
fn fallback(page_name: &str, material: &mut Material) -> String {
    let name = tidy::line(page_name, 120);
    let is_shown = |name: &String| {
        tidy::says_something(name) && stance::is_copy(name) && !name.contains(['{', '<', '|', '_'])
    };
    let (inner, named): (Option<String>, Option<String>) = match Some(name).filter(is_shown) {
        Some(name) if is_internal(&name) => (Some(name), None),
        name => (None, name),
    };
    let first = || {
        material
            .chapters
            .first()
            .map(|chapter| tidy::line(&chapter.words(), 100))
            .filter(|text| tidy::says_something(text))
    };
    let text = material.subject.take().or(named).or_else(|| material.brand.clone()).or_else(first).or(inner);
    text.unwrap_or_else(|| "Welcome".to_owned())
}
