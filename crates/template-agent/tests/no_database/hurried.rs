//! Sentences as people type them in a hurry: facts beside remarks, companies before orders, clauses that need their sentence.

use pagesmith_model::brief::Brief;
use pagesmith_model::content::Content;
use pagesmith_model::content::component::Component;
use pagesmith_model::page::PageType;
use pagesmith_template_agent::compose;

use crate::every_brief::visible;

fn content(context: &str) -> Content {
    compose(&Brief::new(PageType::Inbound, "Page", context)).content
}

fn is_named(content: &Content, text: &str) -> bool {
    content.head.unapplied_instructions.iter().any(|named| named.contains(text))
}

#[test]
fn an_order_behind_a_fact_takes_nothing_of_it() {
    for (context, told, order) in [
        (
            "Wet Nose is a dog grooming van in Bristol. Book on 0117 496 0000 or wetnose.example/book pls make it look nice",
            "wetnose.example/book",
            "make it look nice",
        ),
        (
            "We fit kitchens in Hull. Call 01482 496 0000 please make the page short and sweet",
            "01482 496 0000",
            "make the page",
        ),
    ] {
        let content = content(context);
        assert!(visible(&content).contains(told) && !visible(&content).contains(order), "{content:?}");
    }
}

#[test]
fn a_company_is_told_whatever_its_trade_is_called() {
    for context in [
        "Wet Nose is a dog grooming van in Bristol. Nervous dogs welcome. Please make it look nice.",
        "Wet Nose is a dog grooming van in Bristol. Book on 0117 496 0000 or wetnose.example/book pls make it look nice",
    ] {
        let content = content(context);
        assert_eq!(content.head.site_name.as_deref(), Some("Wet Nose"), "{content:?}");
        assert!(!is_named(&content, "Wet Nose is"), "{content:?}");
    }
}

#[test]
fn nobody_in_particular_is_no_company() {
    for context in [
        "Voilà le texte pour la page du BLOC 7, notre salle d'escalade de bloc à Lyon. On a aussi un sauna. On organise des séminaires.",
        "Le restaurant est ouvert du lundi au vendredi 10h-23h30. On cuisine au feu de bois à Lyon. On livre aussi.",
        "Unsere Kletterhalle steht in Köln. Man kann auch saunieren. Man darf Hunde mitbringen.",
        "Nuestra sala está en Vigo. Se organizan seminarios. Se alquila material.",
        "De hal staat in Breda. Men kan er ook eten. Men mag honden meenemen.",
        "Vår hall ligger i Malmö. Man kan också basta. Man får ta med hundar.",
    ] {
        let name = content(context).head.site_name;
        let pronouns = ["On", "Man", "Se", "Men"];
        assert!(!name.as_deref().is_some_and(|name| pronouns.contains(&name)), "{context}: {name:?}");
    }
}

#[test]
fn a_fact_beside_a_remark_is_on_the_page_or_named() {
    for (context, facts) in [
        (
            "We repair boilers in Hull. Call-out £80. Strictly speaking we are not insured for gas, so leave that bit out.",
            ["£80", "not insured"],
        ),
        (
            "Wir reparieren Heizungen in Kassel. Anfahrt 80 €. Streng genommen fehlt uns die Zulassung für Gas, also das bitte nicht.",
            ["80 €", "Zulassung"],
        ),
        (
            "Hacemos prótesis en Puebla. Consulta 300 pesos. En rigor no tenemos permiso de rayos X, así que eso no lo pongas.",
            ["300 pesos", "permiso"],
        ),
        (
            "Nous réparons des chaudières à Metz. Déplacement 80 €. À vrai dire on n'est pas assurés pour le gaz, ça reste entre nous.",
            ["80 €", "assurés"],
        ),
    ] {
        let content = content(context);
        let page = visible(&content);
        let [told, secret] = facts;
        assert!(page.contains(told), "{told}: {content:?}");
        assert!(!page.contains(secret) && is_named(&content, secret), "{secret}: {content:?}");
    }
}

#[test]
fn a_question_that_a_sentence_tells_of_goes_with_its_answer() {
    let told = |context: &str| visible(&content(context));
    let fence =
        "We put up fences in Devon. People ask whether they need a permit. Up to two metres you do not.";
    let page = told(fence);
    assert!(page.contains("Do they need a permit?") && page.contains("Up to two metres"), "{page}");
    let taken_back = "We put up fences in Devon. People ask whether we are insured. We are not insured. Leave that bit out.";
    let page = told(taken_back);
    assert!(!page.contains("insured"), "{page}");
}

#[test]
fn who_said_something_stands_on_the_line_below_it() {
    let page = visible(&content(
        "Keepsake copies the files of tax advisers.\n\n“It broke on Monday and we were paid on Tuesday.”\nMoira Kelly, partner at Kelly Dunn",
    ));
    assert!(page.contains("\"author\":\"Moira Kelly\""), "{page}");
}

#[test]
fn steps_behind_a_label_are_steps() {
    let content = content(
        "Messwart verwaltet Prüfmittel.\n\nSo läuft es: Zuerst importieren wir Ihre Liste. Danach kleben Ihre Leute die Codes. Am Ende steht ein Audit.",
    );
    let has_steps = |block: &Component| matches!(block, Component::Steps(steps) if steps.steps.len() == 3);
    assert!(content.blocks.iter().any(has_steps), "{content:?}");
}

#[test]
fn what_is_left_of_a_remark_is_not_told() {
    let page = visible(&content(
        "We wash dogs in Leeds. A bath is £30. Oh and Maggie (the other owner) wants nothing about cats. We are open every day from nine.",
    ));
    assert!(page.contains("£30") && !page.contains("Maggie"), "{page}");
}
