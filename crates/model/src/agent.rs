//! Who writes a tenant's pages: the template, or a model behind an API, with what that may cost.
//!
//! What this is not: the agents themselves, which are the crate `agent`, nor where a tenant's choice is kept.
//! Invariant: a key is shown by nothing here but [`ApiKey::expose`].

use std::fmt;
use std::str::FromStr;

use crate::amount::Amount;
use crate::network::Networks;
use crate::seal::{NONCE_LENGTH, SecretKeys};
use crate::time::Timestamp;
use crate::webhook::url;

/// The longest name of a model, in characters.
const LONGEST_MODEL: usize = 200;
/// The longest key.
const LONGEST_KEY: usize = 4_096;

/// Which agent writes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AgentKind {
    /// The template, which needs nobody.
    #[default]
    Template,
    /// A model behind an API of the chat-completions form.
    OpenAi,
    /// A model behind an API of the messages form.
    Anthropic,
}

impl AgentKind {
    /// Every kind.
    pub const ALL: [AgentKind; 3] = [AgentKind::Template, AgentKind::OpenAi, AgentKind::Anthropic];

    /// The kind as it is set, stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            AgentKind::Template => "template",
            AgentKind::OpenAi => "openai",
            AgentKind::Anthropic => "anthropic",
        }
    }

    /// The kind of that text.
    pub fn parse(text: &str) -> Option<AgentKind> {
        AgentKind::ALL.into_iter().find(|kind| kind.as_str() == text)
    }

    /// Where its API is unless another address is set.
    pub fn usual_address(self) -> &'static str {
        match self {
            AgentKind::Template => "",
            AgentKind::OpenAi => "https://api.openai.com/v1",
            AgentKind::Anthropic => "https://api.anthropic.com",
        }
    }
}

impl fmt::Display for AgentKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl FromStr for AgentKind {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<AgentKind, &'static str> {
        AgentKind::parse(text).ok_or("template, openai or anthropic")
    }
}

/// The key of an API; never shown by `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// The key in a text, white space around it left out; `None` unless it can be in a header.
    pub fn parse(text: &str) -> Option<ApiKey> {
        let text = text.trim();
        let fits =
            (1..=LONGEST_KEY).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| ApiKey(text.to_owned()))
    }

    /// The text.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Encrypted, for the row that `bound` names.
    pub fn seal(&self, keys: &SecretKeys, nonce: [u8; NONCE_LENGTH], bound: &str) -> Vec<u8> {
        keys.seal(nonce, bound.as_bytes(), self.0.as_bytes())
    }

    /// What [`ApiKey::seal`] made for the same row under one of the keys.
    pub fn open(keys: &SecretKeys, bound: &str, sealed: &[u8]) -> Option<ApiKey> {
        String::from_utf8(keys.open(bound.as_bytes(), sealed)?).ok().map(ApiKey)
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("ApiKey(…)")
    }
}

/// What a million tokens cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Prices {
    /// Of those that the model reads.
    pub input: Amount,
    /// Of those that it writes.
    pub output: Amount,
}

impl Prices {
    /// What so many tokens of each cost.
    pub fn cost(&self, input_tokens: u64, output_tokens: u64) -> Amount {
        self.input.of_tokens(input_tokens).plus(self.output.of_tokens(output_tokens))
    }

    /// Whether nothing is known of what tokens cost.
    pub fn are_unknown(&self) -> bool {
        self.input.is_zero() && self.output.is_zero()
    }
}

/// What was used of models: by a version, or by a tenant in a month.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Used {
    /// Tokens that they read.
    pub input_tokens: u64,
    /// Tokens that they wrote.
    pub output_tokens: u64,
    /// What that cost.
    pub cost: Amount,
}

impl Used {
    /// All tokens together.
    pub fn tokens(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }
}

/// What a tenant may use of models in a month; of what is zero, as much as it likes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Budget {
    /// Tokens.
    pub tokens: u64,
    /// Money.
    pub cost: Amount,
}

impl Budget {
    /// What both allow: of each, the smaller amount; zero is any.
    #[must_use]
    pub fn least(self, other: Budget) -> Budget {
        let tokens = match (self.tokens, other.tokens) {
            (0, any) | (any, 0) => any,
            (one, another) => one.min(another),
        };
        let cost = match (self.cost, other.cost) {
            (none, any) | (any, none) if none.is_zero() => any,
            (one, another) => one.min(another),
        };
        Budget { tokens, cost }
    }

    /// How many tokens are left after what was used, whichever of reading and writing costs more; `None`: any number.
    pub fn left(&self, used: &Used, prices: &Prices) -> Option<u64> {
        let by_tokens = (self.tokens > 0).then(|| self.tokens.saturating_sub(used.tokens()));
        let is_limited = !self.cost.is_zero() && !prices.are_unknown();
        let by_cost =
            is_limited.then(|| self.cost.minus(used.cost).tokens_at(prices.input.max(prices.output)));
        by_tokens.into_iter().chain(by_cost).min()
    }

