//! Installs packages of Debian or Ubuntu where that can be done without asking anyone: as root, or with a `sudo` that wants no word.
//!
//! What this is not: a way to change a machine unasked for long; nothing that is installed is started.

use crate::shell::{self, Outcome};

/// Installs these packages; `missing` is the error where that cannot be done.
pub fn install(what: &str, packages: &[&str], missing: &str) -> Outcome {
    if !shell::on_path("apt-get") {
        return Err(missing.to_owned());
    }
    // A package may bring a service, which would start; at this "run level" it does not.
    let quiet = ["env", "DEBIAN_FRONTEND=noninteractive", "RUNLEVEL=1", "apt-get"];
    let words: Vec<&str> = if shell::is_root() {
        quiet.to_vec()
    } else if shell::on_path("sudo") && shell::answer("sudo", ["-n", "id", "-u"]).is_some() {
        ["sudo", "-n"].into_iter().chain(quiet).collect()
    } else {
        return Err(missing.to_owned());
    };
    shell::say(format!("{what} was not found: installing {}", packages.join(" and ")));
    let Some((program, before)) = words.split_first() else { return Err(missing.to_owned()) };
    let apt_get =
        |arguments: &[&str]| shell::run(&mut shell::program(program, before.iter().chain(arguments)));
    apt_get(&["update"])?;
    let wanted: Vec<&str> =
        ["install", "-y", "--no-install-recommends"].into_iter().chain(packages.iter().copied()).collect();
    apt_get(&wanted)
}
