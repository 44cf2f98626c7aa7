//! What a text shows that can be weighed: its words, pairs of them, runs of their letters, marks, and what the lexicon knows of its
//! words, each as the number of a weight.
//!
//! What this is not: a meaning. Different features may share a number; there are enough numbers that this hardly matters. Invariant: the
//! numbers depend on nothing but the text and the lexicon, as the weights are trained elsewhere.

use std::ops::RangeInclusive;

use crate::lexicon::{self, Lexicon};
use crate::words::{Groups, Tokens, is_unspaced};

/// How many weights there are, each of a byte. With fewer, features of different languages get in each other's way.
pub const WEIGHTS: usize = 256 * 1024;

/// The shortest and the longest run of letters.
const RUNS: RangeInclusive<usize> = 3..=5;
/// The shortest in scripts without spaces, whose words are mostly as short.
const SHORTEST_UNSPACED: usize = 1;

/// A text whose features are told.
pub struct Segment<'a> {
    /// As it was written.
    pub plain: &'a str,
    /// Its words.
    pub tokens: &'a Tokens,
    /// Whether it goes on within a sentence.
    pub goes_on: bool,
    /// What is known of its language, if anything is.
    pub lexicon: Option<&'a Lexicon>,
}

/// What a feature is of: equal texts of different kinds are different features.
#[derive(Clone, Copy)]
enum Kind {
    Word = 1,
    Pair,
    Run,
    First,
    Last,
    Length,
    Mark,
    Class,
    Both,
}

