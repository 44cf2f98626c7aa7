//! What `--help` shows beyond what the definitions of the commands say: groups of commands, defaults and variables of settings, examples.
//!
//! The defaults come from the file that defines them. Invariant: every command is in one group and has examples that can be typed.

use std::fmt::Write as _;

use clap::builder::{StyledStr, Styles};
use clap::{Arg, Command, CommandFactory};

use super::{Cli, examples};
use crate::config::{Settings, variable_of};

/// The commands by what one does with them; [`clap`] knows no such thing.
const GROUPS: &[(&str, &[&str])] = &[
    ("Serve", &["serve", "demo"]),
    ("Tenants, users and keys", &["tenant", "user", "key", "secret-key"]),
    ("Data", &["import", "export", "person", "audit"]),
    ("Webhooks", &["listen", "webhook"]),
    ("Operate", &["migrate", "doctor", "config", "backup", "restore", "copy"]),
    ("About the program", &["openapi", "version", "completions", "man", "help"]),
];

/// The flags that set a setting, and which.
const SETTINGS: &[(&str, &str)] = &[
    ("database", "database"),
    ("secret_key_file", "secret_key_file"),
    ("listen", "listen"),
    ("base_url", "base_url"),
    ("site_domain", "site_domain"),
];

/// The commands that take the flags of a server; the empty one is the program itself.
const SERVING: &[&str] = &["", "serve", "demo"];

/// The definition of the command line with all that its help shows.
pub fn command() -> Command {
    let command = completed(Cli::command(), "");
    let text = overview(&command);
    command.override_help(text)
}

/// The command and those below it, with defaults and examples.
fn completed(command: Command, path: &str) -> Command {
    let mut command = match examples::of(path) {
        Some(lines) => command.after_help(block(lines)),
        None => command,
    };
    if SERVING.contains(&path) {
        command = command.mut_args(with_origin);
    }
    let names: Vec<String> = command.get_subcommands().map(|below| below.get_name().to_owned()).collect();
    names.into_iter().fold(command, |command, name| {
        let path = format!("{path} {name}");
        command.mut_subcommand(name, |below| completed(below, path.trim()))
    })
}

/// The flag with the variable that sets the same, and the default.
fn with_origin(arg: Arg) -> Arg {
    if arg.get_id() == "config" {
        return with_more(arg, "[env: PAGESMITH_CONFIG]");
    }
    let Some((_, key)) = SETTINGS.iter().find(|(id, _)| arg.get_id() == *id) else { return arg };
    let mut origin = format!("[env: {}]", variable_of(key));
    if let Some(default) = Settings::default_of(key).filter(|default| !default.is_empty()) {
        let _ = write!(origin, " [default: {default}]");
    }
    with_more(arg, &origin)
}

fn with_more(arg: Arg, more: &str) -> Arg {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    arg.help(format!("{help} {more}"))
}

fn block(lines: &[&str]) -> StyledStr {
    let header = *Styles::styled().get_header();
    let mut text = format!("{header}Examples:{header:#}");
    for line in lines {
        let _ = write!(text, "\n  {line}");
    }
    text.into()
}

/// The help of the program itself: the commands in their groups.
fn overview(command: &Command) -> StyledStr {
    let (header, literal) = (*Styles::styled().get_header(), *Styles::styled().get_literal());
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let mut text = format!(
        "{about}\n\n{header}Usage:{header:#} {literal}pagesmith{literal:#} [OPTIONS] [COMMAND]\n\n\
         Without a command, pagesmith serves. `pagesmith help COMMAND` tells more of each."
    );
    let about_of = |name: &str| {
        let below = command.find_subcommand(name);
        let about = below.and_then(Command::get_about).map(ToString::to_string);
        about.unwrap_or_else(|| "Print this help, or the help of a command".to_owned())
    };
    for (title, names) in GROUPS {
        let _ = write!(text, "\n\n{header}{title}:{header:#}");
        for name in *names {
            let _ = write!(text, "\n  {literal}{name:<12}{literal:#}  {}", about_of(name));
        }
    }
    // Clap draws the flags, from a command that has nothing else.
    let bare = Command::new("pagesmith").version(env!("CARGO_PKG_VERSION")).help_template("{all-args}");
    let flags = bare.args(command.get_arguments().cloned()).render_help();
    let _ = write!(text, "\n\n{}", flags.ansi().to_string().trim_end());
    if let Some(lines) = examples::of("") {
        let _ = write!(text, "\n\n{}\n", block(lines).ansi());
    }
    text.into()
}

