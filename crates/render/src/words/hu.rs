//! Hungarian: all that pages say in it.

use super::{AskWords, FormWords, Words};

pub(super) static WORDS: Words = Words {
    colon: ": ",
    skip: "Ugrás a tartalomra",
    navigation: "Főmenü",
    footer: "Lábléc",
    preview: "Előnézet",
    preview_says: "Előnézet: {number}. verzió. Ez a hivatkozás eddig működik: {until}.",
    table: "Táblázat",
    quotes: "Mit mondanak mások",
    previous: "Előző",
    next: "Következő",
    pause: "Mozgás leállítása",
    play: "Videó lejátszása",
    watch: "Videó megtekintése",
    show_text: "Szöveg megjelenítése",
    copied: "Másolva",
    close: "Bezárás",
    consent: "Az Ön adatainak védelme",
    consent_why: "Ez az oldal szeretné más cégek szolgáltatásait betölteni, például a látogatások \
        méréséhez. Ezek csak akkor töltődnek be, ha Ön hozzájárul, és döntését bármikor \
        megváltoztathatja.",
    accept: "Elfogadás",
    decline: "Elutasítás",
    change: "Adatvédelmi beállítások",
    not_found: (
        "Az oldal nem található",
        "Ezen a címen nincs oldal. Kérjük, ellenőrizze a hivatkozást, amelyet követett.",
    ),
    gone: ("Már nem érhető el", "Ezt az oldalt eltávolították."),
    not_published: (
        "Még nincs közzétéve",
        "Ez az oldal előkészítés alatt áll. Kérjük, térjen vissza később.",
    ),
    unavailable: ("Mindjárt visszatérünk", "Ez az oldal most nem jeleníthető meg. Kérjük, próbálja újra."),
    preview_expired: (
        "Ez az előnézet lejárt",
        "Az előnézet csak korlátozott ideig tekinthető meg. Kérjen új hivatkozást.",
    ),
    link_expired: (
        "Ez a hivatkozás lejárt",
        "Az oldal csak korlátozott ideig nyitható meg. Kérjen új hivatkozást.",
    ),
};

pub(super) static ASK: AskWords = AskWords {
    tag: "hu",
    heading: "Kérdése van?",
    label: "Az Ön kérdése",
    ask: "Kérdés küldése",
    note: "A válaszok azon alapulnak, amit közzétettünk.",
    answer: "Válasz",
    source: "Forrás",
    written: "Ezt a választ egy program írta a megadott források alapján.",
    unknown: "Erre nem tettünk közzé választ.",
    missed: "Nem tettünk közzé választ a következőre:",
    used_up: "Itt jelenleg nem tudunk több kérdésre válaszolni. Kérjük, térjen vissza később.",
    nothing_asked: "Kérjük, írjon be egy kérdést a saját szavaival.",
    not_taken: "Itt már nem válaszolunk kérdésekre.",
    another: "Újabb kérdés feltevése",
};

pub(super) static FORM: FormWords = FormWords {
    tag: "hu",
    contact: ["Név", "E-mail", "Üzenet"],
    send: "Küldés",
    optional: "(nem kötelező)",
    thanks_title: "Köszönjük",
    thanks: "Üzenetét megkaptuk, és fel fogjuk venni Önnel a kapcsolatot.",
    back: "Vissza az oldalra",
    go_on: "Tovább",
    check_again: "Kérjük, ellenőrizze a megadott adatokat",
    gone: "Ez az űrlap már nem érhető el",
    not_now: "A beküldött adatokat nem tudtuk fogadni. Kérjük, próbálja újra később.",
    too_large: "A beküldött adatok mérete túl nagy: az összes fájl együtt 10 MB lehet.",
    required: "Kérjük, töltse ki ezt a mezőt.",
    not_agreed: "Kérjük, adja hozzájárulását.",
    email: "Kérjük, adjon meg egy e-mail-címet, például nev@example.com.",
    phone: "Kérjük, adjon meg egy telefonszámot, például +36 1 234 5678.",
    url: "Kérjük, adja meg egy webhely címét, például example.com.",
    number: "Kérjük, adjon meg egy számot, például 25000 vagy 2,5.",
    date: "Kérjük, adjon meg egy dátumot.",
    option: "Kérjük, válasszon egyet a lehetőségek közül.",
    too_short: "Kérjük, írjon be legalább {} karaktert.",
    too_long: "Kérjük, írjon be legfeljebb {} karaktert.",
    too_small: "Kérjük, adjon meg egy számot, amely legalább {}.",
    too_big: "Kérjük, adjon meg egy számot, amely legfeljebb {}.",
};
