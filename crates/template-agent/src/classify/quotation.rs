//! What somebody said: words between quotation marks, and who said them.
//!
//! Invariant: a quotation without a speaker is none; a speaker's name is taken only from beside the words.

use std::sync::LazyLock;

use pagesmith_model::content::part::Testimonial;

use crate::lexicon::Lexicon;
use crate::sentence;
use crate::stance::lists;
use crate::tidy;
use crate::words::Tokens;

/// Fewer words between quotation marks are a name or a stressed word.
const LEAST_WORDS: usize = 4;
/// The longest quotation, in code points.
const LONGEST: usize = 900;
/// The most words of who somebody is.
const MOST_ROLE_WORDS: usize = 16;

/// A quotation with the part of the text that it takes, in bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Quotation {
    /// Where it begins, with what announces it.
    pub start: usize,
    /// Where it ends, with who said it.
    pub end: usize,
    /// The words and their speaker.
    pub testimonial: Testimonial,
}

/// The quotations of a paragraph, in their order.
pub fn quotations(text: &str, lexicon: Option<&Lexicon>) -> Vec<Quotation> {
    let mut found: Vec<Quotation> = Vec::new();
    let spans = spans(text);
    let mut at = 0;
    while at < spans.len() {
        let (open, close) = spans[at];
        at += 1;
        if open < found.last().map_or(0, |last| last.end) || words(inner(text, open, close)) < LEAST_WORDS {
            continue;
        }
        let from = found.last().map_or(0, |last| last.end);
        let until = spans.get(at).map_or(text.len(), |(next, _)| *next);
        let behind = &text[close..until];
        if let Some((taken, speaker)) = speaker_behind(behind, lexicon) {
            let mut quote = cleaned(inner(text, open, close));
            let mut end = close + taken;
            // `“We send forty trucks fewer,” said Ilse, “and nobody misses them.”`
            if let Some(&(next_open, next_close)) = spans.get(at)
                && text[end..next_open].trim_matches([' ', ',', '.', ':']).is_empty()
                && words(inner(text, next_open, next_close)) >= 2
                && !starts_a_quotation(text, &spans, at, lexicon)
            {
                let rest = cleaned(inner(text, next_open, next_close));
                let joint = if rest.starts_with(char::is_lowercase) && !quote.ends_with([',', '.', '!', '?'])
                {
                    ", "
                } else {
                    " "
                };
                quote = format!("{quote}{joint}{rest}");
                end = next_close;
                at += 1;
            }
            push(&mut found, open, end + trailing(&text[end..]), &quote, speaker);
        } else if let Some((start, speaker)) = speaker_before(&text[from..open], lexicon) {
            let quote = cleaned(inner(text, open, close));
            push(&mut found, from + start, close + trailing(&text[close..]), &quote, speaker);
        }
    }
    found
}

/// Whether the quotation with that number has a speaker of its own behind it.
fn starts_a_quotation(text: &str, spans: &[(usize, usize)], at: usize, lexicon: Option<&Lexicon>) -> bool {
    let (_, close) = spans[at];
    let until = spans.get(at + 1).map_or(text.len(), |(next, _)| *next);
    speaker_behind(&text[close..until], lexicon).is_some()
}

fn push(
    found: &mut Vec<Quotation>,
    start: usize,
    end: usize,
    quote: &str,
    (author, role): (String, Option<String>),
) {
    let quote = quote.trim_matches(['\'', '‘', '’', ' ']).trim_end_matches(',');
    let quote = tidy::fit(&tidy::capital(quote), LONGEST);
    // `Hanna Clegg, who runs supply chain at Peel Dairies`
    // `Penhale Roofing, he is happy for us to use it`: what follows is said about the speaker, not to visitors.
    let role = role.map(|role| match role.split_once(", ") {
        Some((who, rest)) if !who.is_empty() && is_remark(rest) => who.to_owned(),
        _ => role,
    });
    let role = role.map(|role| match role.split_once(' ') {
        Some(("Who" | "Die" | "Der" | "Qui" | "Che" | "Que", rest)) => tidy::capital(rest),
        _ => role,
    });
    if tidy::says_something(&quote) {
        let testimonial = Testimonial { quote, author, role, picture: None };
        found.push(Quotation { start, end, testimonial });
    }
}

