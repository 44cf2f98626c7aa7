//! Figures of sentences as people write them.

use super::*;
use crate::lexicon;

fn english(text: &str) -> Vec<(String, String)> {
    let lexicon = lexicon::of("en").unwrap();
    stats(text, lexicon).into_iter().map(|stat| (stat.value, stat.label)).collect()
}

fn one(text: &str) -> (String, String) {
    let all = english(text);
    assert_eq!(all.len(), 1, "{text}: {all:?}");
    all[0].clone()
}

fn pair(value: &str, label: &str) -> (String, String) {
    (value.to_owned(), label.to_owned())
}

#[test]
fn a_figure_keeps_its_unit_and_what_it_is_compared_with() {
    assert_eq!(one("42 % fewer manual journal entries."), pair("42 %", "Fewer manual journal entries"));
    assert_eq!(one("Average close: 3 days"), pair("3 days", "Average close"));
    assert_eq!(
        one("A changeover takes 3 minutes instead of 40."),
        pair("3 minutes", "A changeover takes 3 minutes instead of 40")
    );
    assert_eq!(
        one("The wait fell from 4 hours to 95 minutes."),
        pair("95 minutes", "The wait fell from 4 hours to 95 minutes")
    );
    assert_eq!(one("We close in three days.").0, "Three days");
    assert_eq!(one("It saves up to €12,000 a year").0, "Up to €12,000");
    assert_eq!(one("Over 1,200 shops in Europe"), pair("Over 1,200 shops", "In Europe"));
}

#[test]
fn the_end_of_a_telephone_number_counts_nothing() {
    let german = lexicon::of("de").unwrap();
    assert_eq!(stats("Reservieren übers Telefon 041 555 01 22 oder Formular", german), []);
    assert_eq!(english("We cook for 20 to 600 guests on the day")[0].0, "20 to 600");
}

#[test]
fn clauses_with_a_figure_each_are_figures_of_their_own() {
    assert_eq!(
        english("600+ finance teams, 42 % fewer entries and 3 days to close."),
        [pair("600+", "Finance teams"), pair("42 %", "Fewer entries"), pair("3 days", "To close")]
    );
}

#[test]
fn a_value_keeps_what_it_is_a_share_of_and_where_it_begins() {
    for (text, value) in [
        ("Last year 8 out of 10 people we placed were still there", "8 out of 10 people"),
        ("35 of 40 plants renewed", "35 of 40"),
        ("We cook for 20 to 600 guests on the day", "20 to 600"),
        ("Cranes between 30 and 500 tonnes", "Between 30 and 500 tonnes"),
        ("There are no more than nine people in a room", "No more than nine people"),
        ("A changeover went from 40 to 3 minutes", "3 minutes"),
    ] {
        assert_eq!(english(text)[0].0, value, "{text}");
    }
    let german = lexicon::of("de").unwrap();
    let lasts = "Ein begrüntes Dach hält 40 statt 20 Jahre, weil die Sonne nicht mehr darauf scheint.";
    assert_eq!(stats(lasts, german)[0].value, "40 statt 20 Jahre");
    assert_eq!(english("The roof lasts 9 instead of 5 years in the sun")[0].0, "9 instead of 5 years");
    assert_eq!(stats("Nicht mehr als 12 Tage bis zur Lieferung", german)[0].value, "Nicht mehr als 12 Tage");
}

#[test]
fn a_count_is_shown_with_what_it_counts() {
    for (text, value) in [
        ("Last year 61 kitchens between Ilkley and Leeds took their bread from us", "61 kitchens"),
        ("The terminal has 640 reefer plugs and a rail siding", "640 reefer plugs"),
        ("It made 12 wonderful old things look new", "12"),
    ] {
        assert_eq!(english(text)[0].0, value, "{text}");
    }
    assert_eq!(
        english("412 practices in Ireland work with it"),
        [("412".to_owned(), "Practices in Ireland work with it".to_owned())]
    );
}

#[test]
fn a_label_says_something() {
    assert_eq!(english("We work 24 hours, 365 days a year").len(), 1);
}

#[test]
fn a_sentence_that_only_measures_is_shown_by_what_it_measures() {
    assert_eq!(one("Each game takes 60 minutes."), pair("60 minutes", "Each game"));
    assert_eq!(one("It takes 60 minutes."), pair("60 minutes", "It takes 60 minutes"));
    let german = lexicon::of("de").unwrap();
    assert_eq!(stats("Der Einbau dauert 3 Stunden", german)[0].label, "Der Einbau");
}

