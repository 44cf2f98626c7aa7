//! German: all that pages say in it.

use super::{AskWords, FormWords, Words};

pub(super) static WORDS: Words = Words {
    colon: ": ",
    skip: "Zum Inhalt springen",
    navigation: "Hauptnavigation",
    footer: "Fußzeile",
    preview: "Vorschau",
    preview_says: "Vorschau von Fassung {number}. Dieser Link gilt bis {until}.",
    table: "Tabelle",
    quotes: "Das sagen andere",
    previous: "Zurück",
    next: "Weiter",
    pause: "Bewegung anhalten",
    play: "Video abspielen",
    watch: "Video ansehen",
    show_text: "Text anzeigen",
    copied: "Kopiert",
    close: "Schließen",
    consent: "Ihre Privatsphäre",
    consent_why: "Diese Seite möchte Dienste anderer Unternehmen laden, zum Beispiel um Besuche zu messen. Sie werden nur \
        geladen, wenn Sie zustimmen; Ihre Wahl können Sie jederzeit ändern.",
    accept: "Zustimmen",
    decline: "Ablehnen",
    change: "Privatsphäre",
    not_found: (
        "Seite nicht gefunden",
        "Unter dieser Adresse gibt es keine Seite. Bitte prüfen Sie den Link.",
    ),
    gone: ("Nicht mehr verfügbar", "Diese Seite wurde entfernt."),
    not_published: (
        "Noch nicht veröffentlicht",
        "Diese Seite wird vorbereitet. Bitte kommen Sie später wieder.",
    ),
    unavailable: (
        "Gleich wieder da",
        "Diese Seite kann gerade nicht gezeigt werden. Bitte versuchen Sie es noch einmal.",
    ),
    preview_expired: (
        "Diese Vorschau ist abgelaufen",
        "Eine Vorschau ist nur für begrenzte Zeit zu sehen. Bitte lassen Sie sich einen neuen Link geben.",
    ),
    link_expired: (
        "Dieser Link ist abgelaufen",
        "Die Seite ist nur für begrenzte Zeit zu sehen. Bitte lassen Sie sich einen neuen Link geben.",
    ),
};

pub(super) static ASK: AskWords = AskWords {
    tag: "de",
    heading: "Haben Sie eine Frage?",
    label: "Ihre Frage",
    ask: "Fragen",
    note: "Antworten beruhen auf dem, was wir veröffentlicht haben.",
    answer: "Antwort",
    source: "Quelle",
    written: "Ein Programm hat diese Antwort aus den genannten Quellen geschrieben.",
    unknown: "Dazu haben wir keine Antwort veröffentlicht.",
    missed: "Keine Antwort veröffentlicht haben wir zu:",
    used_up: "Hier können im Moment keine weiteren Fragen beantwortet werden. Bitte kommen Sie später wieder.",
    nothing_asked: "Bitte geben Sie eine Frage in Ihren eigenen Worten ein.",
    not_taken: "Hier werden keine Fragen mehr beantwortet.",
    another: "Eine weitere Frage stellen",
};

pub(super) static FORM: FormWords = FormWords {
    tag: "de",
    contact: ["Name", "E-Mail", "Nachricht"],
    send: "Absenden",
    optional: "(freiwillig)",
    thanks_title: "Vielen Dank",
    thanks: "Ihre Nachricht ist angekommen. Wir melden uns bei Ihnen.",
    back: "Zurück zur Seite",
    go_on: "Weiter",
    check_again: "Bitte prüfen Sie Ihre Angaben",
    gone: "Dieses Formular gibt es nicht mehr",
    not_now: "Das konnte nicht angenommen werden. Bitte versuchen Sie es später noch einmal.",
    too_large: "Das ist zu groß: Alle Dateien zusammen dürfen 10 MB haben.",
    required: "Bitte füllen Sie dieses Feld aus.",
    not_agreed: "Bitte stimmen Sie zu.",
    email: "Bitte geben Sie eine E-Mail-Adresse an, zum Beispiel name@example.com.",
    phone: "Bitte geben Sie eine Telefonnummer an, zum Beispiel +49 30 901820.",
    url: "Bitte geben Sie die Adresse einer Website an, zum Beispiel example.com.",
    number: "Bitte geben Sie eine Zahl an, zum Beispiel 25000 oder 2,5.",
    date: "Bitte geben Sie ein Datum an.",
    option: "Bitte wählen Sie eine der Möglichkeiten.",
    too_short: "Bitte geben Sie mindestens {} Zeichen ein.",
    too_long: "Bitte geben Sie höchstens {} Zeichen ein.",
    too_small: "Bitte geben Sie eine Zahl ab {} an.",
    too_big: "Bitte geben Sie eine Zahl bis {} an.",
};
