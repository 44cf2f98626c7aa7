//! Models that cannot be asked, say nothing, break off, or never come to an end.

use std::sync::Arc;

use pagesmith_model::agent::AgentKind;
use pagesmith_testkit::model_server::{Act, Reply};
use serde_json::json;

use super::{Modelled, remove, set};
use crate::agent::models::KINDS;

const AWAY: &str = "The model could not be asked, so I did without it. Removed “Questions”.";

#[tokio::test]
async fn without_a_model_that_answers_the_offline_editor_does_it_and_says_so() {
    for kind in KINDS {
        for reply in [
            Reply::Status(500, vec![], String::new()),
            Reply::Status(401, vec![], String::new()),
            Reply::Refuses,
            Reply::Acts(vec![]),
            Reply::Acts(vec![Act::Says("  \n")]),
            Reply::Breaks("I will".to_owned()),
        ] {
            let this = Modelled::start(kind).await;
            this.model.reply([reply.clone()]);
            let answer = this.said("Remove the questions").await;
            assert_eq!(answer["content"], AWAY, "{reply:?}");
            assert_eq!(this.scene.blocks().await, ["top", "why"], "{reply:?}");
        }
    }
}

#[tokio::test]
async fn what_neither_understands_changes_nothing_and_is_told() {
    let this = Modelled::start(AgentKind::OpenAi).await;
    let before = this.scene.content().await;
    let answer = this.said("Make it sing").await;
    let told = answer["content"].as_str().unwrap();
    assert!(
        told.starts_with("The model could not be asked, so I did without it. I did not understand"),
        "{told}"
    );
    assert_eq!(this.scene.content().await, before);
}

#[tokio::test]
async fn a_server_that_asks_to_wait_is_left_alone_that_long() {
    let this = Modelled::start(AgentKind::Anthropic).await;
    this.model.reply([Reply::Status(429, vec![("retry-after", "60".to_owned())], String::new())]);
    assert_eq!(this.said("Remove the questions").await["content"], AWAY);
    this.said("Remove the text").await;
    assert_eq!(this.model.asked().len(), 1);
    this.scene.app.advance(std::time::Duration::from_secs(61));
    this.acts([vec![Act::Says("What else?")]]);
    assert_eq!(this.said("Hm").await["content"], "What else?");
}

#[tokio::test]
async fn when_the_budget_is_used_up_the_offline_editor_does_it() {
    let mut this = Modelled::start(AgentKind::OpenAi).await;
    Arc::make_mut(&mut this.tools.generation.models.usual).budget.tokens = 20_000;
    this.model.count(15_000, 6_000);
    this.acts([vec![Act::Says("What shall I do?")]]);
    this.said("Hm").await;
    assert_eq!(this.used().await, (1, 21_000));
    let answer = this.said("Remove the questions").await;
    let told = answer["content"].as_str().unwrap();
    assert!(told.starts_with("This month's budget for models is used up"), "{told}");
    assert_eq!((this.scene.blocks().await.len(), this.model.asked().len()), (2, 1));
}

#[tokio::test]
async fn a_budget_below_one_answer_is_not_called_used_up() {
    for (message, whole, rest) in [
        (
            "Remove the questions",
            "The month's budget for models is smaller than what one answer takes, so",
            "What is left of this month's budget for models is less than what one answer takes, so",
        ),
        (
            "Entferne bitte die Fragen",
            "Das Monatsbudget für Modelle ist kleiner als das, was eine Antwort braucht, ",
            "Der Rest des Budgets für Modelle in diesem Monat ist kleiner als das, was eine Antwort braucht, ",
        ),
        (
            "Supprime les questions, s'il te plaît",
            "Le budget mensuel des modèles est inférieur à ce que demande une réponse, ",
            "Ce qui reste ce mois-ci du budget des modèles est inférieur à ce que demande une réponse, ",
        ),
        (
            "Quita las preguntas, por favor",
            "El presupuesto mensual de modelos es menor de lo que requiere una respuesta, ",
            "Lo que queda este mes del presupuesto de modelos es menos de lo que requiere una respuesta, ",
        ),
    ] {
        let mut this = Modelled::start(AgentKind::OpenAi).await;
        let budget = |this: &mut Modelled, tokens: u64| {
            Arc::make_mut(&mut this.tools.generation.models.usual).budget.tokens = tokens;
        };
        budget(&mut this, 300);
        let told = this.said(message).await;
        assert!(told["content"].as_str().unwrap().starts_with(whole), "{told}");
        assert_eq!((this.model.asked().len(), this.used().await), (0, (0, 0)));
        // The budget would do, but what is left of it does not.
        budget(&mut this, 20_000);
        this.model.count(19_000, 600);
        this.acts([vec![Act::Says("What shall I do?")]]);
        this.said("Hm").await;
        let told = this.said(message).await;
        assert!(told["content"].as_str().unwrap().starts_with(rest), "{told}");
        assert_eq!((this.model.asked().len(), this.used().await), (1, (1, 19_600)));
    }
}

