//! The words of forms that are ours, in the languages of [`crate::words`].

use pagesmith_model::form::answers::Fault;

/// What is said around the fields of a form.
#[derive(Debug)]
pub(crate) struct FormWords {
    /// The language that they are in.
    pub tag: &'static str,
    /// The labels of the plain contact form: name, e-mail address, message.
    pub contact: [&'static str; 3],
    pub send: &'static str,
    pub optional: &'static str,
    pub thanks_title: &'static str,
    pub thanks: &'static str,
    pub back: &'static str,
    pub go_on: &'static str,
    pub check_again: &'static str,
    pub gone: &'static str,
    pub not_now: &'static str,
    pub too_large: &'static str,
    required: &'static str,
    not_agreed: &'static str,
    email: &'static str,
    phone: &'static str,
    url: &'static str,
    number: &'static str,
    date: &'static str,
    option: &'static str,
    too_short: &'static str,
    too_long: &'static str,
    too_small: &'static str,
    too_big: &'static str,
}

impl FormWords {
    /// The words for a language.
    pub fn of(language: &str) -> &'static FormWords {
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

    /// What is said of an answer that is not taken.
    pub fn fault(&self, fault: Fault) -> String {
        let with = |text: &str, amount: String| text.replace("{}", &amount);
        match fault {
            Fault::Required => self.required.to_owned(),
            Fault::NotAgreed => self.not_agreed.to_owned(),
            Fault::Email => self.email.to_owned(),
            Fault::Phone => self.phone.to_owned(),
            Fault::Url => self.url.to_owned(),
            Fault::Number => self.number.to_owned(),
            Fault::Date => self.date.to_owned(),
            Fault::Option => self.option.to_owned(),
            Fault::TooShort(least) => with(self.too_short, least.to_string()),
            Fault::TooLong(most) => with(self.too_long, most.to_string()),
            Fault::TooSmall(least) => with(self.too_small, least.to_string()),
            Fault::TooBig(most) => with(self.too_big, most.to_string()),
        }
    }
}

static ENGLISH: FormWords = FormWords {
    tag: "en",
    contact: ["Name", "E-mail", "Message"],
    send: "Send",
    optional: "(optional)",
    thanks_title: "Thank you",
    thanks: "We have received your message and will get back to you.",
    back: "Back to the page",
    go_on: "Continue",
    check_again: "Please check your entries",
    gone: "This form is no longer available",
    not_now: "This could not be taken. Please try again later.",
    too_large: "This is too large: all files together may have 10 MB.",
    required: "Please fill this in.",
    not_agreed: "Please agree to this.",
    email: "Please enter an e-mail address, such as name@example.com.",
    phone: "Please enter a phone number, such as +1 415 555 0123.",
    url: "Please enter the address of a website, such as example.com.",
    number: "Please enter a number, such as 25000 or 2.5.",
    date: "Please enter a date.",
    option: "Please choose one of the options.",
    too_short: "Please enter at least {} characters.",
    too_long: "Please enter at most {} characters.",
    too_small: "Please enter a number of at least {}.",
    too_big: "Please enter a number of at most {}.",
};

static GERMAN: FormWords = FormWords {
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

static FRENCH: FormWords = FormWords {
    tag: "fr",
    contact: ["Nom", "E-mail", "Message"],
    send: "Envoyer",
    optional: "(facultatif)",
    thanks_title: "Merci",
    thanks: "Nous avons bien reçu votre message et reviendrons vers vous.",
    back: "Retour à la page",
    go_on: "Continuer",
    check_again: "Veuillez vérifier vos réponses",
    gone: "Ce formulaire n’est plus disponible",
    not_now: "Votre envoi n’a pas pu être accepté. Veuillez réessayer plus tard.",
    too_large: "Votre envoi est trop volumineux : tous les fichiers ensemble peuvent faire 10 Mo.",
    required: "Veuillez remplir ce champ.",
    not_agreed: "Veuillez donner votre accord.",
    email: "Veuillez indiquer une adresse e-mail, par exemple nom@example.com.",
    phone: "Veuillez indiquer un numéro de téléphone, par exemple +33 1 23 45 67 89.",
    url: "Veuillez indiquer l’adresse d’un site, par exemple example.com.",
    number: "Veuillez indiquer un nombre, par exemple 25000 ou 2,5.",
    date: "Veuillez indiquer une date.",
    option: "Veuillez choisir l’une des options.",
    too_short: "Veuillez saisir au moins {} caractères.",
    too_long: "Veuillez saisir au plus {} caractères.",
    too_small: "Veuillez indiquer un nombre d’au moins {}.",
    too_big: "Veuillez indiquer un nombre d’au plus {}.",
};

static SPANISH: FormWords = FormWords {
    tag: "es",
    contact: ["Nombre", "Correo electrónico", "Mensaje"],
    send: "Enviar",
    optional: "(opcional)",
    thanks_title: "Gracias",
    thanks: "Hemos recibido su mensaje y nos pondremos en contacto con usted.",
    back: "Volver a la página",
    go_on: "Continuar",
    check_again: "Revise sus respuestas",
    gone: "Este formulario ya no está disponible",
    not_now: "No se ha podido recibir el envío. Inténtelo más tarde.",
    too_large: "Es demasiado grande: todos los archivos juntos pueden tener 10 MB.",
    required: "Rellene este campo.",
    not_agreed: "Dé su consentimiento.",
    email: "Indique una dirección de correo, por ejemplo nombre@example.com.",
    phone: "Indique un número de teléfono, por ejemplo +34 912 345 678.",
    url: "Indique la dirección de un sitio web, por ejemplo example.com.",
    number: "Indique un número, por ejemplo 25000 o 2,5.",
    date: "Indique una fecha.",
    option: "Elija una de las opciones.",
    too_short: "Escriba al menos {} caracteres.",
    too_long: "Escriba como máximo {} caracteres.",
    too_small: "Indique un número de al menos {}.",
    too_big: "Indique un número de como máximo {}.",
};

static ITALIAN: FormWords = FormWords {
    tag: "it",
    contact: ["Nome", "E-mail", "Messaggio"],
    send: "Invia",
    optional: "(facoltativo)",
    thanks_title: "Grazie",
    thanks: "Abbiamo ricevuto il suo messaggio e le risponderemo.",
    back: "Torna alla pagina",
    go_on: "Continua",
    check_again: "Controlli le sue risposte",
    gone: "Questo modulo non è più disponibile",
    not_now: "L’invio non è stato accettato. Riprovi più tardi.",
    too_large: "L’invio è troppo grande: tutti i file insieme possono avere 10 MB.",
    required: "Compili questo campo.",
    not_agreed: "Dia il suo consenso.",
    email: "Indichi un indirizzo e-mail, per esempio nome@example.com.",
    phone: "Indichi un numero di telefono, per esempio +39 06 1234 5678.",
    url: "Indichi l’indirizzo di un sito web, per esempio example.com.",
    number: "Indichi un numero, per esempio 25000 o 2,5.",
    date: "Indichi una data.",
    option: "Scelga una delle opzioni.",
    too_short: "Scriva almeno {} caratteri.",
    too_long: "Scriva al massimo {} caratteri.",
    too_small: "Indichi un numero di almeno {}.",
    too_big: "Indichi un numero di al massimo {}.",
};

static DUTCH: FormWords = FormWords {
    tag: "nl",
    contact: ["Naam", "E-mail", "Bericht"],
    send: "Versturen",
    optional: "(optioneel)",
    thanks_title: "Bedankt",
    thanks: "We hebben uw bericht ontvangen en nemen contact met u op.",
    back: "Terug naar de pagina",
    go_on: "Verder",
    check_again: "Controleer uw antwoorden",
    gone: "Dit formulier is niet meer beschikbaar",
    not_now: "Dit kon niet worden aangenomen. Probeer het later opnieuw.",
    too_large: "Dit is te groot: alle bestanden samen mogen 10 MB zijn.",
    required: "Vul dit veld in.",
    not_agreed: "Geef uw toestemming.",
    email: "Vul een e-mailadres in, bijvoorbeeld naam@example.com.",
    phone: "Vul een telefoonnummer in, bijvoorbeeld +31 20 123 4567.",
    url: "Vul het adres van een website in, bijvoorbeeld example.com.",
    number: "Vul een getal in, bijvoorbeeld 25000 of 2,5.",
    date: "Vul een datum in.",
    option: "Kies een van de opties.",
    too_short: "Vul minstens {} tekens in.",
    too_long: "Vul hoogstens {} tekens in.",
    too_small: "Vul een getal van minstens {} in.",
    too_big: "Vul een getal van hoogstens {} in.",
};

static PORTUGUESE: FormWords = FormWords {
    tag: "pt",
    contact: ["Nome", "E-mail", "Mensagem"],
    send: "Enviar",
    optional: "(opcional)",
    thanks_title: "Obrigado",
    thanks: "Recebemos a sua mensagem e entraremos em contacto consigo.",
    back: "Voltar à página",
    go_on: "Continuar",
    check_again: "Verifique as suas respostas",
    gone: "Este formulário já não está disponível",
    not_now: "O envio não pôde ser aceite. Tente novamente mais tarde.",
    too_large: "É demasiado grande: todos os ficheiros juntos podem ter 10 MB.",
    required: "Preencha este campo.",
    not_agreed: "Dê o seu consentimento.",
    email: "Indique um endereço de e-mail, por exemplo nome@example.com.",
    phone: "Indique um número de telefone, por exemplo +351 21 123 4567.",
    url: "Indique o endereço de um site, por exemplo example.com.",
    number: "Indique um número, por exemplo 25000 ou 2,5.",
    date: "Indique uma data.",
    option: "Escolha uma das opções.",
    too_short: "Escreva pelo menos {} caracteres.",
    too_long: "Escreva no máximo {} caracteres.",
    too_small: "Indique um número de pelo menos {}.",
    too_big: "Indique um número de no máximo {}.",
};

#[cfg(test)]
mod tests {
    use super::FormWords;
    use crate::ask_words::AskWords;
    use crate::words::Words;

    #[test]
    fn forms_and_questions_speak_the_languages_of_pages() {
        for language in ["de", "en", "es", "fr", "it", "nl", "pt"] {
            assert_eq!((FormWords::of(language).tag, Words::of(language).1), (language, language));
            assert_eq!(AskWords::of(language).tag, language);
        }
        assert_eq!(FormWords::of("pt-BR").send, "Enviar");
        assert_eq!(FormWords::of("ja").tag, "en");
    }
}
