//! Cells that a spreadsheet program would take for formulas.
//!
//! A cell that begins with `=`, `+`, `-`, `@`, a tab or a line break may run when the file is opened, whoever wrote it. Such cells get
//! an apostrophe in front, and cells that have one before such a sign get one more, so that taking one off on the way in
//! gives back exactly what was there.

use std::borrow::Cow;

const MARK: char = '\'';

fn is_formula(cell: &str) -> bool {
    cell.trim_start_matches(MARK).starts_with(['=', '+', '-', '@', '\t', '\r', '\n'])
}

/// The cell as it may be in a file.
pub fn guarded(cell: &str) -> Cow<'_, str> {
    if is_formula(cell) { Cow::Owned(format!("{MARK}{cell}")) } else { Cow::Borrowed(cell) }
}

/// The cell as it was before [`guarded`].
pub fn unguarded(cell: &str) -> &str {
    cell.strip_prefix(MARK).filter(|rest| is_formula(rest)).unwrap_or(cell)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_would_run_is_quoted_and_nothing_else() {
        for (cell, shown) in [
            ("=1+1", "'=1+1"),
            ("+49", "'+49"),
            ("-", "'-"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("'=1", "''=1"),
            ("'quoted'", "'quoted'"),
            ("a=b", "a=b"),
            ("", ""),
        ] {
            assert_eq!(guarded(cell), shown);
        }
    }

    proptest! {
        #[test]
        fn every_cell_comes_back(cell in "[=+@'a\t-]{0,5}|\\PC{0,9}") {
            let shown = guarded(&cell);
            prop_assert_eq!(unguarded(&shown), cell.as_str());
            prop_assert!(!shown.starts_with(['=', '+', '-', '@', '\t']));
        }
    }
}