/// Whether what is behind a comma says something of a speaker behind their back, with a word for whoever is spoken of.
fn is_remark(rest: &str) -> bool {
    const WHO: [&str; 30] = [
        "he", "she", "they", "we", "i", "it's", "i'm", "that's", "er", "sie", "wir", "ich", "das", "il",
        "elle", "on", "je", "c'est", "él", "ella", "nos", "lui", "lei", "ele", "ela", "hij", "zij", "han",
        "hon", "hun",
    ];
    rest.split_whitespace().count() > 2 && WHO.contains(&tidy::folded(first_word(rest)).as_str())
}

fn trailing(text: &str) -> usize {
    text.len() - text.trim_start_matches(['.', ',', ' ']).len()
}

fn words(text: &str) -> usize {
    let count = text.split_whitespace().count();
    // Scripts without spaces.
    if text.chars().any(crate::words::is_unspaced) { count.max(tidy::length(text) / 2) } else { count }
}

/// The pairs of quotation marks: from the opening one to behind the closing one.
fn spans(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, &[char])> = None;
    for (at, char) in text.char_indices() {
        match open {
            Some((start, closing)) if closing.contains(&char) => {
                let is_inside_word = char == '\'' && text[at + 1..].starts_with(char::is_alphabetic);
                if !is_inside_word {
                    found.push((start, at + char.len_utf8()));
                    open = None;
                }
            }
            Some(_) => {}
            None => {
                let before = text[..at].chars().next_back();
                let is_start = before.is_none_or(|char| !char.is_alphanumeric());
                open = closing(char).filter(|_| is_start).map(|closing| (at, closing));
            }
        }
    }
    found
}

fn closing(open: char) -> Option<&'static [char]> {
    Some(match open {
        '"' => &['"', '”', '“'],
        '“' => &['”', '"'],
        '„' | '‟' => &['“', '”', '"'],
        '”' => &['”'],
        '«' => &['»'],
        '»' => &['«'],
        '「' => &['」'],
        '『' => &['』'],
        '‘' => &['’'],
        '\'' => &['\'', '’'],
        '‚' => &['‘'],
        _ => return None,
    })
}

fn inner(text: &str, open: usize, close: usize) -> &str {
    text[open..close].trim_matches(|char: char| char.is_whitespace() || "\"“”„‟«»「」『』‘’‚".contains(char))
}

fn cleaned(text: &str) -> String {
    tidy::one_line(text)
}

/// Who is named behind a quotation: `– Dana Reyes, CFO`, `, says Dana Reyes of Holloway.`, `(Dana Reyes, CFO)`.
fn speaker_behind(text: &str, lexicon: Option<&Lexicon>) -> Option<(usize, (String, Option<String>))> {
    let bare = text.trim_start_matches([' ', ',', '.', '\n']);
    let offset = text.len() - bare.len();
    let dashed = bare.starts_with(['–', '—', '-', '―', '~', '(', '（', '―']);
    let body = bare.trim_start_matches(['–', '—', '-', '―', '~', ' ', '(', '（', '―']);
    let body_at = offset + bare.len() - body.len();
    let end = end_of_clause(body, bare.starts_with(['(', '（']));
    let end = lexicon.and_then(|lexicon| end_of_initial(&body[..end], lexicon)).unwrap_or(end);
    let clause = &body[..end];
    // `as Dana Reyes, CFO, summed it up`
    let clause = ["as ", "so ", "wie "].iter().find_map(|word| clause.strip_prefix(word)).unwrap_or(clause);
    let clause = without_trailing_speech(clause, lexicon);
    let tokens = Tokens::of(clause);
    let speech = lexicon
        .and_then(|lexicon| (0..tokens.len().min(3)).find_map(|at| lexicon.grammar.speech.at(&tokens, at)));
    let told = match speech {
        Some(found) if found.start == 0 => &clause[tokens.start(found.end)..],
        // `Dana Reyes says`: the name is before.
        Some(found) => {
            return speaker_of(&clause[..tokens.start(found.start)]).map(|speaker| (body_at + end, speaker));
        }
        None => clause,
    };
    let ends_at_comma = !dashed && speech.is_none();
    let speaker = speaker_of(told).or_else(|| if ends_at_comma { None } else { uncased_speaker(told) })?;
    // Without a dash or a word of speech only `", Name, role` counts, or such a line's end: two capitals and a comma.
    let is_end = text[body_at + end..].trim().is_empty();
    let is_full = speaker.0.split_whitespace().count() >= 2 && speaker.1.is_some() && clause.contains(',');
    if ends_at_comma && !(is_full && (text.trim_start().starts_with(',') || is_end)) {
        return None;
    }
    Some((body_at + end, speaker))
}

