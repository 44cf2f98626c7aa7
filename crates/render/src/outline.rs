//! The levels of headings: whatever a text claims, the page's outline is one tree without gaps.
//!
//! A text knows nothing of the block it is in; it may open with `#` or with `####`. Its headings keep their order of rank among
//! each other and are moved below the heading that is above them.

/// Gives the headings of one text their levels.
#[derive(Debug)]
pub(crate) struct Outline {
    /// The level of the text's highest headings.
    first: usize,
    /// The ranks that are open, highest first.
    open: Vec<u8>,
}

impl Outline {
    /// The outline of a text under a heading, whose own headings begin at level `first`.
    pub fn from(first: usize) -> Outline {
        Outline { first, open: Vec::with_capacity(4) }
    }

    /// The level of the next heading, which claims to be of `rank`.
    pub fn level(&mut self, rank: u8) -> usize {
        while self.open.last().is_some_and(|open| *open >= rank) {
            self.open.pop();
        }
        self.open.push(rank);
        (self.first + self.open.len() - 1).min(6)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Outline;

    #[test]
    fn ranks_become_levels_without_gaps() {
        let mut outline = Outline::from(3);
        let levels: Vec<usize> = [2, 4, 4, 6, 2, 1, 3].map(|rank| outline.level(rank)).to_vec();
        assert_eq!(levels, [3, 4, 4, 5, 3, 3, 4]);
    }

    proptest! {
        #[test]
        fn no_heading_is_more_than_one_level_below_the_one_before(ranks in proptest::collection::vec(1u8..=6, 0..40)) {
            let mut outline = Outline::from(2);
            let mut before = 1;
            for rank in ranks {
                let level = outline.level(rank);
                prop_assert!((2..=6).contains(&level) && level <= before + 1);
                before = level;
            }
        }
    }
}
