//! What each command may look like when it is typed: shown at the end of its help, in its man page, and read by a test.

/// The commands with lines to type; the first is the plainest.
pub const EXAMPLES: &[(&str, &[&str])] = &[
    (
        "",
        &[
            "pagesmith demo",
            "pagesmith --listen 127.0.0.1:8081",
            "PAGESMITH_LISTEN=0.0.0.0:8080 pagesmith serve",
        ],
    ),
    (
        "serve",
        &[
            "pagesmith serve",
            "pagesmith serve --listen 0.0.0.0:8080 --site-domain pages.example.org",
            "pagesmith serve --database postgres://user:password@localhost/pagesmith",
        ],
    ),
    ("demo", &["pagesmith demo", "pagesmith demo --listen 127.0.0.1:8081"]),
    (
        "tenant create",
        &[
            "pagesmith tenant create Acme",
            "pagesmith tenant create 'Acme Ltd' --slug anvils --region GB --json",
        ],
    ),
    ("tenant list", &["pagesmith tenant list", "pagesmith tenant list --json"]),
    (
        "tenant update",
        &["pagesmith tenant update acme --name 'Acme Ltd'", "pagesmith tenant update acme --region DE"],
    ),
    ("tenant suspend", &["pagesmith tenant suspend acme"]),
    ("tenant resume", &["pagesmith tenant resume acme"]),
    (
        "tenant agent",
        &[
            "pagesmith tenant agent acme",
            "pagesmith tenant agent acme --kind openai --model MODEL --key-file key.txt",
            "pagesmith tenant agent acme --token-budget 5000000",
            "pagesmith tenant agent acme --clear",
        ],
    ),
    ("tenant usage", &["pagesmith tenant usage acme", "pagesmith tenant usage acme --json"]),
    (
        "user create",
        &[
            "pagesmith user create jo@example.com --name Jo --tenant default --role owner",
            "pagesmith user create joe@example.com --name 'Joe Doe' --language de --json",
        ],
    ),
    ("user list", &["pagesmith user list", "pagesmith user list --tenant acme --json"]),
    (
        "user set-role",
        &[
            "pagesmith user set-role jane@example.com --tenant acme --role editor",
            "pagesmith user set-role jane@example.com --tenant acme --none",
        ],
    ),
    (
        "user set-operator",
        &[
            "pagesmith user set-operator jane@example.com",
            "pagesmith user set-operator jane@example.com --none",
        ],
    ),
    ("user disable", &["pagesmith user disable jane@example.com"]),
    ("user enable", &["pagesmith user enable jane@example.com"]),
    ("user remove", &["pagesmith user remove jane@example.com"]),
    ("user reset-password", &["pagesmith user reset-password jane@example.com"]),
    ("user disconnect", &["pagesmith user disconnect jane@example.com"]),
    (
        "user break-glass",
        &[
            "pagesmith user break-glass jane@example.com",
            "pagesmith user break-glass jane@example.com --remove",
        ],
    ),
    ("user remove-totp", &["pagesmith user remove-totp jane@example.com"]),
    (
        "user sessions",
        &["pagesmith user sessions jane@example.com", "pagesmith user sessions jane@example.com --end"],
    ),
    (
        "key create",
        &[
            "pagesmith key create --tenant default",
            "pagesmith key create --tenant acme --scope read --expires-in 90d",
        ],
    ),
    ("key list", &["pagesmith key list", "pagesmith key list --tenant acme --json"]),
    ("key rotate", &["pagesmith key rotate key_01jd3kq5b8e7vr2n4x6m9s0twz --overlap 1h"]),
    ("key revoke", &["pagesmith key revoke key_01jd3kq5b8e7vr2n4x6m9s0twz"]),
    ("secret-key rotate", &["pagesmith secret-key rotate", "pagesmith secret-key rotate --until added"]),
    (
        "import persons",
        &[
            "pagesmith import persons contacts.csv --tenant acme --dry-run",
            "pagesmith import persons contacts.csv --tenant acme --report refused.csv",
            "pagesmith import persons contacts.csv --tenant acme --map 'Mail 2=email'",
        ],
    ),
    (
        "export persons",
        &[
            "pagesmith export persons --tenant acme --output persons.csv",
            "pagesmith export persons --tenant acme --format jsonl > persons.jsonl",
        ],
    ),
    ("person export", &["pagesmith person export person_01jd3kq5b8e7vr2n4x6m9s0twz > person.json"]),
    ("person erase", &["pagesmith person erase person_01jd3kq5b8e7vr2n4x6m9s0twz --tenant acme"]),
    ("audit list", &["pagesmith audit list", "pagesmith audit list --tenant acme --since 7d --json"]),
    (
        "listen",
        &[
            "PAGESMITH_KEY=ps_… pagesmith listen --forward-to 127.0.0.1:9000/hook",
            "pagesmith listen --forward-to 127.0.0.1:9000/hook --since 1h",
        ],
    ),
    ("webhook verify", &["pagesmith webhook verify --secret whsec_c2VjcmV0 --signature sha256=… body"]),
    ("migrate", &["pagesmith migrate --database postgres://user:password@localhost/pagesmith"]),
    ("openapi", &["pagesmith openapi > openapi.json"]),
    ("config show", &["pagesmith config show", "pagesmith config show --config pagesmith.toml --json"]),
    ("doctor", &["pagesmith doctor", "pagesmith doctor --json"]),
    ("backup", &["pagesmith backup pagesmith-monday.db", "pagesmith backup latest.db --force"]),
    ("restore", &["pagesmith restore pagesmith-monday.db"]),
    (
        "copy",
        &[
            "pagesmith copy --to postgres://user:password@db/pagesmith",
            "pagesmith copy --from postgres://user@db/pagesmith --to sqlite:p.db",
        ],
    ),
    ("version", &["pagesmith version"]),
    (
        "completions",
        &[
            "pagesmith completions bash > /etc/bash_completion.d/pagesmith",
            "pagesmith completions zsh > ~/.zfunc/_pagesmith",
            "pagesmith completions fish > ~/.config/fish/completions/pagesmith.fish",
        ],
    ),
    ("man", &["pagesmith man | man -l -", "pagesmith man /usr/local/share/man/man1"]),
];

/// The lines for one command, named by its words.
pub fn of(path: &str) -> Option<&'static [&'static str]> {
    EXAMPLES.iter().find(|(known, _)| *known == path).map(|(_, lines)| *lines)
}