/// The hash of Fowler, Noll and Vo. Those of libraries may change with their versions, and the weights with them.
fn hashed(seed: u32, bytes: impl Iterator<Item = u8>) -> u32 {
    bytes.fold(seed, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The number of the weight of a feature.
fn number(kind: Kind, hash: u32) -> u32 {
    let mut mixed = hash ^ (kind as u32).wrapping_mul(0x9e37_79b9);
    mixed = (mixed ^ (mixed >> 16)).wrapping_mul(0x85eb_ca6b);
    mixed = (mixed ^ (mixed >> 13)).wrapping_mul(0xc2b2_ae35);
    mixed ^= mixed >> 16;
    // The product of two numbers of 32 bits, and its upper half: less than the number of weights.
    ((u64::from(mixed) * WEIGHTS as u64) >> 32) as u32
}

fn both(one: u32, other: u32) -> u32 {
    one.rotate_left(7).wrapping_mul(0x9e37_79b9) ^ other
}

/// A word's hash; every number in it is like any other.
fn word_hash(word: &str) -> u32 {
    let mut was_digit = false;
    let shaped = word.bytes().filter_map(|byte| {
        let is_digit = byte.is_ascii_digit();
        let is_told = !(is_digit && was_digit);
        was_digit = is_digit;
        is_told.then_some(if is_digit { b'#' } else { byte })
    });
    hashed(0x811c_9dc5, shaped)
}

fn has_digit(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit())
}

/// Tells the number of every feature of a segment, those that it has twice twice.
pub fn each(segment: &Segment<'_>, mut tell: impl FnMut(u32)) {
    /// What is before the first word and behind the last.
    const EDGE: u32 = 0;
    let tokens = segment.tokens;
    let mut before = EDGE;
    for at in 0..tokens.len() {
        let word = tokens.word(at);
        let hash = word_hash(word);
        if at == 0 {
            tell(number(Kind::First, hash));
        }
        tell(number(Kind::Word, hash));
        tell(number(Kind::Pair, both(before, hash)));
        let is_unspaced = word.contains(is_unspaced);
        if is_unspaced || !has_digit(word) {
            let shortest = if is_unspaced { SHORTEST_UNSPACED } else { *RUNS.start() };
            runs(word, shortest, |hash| tell(number(Kind::Run, hash)));
        }
        before = hash;
    }
    tell(number(Kind::Pair, both(before, EDGE)));
    tell(number(Kind::Last, before));
    let mut flags = Vec::with_capacity(32);
    flags.push(number(Kind::Length, length(tokens.len())));
    marks(segment, |mark| flags.push(number(Kind::Mark, mark)));
    if let Some(lexicon) = segment.lexicon {
        classes(tokens, lexicon, |class| flags.push(number(Kind::Class, class)));
    }
    for (at, flag) in flags.iter().enumerate() {
        tell(*flag);
        flags[..at].iter().for_each(|other| tell(number(Kind::Both, both(*other, *flag))));
    }
}

/// The hashes of the runs of at least so many letters of a word, its edges among them.
fn runs(word: &str, shortest: usize, mut tell: impl FnMut(u32)) {
    const LONGEST: usize = *RUNS.end();
    let framed = std::iter::once('<').chain(word.chars()).chain(std::iter::once('>'));
    // The runs that began at the last letters, each in the place of its beginning.
    let mut open = [0; LONGEST];
    for (at, letter) in framed.enumerate() {
        open[at % LONGEST] = 0x811c_9dc5;
        let mut bytes = [0; 4];
        let bytes = letter.encode_utf8(&mut bytes).as_bytes();
        for length in 1..=LONGEST.min(at + 1) {
            let run = &mut open[(at + 1 - length) % LONGEST];
            *run = hashed(*run, bytes.iter().copied());
            if length >= shortest {
                tell(*run);
            }
        }
    }
}

/// How long a text of so many words is, roughly.
fn length(words: usize) -> u32 {
    match words {
        0 => 0,
        1 => 1,
        2 => 2,
        3 => 3,
        4 => 4,
        5..=7 => 5,
        8..=12 => 6,
        13..=20 => 7,
        _ => 8,
    }
}

/// Tells the marks of a text and how it is written.
fn marks(segment: &Segment<'_>, mut tell: impl FnMut(u32)) {
    let Segment { plain, tokens, goes_on, lexicon } = segment;
    let count = tokens.len();
    let trimmed = plain.trim();
    let begun = trimmed.trim_start_matches([',', ';', '-', '–', '—', '(', ':', ' ']);
    let numbers = (0..count).filter(|at| has_digit(tokens.word(*at))).count();
    let written = |at: usize| &plain[tokens.start(at)..tokens.end(at)];
    let is_loud = |at: usize| written(at).chars().count() > 2 && written(at).chars().all(char::is_uppercase);
    let names = match lexicon.is_some_and(|lexicon| lexicon.grammar.capital_nouns) {
        true => 0,
        false => (1..count).filter(|at| written(*at).starts_with(char::is_uppercase)).count(),
    };
    let has = |features: &[&str]| features.iter().any(|feature| plain.contains(feature));
    let all = [
        true,
        *goes_on,
        has(&["("]),
        has(&["["]),
        has(&["??", "?!"]),
        trimmed.ends_with('?'),
        has(&["!!"]),
        has(&["!"]),
        has(&[":"]),
        has(&[";"]),
        has(&["...", "…"]),
        has(&["=", "->", "→"]),
        plain.contains(['"', '“', '„', '«', '”']),
        has(&[":)", ":-)", ";)", ":D"])
            || plain.chars().any(|char| ('\u{1f300}'..='\u{1faff}').contains(&char)),
        has(&["@"]),
        has(&["/"]),
        has(&["|"]),
        has(&["–", "—", " - "]),
        trimmed.starts_with(['>', '*', '•', '-', '–', '→']),
        begun.starts_with(char::is_lowercase),
        begun.starts_with(|char: char| char.is_ascii_digit()),
        !trimmed.ends_with(['.', '!', '?', '…', ')', '"', '”', '»']),
        (0..count).any(is_loud),
        numbers == 1,
        numbers == 2,
        numbers > 2,
        names == 1,
        names > 1,
    ];
    all.into_iter().zip(0..).filter(|(is_there, _)| *is_there).for_each(|(_, mark)| tell(mark));
}

/// Tells which of the lexicon's classes a text has words of, of which near its beginning, and of which several.
fn classes(tokens: &Tokens, lexicon: &Lexicon, mut tell: impl FnMut(u32)) {
    const NEAR: usize = 2;
    let groups = lexicon.classes.get_or_init(|| class_groups(lexicon));
    // The first word of each class, and of which there is a second one.
    let (mut firsts, mut several) = ([usize::MAX; u64::BITS as usize], 0_u64);
    for at in 0..tokens.len() {
        let mut rest = groups.at(tokens, at);
        while rest != 0 {
            let class = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            several |= u64::from(firsts[class] != usize::MAX) << class;
            firsts[class] = firsts[class].min(at);
        }
    }
    for (class, first) in (0..).zip(firsts).filter(|(_, first)| *first != usize::MAX) {
        tell(class * 3);
        if first < NEAR {
            tell(class * 3 + 1);
        }
        if several & 1 << class != 0 {
            tell(class * 3 + 2);
        }
    }
}

/// The lists of a lexicon that are features, in the order of the trained weights.
fn class_groups(lexicon: &Lexicon) -> Groups {
    let (grammar, kinds, orders) = (&lexicon.grammar, &lexicon.kinds, &lexicon.instructions);
    let words = [
        &grammar.we,
        &grammar.i,
        &grammar.you,
        &grammar.familiar,
        &grammar.third,
        &grammar.who,
        &grammar.asks,
        &grammar.articles,
        &kinds.persons,
    ];
    let lists = [
        &grammar.leans,
        &grammar.openers,
        &kinds.guarantee,
        &kinds.place,
        &kinds.proof,
        &kinds.next_step,
        &kinds.audience,
        &kinds.feels,
        &kinds.private,
        &kinds.answered,
        &kinds.agreed,
        &lexicon.numbers.price,
        &lexicon.numbers.units,
        &orders.meta,
        &orders.artifacts,
        &orders.polite,
        &orders.greetings,
        &orders.left_out,
        &orders.leave_out,
        &orders.stress,
        &orders.button,
    ];
    Groups::of_lists(&words, &lists)
}

/// Words that join clauses and say nothing where one of them stands alone.
pub const JOINTS: [&str; 6] = [" but ", " aber ", " mais ", " pero ", " maar ", " btw "];

/// Where a sentence may be divided: before its marks, and before words that often begin a remark.
pub fn cuts(plain: &str) -> Vec<usize> {
    const MARKS: [&str; 15] = [
        ", ",
        "; ",
        ": ",
        ". ",
        " – ",
        " — ",
        " - ",
        " (",
        " and that ",
        " und das ",
        " et ça ",
        " y eso ",
        " e isso ",
        " e questo ",
        " en dat ",
    ];
    // All of them begin with one of these bytes.
    let begins = |at: &usize| MARKS.iter().chain(&JOINTS).any(|mark| plain[*at..].starts_with(mark));
    let begun =
        plain.bytes().enumerate().filter(|(_, byte)| matches!(byte, b',' | b';' | b':' | b'.' | b' '));
    begun.map(|(at, _)| at).filter(begins).collect()
}

/// The numbers of the features of a segment, for who trains their weights.
pub fn numbers(plain: &str, tag: &str, goes_on: bool) -> Vec<u32> {
    let tokens = Tokens::of(plain);
    let mut all = Vec::new();
    let segment = Segment { plain, tokens: &tokens, goes_on, lexicon: lexicon::of(tag) };
    each(&segment, |number| all.push(number));
    all
}
