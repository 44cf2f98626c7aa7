//! The few words of the page's frame that are ours, in the page's own language where we speak it.

/// What is said around a page's content.
#[derive(Debug)]
pub(crate) struct Words {
    pub skip: &'static str,
    pub navigation: &'static str,
    pub footer: &'static str,
    pub preview: &'static str,
    pub preview_says: &'static str,
    pub table: &'static str,
    pub quotes: &'static str,
    pub previous: &'static str,
    pub next: &'static str,
    pub pause: &'static str,
    pub play: &'static str,
    pub watch: &'static str,
    pub show_text: &'static str,
    pub copied: &'static str,
    pub close: &'static str,
    pub consent: &'static str,
    pub consent_why: &'static str,
    pub accept: &'static str,
    pub decline: &'static str,
    pub change: &'static str,
    pub not_found: (&'static str, &'static str),
    pub gone: (&'static str, &'static str),
    pub not_published: (&'static str, &'static str),
    pub unavailable: (&'static str, &'static str),
    pub preview_expired: (&'static str, &'static str),
    pub link_expired: (&'static str, &'static str),
}

impl Words {
    /// The words for a language, with the tag of the language that they are in.
    pub fn of(language: &str) -> (&'static Words, &'static str) {
        let primary = language.split('-').next().unwrap_or_default();
        match primary.to_ascii_lowercase().as_str() {
            "de" => (&GERMAN, "de"),
            "fr" => (&FRENCH, "fr"),
            "es" => (&SPANISH, "es"),
            "it" => (&ITALIAN, "it"),
            "nl" => (&DUTCH, "nl"),
            "pt" => (&PORTUGUESE, "pt"),
            _ => (&ENGLISH, "en"),
        }
    }
}

impl Words {
    /// What the strip above a preview says: the minute is enough.
    pub fn preview_until(&self, number: i64, until: &str) -> String {
        let minute = until.get(..16).unwrap_or(until).replace('T', " ");
        let until = format!("{minute} UTC");
        self.preview_says.replace("{number}", &number.to_string()).replace("{until}", &until)
    }
}

static ENGLISH: Words = Words {
    skip: "Skip to content",
    navigation: "Main",
    footer: "Footer",
    preview: "Preview",
    preview_says: "Preview of version {number}. This link works until {until}.",
    table: "Table",
    quotes: "What others say",
    previous: "Previous",
    next: "Next",
    pause: "Pause the movement",
    play: "Play video",
    watch: "Watch the video",
    show_text: "Show the text",
    copied: "Copied",
    close: "Close",
    consent: "Your privacy",
    consent_why: "This page would like to load services of other companies, for example to measure visits. They load only \
        if you agree, and you can change your mind at any time.",
    accept: "Accept",
    decline: "Decline",
    change: "Privacy choice",
    not_found: (
        "Page not found",
        "There is no page at this address. Please check the link that you followed.",
    ),
    gone: ("No longer available", "This page has been taken down."),
    not_published: ("Not published yet", "This page is being prepared. Please come back later."),
    unavailable: ("Back in a moment", "This page cannot be shown right now. Please try again."),
    preview_expired: (
        "This preview has ended",
        "Previews can be seen for a limited time. Please ask for a new link.",
    ),
    link_expired: (
        "This link has expired",
        "The page can be opened for a limited time. Please ask for a new link.",
    ),
};

