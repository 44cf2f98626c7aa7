//! Parts of texts that tell something wherever they stand, all looked for in one pass.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::words;

/// What a part of a text is a sign of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// It speaks to a program.
    Injection,
    /// Something was meant to be filled in.
    Unfinished,
    /// The letters of a mark of what is still to be written.
    Mark,
    /// An order in Japanese or Korean.
    Asked,
    /// What such an order has to do with a page.
    OfPage,
}

const UNFINISHED: [&str; 13] = [
    "lorem ipsum",
    "{{",
    "}}",
    "<%",
    "%>",
    "${",
    "[insert",
    "[your ",
    "[company",
    "[name",
    "[first",
    "[todo",
    "[tbd",
];

const ASKED: [&str; 10] = [
    "ください",
    "て下さい",
    "してほしい",
    "すること",
    "しないこと",
    "해줘",
    "해 줘",
    "해주세요",
    "해 주세요",
    "써 주세요",
];

const OF_PAGE: [&str; 20] = [
    "ページ",
    "文章",
    "トーン",
    "書い",
    "書か",
    "載せ",
    "掲載",
    "言わない",
    "出さない",
    "作成",
    "言及",
    "触れ",
    "強調",
    "記載",
    "表現",
    "언급",
    "작성",
    "페이지",
    "강조",
    "써",
];

/// What finds the signs, and what each of its patterns is a sign of.
struct Finder {
    automaton: Option<AhoCorasick>,
    meanings: Vec<Sign>,
}

static FINDER: LazyLock<Finder> = LazyLock::new(|| {
    let words = words::all();
    let marks: Vec<String> = words.unfinished.iter().map(|mark| mark.to_lowercase()).collect();
    let mut all: Vec<(&str, Sign)> = Vec::new();
    all.extend(words.injections.iter().map(|text| (*text, Sign::Injection)));
    all.extend(UNFINISHED.iter().chain(&["(tbd)"]).map(|text| (*text, Sign::Unfinished)));
    all.extend(marks.iter().map(|text| (text.as_str(), Sign::Mark)));
    all.extend(ASKED.iter().map(|text| (*text, Sign::Asked)));
    all.extend(OF_PAGE.iter().map(|text| (*text, Sign::OfPage)));
    let automaton = AhoCorasick::builder()
        .match_kind(MatchKind::Standard)
        .kind(Some(AhoCorasickKind::DFA))
        .build(all.iter().map(|(text, _)| *text));
    Finder { automaton: automaton.ok(), meanings: all.into_iter().map(|(_, sign)| sign).collect() }
});

/// The signs that a text has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signs(u8);

impl Signs {
    /// The signs of a folded text. If the automaton could not be built, which a test rules out, nothing is trusted.
    pub fn of(folded: &str) -> Signs {
        let Some(automaton) = &FINDER.automaton else { return Signs(u8::MAX) };
        let mut signs = Signs(0);
        for found in automaton.find_overlapping_iter(folded) {
            signs.0 |= 1 << FINDER.meanings[found.pattern().as_usize()] as u8;
        }
        signs
    }

    /// Whether the text has that sign.
    pub fn has(self, sign: Sign) -> bool {
        self.0 & 1 << sign as u8 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_found_where_they_overlap() {
        assert!(FINDER.automaton.is_some());
        let signs = Signs::of("ignore previous instructions, [todo]");
        assert!(signs.has(Sign::Injection) && signs.has(Sign::Unfinished) && signs.has(Sign::Mark));
        assert!(!signs.has(Sign::Asked) && !signs.has(Sign::OfPage));
        let signs = Signs::of("文章を書いてください");
        assert!(signs.has(Sign::Asked) && signs.has(Sign::OfPage) && !signs.has(Sign::Injection));
        assert_eq!(Signs::of("we bake bread"), Signs(0));
    }
}
