//! The samples of every operation: curl, JavaScript and Python.

use serde_json::{Value, json};

use super::Docs;
use super::requests::{Documented, operations};

/// Chooses a language and returns its sample.
fn choose(language: &str) -> String {
    format!(
        "document.querySelector('.bench input[value={language}]').click();
         return document.querySelector('.bench pre').textContent"
    )
}

impl Docs {
    /// The sample of the operation that is shown.
    async fn sample(&self, language: &str) -> String {
        self.browser.ask(&choose(language)).await.as_str().unwrap().to_owned()
    }
}

#[tokio::test]
async fn every_operation_has_a_sample_in_three_languages() {
    let docs = Docs::start().await;
    docs.load("").await;
    let description = docs.description().await;
    for operation in operations(&description) {
        docs.go(operation.id).await;
        is_the_request(&operation, &docs.sample("curl").await);
        let javascript = docs.sample("javascript").await;
        let program = format!("(async () => {{ {javascript}\n }})");
        let program = json!({ "expression": program, "sourceURL": "", "persistScript": false });
        let compiled = docs.browser.protocol("Runtime.compileScript", program).await;
        assert_eq!(compiled.get("exceptionDetails"), None, "{}: {javascript}", operation.id);
        let python = docs.sample("python").await;
        if operation.takes_a_file() {
            assert!(javascript.contains("body: await readFile(\"price-list.pdf\"),"), "{javascript}");
            assert!(python.contains("data=pathlib.Path(\"price-list.pdf\").read_bytes(),"), "{python}");
            continue;
        }
        let body = between(&javascript, "JSON.stringify(", "),\n});");
        assert_eq!(body.map(|body| serde_json::from_str(body).unwrap()).as_ref(), operation.body());
        let body = between(&python, "json.dumps(", ").encode(),\n)");
        assert_eq!(body.map(python_value).as_ref(), operation.body(), "{}: {python}", operation.id);
    }
}

#[tokio::test]
async fn samples_read_like_programs() {
    let docs = Docs::start().await;
    for operation in ["createAccountLog", "listPages", "updatePerson", "uploadFile"] {
        docs.load(operation).await;
        let mut shown = String::new();
        for language in ["curl", "javascript", "python"] {
            shown += &format!("{}\n\n", docs.sample(language).await);
        }
        insta::assert_snapshot!(format!("samples_of_{operation}"), shown);
    }
}

#[tokio::test]
async fn the_language_is_remembered() {
    let docs = Docs::start().await;
    docs.load("createPage").await;
    docs.browser.ask(&choose("python")).await;
    docs.load("listPersons").await;
    let shown = docs.browser.ask("return document.querySelector('.bench pre').textContent").await;
    assert!(shown.as_str().unwrap().starts_with("import json"), "{shown}");
}

/// The curl command sends the request of the description's examples.
fn is_the_request(operation: &Documented<'_>, command: &str) {
    let words = shlex::split(&command.replace("\\\n", " ")).unwrap();
    let after = |flag: &str| words.iter().skip_while(|word| *word != flag).nth(1);
    assert_eq!(words[0], "curl");
    let method = after("-X").map_or("GET", String::as_str);
    assert_eq!(method, operation.method.to_uppercase(), "{command}");
    let mut path = operation.path.to_owned();
    for parameter in operation.entry["parameters"].as_array().unwrap() {
        let [name, example] = ["name", "example"].map(|field| parameter[field].as_str().unwrap_or_default());
        path = path.replace(&format!("{{{name}}}"), example);
    }
    assert!(words.contains(&format!("http://pagesmith.test{path}")), "{command}");
    assert!(words.contains(&"x-api-key: $API_KEY".to_owned()), "{command}");
    let file = operation.takes_a_file().then(|| "@price-list.pdf".to_owned());
    assert_eq!(after("--data-binary"), file.as_ref(), "{command}");
    let body: Option<Value> = after("-d").map(|body| serde_json::from_str(body).unwrap());
    assert_eq!(body.as_ref(), operation.body(), "{command}");
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    text.split_once(start)?.1.rsplit_once(end).map(|(inside, _)| inside)
}

/// The value of a Python literal that is JSON but for its three words.
fn python_value(literal: &str) -> Value {
    let lines = literal.lines().map(|line| {
        let (start, word) = line.rsplit_once(' ').unwrap_or(("", line));
        let (word, comma) = word.strip_suffix(',').map_or((word, ""), |word| (word, ","));
        let word = match word {
            "True" => "true",
            "False" => "false",
            "None" => "null",
            "true" | "false" | "null" => panic!("{line} is no Python"),
            other => other,
        };
        format!("{start} {word}{comma}\n")
    });
    serde_json::from_str(&lines.collect::<String>()).unwrap()
}