#[test]
fn amounts_in_words_are_money() {
    for (tag, text, value) in [
        ("en", "Weekday price is 27 euro per person", "27 euro"),
        ("de", "Eine Reinigung kostet 95 Euro", "95 Euro"),
        ("en", "it costs 389 eur", "389 eur"),
    ] {
        let found = figures(text, lexicon::of(tag).unwrap());
        assert!(found[0].is_money, "{text}");
        assert_eq!(&text[found[0].start..found[0].end], value);
    }
}

#[test]
fn dates_times_and_names_are_no_figures() {
    for text in [
        "2024 was our best year",
        "Founded in 1987 by two brothers",
        "Open from 10:30",
        "We are open from 10 to 23h, Monday to Sunday",
        "Wir sind von 9-18 Uhr da",
        "Call 0131 496 0188",
        "ISO 27001 certified",
        "We have 2 ovens",
        "the 1st of its kind",
        "Room 217 on the left",
        "See you on 12.05.2024",
    ] {
        assert_eq!(english(text), [], "{text}");
    }
}

#[test]
fn a_range_with_a_hyphen_is_a_figure_and_a_date_or_a_telephone_number_is_none() {
    let english = lexicon::of("en").unwrap();
    let found = |text: &str| -> Vec<String> {
        figures(text, english).iter().map(|figure| text[figure.start..figure.end].to_owned()).collect()
    };
    assert_eq!(found("Glazing saves 20-25 % of the heat"), ["20-25 %"]);
    assert_eq!(found("Repairs take 3-5 days"), ["3-5 days"]);
    for text in ["Open again on 2024-05-12", "Ring 0131-555-012", "Size 40-38 fits"] {
        assert_eq!(found(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_number_keeps_its_thousand_its_unit_and_its_currency() {
    for (tag, text, figure) in [
        ("es", "Atendemos a más de 310 mil pacientes", "más de 310 mil"),
        ("es", "Somos 4 mil empleados", "4 mil"),
        ("pt", "Atendemos mais de 310 mil pacientes", "mais de 310 mil"),
        ("it", "Oltre 300 mila clienti", "Oltre 300 mila"),
        ("nl", "Meer dan 300 duizend klanten", "Meer dan 300 duizend"),
        ("de", "Mehr als 300 Tausend Kunden", "Mehr als 300 Tausend"),
        ("sv", "Över 300 tusen kunder", "Över 300 tusen"),
        ("pl", "Ponad 300 tys. klientów", "Ponad 300 tys."),
        ("es", "El resultado está en dos o tres días", "dos o tres días"),
        ("de", "Fertig in zwei bis drei Tagen", "zwei bis drei Tagen"),
        ("fr", "Réponse en 2 ou 3 jours", "2 ou 3 jours"),
        ("en", "It takes two or three days", "two or three days"),
        ("es", "La limpieza cuesta 980 pesos", "980 pesos"),
        ("pt", "A limpeza custa 180 reais", "180 reais"),
        ("en", "Our pumps move 4,500 m3/h of slurry", "4,500 m3/h"),
        ("de", "Unsere Pumpen fördern 4.500 m³/h", "4.500 m³/h"),
        ("de", "Die Welle dreht mit 2.900 U/min", "2.900 U/min"),
        ("en", "The hall has 300 m2 of floor", "300 m2"),
        ("en", "You need 3 x 5 metres of level ground", "3 x 5 metres"),
        ("de", "Der Preis liegt bei 49 €/m² inklusive Rohr", "49 €/m²"),
        ("pt", "O aluguel custa R$ 12 por metro", "R$ 12"),
        ("en", "The price is Rs. 2.85 lakh", "Rs. 2.85 lakh"),
        ("ja", "加工精度は±0.05mmです", "±0.05mm"),
    ] {
        let found = figures(text, lexicon::of(tag).unwrap());
        let found: Vec<&str> = found.iter().map(|figure| &text[figure.start..figure.end]).collect();
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        // What a number counts may belong to it.
        assert!(found[0].starts_with(figure), "{text}: {found:?}");
    }
}

#[test]
fn hours_and_houses_are_no_figures() {
    for (tag, text) in [
        ("fr", "Ouvert du lundi au vendredi 10h-23h30"),
        ("fr", "Ouvert de 10h à 23h30"),
        ("nl", "Open ma-vr 9u-17u30"),
        ("de", "Unser Büro ist in der Marktstraße 14 in Essen"),
        ("en", "Our showroom is at 14 Market Street in Hull"),
        ("fr", "Nous sommes au 12 rue des Clercs"),
        ("it", "Siamo in via Roma 12 a Pavia"),
    ] {
        assert_eq!(figures(text, lexicon::of(tag).unwrap()), [], "{text}");
    }
}
