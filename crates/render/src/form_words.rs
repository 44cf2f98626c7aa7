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
    pub too_much: &'static str,
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
    too_much: "This was sent too often or is too large. Please try again later.",
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
    too_much: "Das wurde zu oft gesendet oder ist zu groß. Bitte versuchen Sie es später noch einmal.",
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
    too_much: "Cet envoi est trop fréquent ou trop volumineux. Veuillez réessayer plus tard.",
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
    too_much: "Se ha enviado demasiadas veces o es demasiado grande. Inténtelo más tarde.",
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