/// A clause about a speaker without the words of speech behind its last comma.
fn without_trailing_speech<'a>(clause: &'a str, lexicon: Option<&Lexicon>) -> &'a str {
    match clause.rsplit_once(", ") {
        Some((one, other))
            if lexicon.is_some_and(|lexicon| lexicon.grammar.speech.at(&Tokens::of(other), 0).is_some()) =>
        {
            one
        }
        _ => clause,
    }
}

/// Whether a speaker is named behind the word of speech: `Esto nos escribió Amparo Llorens`.
fn is_named_behind(before: &str, behind: &str) -> bool {
    let words = |text: &str| speaker_of(text).map_or(0, |(name, _)| name.split_whitespace().count());
    // `Come dice il signor Gatti`: before is nobody.
    words(behind) >= 2 && words(before) < 2 || words(behind) == 1 && words(before) == 0
}

/// Who is named before a quotation: `Dana Reyes, CFO of Holloway, says: `.
fn speaker_before(text: &str, lexicon: Option<&Lexicon>) -> Option<(usize, (String, Option<String>))> {
    let told = text.trim_end();
    let marked =
        told.rfind(['\n', '”', '»']).map_or(0, |at| at + text[at..].chars().next().map_or(0, char::len_utf8));
    let ended = sentence::ends(told).into_iter().rev().nth(1).unwrap_or(0);
    let start = marked.max(ended);
    let clause = text[start..].trim();
    let bare = clause.trim_end_matches([':', ',', ' ']);
    let tokens = Tokens::of(bare);
    let speech =
        lexicon.and_then(|lexicon| (0..tokens.len()).find_map(|at| lexicon.grammar.speech.at(&tokens, at)));
    let has_colon = clause.ends_with(':');
    let told = match speech {
        Some(found) if found.start == 0 => &bare[tokens.start(found.end)..],
        Some(found)
            if is_named_behind(&bare[..tokens.start(found.start)], &bare[tokens.start(found.end)..]) =>
        {
            &bare[tokens.start(found.end)..]
        }
        Some(found) => &bare[..tokens.start(found.start)],
        None if has_colon => bare,
        None => return None,
    };
    let leading = text[start..].len() - text[start..].trim_start().len();
    let uncased = || speech.and_then(|_| uncased_speaker(told));
    speaker_of(told).or_else(uncased).map(|speaker| (start + leading, speaker))
}

/// Where a clause about a speaker ends: at a full stop that ends a sentence, at a line's end, at a closing bracket.
fn end_of_clause(text: &str, in_brackets: bool) -> usize {
    if in_brackets && let Some(at) = text.find([')', '）']) {
        return at + text[at..].chars().next().map_or(0, char::len_utf8);
    }
    let line = text.find('\n').unwrap_or(text.len());
    sentence::ends(&text[..line]).first().copied().unwrap_or(line)
}

/// Where a speaker ends whose family name is an initial, and a sentence begins: `dit Claire M. Evitez les dimanches`. A family name that
/// is written out ends the clause, or what says who that is follows it.
fn end_of_initial(clause: &str, lexicon: &Lexicon) -> Option<usize> {
    let is_name = |word: &str| word.starts_with(char::is_uppercase) && word.chars().count() > 1;
    clause.match_indices(". ").map(|(at, _)| at + 1).find(|end| {
        let mut before = clause[..end - 1].rsplit(' ');
        let is_initial = before
            .next()
            .is_some_and(|word| word.chars().count() == 1 && word.starts_with(char::is_uppercase));
        let mut next = clause[*end..].split_whitespace();
        let (family, word) = (next.next().unwrap_or_default(), next.next().unwrap_or_default());
        let folded = tidy::folded(word);
        is_initial
            && before.next().is_some_and(is_name)
            && is_name(family)
            && !family.ends_with([',', '.', ';', ':'])
            && word.starts_with(char::is_lowercase)
            && !PARTICLES.contains(&word)
            && !JOINTS.contains(&word)
            && !lexicon.grammar.who.has(&folded)
            && !lexicon.grammar.boundaries.has(&folded)
            && lexicon.grammar.speech.at(&Tokens::of(word), 0).is_none()
    })
}

/// Between two names.
const JOINTS: [&str; 7] = ["and", "und", "et", "y", "e", "en", "&"];
/// Small words within a name.
const PARTICLES: [&str; 16] =
    ["de", "van", "von", "der", "den", "da", "di", "del", "la", "le", "dos", "el", "al", "bin", "y", "ter"];

/// Words before who somebody is, which are nobody's name: `their`, `una`.
static DETERMINERS: LazyLock<lists::Set> =
    LazyLock::new(|| lists::of(include_str!("quotation/speakers.txt"), "determiner").into());