    /// A month's budget in words: of tokens and money, what is used up first.
    pub fn shown(&self, prices: &Prices) -> String {
        let Some(tokens) = self.left(&Used::default(), prices) else {
            return "any number of tokens".to_owned();
        };
        if self.tokens > 0 && tokens == self.tokens {
            return format!("{tokens} tokens a month");
        }
        format!("{} a month, which pays for {tokens} tokens at the higher of both prices", self.cost)
    }
}

/// An agent with everything that it needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentSettings {
    /// Which one.
    pub kind: AgentKind,
    /// Where the model's API is.
    pub base_url: String,
    /// The model's name.
    pub model: String,
    /// The API's key, if it wants one.
    pub key: Option<ApiKey>,
    /// What tokens cost.
    pub prices: Prices,
    /// What a tenant may use of it.
    pub budget: Budget,
}

/// A setting that does not fit the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnfitSetting {
    /// The setting: `model`, `base_url`, `api_key` or `cost_budget`.
    pub setting: &'static str,
    /// What it must be.
    pub expected: String,
}

impl AgentSettings {
    /// The first setting that does not fit, if one does not; reserved addresses in `networks` may be spoken to.
    pub fn unfit_setting(&self, networks: &Networks) -> Option<UnfitSetting> {
        if self.kind == AgentKind::Template {
            return None;
        }
        let wrong = |setting, expected: String| Some(UnfitSetting { setting, expected });
        let length = self.model.chars().count();
        if !(1..=LONGEST_MODEL).contains(&length) || self.model.chars().any(char::is_control) {
            return wrong("model", format!("the name of a model, which {} needs", self.kind));
        }
        if let Err(refusal) = url::check(&self.base_url, networks) {
            return wrong("base_url", format!("an address to which requests may go ({refusal})"));
        }
        if let Some((_, query)) = self.base_url.split_once('?')
            && !(self.kind == AgentKind::OpenAi && names_a_version(query))
        {
            let expected = "an address without a query, other than `?api-version=…` of the kind openai";
            return wrong("base_url", expected.to_owned());
        }
        if self.key.is_none() && self.base_url == self.kind.usual_address() {
            return wrong("api_key", format!("the key for {}", self.base_url));
        }
        if !self.budget.cost.is_zero() && self.prices.are_unknown() {
            let expected = "0 as long as neither input_price nor output_price says what tokens cost";
            return wrong("cost_budget", expected.to_owned());
        }
        None
    }
}

/// Whether a query says which version of the API is meant, as Azure has it, and nothing that could be a secret.
fn names_a_version(query: &str) -> bool {
    let version = query.strip_prefix("api-version=").unwrap_or_default();
    let plain = |char: char| char.is_ascii_alphanumeric() || matches!(char, '-' | '.');
    !version.is_empty() && version.len() <= 40 && version.chars().all(plain)
}

