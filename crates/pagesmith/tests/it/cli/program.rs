//! `version`, `completions`, `man` and help, as they are typed.

use std::process::Command;

use crate::process::{Finished, Instance, bare};

fn program() -> Command {
    bare(env!("CARGO_BIN_EXE_pagesmith").as_ref())
}

fn typed(arguments: &[&str]) -> String {
    Finished::of(program().args(arguments)).success()
}

#[test]
fn the_version_is_printed_in_both_ways_and_needs_no_configuration() {
    let expected = format!("pagesmith {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(typed(&["--version"]), expected);
    let mut broken = program();
    broken.arg("version").env("PAGESMITH_CONFIG", "/nowhere/at/all.toml");
    assert_eq!(Finished::of(&mut broken).success(), expected);
}

#[test]
fn bash_completes_commands_by_the_script() {
    let instance = Instance::at("sqlite:unused.db".to_owned());
    // Too long for an argument.
    let script = instance.path().join("pagesmith.bash");
    std::fs::write(&script, typed(&["completions", "bash"])).unwrap();
    let question = "COMP_WORDS=(pagesmith ten); COMP_CWORD=1; _pagesmith pagesmith ten pagesmith; echo \"${COMPREPLY[*]}\"";
    let mut bash = Command::new("bash");
    bash.args(["--norc", "-c", &format!("source '{}'\n{question}", script.display())]);
    assert_eq!(Finished::of(&mut bash).success(), "tenant\n");
    for shell in ["zsh", "fish", "elvish", "powershell"] {
        assert!(typed(&["completions", shell]).contains("secret-key"), "{shell}");
    }
    assert_eq!(Finished::of(program().args(["completions", "tcsh"])).code, Some(2));
}

#[test]
fn every_command_has_a_man_page() {
    let instance = Instance::at("sqlite:unused.db".to_owned());
    let folder = instance.path().join("man/man1");
    let said = typed(&["man", folder.to_str().unwrap()]);
    assert!(said.starts_with("wrote man pages to "), "{said}");
    for name in ["pagesmith", "pagesmith-serve", "pagesmith-import-persons", "pagesmith-key-create"] {
        let page = std::fs::read_to_string(folder.join(format!("{name}.1"))).unwrap();
        assert!(page.contains(".TH"), "{name}: {page}");
    }
    let page = std::fs::read_to_string(folder.join("pagesmith-import-persons.1")).unwrap();
    assert!(page.contains("\\-\\-dry\\-run") && page.contains("Examples"), "{page}");
    assert!(typed(&["man"]).contains(".TH pagesmith 1"));
    assert!(!instance.path().join("unused.db").exists());
}

#[test]
fn help_tells_of_commands_in_groups_and_of_each_with_examples() {
    let whole = typed(&["--help"]);
    assert_eq!(typed(&["help"]), whole);
    assert_eq!(typed(&["-h"]), whole);
    for part in ["Tenants, users and keys:", "Global options:", "[env: PAGESMITH_LISTEN]", "Examples:"] {
        assert!(whole.contains(part), "{whole}");
    }
    assert!(!whole.contains('\u{1b}'), "{whole:?}");
    assert!(typed(&["help", "key", "create"]).contains("pagesmith key create --tenant default"));
}
