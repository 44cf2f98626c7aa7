//! The command line: what can be typed, and which file does it.
//!
//! Every command takes `--database` and `--config` and finds its settings in the same way as the server does, so that
//! it works on the same database. Flags beat the environment, which beats the file.

mod agent;
mod audit;
mod backup;
mod config;
mod copy;
mod demo;
mod doctor;
mod examples;
mod export;
mod help;
mod import;
mod input;
mod key;
mod limits;
mod listen;
mod migrate;
mod openapi;
mod output;
mod output_file;
mod person;
mod program;
mod read;
mod secret_key;
mod serve;
mod session;
mod tenant;
mod user;
mod webhook;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Args, FromArgMatches, Parser, Subcommand, ValueHint};
use clap_complete::Shell;

use crate::config::Flag;
use crate::failure::Result;
use crate::secret_key::Missing;
use session::Session;

/// Self-hosted content pages: API, embedded or PostgreSQL storage, one binary.
#[derive(Parser)]
#[command(name = "pagesmith", version)]
struct Cli {
    #[command(flatten)]
    everywhere: GlobalFlags,
    #[command(flatten)]
    serve: ServeFlags,
    #[command(subcommand)]
    command: Option<Command>,
}

/// Flags of every command.
#[derive(Args)]
struct GlobalFlags {
    /// The database: sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME.
    #[arg(long, global = true, value_name = "URL", help_heading = "Global options")]
    database: Option<String>,
    /// The configuration file.
    #[arg(long, global = true, value_name = "FILE", help_heading = "Global options", value_hint = ValueHint::FilePath)]
    config: Option<PathBuf>,
    /// The file of the server key; by default pagesmith.key beside the embedded database, or with PostgreSQL beside the
    /// configuration file or in the user's data folder.
    #[arg(long, global = true, value_name = "FILE", help_heading = "Global options", value_hint = ValueHint::FilePath)]
    secret_key_file: Option<String>,
}

/// The heading of the flags of a server.
const SERVE_FLAGS: &str = "Server options";

/// Flags of `serve`.
#[derive(Args, Default)]
struct ServeFlags {
    /// The address and port to listen on.
    #[arg(long, value_name = "ADDR", help_heading = SERVE_FLAGS)]
    listen: Option<String>,
    /// The public URL of the API; by default http:// and the address to listen on.
    #[arg(long, value_name = "URL", help_heading = SERVE_FLAGS)]
    base_url: Option<String>,
    /// The parent domain of the sites: pages are served at `TENANT.SITE_DOMAIN`.
    #[arg(long, value_name = "DOMAIN", help_heading = SERVE_FLAGS)]
    site_domain: Option<String>,
    /// Start although the server key was lost: give up the secrets encrypted with it and list them in the log.
    #[arg(long, help_heading = SERVE_FLAGS)]
    accept_new_key: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the API (the default).
    Serve(ServeFlags),
    /// Serve an example company's pages from a separate database (./data/demo).
    Demo(ServeFlags),
    /// Manage tenants, the owners of all data.
    #[command(subcommand)]
    Tenant(tenant::Command),
    /// Manage users, who sign in at the console.
    #[command(subcommand)]
    User(user::Command),
    /// Manage API keys.
    #[command(subcommand)]
    Key(key::Command),
    /// Manage the server key, which encrypts stored secrets.
    #[command(subcommand)]
    SecretKey(secret_key::Command),
    /// Import data.
    #[command(subcommand)]
    Import(import::Command),
    /// Export data.
    #[command(subcommand)]
    Export(export::Command),
    /// Export or erase a person's data (data protection).
    #[command(subcommand)]
    Person(person::Command),
    /// Show the audit log: what operators, users and keys changed or exported.
    #[command(subcommand)]
    Audit(audit::Command),
    /// Show a server's events as they happen and forward them to a local receiver.
    Listen(listen::Flags),
    /// Tools for receivers of webhooks.
    #[command(subcommand)]
    Webhook(webhook::Command),
    /// Apply the database migrations of this version.
    Migrate,
    /// Print the OpenAPI document.
    Openapi,
    /// Show the configuration.
    #[command(subcommand)]
    Config(config::Command),
    /// Check database, clock, disk and keys; exits with 1 if a check fails.
    Doctor(doctor::Flags),
    /// Back up the database and the files of tenants, while the server runs.
    Backup {
        /// The backup file to write.
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,
        /// Overwrite an existing file.
        #[arg(long)]
        force: bool,
    },
    /// Restore a backup over the embedded database or into an empty PostgreSQL database; stop the server first.
    Restore {
        /// A file written by `backup`.
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,
    },
    /// Copy a database into an empty one of either engine and verify the copy; stop all servers first.
    Copy(copy::Flags),
    /// Read a document on standard input, for the server.
    #[command(hide = true)]
    ReadDocument(read::document::Flags),
    /// Read a font on standard input, for the server.
    #[command(hide = true)]
    ReadFont(read::font::Flags),
    /// Read a picture on standard input, for the server.
    #[command(hide = true)]
    ReadPicture(read::picture::Flags),
    /// Print the version.
    Version,
    /// Print a shell completion script.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the man page, or write the man pages of all commands to a folder.
    Man {
        /// The folder to write to; created if missing.
        #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
        folder: Option<PathBuf>,
    },
}