/// The month of an instant in UTC, such as `2026-03`.
pub fn month_of(at: Timestamp) -> String {
    let mut text = at.to_string();
    text.truncate(7);
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::seal::SecretKey;

    fn settings() -> AgentSettings {
        AgentSettings {
            kind: AgentKind::OpenAi,
            base_url: "https://models.example/v1".to_owned(),
            model: "m".to_owned(),
            ..AgentSettings::default()
        }
    }

    fn unfit_setting(change: impl FnOnce(&mut AgentSettings)) -> Option<&'static str> {
        let mut changed = settings();
        change(&mut changed);
        changed.unfit_setting(&Networks::default()).map(|unfit| unfit.setting)
    }

    #[test]
    fn what_does_not_fit_is_named() {
        assert_eq!(unfit_setting(|_| {}), None);
        assert_eq!(AgentSettings::default().unfit_setting(&Networks::default()), None);
        assert_eq!(unfit_setting(|settings| settings.model.clear()), Some("model"));
        assert_eq!(unfit_setting(|settings| settings.model = "a\nb".to_owned()), Some("model"));
        for address in
            ["", "models.example", "ftp://x.example", "https://u:p@x.example", "http://127.0.0.1:9"]
        {
            assert_eq!(
                unfit_setting(|settings| settings.base_url = address.to_owned()),
                Some("base_url"),
                "{address}"
            );
        }
        for query in ["?a=b", "?", "?api-version=", "?api-version=1&key=x", "?api-version=a b"] {
            assert_eq!(
                unfit_setting(|settings| settings.base_url.push_str(query)),
                Some("base_url"),
                "{query}"
            );
        }
        let version = "?api-version=2024-10-21-preview";
        assert_eq!(unfit_setting(|settings| settings.base_url.push_str(version)), None);
        let of_another_kind = |settings: &mut AgentSettings| {
            settings.kind = AgentKind::Anthropic;
            settings.base_url.push_str(version);
        };
        assert_eq!(unfit_setting(of_another_kind), Some("base_url"));
        let usual = AgentKind::OpenAi.usual_address();
        assert_eq!(unfit_setting(|settings| settings.base_url = usual.to_owned()), Some("api_key"));
        let cost = Amount::from_micros(1);
        assert_eq!(unfit_setting(|settings| settings.budget.cost = cost), Some("cost_budget"));
        let priced = |settings: &mut AgentSettings| {
            settings.budget.cost = cost;
            settings.prices.output = cost;
        };
        assert_eq!(unfit_setting(priced), None);
        let local = AgentSettings { base_url: "http://127.0.0.1:9000".to_owned(), ..settings() };
        assert_eq!(local.unfit_setting(&"127.0.0.0/8".parse().unwrap()), None);
    }

    #[test]
    fn a_key_is_not_shown_and_opens_only_where_it_was_sealed() {
        let key = ApiKey::parse(" sk-secret\n").unwrap();
        assert_eq!((key.expose(), format!("{key:?}").as_str()), ("sk-secret", "ApiKey(…)"));
        for text in ["", " ", "a b", "a\nb", "schlüssel"] {
            assert_eq!(ApiKey::parse(text), None, "{text}");
        }
        let server = SecretKeys::from(SecretKey::new([7; 32]));
        let sealed = key.seal(&server, [1; NONCE_LENGTH], "row 1");
        assert_eq!(ApiKey::open(&server, "row 1", &sealed), Some(key));
        assert_eq!(ApiKey::open(&server, "row 2", &sealed), None);
        assert_eq!(ApiKey::open(&SecretKey::new([8; 32]).into(), "row 1", &sealed), None);
    }

    #[test]
    fn of_two_budgets_the_smaller_counts_and_zero_is_any() {
        let budget = |tokens, micros| Budget { tokens, cost: Amount::from_micros(micros) };
        for (one, other, least) in [
            (budget(0, 0), budget(0, 0), budget(0, 0)),
            (budget(10, 0), budget(0, 5), budget(10, 5)),
            (budget(10, 7), budget(20, 5), budget(10, 5)),
        ] {
            assert_eq!((one.least(other), other.least(one)), (least, least));
        }
    }

    #[test]
    fn the_budget_that_is_used_up_first_counts() {
        let prices = Prices { input: "1".parse().unwrap(), output: "4".parse().unwrap() };
        let used = Used { input_tokens: 700, output_tokens: 100, cost: prices.cost(700, 100) };
        assert_eq!(used.cost.micros(), 1_100);
        let left = |tokens, micros| Budget { tokens, cost: Amount::from_micros(micros) }.left(&used, &prices);
        assert_eq!(left(0, 0), None);
        assert_eq!(left(1_000, 0), Some(200));
        assert_eq!(left(800, 0), Some(0));
        assert_eq!(left(10, 0), Some(0));
        assert_eq!(left(0, 1_500), Some(100));
        assert_eq!(left(1_000, 1_500), Some(100));
        assert_eq!(left(0, 1_100), Some(0));
        assert_eq!(Budget { tokens: 0, cost: Amount::from_micros(1) }.left(&used, &Prices::default()), None);
    }

    #[test]
    fn a_month_is_one_of_utc() {
        assert_eq!(month_of(Timestamp::from_micros(1_772_366_400_000_000)), "2026-03");
        assert_eq!(month_of(Timestamp::from_micros(-1)), "1969-12");
    }

    proptest! {
        #[test]
        fn what_is_left_never_breaks_a_budget(
            tokens in 0_u64..1_000_000, micros in 0_u64..10_000_000, input in 0_u64..100_000_000, output in 0_u64..100_000_000,
            before in (0_u64..100_000, 0_u64..100_000), share in 0_u64..=100,
        ) {
            let prices = Prices { input: Amount::from_micros(input), output: Amount::from_micros(output) };
            let budget = Budget { tokens, cost: Amount::from_micros(micros) };
            let used = Used { input_tokens: before.0, output_tokens: before.1, cost: prices.cost(before.0, before.1) };
            let Some(left) = budget.left(&used, &prices) else { return Ok(()) };
            let read = left / 100 * share;
            let more = prices.cost(read, left - read);
            if left > 0 && tokens > 0 {
                prop_assert!(used.tokens() + left <= tokens);
            }
            if left > 0 && micros > 0 && !prices.are_unknown() {
                // Each of the two parts may be rounded up.
                prop_assert!(used.cost.plus(more).micros() <= micros + 1);
            }
        }
    }
}
