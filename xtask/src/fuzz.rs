//! `cargo x fuzz`: longer runs of the fuzz targets in `fuzz/`.
//!
//! cargo-fuzz wants the compiler's unstable flags; `RUSTC_BOOTSTRAP` lets the stable compiler take them, so that
//! no second toolchain is needed. The short runs of CI are ordinary tests and need none of this.

use std::process::Command;

use crate::shell;

/// Fuzzes `TARGET` for `SECONDS`; without a target all of them, one after the other.
pub fn run(arguments: &[String]) -> shell::Outcome {
    let (target, seconds) = parse(arguments)?;
    if !shell::root().join("fuzz/Cargo.toml").is_file() {
        return Err("there is no folder `fuzz` with targets".to_owned());
    }
    if !shell::on_path("cargo-fuzz") {
        return Err("cargo-fuzz is not installed; to have it: cargo install cargo-fuzz --locked".to_owned());
    }
    let targets = match target {
        Some(target) => vec![target],
        None => {
            let listed = shell::output(&mut fuzz("list"))?;
            String::from_utf8_lossy(&listed).lines().map(|line| line.trim().to_owned()).collect()
        }
    };
    shell::every(targets.iter().map(|target| {
        shell::run(fuzz("run").arg(target).arg("--").arg(format!("-max_total_time={seconds}")))
    }))
}

/// `cargo fuzz` on the fuzz folder, which is a workspace of its own.
fn fuzz(verb: &str) -> Command {
    let mut command = shell::cargo(["fuzz", verb, "--fuzz-dir", "fuzz"]);
    command.env("RUSTC_BOOTSTRAP", "1");
    command
}

/// A lone number is the time; anything else first is a target.
fn parse(arguments: &[String]) -> shell::Outcome<(Option<String>, u64)> {
    let seconds = |text: &String| text.parse().map_err(|_| format!("`{text}` is not a number of seconds"));
    match arguments {
        [] => Ok((None, 60)),
        [only] => Ok(only.parse().map_or_else(|_| (Some(only.clone()), 60), |seconds| (None, seconds))),
        [target, time] => Ok((Some(target.clone()), seconds(time)?)),
        _ => Err("at most a target and a number of seconds".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    fn parsed(words: &[&str]) -> Result<(Option<String>, u64), String> {
        parse(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn target_and_seconds_are_both_optional() {
        assert_eq!(parsed(&[]), Ok((None, 60)));
        assert_eq!(parsed(&["5"]), Ok((None, 5)));
        assert_eq!(parsed(&["cursor"]), Ok((Some("cursor".to_owned()), 60)));
        assert_eq!(parsed(&["cursor", "5"]), Ok((Some("cursor".to_owned()), 5)));
        assert!(parsed(&["cursor", "long"]).is_err());
    }
}
