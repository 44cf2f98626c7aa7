//! `cargo x browser`, `screenshots` and `lighthouse`: what generated pages are in a real browser.
//!
//! Chromium and its driver are found, or installed where that can be done without asking. There is no way to pass without them. Only
//! axe and Lighthouse need Node; without it axe is left out, which is said.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{self, Outcome};
use crate::{debian, node, oidc, test_runner, workspace};

/// The one test that needs axe.
const OF_AXE: &str = "axe_finds_nothing";

/// The browser and the program that drives it, which must be of one version.
struct Programs {
    chromium: PathBuf,
    driver: PathBuf,
}

/// The browser tests, or those that the arguments choose, on the embedded database.
pub fn run(arguments: &[String]) -> Outcome {
    run_with(arguments, &[])
}

/// Those that use the console, on the PostgreSQL server at that address.
pub fn console_on_postgres(address: &str) -> Outcome {
    let settings = [("PAGESMITH_TEST_ENGINE", "postgres"), ("PAGESMITH_TEST_POSTGRES", address)];
    run_with(&["working_day".to_owned()], &settings)
}

fn run_with(arguments: &[String], settings: &[(&str, &str)]) -> Outcome {
    let mut command = tests()?;
    command.args(arguments).envs(settings.iter().copied());
    command.envs(oidc::find_or_install().map(|packages| ("PAGESMITH_TEST_OIDC", packages)));
    match axe() {
        Ok(script) => {
            command.env("PAGESMITH_TEST_AXE", script);
        }
        Err(reason) if node::is_there().is_err() => {
            shell::say(format!("\nskipped: axe ({reason})"));
            command.args(["--skip", OF_AXE]);
        }
        Err(reason) => return Err(reason),
    }
    test_runner::run(&mut command)
}

/// Makes the pictures of `docs/screenshots` anew.
pub fn screenshots() -> Outcome {
    let folder = shell::root().join("docs/screenshots");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut command = tests()?;
    command.args(["--ignored", "pictures_of"]).env("PAGESMITH_SCREENSHOTS", folder);
    shell::run(&mut command)
}

/// Makes contact sheets of the contents in a folder, next to them.
pub fn sheets(folder: &Path) -> Outcome {
    let mut command = tests()?;
    command.args(["--ignored", "contact_sheets"]).env("PAGESMITH_PAGES", folder);
    shell::run(&mut command)
}

/// Asks Lighthouse about a generated page and screens of the console.
pub fn lighthouse() -> Outcome {
    node::is_there()?;
    let tools = shell::root().join("xtask/tools/lighthouse");
    node::install(&tools)?;
    let report = shell::target().join("lighthouse");
    let mut command = tests()?;
    command.args(["--ignored", "--nocapture", "lighthouse::"]);
    command.env("PAGESMITH_TEST_LIGHTHOUSE", tools.join("node_modules/.bin/lighthouse"));
    command.env("PAGESMITH_LIGHTHOUSE_REPORT", report);
    shell::run(&mut command)
}

/// The command that the tests are run by; what follows goes to the test runner.
fn tests() -> Outcome<Command> {
    let programs = find_or_install()?;
    let mut command = shell::cargo(workspace::PACKAGES);
    command.args(["--test", "browser", "--"]);
    command.env("PAGESMITH_TEST_CHROMIUM", programs.chromium);
    command.env("PAGESMITH_TEST_CHROMEDRIVER", programs.driver);
    // A browser takes a core; more of them at once only wait for each other.
    command.arg("--test-threads=2");
    Ok(command)
}

/// The script of axe, installed by its lockfile.
fn axe() -> Outcome<PathBuf> {
    node::is_there()?;
    let folder = shell::root().join("xtask/tools/axe");
    node::install(&folder)?;
    Ok(folder.join("node_modules/axe-core/axe.min.js"))
}

fn find_or_install() -> Outcome<Programs> {
    if let Some(found) = find() {
        return Ok(found);
    }
    let missing = "the browser tests need Chromium and ChromeDriver; install them (Debian: apt-get install chromium chromium-driver; \
                   macOS: brew install --cask chromium chromedriver) or put `chromium` and `chromedriver` on the PATH";
    debian::install("Chromium with its driver", &["chromium", "chromium-driver"], missing)?;
    find().ok_or_else(|| missing.to_owned())
}

fn find() -> Option<Programs> {
    let chromium = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    Some(Programs {
        chromium: chromium.iter().find_map(|name| on_path(name))?,
        driver: on_path("chromedriver")?,
    })
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = shell::environment("PATH")?;
    std::env::split_paths(&path)
        .map(|folder: PathBuf| folder.join(name))
        .find(|file: &PathBuf| Path::is_file(file))
}
