//! What a process that reads a font answers: a line of JSON.

use pagesmith_model::brand::font::FontFacts;
use serde::{Deserialize, Serialize};

use crate::measure::LARGEST;
use crate::refusal::Refusal;
use crate::{LONGEST_NAME, is_of_names};

/// What a process that reads a font answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Answer {
    /// What the font says.
    Read(FontFacts),
    /// Why it says nothing.
    Refused(Refusal),
}

impl Answer {
    /// The most bytes of an answer.
    pub const LONGEST: usize = 4 * 1024;

    /// Its bytes.
    pub fn encode(&self) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(self)
    }

    /// What bytes say; nothing if they are no answer, or one that no font has. The process has read what a stranger made: what it says
    /// is in style sheets, and is bounded here once more.
    pub fn decode(bytes: &[u8]) -> Option<Answer> {
        let answer: Answer = serde_json::from_slice(bytes).ok()?;
        let is_bounded = match &answer {
            Answer::Refused(_) => true,
            Answer::Read(facts) => {
                let measures = [facts.ascent, facts.descent, facts.line_gap, facts.width, facts.bold_width];
                let name = &facts.family;
                (1..=facts.max_weight).contains(&facts.min_weight)
                    && facts.max_weight <= 1000
                    && measures.into_iter().all(|measure| measure <= LARGEST)
                    && (1..=LONGEST_NAME).contains(&name.chars().count())
                    && name.chars().all(is_of_names)
            }
        };
        is_bounded.then_some(answer)
    }
}