impl ServeFlags {
    fn is_given(&self) -> bool {
        let is_set = self.listen.is_some() || self.base_url.is_some() || self.site_domain.is_some();
        is_set || self.accept_new_key
    }

    fn over(self, outer: ServeFlags) -> ServeFlags {
        ServeFlags {
            listen: self.listen.or(outer.listen),
            base_url: self.base_url.or(outer.base_url),
            site_domain: self.site_domain.or(outer.site_domain),
            accept_new_key: self.accept_new_key || outer.accept_new_key,
        }
    }

    fn flags(self) -> impl Iterator<Item = Flag> {
        let flag = |key, name, value: Option<String>| value.map(|value| Flag { key, name, value });
        [
            flag("listen", "--listen", self.listen),
            flag("base_url", "--base-url", self.base_url),
            flag("site_domain", "--site-domain", self.site_domain),
        ]
        .into_iter()
        .flatten()
    }
}

/// Does what the command line says.
pub fn run() -> Result<ExitCode> {
    let matches = help::command().get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let (command, serve) = match cli.command.unwrap_or(Command::Serve(ServeFlags::default())) {
        Command::Serve(flags) => (Command::Serve(ServeFlags::default()), flags.over(cli.serve)),
        Command::Demo(flags) => (Command::Demo(ServeFlags::default()), flags.over(cli.serve)),
        _ if cli.serve.is_given() => {
            let message =
                "--listen, --base-url, --site-domain and --accept-new-key are flags of `serve` and `demo`";
            help::command().error(ErrorKind::ArgumentConflict, message).exit()
        }
        other => (other, cli.serve),
    };
    match &command {
        Command::Version => return program::version().map(|()| ExitCode::SUCCESS),
        Command::Completions { shell } => return program::completions(*shell).map(|()| ExitCode::SUCCESS),
        Command::Man { folder } => return program::man(folder.as_deref()).map(|()| ExitCode::SUCCESS),
        Command::ReadDocument(flags) => return read::document::run(flags).map(|()| ExitCode::SUCCESS),
        Command::ReadFont(flags) => return read::font::run(flags).map(|()| ExitCode::SUCCESS),
        Command::ReadPicture(flags) => return read::picture::run(flags).map(|()| ExitCode::SUCCESS),
        _ => {}
    }
    let database = cli.everywhere.database;
    let database = database.map(|value| Flag { key: "database", name: "--database", value });
    let database = match command {
        Command::Demo(_) => database.or_else(|| Some(demo::own_database())),
        _ => database,
    };
    let key_file = cli.everywhere.secret_key_file;
    let key_file = key_file.map(|value| Flag { key: "secret_key_file", name: "--secret-key-file", value });
    let missing = if serve.accept_new_key { Missing::GiveUp } else { Missing::Make };
    let flags: Vec<Flag> = database.into_iter().chain(key_file).chain(serve.flags()).collect();
    let session = Session::open(cli.everywhere.config, &flags)?;
    match command {
        Command::Serve(_) => serve::run(&session, missing)?,
        Command::Demo(_) => demo::run(&session, missing)?,
        Command::Tenant(command) => tenant::run(&session, command)?,
        Command::User(command) => user::run(&session, command)?,
        Command::Key(command) => key::run(&session, command)?,
        Command::SecretKey(command) => secret_key::run(&session, command)?,
        Command::Import(command) => import::run(&session, command)?,
        Command::Export(command) => export::run(&session, command)?,
        Command::Person(command) => person::run(&session, command)?,
        Command::Audit(command) => audit::run(&session, command)?,
        Command::Listen(flags) => listen::run(&session, flags)?,
        Command::Webhook(command) => webhook::run(command)?,
        Command::Migrate => migrate::run(&session)?,
        Command::Openapi => openapi::run(&session)?,
        Command::Config(command) => config::run(&session, &command)?,
        Command::Doctor(flags) => return doctor::run(&session, &flags),
        Command::Backup { file, force } => backup::backup(&session, &file, force)?,
        Command::Restore { file } => backup::restore(&session, &file)?,
        Command::Copy(flags) => copy::run(&session, &flags)?,
        Command::ReadDocument(_)
        | Command::ReadFont(_)
        | Command::ReadPicture(_)
        | Command::Version
        | Command::Completions { .. }
        | Command::Man { .. } => {}
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        help::command().debug_assert();
    }

    #[test]
    fn serve_is_the_default_and_takes_its_flags_on_both_sides() {
        let cli = Cli::try_parse_from(["pagesmith", "--listen", "a", "--database", "d"]).unwrap();
        assert!(cli.command.is_none() && cli.serve.is_given());
        let cli =
            Cli::try_parse_from(["pagesmith", "--listen", "a", "serve", "--listen", "b", "--config", "c"]);
        let cli = cli.unwrap();
        let Some(Command::Serve(inner)) = cli.command else { panic!("not serve") };
        assert_eq!(inner.over(cli.serve).listen.as_deref(), Some("b"));
        assert_eq!(cli.everywhere.config, Some(PathBuf::from("c")));
    }

    /// A line for every command.
    const COMMANDS: [&str; 45] = [
        "serve",
        "demo --listen 127.0.0.1:0",
        "tenant create Acme",
        "tenant list",
        "tenant suspend acme",
        "tenant resume acme",
        "tenant update acme --name Acme-Ltd --region DE",
        "tenant agent acme --kind openai --base-url https://x.example/v1 --model m --key-file -",
        "tenant agent acme --token-budget 5 --cost-budget 1.50 --input-price 1 --output-price 2",
        "tenant agent acme --clear --json",
        "tenant usage acme --json",
        "user create jane@example.com --name Jane --tenant acme --role owner",
        "user list --tenant acme --json",
        "user set-role jane@example.com --tenant acme --role viewer",
        "user set-role jane@example.com --tenant acme --none",
        "user disable jane@example.com",
        "user enable user_01jd3kq5b8e7vr2n4x6m9s0twz",
        "user remove jane@example.com",
        "user reset-password jane@example.com --json",
        "user remove-totp jane@example.com",
        "user break-glass jane@example.com --remove",
        "user disconnect jane@example.com",
        "user sessions jane@example.com --end",
        "key create --tenant a --tenant b --scope read --expires-in 90d",
        "key list",
        "key rotate key_01jd3kq5b8e7vr2n4x6m9s0twz --overlap 24h",
        "key revoke key_01jd3kq5b8e7vr2n4x6m9s0twz",
        "secret-key rotate --wait 10s --until used",
        "import persons f.csv --tenant acme --dry-run --region DE --report r --map Mail=email --force --json",
        "export persons --tenant acme --format jsonl --output f --force",
        "person export person_01jd3kq5b8e7vr2n4x6m9s0twz --tenant acme",
        "person erase person_01jd3kq5b8e7vr2n4x6m9s0twz --yes",
        "audit list --tenant acme --since 7d --json",
        "listen --forward-to 127.0.0.1:9000/hook --server http://a --since 1h",
        "webhook verify --secret whsec_AA== --signature sha256=0 body.json",
        "migrate",
        "openapi",
        "config show",
        "doctor",
        "backup f --force",
        "restore f",
        "copy --from sqlite:a --to postgres://h/n --json",
        "version",
        "completions zsh",
        "man d",
    ];

    #[test]
    fn every_command_takes_the_database() {
        for command in COMMANDS {
            let line = ["pagesmith"].into_iter().chain(command.split(' ')).chain(["--database", "sqlite:x"]);
            let line: Vec<&str> = line.collect();
            let cli = Cli::try_parse_from(&line).unwrap_or_else(|error| panic!("{line:?}: {error}"));
            assert_eq!(cli.everywhere.database.as_deref(), Some("sqlite:x"));
        }
    }
}
