//! What holds for every brief: a valid document, the same each time, nothing of what was meant for the writer.

use std::sync::OnceLock;

use jsonschema::Validator;
use pagesmith_model::Timestamp;
use pagesmith_model::asset::AssetType;
use pagesmith_model::brief::{AccountBrief, AssetBrief, Brief, ChunkBrief, LogBrief, PersonBrief};
use pagesmith_model::content::Content;
use pagesmith_model::page::PageType;
use pagesmith_template_agent::compose;
use pagesmith_template_agent::shared::check;
use proptest::prelude::*;

use crate::briefs;

fn validator() -> &'static Validator {
    static VALIDATOR: OnceLock<Validator> = OnceLock::new();
    VALIDATOR.get_or_init(|| {
        let schema = schemars::SchemaGenerator::default().into_root_schema_for::<Content>().to_value();
        jsonschema::validator_for(&schema).unwrap()
    })
}

/// The page of a brief, after everything that must hold for it has been seen to hold.
fn page(brief: &Brief) -> Content {
    let content = compose(brief).content;
    let value = serde_json::to_value(&content).unwrap();
    let errors: Vec<String> =
        validator().iter_errors(&value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{value:#}");
    assert_eq!(content.issues(&|id| brief.actions.iter().any(|action| action.id() == id)), []);
    assert!(content.blocks.iter().all(|block| block.block_id().is_some()));
    assert!(
        content.head.title.is_some() && content.head.description.is_some() && content.head.language.is_some()
    );
    assert!(content.blocks.len() <= 40, "{}", content.blocks.len());
    assert_eq!(compose(brief).content, content);
    assert_eq!(check::check(brief, &content), [], "{value:#}");
    content
}

/// What visitors see of a page.
pub fn visible(content: &Content) -> String {
    let mut content = content.clone();
    content.head.unapplied_instructions.clear();
    content.head.sources.clear();
    serde_json::to_string(&content).unwrap()
}

const TYPES: [PageType; 5] =
    [PageType::Inbound, PageType::Outbound, PageType::CallFollowup, PageType::SalesDeck, PageType::Custom];

#[test]
fn realistic_briefs_give_valid_pages_of_every_type() {
    let all = [
        briefs::outbound(),
        briefs::followup(),
        briefs::deck(),
        briefs::little(),
        briefs::word(),
        briefs::only_instructions(),
        briefs::custom(),
        briefs::fields(),
        briefs::special(),
        briefs::german(),
        briefs::japanese(),
        briefs::arabic(),
    ];
    for brief in all {
        for page_type in TYPES {
            page(&Brief { page_type, ..brief.clone() });
        }
    }
}

/// Every line that the template itself takes for an instruction, and the places in which operators put them.
#[test]
fn no_instruction_reaches_a_visitor() {
    let corpus = include_str!("../../src/stance/instructions.txt");
    for line in corpus.lines() {
        let contexts = [
            format!("{line}\n\nWe bake bread for the whole street. Come and see us in the morning."),
            format!(
                "# Sunrise Bakery\n\nWe bake bread for the whole street. {line} Come and see us.\n\n- {line}\n- Rye\n- Spelt\n- Wheat"
            ),
            format!("We bake bread for the whole street.\n{line}\n\n## {line}\n\n> {line}"),
            line.to_owned(),
        ];
        for context in contexts {
            for page_type in TYPES {
                let brief = Brief {
                    supplementary_context: Some(line.to_owned()),
                    logs: vec![briefs::log("user", "note", &serde_json::json!({ "text": line }))],
                    actions: vec![briefs::action(0, "a", "Order bread", line)],
                    ..Brief::new(page_type, "Bread", &context)
                };
                let shown = visible(&page(&brief));
                let bare = line.trim_end_matches(['.', '。', '!']);
                assert!(!shown.contains(bare), "{line}\nin {context}\n{shown}");
            }
        }
    }
}

#[test]
fn internal_data_of_logs_and_columns_stays_internal() {
    let brief = briefs::followup();
    for page_type in TYPES {
        for brief in [Brief { page_type, ..brief.clone() }, Brief { page_type, ..briefs::outbound() }] {
            let shown = visible(&page(&brief));
            for secret in [
                "87",
                "54000",
                "rec_01",
                "60 %",
                "champion",
                "8812345678901",
                "proposal",
                "40k",
                "someone@example.com",
            ] {
                assert!(!shown.contains(secret), "{secret} in {shown}");
            }
        }
    }
}

#[test]
fn a_megabyte_costs_what_a_page_can_use() {
    let sources = [
        "Bread is good. ".repeat(70_000),
        "x".repeat(1 << 20),
        "- **Point**: text\n".repeat(60_000),
        "# Heading\n\nText.\n\n".repeat(50_000),
        "<b><i>".repeat(170_000),
        "[".repeat(1 << 20),
        "*_`".repeat(340_000),
        "> ".repeat(500_000),
        "| a ".repeat(260_000),
        "パンは美味しい。".repeat(40_000),
        "?\n".repeat(500_000),
        "a: b\n".repeat(200_000),
        "https://a.b/".repeat(80_000),
        ".".repeat(1 << 20),
        "1. ".repeat(340_000),
        "?! »".repeat(200_000),
    ];
    for (source, page_type) in sources.iter().zip(TYPES.into_iter().cycle()) {
        let brief = Brief {
            supplementary_context: Some(source.clone()),
            logs: vec![briefs::log("user", "note", &serde_json::json!({ "text": source }))],
            ..Brief::new(page_type, source, source)
        };
        page(&brief);
    }
}

#[test]
fn hostile_markup_becomes_text_or_nothing() {
    let brief = Brief::new(
        PageType::Inbound,
        "<img src=x onerror=alert(1)>",
        "<script>alert(1)</script><img src=x onerror=alert(1)>[click](javascript:alert(1)) ![x](javascript:alert(1))\n\n\
         <a href=\"data:text/html,x\">data</a> <svg/onload=alert(1)> [ok](https://example.com/a_b)\n\n<iframe src=//evil.example></iframe>",
    );
    let shown = visible(&page(&brief));
    for bad in ["alert", "javascript:", "data:", "<script", "<img", "<svg", "<iframe", "onerror"] {
        assert!(!shown.contains(bad), "{bad} in {shown}");
    }
}

#[test]
fn very_long_words_and_odd_scripts_are_no_trouble() {
    for context in [
        "W".repeat(200),
        "é".repeat(200),
        "👩‍👩‍👧".repeat(100),
        "ا".repeat(300),
        format!("# {}\n\n{}", "长".repeat(400), "字".repeat(5000)),
    ] {
        for page_type in TYPES {
            page(&Brief::new(page_type, "Page", &context));
        }
    }
}

fn a_context() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        "[A-Za-z ,.!?]{0,60}",
        "\\PC{0,40}",
        Just("# Heading".to_owned()),
        Just("## Why us?".to_owned()),
        Just("- **Fast**: very fast".to_owned()),
        Just("- 42 % more".to_owned()),
        Just("> “Good.” — Ann".to_owned()),
        Just("| a | b |\n|---|---|\n| 1 | 2 |".to_owned()),
        Just("Tone: friendly".to_owned()),
        Just("Q: Is it?".to_owned()),
        Just("A: It is, for sure it is.".to_owned()),
        Just("a;b;c".to_owned()),
        Just("https://youtu.be/abc".to_owned()),
        Just("![alt](https://x.y/z.png)".to_owned()),
        Just("```\ncode\n```".to_owned()),
        Just("<p>html</p>".to_owned()),
        Just("Ignore the above.".to_owned()),
        Just(String::new()),
    ];
    prop::collection::vec(line, 0..24).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_brief_gives_a_valid_page(
        page_type in prop::sample::select(TYPES.to_vec()),
        page_name in "\\PC{0,30}",
        page_context in a_context(),
        supplementary in prop::option::of(a_context()),
        name in prop::option::of("\\PC{0,20}|[A-Z][a-z]{1,6} [A-Z][a-z]{1,8}"),
        company in prop::option::of(prop::option::of("\\PC{0,20}")),
        columns in prop::collection::vec(("(title|goal|pain|x)", "\\PC{0,30}"), 0..4),
        payloads in prop::collection::vec("\\PC{0,30}|\\{\"text\": \"[a-zA-Z .:\\-]{0,60}\"\\}", 0..4),
        actions in 0usize..4,
        chunks in prop::collection::vec((prop::option::of("\\PC{0,20}"), a_context()), 0..4),
        repeats in any::<bool>(),
        assets in prop::collection::vec((0..4_usize, "\\PC{0,30}|(hero|customer|bread) [a-z]{3,9}", "\\PC{0,30}"), 0..6),
    ) {
        let mut knowledge: Vec<_> = chunks.into_iter().map(|(heading, text)| chunk(heading, text)).collect();
        if repeats {
            knowledge.push(chunk(None, page_context.clone()));
        }
        let brief = Brief {
            knowledge,
            assets: assets.into_iter().enumerate().map(|(at, (kind, name, purpose))| asset(at, kind, &name, &purpose)).collect(),
            supplementary_context: supplementary,
            actions: (0..actions).map(|at| briefs::action(at, &format!("a{at}"), "Go", "Go there")).collect(),
            person: name.map(|name| PersonBrief { name, email: None, domain: None, columns }),
            account: company.map(|name| AccountBrief { name, domain: "acme.com".to_owned() }),
            logs: payloads.into_iter().map(|payload| LogBrief {
                source: "user".to_owned(), kind: "note".to_owned(), at: Timestamp::from_micros(0), payload,
            }).collect(),
            ..Brief::new(page_type, &page_name, &page_context)
        };
        page(&brief);
    }
}

fn chunk(heading: Option<String>, text: String) -> ChunkBrief {
    let (chunk_id, topic_entry_id) = ("chunk_1".to_owned(), "topicentry_1".to_owned());
    ChunkBrief { chunk_id, topic_entry_id, title: "Handbook".to_owned(), url: None, heading, text }
}

fn asset(at: usize, kind: usize, name: &str, purpose: &str) -> AssetBrief {
    let kinds = [AssetType::Image, AssetType::Logo, AssetType::Icon, AssetType::Video];
    AssetBrief {
        asset_id: format!("asset_{at}"),
        kind: kinds[kind],
        name: name.to_owned(),
        purpose: purpose.to_owned(),
        tags: vec![purpose.chars().rev().collect()],
        video_url: (kind == 3).then(|| "https://www.youtube.com/watch?v=aqz-KE-bpKQ".to_owned()),
    }
}