/// Words between who somebody is and where they are.
static PREPOSITIONS: LazyLock<lists::Set> =
    LazyLock::new(|| lists::of(include_str!("quotation/speakers.txt"), "preposition").into());
/// The determiners of the language in which every noun has a capital.
static GERMAN: LazyLock<lists::Set> =
    LazyLock::new(|| lists::of(include_str!("quotation/speakers.txt"), "german").into());

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

fn is_determiner(word: &str) -> bool {
    DETERMINERS.has(&tidy::folded(word.trim_end_matches([',', ':'])))
}

/// A name and who that is, if the name is behind a comma: `one of our customers, the baker Tom Pike`.
fn named_behind(text: &str) -> Option<(String, Option<String>)> {
    let (who, named) = text.split_once(", ").filter(|(who, _)| is_determiner(first_word(who)))?;
    // `The Gambia Trust` may be a name.
    let is_name = |word: &str| word.starts_with(char::is_uppercase) && !is_place(who, word);
    if who.split_whitespace().skip(1).any(is_name) {
        return None;
    }
    let (name, role) = speaker_of(named).filter(|(name, _)| name.contains(' '))?;
    // `One of our customers` says nothing more of them.
    let who = Some(strip_article(who)).filter(|who| !PREPOSITIONS.has(&tidy::folded(first_word(who))));
    let roles = [role.as_deref(), who].into_iter().flatten().filter(|who| !who.is_empty());
    let roles: Vec<&str> = roles.collect();
    let role = roles.split_first().map(|(first, rest)| {
        let first = tidy::capital(first);
        rest.iter().fold(first, |role, more| format!("{role}, {more}"))
    });
    Some((name, role))
}