#[tokio::test]
async fn a_key_that_cannot_be_opened_is_like_no_model() {
    let this = Modelled::start(AgentKind::OpenAi).await;
    let (tenant, now) = (this.scene.app.tenant.clone(), this.scene.app.platform.clock().now());
    let stored = pagesmith_store::tables::agent::StoredAgent {
        kind: Some(AgentKind::OpenAi),
        base_url: Some(this.model.url()),
        model: Some("scribe-1".to_owned()),
        api_key: Some(vec![1, 2, 3]),
        ..Default::default()
    };
    let save = this
        .scene
        .app
        .store
        .write(move |tx| tx.run(pagesmith_store::tables::agent::save(&tenant, &stored, now)).map(drop));
    save.await.unwrap();
    assert_eq!(this.said("Remove the questions").await["content"], AWAY);
    assert_eq!(this.model.asked().len(), 0);
}

#[tokio::test]
async fn an_answer_that_breaks_off_keeps_what_was_finished() {
    for kind in KINDS {
        let this = Modelled::start(kind).await;
        // What comes next is a server that fails.
        this.acts([vec![Act::Says("First the questions."), remove("faq")]]);
        let answer = this.said("Tidy up").await;
        assert_eq!(
            answer["content"],
            "First the questions.\n\nI did not get to the end. What I had done until then is kept."
        );
        assert_eq!(this.scene.blocks().await, ["top", "why"]);
    }
}

#[tokio::test]
async fn a_model_that_loops_is_left_after_some_rounds() {
    for kind in KINDS {
        let this = Modelled::start(kind).await;
        let titles = ["Forecasts", "Plans"];
        this.acts((0..20).map(|round| vec![set("top", "/title", titles[round % 2])]));
        let answer = this.said("Find a better headline").await;
        assert!(answer["content"].as_str().unwrap().contains("did not get to the end"), "{answer}");
        assert_eq!(this.model.asked().len(), 8);
        assert_eq!(this.scene.content().await["blocks"][0]["title"], "Plans");
        assert_eq!(answer["blockChanges"].as_array().unwrap().len(), 8);
        // Taken back as a whole.
        this.said("undo").await;
        assert_eq!(this.scene.content().await["blocks"][0]["title"], "Really simple forecasts for teams");
    }
}

#[tokio::test]
async fn a_model_that_repeats_itself_is_not_asked_for_ever() {
    let this = Modelled::start(AgentKind::Anthropic).await;
    this.acts((0..20).map(|_| vec![set("top", "/title", "Forecasts")]));
    let answer = this.said("Find a better headline").await;
    assert_eq!((&answer["content"], this.model.asked().len()), (&json!("Done."), 3));
}

#[tokio::test]
async fn an_answer_with_too_many_calls_does_only_the_first() {
    let this = Modelled::start(AgentKind::OpenAi).await;
    let many = (0..80).map(|at| set("top", "/title", ["Forecasts", "Plans"][at % 2])).collect();
    this.acts([many, vec![Act::Says("Done.")]]);
    let answer = this.said("Find a better headline").await;
    assert_eq!(answer["blockChanges"].as_array().unwrap().len(), 60);
}

#[tokio::test]
async fn tokens_of_one_message_have_a_bound() {
    let this = Modelled::start(AgentKind::OpenAi).await;
    this.model.count(80_000, 100);
    let titles = ["Forecasts", "Plans"];
    this.acts((0..20).map(|round| vec![set("top", "/title", titles[round % 2])]));
    let answer = this.said("Find a better headline").await;
    assert_eq!(this.model.asked().len(), 2);
    assert!(answer["content"].as_str().unwrap().contains("did not get to the end"), "{answer}");
    assert_eq!(this.used().await, (1, 160_200));
}