static GERMAN: Words = Words {
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

static FRENCH: Words = Words {
    skip: "Aller au contenu",
    navigation: "Navigation principale",
    footer: "Pied de page",
    preview: "Aperçu",
    preview_says: "Aperçu de la version {number}. Ce lien fonctionne jusqu’au {until}.",
    table: "Tableau",
    quotes: "Ils en parlent",
    previous: "Précédent",
    next: "Suivant",
    pause: "Arrêter le mouvement",
    play: "Lire la vidéo",
    watch: "Voir la vidéo",
    show_text: "Afficher le texte",
    copied: "Copié",
    close: "Fermer",
    consent: "Votre vie privée",
    consent_why: "Cette page souhaite charger des services d’autres entreprises, par exemple pour mesurer les visites. Ils ne \
        sont chargés que si vous l’acceptez, et vous pouvez changer d’avis à tout moment.",
    accept: "Accepter",
    decline: "Refuser",
    change: "Vie privée",
    not_found: (
        "Page introuvable",
        "Il n’y a pas de page à cette adresse. Vérifiez le lien que vous avez suivi.",
    ),
    gone: ("Plus disponible", "Cette page a été retirée."),
    not_published: ("Pas encore publiée", "Cette page est en préparation. Revenez plus tard."),
    unavailable: (
        "De retour dans un instant",
        "Cette page ne peut pas être affichée pour le moment. Veuillez réessayer.",
    ),
    preview_expired: (
        "Cet aperçu a expiré",
        "Un aperçu n’est visible que pour un temps limité. Veuillez demander un nouveau lien.",
    ),
    link_expired: (
        "Ce lien a expiré",
        "La page n’est visible que pour un temps limité. Veuillez demander un nouveau lien.",
    ),
};

static SPANISH: Words = Words {
    skip: "Ir al contenido",
    navigation: "Navegación principal",
    footer: "Pie de página",
    preview: "Vista previa",
    preview_says: "Vista previa de la versión {number}. Este enlace funciona hasta el {until}.",
    table: "Tabla",
    quotes: "Lo que dicen otros",
    previous: "Anterior",
    next: "Siguiente",
    pause: "Detener el movimiento",
    play: "Reproducir el vídeo",
    watch: "Ver el vídeo",
    show_text: "Mostrar el texto",
    copied: "Copiado",
    close: "Cerrar",
    consent: "Su privacidad",
    consent_why: "Esta página quiere cargar servicios de otras empresas, por ejemplo para medir las visitas. Solo se cargan si \
        usted acepta, y puede cambiar de opinión en cualquier momento.",
    accept: "Aceptar",
    decline: "Rechazar",
    change: "Privacidad",
    not_found: (
        "Página no encontrada",
        "No hay ninguna página en esta dirección. Compruebe el enlace que ha seguido.",
    ),
    gone: ("Ya no está disponible", "Esta página se ha retirado."),
    not_published: ("Aún sin publicar", "Esta página se está preparando. Vuelva más tarde."),
    unavailable: ("Volvemos enseguida", "Esta página no se puede mostrar ahora mismo. Inténtelo de nuevo."),
    preview_expired: (
        "Esta vista previa ha caducado",
        "Una vista previa solo se puede ver durante un tiempo limitado. Pida un enlace nuevo.",
    ),
    link_expired: (
        "Este enlace ha caducado",
        "La página solo se puede ver durante un tiempo limitado. Pida un enlace nuevo.",
    ),
};

static ITALIAN: Words = Words {
    skip: "Vai al contenuto",
    navigation: "Navigazione principale",
    footer: "Piè di pagina",
    preview: "Anteprima",
    preview_says: "Anteprima della versione {number}. Questo link funziona fino al {until}.",
    table: "Tabella",
    quotes: "Che cosa dicono gli altri",
    previous: "Precedente",
    next: "Successivo",
    pause: "Ferma il movimento",
    play: "Riproduci il video",
    watch: "Guarda il video",
    show_text: "Mostra il testo",
    copied: "Copiato",
    close: "Chiudi",
    consent: "La sua privacy",
    consent_why: "Questa pagina vorrebbe caricare servizi di altre aziende, per esempio per misurare le visite. Vengono caricati \
        solo se acconsente, e può cambiare idea in qualsiasi momento.",
    accept: "Accetta",
    decline: "Rifiuta",
    change: "Privacy",
    not_found: (
        "Pagina non trovata",
        "A questo indirizzo non c’è nessuna pagina. Controlli il link che ha seguito.",
    ),
    gone: ("Non più disponibile", "Questa pagina è stata rimossa."),
    not_published: ("Non ancora pubblicata", "Questa pagina è in preparazione. Torni più tardi."),
    unavailable: ("Torniamo subito", "La pagina non si può mostrare in questo momento. Riprovi."),
    preview_expired: (
        "Questa anteprima è scaduta",
        "Un’anteprima è visibile solo per un tempo limitato. Chieda un nuovo link.",
    ),
    link_expired: (
        "Questo link è scaduto",
        "La pagina è visibile solo per un tempo limitato. Chieda un nuovo link.",
    ),
};

static DUTCH: Words = Words {
    skip: "Naar de inhoud",
    navigation: "Hoofdnavigatie",
    footer: "Voettekst",
    preview: "Voorbeeld",
    preview_says: "Voorbeeld van versie {number}. Deze link werkt tot {until}.",
    table: "Tabel",
    quotes: "Wat anderen zeggen",
    previous: "Vorige",
    next: "Volgende",
    pause: "Beweging stoppen",
    play: "Video afspelen",
    watch: "Video bekijken",
    show_text: "Tekst tonen",
    copied: "Gekopieerd",
    close: "Sluiten",
    consent: "Uw privacy",
    consent_why: "Deze pagina wil diensten van andere bedrijven laden, bijvoorbeeld om bezoeken te meten. Ze worden alleen \
        geladen als u daarmee instemt, en u kunt altijd van gedachten veranderen.",
    accept: "Toestaan",
    decline: "Weigeren",
    change: "Privacy",
    not_found: (
        "Pagina niet gevonden",
        "Op dit adres staat geen pagina. Controleer de link die u hebt gevolgd.",
    ),
    gone: ("Niet meer beschikbaar", "Deze pagina is verwijderd."),
    not_published: ("Nog niet gepubliceerd", "Deze pagina wordt voorbereid. Kom later terug."),
    unavailable: ("Zo terug", "Deze pagina kan nu niet worden getoond. Probeer het opnieuw."),
    preview_expired: (
        "Dit voorbeeld is verlopen",
        "Een voorbeeld is maar een beperkte tijd te zien. Vraag om een nieuwe link.",
    ),
    link_expired: (
        "Deze link is verlopen",
        "De pagina is maar een beperkte tijd te zien. Vraag om een nieuwe link.",
    ),
};

static PORTUGUESE: Words = Words {
    skip: "Ir para o conteúdo",
    navigation: "Navegação principal",
    footer: "Rodapé",
    preview: "Pré-visualização",
    preview_says: "Pré-visualização da versão {number}. Este link funciona até {until}.",
    table: "Tabela",
    quotes: "O que dizem os outros",
    previous: "Anterior",
    next: "Seguinte",
    pause: "Parar o movimento",
    play: "Reproduzir o vídeo",
    watch: "Ver o vídeo",
    show_text: "Mostrar o texto",
    copied: "Copiado",
    close: "Fechar",
    consent: "A sua privacidade",
    consent_why: "Esta página gostaria de carregar serviços de outras empresas, por exemplo para medir as visitas. Só são \
        carregados se concordar, e pode mudar de opinião a qualquer momento.",
    accept: "Aceitar",
    decline: "Recusar",
    change: "Privacidade",
    not_found: (
        "Página não encontrada",
        "Não há nenhuma página neste endereço. Verifique o link que seguiu.",
    ),
    gone: ("Já não está disponível", "Esta página foi retirada."),
    not_published: ("Ainda não publicada", "Esta página está a ser preparada. Volte mais tarde."),
    unavailable: ("Voltamos já", "Não é possível mostrar a página neste momento. Tente novamente."),
    preview_expired: (
        "Esta pré-visualização expirou",
        "Uma pré-visualização só pode ser vista durante um tempo limitado. Peça um novo link.",
    ),
    link_expired: (
        "Este link expirou",
        "A página só pode ser vista durante um tempo limitado. Peça um novo link.",
    ),
};

#[cfg(test)]
mod tests {
    use super::Words;

    #[test]
    fn a_language_that_we_do_not_speak_gets_english() {
        assert_eq!(Words::of("de-AT").0.close, "Schließen");
        assert_eq!(Words::of("FR").0.close, "Fermer");
        assert_eq!(Words::of("pt-BR").0.close, "Fechar");
        assert_eq!(Words::of("ja").1, "en");
        assert_eq!(Words::of("").1, "en");
    }
}
