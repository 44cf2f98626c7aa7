//! That every language says everything, in its own words, and is found by its tags.

use std::collections::HashSet;

use super::{AskWords, FormWords, Spoken, Words};

/// Texts that are the same in English and rightly so.
const SAME: &[(&str, &[&str])] = &[
    ("cs", &["E-mail"]),
    ("da", &["E-mail", "Send"]),
    ("de", &["Name"]),
    ("el", &["E-mail"]),
    ("fr", &["Source", "E-mail", "Message"]),
    ("hu", &["E-mail"]),
    ("it", &["E-mail"]),
    ("nb", &["Send"]),
    ("nl", &["E-mail"]),
    ("pl", &["E-mail"]),
    ("pt", &["E-mail"]),
    ("ro", &["E-mail"]),
    ("sk", &["E-mail"]),
];

/// What a visitor may read in a language.
fn texts(spoken: &Spoken) -> Vec<&'static str> {
    [around_content(spoken.words), around_questions(spoken.ask), around_fields(spoken.form)].concat()
}

// The patterns name every field, so that none is forgotten here.

fn around_content(words: &Words) -> Vec<&'static str> {
    let &Words {
        colon: _,
        skip,
        navigation,
        footer,
        preview,
        preview_says,
        table,
        quotes,
        previous,
        next,
        pause,
        play,
        watch,
        show_text,
        copied,
        close,
        consent,
        consent_why,
        accept,
        decline,
        change,
        not_found,
        gone,
        not_published,
        unavailable,
        preview_expired,
        link_expired,
    } = words;
    let mut texts = vec![
        skip,
        navigation,
        footer,
        preview,
        preview_says,
        table,
        quotes,
        previous,
        next,
        pause,
        play,
        watch,
        show_text,
        copied,
        close,
        consent,
        consent_why,
        accept,
        decline,
        change,
    ];
    let notices = [not_found, gone, not_published, unavailable, preview_expired, link_expired];
    texts.extend(notices.into_iter().flat_map(|(title, text)| [title, text]));
    texts
}

fn around_questions(words: &AskWords) -> Vec<&'static str> {
    let &AskWords {
        tag: _,
        heading,
        label,
        ask,
        note,
        answer,
        source,
        written,
        unknown,
        missed,
        used_up,
        nothing_asked,
        not_taken,
        another,
    } = words;
    let said = [heading, label, ask, note, answer, source, written, unknown, missed, used_up];
    [&said[..], &[nothing_asked, not_taken, another]].concat()
}

fn around_fields(words: &FormWords) -> Vec<&'static str> {
    let &FormWords {
        tag: _,
        contact,
        send,
        optional,
        thanks_title,
        thanks,
        back,
        go_on,
        check_again,
        gone,
        not_now,
        too_large,
        required,
        not_agreed,
        email,
        phone,
        url,
        number,
        date,
        option,
        too_short,
        too_long,
        too_small,
        too_big,
    } = words;
    let said = [send, optional, thanks_title, thanks, back, go_on, check_again, gone, not_now, too_large];
    let faults = [required, not_agreed, email, phone, url, number, date, option];
    [&contact[..], &said, &faults, &[too_short, too_long, too_small, too_big]].concat()
}

/// How a text ends, whatever the script writes for it.
fn ending(text: &str) -> &'static str {
    match text.chars().next_back() {
        Some('.' | '。') => "full stop",
        // Greek asks with a semicolon.
        Some('?' | '？' | '؟' | ';') => "question mark",
        Some(':' | '：') => "colon",
        Some(')' | '）') => "bracket",
        _ => "none",
    }
}

#[test]
fn every_language_says_everything_once_and_under_its_own_tag() {
    let mut tags = HashSet::new();
    for spoken in Spoken::all() {
        let tag = spoken.tag;
        assert!(std::iter::once(&tag).chain(spoken.also).all(|tag| tags.insert(*tag)), "{tag}");
        assert_eq!((spoken.ask.tag, spoken.form.tag), (tag, tag));
        let colon = spoken.words.colon;
        assert_eq!((spoken.ask.colon(), spoken.form.colon()), (colon, colon), "{tag}");
        assert_eq!(ending(colon.trim()), "colon", "{tag}");
        for text in texts(spoken) {
            assert!(!text.is_empty() && text.trim() == text, "{tag}: {text:?}");
            assert!(!text.contains("  "), "{tag}: {text:?}");
        }
    }
    assert_eq!(tags.len(), 31);
}

#[test]
fn what_is_filled_in_stands_once_where_english_has_it() {
    let english = texts(&super::FIRST);
    for spoken in Spoken::all() {
        for (text, english) in texts(spoken).into_iter().zip(&english) {
            for placeholder in ["{number}", "{until}", "{}"] {
                let count = usize::from(english.contains(placeholder));
                assert_eq!(text.matches(placeholder).count(), count, "{}: {text}", spoken.tag);
            }
            assert_eq!(text.matches('{').count(), english.matches('{').count(), "{}: {text}", spoken.tag);
        }
    }
}

#[test]
fn every_text_is_what_english_says_there_but_not_in_english() {
    let english = texts(&super::FIRST);
    for spoken in super::OTHERS {
        let mut same = Vec::new();
        for (text, english) in texts(spoken).into_iter().zip(&english) {
            assert_eq!(ending(text), ending(english), "{}: {text}", spoken.tag);
            for example in ["@example.com", " example.com", "25000"] {
                let has = text.replace('：', " ").contains(example);
                assert_eq!(has, english.contains(example), "{}: {text}", spoken.tag);
            }
            // Units have names of their own.
            assert!(!english.contains("10 MB") || text.contains("10"), "{}: {text}", spoken.tag);
            if text == *english {
                same.push(text);
            }
        }
        let rightly = SAME.iter().find(|(tag, _)| *tag == spoken.tag).map_or(&[][..], |(_, same)| same);
        assert_eq!(same, rightly, "{}", spoken.tag);
    }
}

#[test]
fn a_language_is_found_by_its_tags_and_english_otherwise() {
    for (tag, language) in [
        ("en-GB", "en"),
        ("de-AT", "de"),
        ("FR", "fr"),
        ("pt-BR", "pt"),
        ("zh-Hant", "zh"),
        ("zh-Hans-CN", "zh"),
        ("ja", "ja"),
        ("no", "nb"),
        ("NN", "nb"),
        ("nb-NO", "nb"),
        ("nn-NO", "nb"),
        ("th", "en"),
        ("fa-IR", "en"),
        ("nbx", "en"),
        ("x", "en"),
        ("-", "en"),
        ("", "en"),
    ] {
        let found = (Words::of(tag).1, AskWords::of(tag).tag, FormWords::of(tag).tag);
        assert_eq!(found, (language, language, language), "{tag}");
    }
    assert_eq!(Words::of("de-AT").0.close, "Schließen");
    assert_eq!(FormWords::of("pt-BR").send, "Enviar");
    assert_eq!(Words::of("nn").0.close, "Lukk");
}

#[test]
fn a_moment_is_one_piece_where_text_runs_the_other_way() {
    let says = |tag| Words::of(tag).0.preview_until(3, "2026-03-01T13:00:00.000Z");
    assert_eq!(says("en"), "Preview of version 3. This link works until 2026-03-01 13:00 UTC.");
    // Without the marks around it, its numbers would change places.
    for tag in ["ar", "he"] {
        assert!(says(tag).contains("\u{2066}2026-03-01 13:00 UTC\u{2069}"), "{}", says(tag));
    }
}