#[cfg(test)]
mod tests {
    use clap::{ArgMatches, FromArgMatches};

    use super::*;

    /// Every command that does something, by its words.
    fn leaves(command: &Command, path: &str, found: &mut Vec<String>) {
        let is_shown = |below: &&Command| below.get_name() != "help" && !below.is_hide_set();
        let mut below = command.get_subcommands().filter(is_shown).peekable();
        if below.peek().is_none() {
            found.push(path.to_owned());
        }
        for below in below {
            leaves(below, format!("{path} {}", below.get_name()).trim(), found);
        }
    }

    /// The words of the command that was recognised.
    fn path_of(mut matches: &ArgMatches) -> String {
        let mut words = Vec::new();
        while let Some((name, below)) = matches.subcommand() {
            words.push(name);
            matches = below;
        }
        words.join(" ")
    }

    #[test]
    fn every_command_stands_in_one_group() {
        let command = Cli::command();
        let mut named: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        named.retain(|name| *name != "help");
        named.sort_unstable();
        let mut known: Vec<&str> =
            command.get_subcommands().filter(|below| !below.is_hide_set()).map(Command::get_name).collect();
        known.sort_unstable();
        assert_eq!(named, known, "GROUPS in cli/help.rs has each command once");
    }

    #[test]
    fn every_command_has_examples_that_can_be_typed() {
        let mut paths = Vec::new();
        leaves(&Cli::command(), "", &mut paths);
        for path in &paths {
            assert!(examples::of(path).is_some(), "cli/examples.rs lacks `{path}`");
        }
        for (path, lines) in examples::EXAMPLES {
            assert!(
                path.is_empty() || paths.iter().any(|known| known == path),
                "there is no command `{path}`"
            );
            for line in *lines {
                assert!(line.chars().count() <= 76, "this breaks on a terminal of 80 columns: {line}");
                let words = shlex::split(line).unwrap_or_else(|| panic!("quotes: {line}"));
                let typed = words.iter().skip_while(|word| word.starts_with("PAGESMITH_"));
                let typed: Vec<&String> =
                    typed.take_while(|word| !["|", ">"].contains(&word.as_str())).collect();
                assert_eq!(typed[0], "pagesmith", "{line}");
                let matches =
                    command().try_get_matches_from(&typed).unwrap_or_else(|error| panic!("{line}: {error}"));
                assert!(Cli::from_arg_matches(&matches).is_ok(), "{line}");
                let is_own = path_of(&matches) == *path || path.is_empty();
                assert!(is_own, "`{line}` is not an example of `{path}`");
            }
        }
    }

    #[test]
    fn settings_are_shown_with_their_variable_and_default() {
        let help = command().render_help().to_string();
        for part in [
            "[env: PAGESMITH_LISTEN] [default: 127.0.0.1:8080]",
            "[env: PAGESMITH_DATABASE] [default: sqlite:./data/pagesmith.db]",
            "[env: PAGESMITH_SITE_DOMAIN] [default: localhost]",
            "[env: PAGESMITH_BASE_URL]",
            "[env: PAGESMITH_CONFIG]",
            "[env: PAGESMITH_SECRET_KEY_FILE]",
        ] {
            // A line may be broken anywhere between words.
            let unbroken = help.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(unbroken.contains(part), "{part} is not in {help}");
        }
    }

    #[test]
    fn the_help_of_each_command_is_known() {
        let mut whole = command().term_width(100);
        whole.build();
        insta::assert_snapshot!("pagesmith", whole.render_help());
        let mut paths = Vec::new();
        leaves(&whole, "", &mut paths);
        for path in paths {
            let mut below = &mut whole;
            for word in path.split(' ') {
                below = below.find_subcommand_mut(word).unwrap();
            }
            insta::assert_snapshot!(path.replace(' ', "_"), below.render_help());
        }
    }
}
