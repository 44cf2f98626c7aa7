//! What can be wrong about a page, and what is.

/// What is wrong about a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// It shows words, a name, a number or a price that only the notes have.
    NoteShown,
    /// It shows an instruction.
    InstructionShown,
    /// It has a number that the facts do not have.
    UnknownNumber,
    /// A sentence occurs twice.
    Repeat,
    /// A heading has nothing under it.
    EmptySection,
    /// The headline is not of two to ten words.
    Headline,
    /// A block of prose is too long.
    LongProse,
    /// A button leads to no action of the page.
    DeadAction,
    /// The page has actions and shows none.
    NoCallToAction,
    /// A placeholder was not filled.
    Placeholder,
    /// It uses a word that the brand avoids.
    AvoidedWord,
}

impl Rule {
    /// What is wrong, in words to whoever is to repair it.
    pub fn in_words(self) -> &'static str {
        match self {
            Rule::NoteShown => "shows what only the notes about the audience say",
            Rule::InstructionShown => "shows an instruction that was not for visitors",
            Rule::UnknownNumber => "has a number that the brief does not have",
            Rule::Repeat => "says a sentence that stands on the page already",
            Rule::EmptySection => "has a heading with nothing under it",
            Rule::Headline => "has a headline that is not two to ten words long",
            Rule::LongProse => "has a paragraph or a point of more than 45 words",
            Rule::DeadAction => "names an action that the brief does not have",
            Rule::NoCallToAction => "the page offers none of the brief's actions",
            Rule::Placeholder => "has a placeholder that nobody filled",
            Rule::AvoidedWord => "uses a word that the brand avoids",
        }
    }

    /// The rule's name in metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            Rule::NoteShown => "note_shown",
            Rule::InstructionShown => "instruction_shown",
            Rule::UnknownNumber => "unknown_number",
            Rule::Repeat => "repeat",
            Rule::EmptySection => "empty_section",
            Rule::Headline => "headline",
            Rule::LongProse => "long_prose",
            Rule::DeadAction => "dead_action",
            Rule::NoCallToAction => "no_call_to_action",
            Rule::Placeholder => "placeholder",
            Rule::AvoidedWord => "avoided_word",
        }
    }
}

/// Something that is wrong about a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Which rule it breaks.
    pub rule: Rule,
    /// The number of the block, if it is one block's fault; the head has none.
    pub block: Option<usize>,
    /// The words in question.
    pub text: String,
}
