//! The words of the field for questions that are ours, in the languages of [`crate::words`].

/// What is said around questions and answers.
#[derive(Debug)]
pub(crate) struct AskWords {
    /// The language that they are in.
    pub tag: &'static str,
    pub heading: &'static str,
    pub label: &'static str,
    pub ask: &'static str,
    pub note: &'static str,
    pub answer: &'static str,
    pub source: &'static str,
    pub written: &'static str,
    pub unknown: &'static str,
    pub missed: &'static str,
    pub used_up: &'static str,
    pub nothing_asked: &'static str,
    pub not_taken: &'static str,
    pub another: &'static str,
}

impl AskWords {
    /// The words for a language.
    pub fn of(language: &str) -> &'static AskWords {
        let primary = language.split('-').next().unwrap_or_default();
        match primary.to_ascii_lowercase().as_str() {
            "de" => &GERMAN,
            "fr" => &FRENCH,
            "es" => &SPANISH,
            "it" => &ITALIAN,
            "nl" => &DUTCH,
            "pt" => &PORTUGUESE,
            _ => &ENGLISH,
        }
    }
}

static ENGLISH: AskWords = AskWords {
    tag: "en",
    heading: "Do you have a question?",
    label: "Your question",
    ask: "Ask",
    note: "Answers come from what we have published.",
    answer: "Answer",
    source: "Source",
    written: "A program has written this answer from the sources named.",
    unknown: "We have not published an answer to this.",
    missed: "We have not published an answer to:",
    used_up: "No more questions can be answered here at the moment. Please come back later.",
    nothing_asked: "Please enter a question in your own words.",
    not_taken: "Questions are not answered here any more.",
    another: "Ask another question",
};

static GERMAN: AskWords = AskWords {
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

static FRENCH: AskWords = AskWords {
    tag: "fr",
    heading: "Avez-vous une question ?",
    label: "Votre question",
    ask: "Demander",
    note: "Les réponses s’appuient sur ce que nous avons publié.",
    answer: "Réponse",
    source: "Source",
    written: "Un programme a rédigé cette réponse à partir des sources indiquées.",
    unknown: "Nous n’avons pas publié de réponse à cette question.",
    missed: "Nous n’avons pas publié de réponse à :",
    used_up: "Il n’est plus possible de répondre à des questions ici pour le moment. Veuillez revenir plus tard.",
    nothing_asked: "Veuillez poser une question avec vos propres mots.",
    not_taken: "Il n’est plus répondu aux questions ici.",
    another: "Poser une autre question",
};

static SPANISH: AskWords = AskWords {
    tag: "es",
    heading: "¿Tiene una pregunta?",
    label: "Su pregunta",
    ask: "Preguntar",
    note: "Las respuestas se basan en lo que hemos publicado.",
    answer: "Respuesta",
    source: "Fuente",
    written: "Un programa ha redactado esta respuesta a partir de las fuentes indicadas.",
    unknown: "No hemos publicado una respuesta a esta pregunta.",
    missed: "No hemos publicado una respuesta a:",
    used_up: "Por ahora no se pueden responder más preguntas aquí. Vuelva más tarde.",
    nothing_asked: "Escriba una pregunta con sus propias palabras.",
    not_taken: "Aquí ya no se responden preguntas.",
    another: "Hacer otra pregunta",
};

static ITALIAN: AskWords = AskWords {
    tag: "it",
    heading: "Ha una domanda?",
    label: "La sua domanda",
    ask: "Chiedi",
    note: "Le risposte si basano su ciò che abbiamo pubblicato.",
    answer: "Risposta",
    source: "Fonte",
    written: "Un programma ha scritto questa risposta in base alle fonti indicate.",
    unknown: "Non abbiamo pubblicato una risposta a questa domanda.",
    missed: "Non abbiamo pubblicato una risposta a:",
    used_up: "Al momento qui non si può rispondere ad altre domande. Torni più tardi.",
    nothing_asked: "Scriva una domanda con parole sue.",
    not_taken: "Qui non si risponde più a domande.",
    another: "Fai un’altra domanda",
};

static DUTCH: AskWords = AskWords {
    tag: "nl",
    heading: "Hebt u een vraag?",
    label: "Uw vraag",
    ask: "Vragen",
    note: "Antwoorden zijn gebaseerd op wat we hebben gepubliceerd.",
    answer: "Antwoord",
    source: "Bron",
    written: "Een programma heeft dit antwoord geschreven op basis van de genoemde bronnen.",
    unknown: "Hierop hebben we geen antwoord gepubliceerd.",
    missed: "We hebben geen antwoord gepubliceerd op:",
    used_up: "Op dit moment kunnen hier geen vragen meer worden beantwoord. Kom later terug.",
    nothing_asked: "Stel een vraag in uw eigen woorden.",
    not_taken: "Hier worden geen vragen meer beantwoord.",
    another: "Nog een vraag stellen",
};

static PORTUGUESE: AskWords = AskWords {
    tag: "pt",
    heading: "Tem uma pergunta?",
    label: "A sua pergunta",
    ask: "Perguntar",
    note: "As respostas baseiam-se no que publicámos.",
    answer: "Resposta",
    source: "Fonte",
    written: "Um programa escreveu esta resposta a partir das fontes indicadas.",
    unknown: "Não publicámos uma resposta a esta pergunta.",
    missed: "Não publicámos uma resposta a:",
    used_up: "De momento não é possível responder a mais perguntas aqui. Volte mais tarde.",
    nothing_asked: "Escreva uma pergunta com as suas próprias palavras.",
    not_taken: "Aqui já não se responde a perguntas.",
    another: "Fazer outra pergunta",
};