/// A name and who that is.
fn speaker_of(whole: &str) -> Option<(String, Option<String>)> {
    let text = whole.trim().trim_matches(['.', ',', ':', ' ', ')', '(', '）', '（', '—', '–']);
    if let Some(speaker) = named_behind(text) {
        return Some(speaker);
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    if let [only] = words.as_slice()
        && only.chars().any(crate::words::is_unspaced)
    {
        return unspaced_speaker(only);
    }
    if text.chars().any(crate::words::is_unspaced) {
        return unspaced_speaker(text);
    }
    let is_capital = |word: &str| word.trim_start_matches(['\'', '’', '(']).starts_with(char::is_uppercase);
    let is_lead = |word: &str| {
        is_determiner(word)
            || ["as", "so", "that's", "thats", "this", "wie", "comme", "como", "come", "zoals", "dat"]
                .contains(&tidy::folded(word).as_str())
    };
    if let Some(name) = named_by_relative(&words, is_capital) {
        return Some((name, None));
    }
    let from = words.iter().position(|word| is_capital(word) && !is_lead(word))?;
    // What is before a name is who that is: `plant manager Dana Reyes`. Where somebody is from is not their name.
    let is_from = from > 1 && is_lead(words[0]) && PREPOSITIONS.has(&tidy::folded(words[from - 1]));
    if from > 6 || is_from {
        return None;
    }
    let mut to = from;
    while to < words.len() && to - from < 5 {
        let word = words[to];
        let joins =
            JOINTS.contains(&word) && to > from && words.get(to + 1).is_some_and(|next| is_capital(next));
        let is_part = is_capital(word) || joins || PARTICLES.contains(&word);
        if !is_part {
            break;
        }
        to += 1;
        if word.ends_with([',', ';', ':', ')', '(']) || word.ends_with('|') {
            break;
        }
    }
    while to > from + 1 && !is_capital(words[to - 1]) {
        to -= 1;
    }
    // `Ihre Betriebsleiterin Petra Vogt`: before a name of two words stands who that is.
    let is_german = from > 0 && GERMAN.has(&tidy::folded(words[from - 1]));
    let is_named = is_german && to - from > 1 && words[from..to].iter().all(|word| is_capital(word));
    if is_german && to - from == 1 {
        return None;
    }
    let from = if is_named { (to - 2).max(from + 1) } else { from };
    let name = words[from..to].join(" ");
    let name = name.trim_matches([',', ';', ':', '(', ')', '|', ' ']).to_owned();
    let front = words[..from].join(" ");
    let front = strip_article(&front);
    let rest = words[to..].join(" ");
    let rest =
        rest.trim_start_matches(['|', ',', '-', '–', '—', '(', ' ']).trim_end_matches([')', '.', ',']).trim();
    let role = match (front.is_empty(), rest.is_empty()) {
        (true, true) => None,
        (true, false) => Some(rest.to_owned()),
        (false, true) => Some(front.to_owned()),
        (false, false) => Some(format!("{front} {rest}")),
    };
    let role = role.map(|role| tidy::capital(&role));
    let is_name = tidy::length(&name) >= 2
        && tidy::length(&name) <= 80
        && name.chars().any(char::is_alphabetic)
        && !name.contains(['"', '“', '”', '!', '?', '{', '<', '@', '/'])
        && role.as_ref().is_none_or(|role| {
            role.split_whitespace().count() <= MOST_ROLE_WORDS && tidy::length(role) <= 200
        });
    // The full stop of `Anna K.` is part of the name.
    let is_initial = name.rsplit(' ').next().is_some_and(|word| word.chars().count() == 1);
    let name = if is_initial && whole.contains(&format!("{name}.")) { format!("{name}.") } else { name };
    is_name.then_some((name, role))
}

/// Whether a word with a capital tells where somebody is: `Zapopan` of `una paciente de Zapopan`. In German it may be any noun.
fn is_place(who: &str, word: &str) -> bool {
    let leads = |before: &str| {
        let before = tidy::folded(before);
        PREPOSITIONS.has(&before) || GERMAN.has(&before)
    };
    let mut pairs = who.split_whitespace().zip(who.split_whitespace().skip(1));
    pairs.any(|(before, other)| std::ptr::eq(other, word) && leads(before))
}

/// Whoever a relative clause is about that is left open: `Trabajó con nosotros Néstor Vaz, que`. What is before is no role but a sentence.
fn named_by_relative(words: &[&str], is_capital: impl Fn(&str) -> bool) -> Option<String> {
    const RELATIVES: [&str; 9] = ["who", "que", "quien", "qui", "che", "die", "der", "quem", "która"];
    let (last, before) = words.split_last()?;
    let count = before.iter().rev().take_while(|word| is_capital(word)).count();
    let name = &before[before.len() - count..];
    let is_open = RELATIVES.contains(&tidy::folded(last).as_str()) && name.last()?.ends_with(',');
    (is_open && (2..=4).contains(&count)).then(|| name.join(" ").trim_end_matches(',').to_owned())
}

/// A name and who that is, in a script without capitals.
fn unspaced_speaker(text: &str) -> Option<(String, Option<String>)> {
    let (name, role) = text.split_once(['、', '，', ',', '（', '・']).unwrap_or((text, ""));
    let name = name.trim();
    (2..=40)
        .contains(&tidy::length(name))
        .then(|| (name.to_owned(), (!role.trim().is_empty()).then(|| role.trim().to_owned())))
}

/// The same in Arabic or Hebrew, which have no capitals: `أم سلطان، حي الصفا`.
fn uncased_speaker(text: &str) -> Option<(String, Option<String>)> {
    /// The most words of a name with who that is before it.
    const MOST: usize = 5;
    let is_uncased = |char: char| matches!(char, '\u{590}'..='\u{6ff}');
    let text = text.trim().trim_matches(['.', ',', ':', ' ', ')', '(', '،']);
    let (name, role) = text.split_once(['،', ',', '(']).unwrap_or((text, ""));
    let (name, role) = (name.trim(), role.trim());
    let is_name = name.starts_with(is_uncased)
        && (1..=MOST).contains(&name.split_whitespace().count())
        && !name.contains(|char: char| char.is_ascii_digit());
    is_name.then(|| (name.to_owned(), (!role.is_empty()).then(|| role.to_owned())))
}

fn strip_article(text: &str) -> &str {
    let articles = [
        "our ", "the ", "a ", "an ", "as ", "by ", "unser ", "unsere ", "der ", "die ", "notre ", "nuestro ",
        "nuestra ", "il ", "la ", "le ", "l'", "onze ", "o ", "so ",
    ];
    let mut bare = text;
    while let Some(rest) = articles.iter().find_map(|article| {
        let head = bare.get(..article.len())?;
        head.eq_ignore_ascii_case(article).then(|| &bare[article.len()..])
    }) {
        bare = rest;
    }
    while let Some((_, rest)) = bare.split_once(' ').filter(|(first, _)| is_determiner(first)) {
        bare = rest;
    }
    const ALONE: [&str; 21] = [
        "as", "our", "the", "by", "so", "a", "an", "ein", "eine", "einer", "un", "une", "una", "um", "uma",
        "een", "that's", "thats", "this", "das", "dat",
    ];
    if ALONE.contains(&bare.to_lowercase().as_str()) || is_determiner(bare) { "" } else { bare }
}

#[cfg(test)]
mod tests;
