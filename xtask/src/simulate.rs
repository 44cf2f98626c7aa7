//! `cargo x simulate` and `cargo x crash`: longer runs of the tests that show that no event and no report of a page view is lost.
//!
//! Short runs of all of them are ordinary tests. A seed of the simulation that fails is named, and is the same run again when it is given.

use crate::faketime;
use crate::shell::{self, Outcome};
use crate::test;

/// How many seeds are run unless told otherwise.
const SEEDS: u64 = 10_000;
/// How often the server is killed unless told otherwise.
const KILLS: u64 = 20;

/// The simulation of deliveries: `--seeds N` of them, beginning with `--seed S`.
pub fn simulate(arguments: &[String]) -> Outcome {
    let (mut seeds, mut first) = (SEEDS, 1);
    for pair in arguments.chunks(2) {
        match pair {
            [name, value] if name == "--seeds" => seeds = number(value)?,
            [name, value] if name == "--seed" => first = number(value)?,
            _ => return Err("only --seeds N and --seed S are known here".to_owned()),
        }
    }
    let package = ["test", "--release", "--package", "pagesmith-worker", "--lib", "--"];
    let mut command = shell::cargo(package);
    command.args(["--nocapture", "delivery::simulation::nothing_is_lost"]);
    command.env("PAGESMITH_SIMULATION_SEEDS", seeds.to_string());
    command.env("PAGESMITH_SIMULATION_SEED", first.to_string());
    shell::run(&mut command)
}

/// The crash tests on both engines: `--kills N` times each.
pub fn crash(arguments: &[String]) -> Outcome {
    let kills = match arguments {
        [] => KILLS,
        [name, value] if name == "--kills" => number(value)?,
        _ => return Err("only --kills N is known here".to_owned()),
    };
    let kills = kills.to_string();
    let clock = faketime::find_or_install().map(|library| library.display().to_string());
    let mut settings = vec![("PAGESMITH_CRASH_KILLS", kills.as_str())];
    settings.extend(clock.as_deref().map(|library| ("PAGESMITH_CRASH_CLOCK", library)));
    let outcome = test::integration(&["webhooks::deliveries::crash::", "visits::crash::"], &settings);
    if clock.is_none() {
        shell::say(faketime::MISSING);
    }
    outcome
}

fn number(text: &str) -> Outcome<u64> {
    text.parse().map_err(|_| format!("`{text}` is not a number"))
}
