//! Who looks at what is printed: a person at a terminal, or another program.
//!
//! A person gets short lines with colours, unless `NO_COLOR` is set or the terminal is a dumb one; a program gets what it can rely on.

use std::fmt::{self, Display};
use std::io::{IsTerminal, stderr, stdout};

use anstyle::Style;

use crate::config::Environment;

/// What the standard streams lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    /// Whether standard output is a terminal.
    pub output: bool,
    /// Whether standard error is one.
    pub errors: bool,
    /// Whether a terminal may be sent colours.
    pub colors: bool,
}

impl Screen {
    /// That of this process.
    pub fn new(environment: &Environment) -> Screen {
        Screen {
            output: stdout().is_terminal(),
            errors: stderr().is_terminal(),
            colors: environment.allows_colors(),
        }
    }
}

/// A text in a style, where `colors` are wanted.
pub struct Painted<T> {
    pub text: T,
    pub style: Style,
    pub colors: bool,
}

impl<T: Display> Display for Painted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.colors {
            return self.text.fmt(f);
        }
        write!(f, "{}", self.style.render())?;
        self.text.fmt(f)?;
        write!(f, "{}", self.style.render_reset())
    }
}

#[cfg(test)]
mod tests {
    use anstyle::AnsiColor;

    use super::*;

    #[test]
    fn a_style_stands_around_the_padded_text() {
        let painted = |colors| Painted { text: "on", style: AnsiColor::Red.on_default(), colors };
        assert_eq!(format!("{:>4}|", painted(false)), "  on|");
        assert_eq!(format!("{:>4}|", painted(true)), "\u{1b}[31m  on\u{1b}[0m|");
    }
}
