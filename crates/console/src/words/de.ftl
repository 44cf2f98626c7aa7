# What the console says in German.

## The language itself

language-name = Deutsch
direction = ltr
format-group = .
format-decimal = ,
format-date = { $day }. { $month } { $year }
format-date-time = { $date }, { $time } UTC
percent = { $number } %
month-1 = Januar
month-2 = Februar
month-3 = März
month-4 = April
month-5 = Mai
month-6 = Juni
month-7 = Juli
month-8 = August
month-9 = September
month-10 = Oktober
month-11 = November
month-12 = Dezember
size-bytes = { $number } Bytes
size-kilobytes = { $number } kB
size-megabytes = { $number } MB
size-gigabytes = { $number } GB
size-terabytes = { $number } TB
number-thousands = { $number } Tsd.
number-millions = { $number } Mio.
number-billions = { $number } Mrd.
number-trillions = { $number } Bio.
just-now = gerade eben
ago-minutes = { $count ->
    [one] vor 1 Minute
   *[other] vor { NUMBER($count) } Minuten
}
ago-hours = { $count ->
    [one] vor 1 Stunde
   *[other] vor { NUMBER($count) } Stunden
}
ago-days = { $count ->
    [one] gestern
   *[other] vor { NUMBER($count) } Tagen
}
ago-months = { $count ->
    [one] vor 1 Monat
   *[other] vor { NUMBER($count) } Monaten
}
ago-years = { $count ->
    [one] vor 1 Jahr
   *[other] vor { NUMBER($count) } Jahren
}
in-minutes = { $count ->
    [one] in 1 Minute
   *[other] in { NUMBER($count) } Minuten
}
in-hours = { $count ->
    [one] in 1 Stunde
   *[other] in { NUMBER($count) } Stunden
}
in-days = { $count ->
    [one] morgen
   *[other] in { NUMBER($count) } Tagen
}
in-months = { $count ->
    [one] in 1 Monat
   *[other] in { NUMBER($count) } Monaten
}
in-years = { $count ->
    [one] in 1 Jahr
   *[other] in { NUMBER($count) } Jahren
}

## Areas

area-start = Start
area-pages = Seiten
area-knowledge = Wissen
area-assets = Medien
area-brands = Marken
area-links = Links
area-domains = Domains
area-persons = Personen
area-accounts = Firmen
area-forms = Formulare
area-visits = Besuche
area-webhooks = Webhooks
area-settings = Einstellungen
areas-content = Inhalt
areas-addresses = Adressen
areas-people = Menschen
areas-system = System

## The shell

skip-to-content = Zum Inhalt springen
menu = Menü
navigation = Bereiche
breadcrumb = Übergeordnet
tenant = Mandant
tenant-switch = Mandant wechseln
user-menu = Dein Konto
sign-out = Abmelden
messages = Meldungen
dismiss = Schließen
undo = Rückgängig
cancel = Abbrechen
close = Schließen
apply = Anwenden
search = Suchen
request-failed = Das hat nicht geklappt. Prüfe deine Verbindung und versuche es noch einmal.

## Tables

rows = Zeilen { NUMBER($from) }–{ NUMBER($to) }
rows-of = { NUMBER($from) }–{ NUMBER($to) } von { NUMBER($total) }
rows-none = Nichts anzuzeigen
pagination = Teile der Liste
page-first = Anfang
page-previous = Zurück
page-next = Weiter
sort-by = Nach dieser Spalte sortieren
select = Auswählen
select-all = Alle Zeilen auf diesem Bildschirm auswählen
select-row = { $name } auswählen
selected = ausgewählt
bulk-hint = Ausgewählte Zeilen:
bulk-actions = Mit ausgewählten Zeilen
filter-remove = Filter { $name } entfernen
filters-clear = Suche und Filter löschen
nothing-found = Nichts gefunden
nothing-found-text = Nichts passt zur Suche und zu den Filtern.

## Forms and dialogs

field-optional = freiwillig
field-error = Fehler:
form-errors = { $count ->
    [one] Eine Angabe stimmt noch nicht
   *[other] { NUMBER($count) } Angaben stimmen noch nicht
}
confirm-by-typing = Tippe zur Bestätigung

## Charts, dates and differences

chart-title = { $title }. Die Zahlen stehen in der Tabelle darunter.
chart-empty = Für diese Tage gibt es noch keine Zahlen.
chart-data = Zahlen
range = Tage
range-7 = 7 Tage
range-30 = 30 Tage
range-90 = 90 Tage
range-365 = 1 Jahr
range-from = Erster Tag
range-to = Letzter Tag
diff-same = Die Texte sind gleich.
diff-removed = entfernt:
diff-added = hinzugefügt:

## The API

by-api = Dasselbe über die API
copy = Kopieren
copied = Kopiert

## Palette and keys

palette-open = Finden …
palette-title = Alles finden
palette-placeholder = Seite, Person, Einstellung …
palette-results = Treffer
palette-found = { $count ->
    [0] Nichts gefunden
    [one] 1 Treffer
   *[other] { NUMBER($count) } Treffer
}
keys-title = Tasten
keys-on = Einzelne Tasten verwenden
key-palette = Alles finden
key-search = In dieser Liste suchen
key-create = Anlegen
key-rows = Nächste und vorige Zeile
key-select = Zeile auswählen
key-keys = Diese Tasten zeigen
key-go = Zu { $name }

## Screens

## Screens: everywhere

account = Ihr Konto
save = Speichern
edit = Bearbeiten
archive = Archivieren
restore = Wiederherstellen
name = Name
email = E-Mail-Adresse
state = Status
changed = Geändert
time-spent = Zeit auf der Seite
seconds = { $count ->
    [one] 1 Sekunde
   *[other] { NUMBER($count) } Sekunden
}
done-saved = Gespeichert.
done-page-created = Die Seite wird geschrieben.
done-page-archived = Die Seite ist archiviert. Ihre Links führen ins Leere.
done-page-restored = Die Seite ist wieder da.
done-published = Veröffentlicht. Besucher sehen die Seite jetzt.
problem-not-found = Nicht gefunden
problem-not-found-text = Unter dieser Adresse gibt es nichts, oder Sie dürfen es nicht sehen.
problem-forbidden = Nicht erlaubt
problem-refused = Das hat nicht geklappt
problem-failed = Etwas ist schiefgegangen
problem-request = Nennen Sie beim Melden die Anfrage { $id }.
problem-home = Zur Konsole
role-forbids = Ihre Rolle erlaubt das nicht. Wer Inhaber ist, kann Ihre Rolle ändern.
role-owner = Inhaber
role-editor = Bearbeiter
role-analyst = Analyst
role-viewer = Betrachter

## Screens: signing in

sign-in = Anmelden
sign-in-title = Anmelden
sign-in-insecure = Browser bewahren eine Anmeldung nur über HTTPS oder auf der Maschine selbst sicher auf. Öffnen Sie die Konsole unter einer Adresse, die mit https:// beginnt, oder unter http://localhost.
password = Passwort
new-password = Passwort
password-help = Mindestens 12 Zeichen. Ein Satz ist leicht zu merken.
password-set = Passwort festlegen
password-title = Passwort wählen
code = Code
code-title = Code eingeben
code-help = Die sechs Ziffern Ihrer Authenticator-App oder ein Wiederherstellungscode.
setup = Konto anlegen
setup-title = Willkommen bei Pagesmith
setup-text = Legen Sie das erste Konto an. Ihm gehört der erste Mandant dieser Installation, und es kann andere einladen.
invitation-title = Sie sind eingeladen
invitation-text = Sie sind zu { $tenant } eingeladen. Ihre Rolle dort: { $role }.
invitation-accept = Einladung annehmen
invitation-has-user = Ich habe schon ein Konto

## Screens: start and pages

start-attention = Was Aufmerksamkeit braucht
start-nothing-waits = Nichts wartet auf Sie.
start-pages = Zuletzt bearbeitete Seiten
pages-empty = Machen Sie Ihre erste Seite
pages-empty-text = Fügen Sie ein, was Sie über Ihr Angebot wissen. Pagesmith schreibt daraus eine Seite, und eine für jede Zielgruppe.
pages-search = Seiten suchen
page-new = Neue Seite
page-new-text = Fügen Sie Ihren Text ein, wie er ist: von einer Website, aus einer E-Mail oder Notizen. Sie sehen den Entwurf vor allen anderen.
page-new-example = Ein Beispiel einsetzen
page-name = Name der Seite
page-type = Art der Seite
page-context = Worum es auf der Seite geht
page-context-help = Fakten für Besucher: was Sie anbieten, Zahlen, Zitate, Fragen, Preise, nächste Schritte.
page-write = Seite schreiben
type-inbound = Landingpage
type-outbound = Ansprache
type-call-followup = Nach einem Gespräch
type-sales-deck = Präsentation
type-custom = Sonstige
example-name = Catering der Bäckerei
example-context = Ofenglück backt für Büros in Leipzig. Wir liefern Frühstück für 10 bis 200 Personen vor 8 Uhr morgens. Seit 2014 haben wir 340 Firmen versorgt. „Am Ofenglück-Tag kommt niemand zu spät“, sagt Jana Voigt, Büroleiterin bei Hellwerk. Wie früh muss ich bestellen? Bis 12 Uhr am Vortag. Vegane und glutenfreie Boxen kosten dasselbe. Bestellen Sie eine kostenlose Probierbox.
example-audience = Büroleitungen von Kanzleien; ihnen ist pünktliche Lieferung wichtig.
archive-question = { $name } archivieren?
archive-page-text = Besucher finden unter ihren Links nichts mehr. Sie können sie jederzeit wiederherstellen.
meta-title = Titel in Suchergebnissen
meta-description = Beschreibung in Suchergebnissen
visits = Besuche
conversion = Konversion
forms-sent = Gesendete Formulare
bounces = Absprünge

## Screens: audiences

audience = Zielgruppe
audiences = Zielgruppen
audiences-count = { $count ->
    [one] 1 Zielgruppe
   *[other] { NUMBER($count) } Zielgruppen
}
audiences-empty = Noch keine Zielgruppen
audiences-empty-text = Eine Zielgruppe ist, für wen eine Fassung der Seite geschrieben wird: eine Gruppe, eine Firma, eine Person.
audience-new = Neue Zielgruppe
audience-one = Eine Zielgruppe anlegen
audience-many = Viele auf einmal anlegen
audiences-many-help = Eine Zielgruppe je Zeile, bis zu { NUMBER($most) }.
audience-name = Name der Zielgruppe
audience-about = Über diese Zielgruppe
audience-context = Für wen sie ist
audience-context-help = Notizen für den Schreiber: wer sie sind, was sie beschäftigt, was wichtig ist. Besucher sehen sie nie.
save-and-rewrite = Speichern und neue Fassung schreiben
status-published = Veröffentlicht
status-draft = Entwurf
status-queued = Wartet
status-processing = Wird geschrieben
status-cancelled = Nicht geschrieben
status-archived = Archiviert
being-written = Die Seite wird geschrieben. Diese Ansicht aktualisiert sich von selbst.
writing-failed = Die Fassung wurde nicht geschrieben: Das Schreiben wurde abgebrochen oder ist gescheitert.
archived-text = Archiviert: Der Link führt ins Leere.
cancel-writing = Schreiben abbrechen
publish = Veröffentlichen
open-page = Seite öffnen
versions = Fassungen
version-number = Fassung { $number }
versions-same = Beide Fassungen sind gleich.
rewrite = Neue Fassung schreiben
compare = Mit der vorigen vergleichen
as-draft = Als Entwurf übernehmen
schedule = Planen
publish-on = Veröffentlichen am
at-time-utc = Um (UTC, Stunden:Minuten)
block-added = Hinzugefügt
block-removed = Entfernt
block-changed = Geändert
block-kept = Unverändert
block-moved = An eine andere Stelle gerückt.
preview = Vorschau
preview-none = Es gibt noch nichts zu zeigen.
preview-width = Breite der Vorschau
device-desk = Schreibtisch
device-tablet = Tablet
device-phone = Telefon
scheme-light = Hell
scheme-dark = Dunkel
conversation = Dem Editor sagen
conversation-empty = Sagen Sie, was anders sein soll: „mach die Überschrift kürzer“, „Zahlen nach oben“, „entferne die Fragen“.
message = Was soll anders sein?
message-help = Änderungen gehen in den Entwurf. Öffentlich wird nichts, bevor Sie veröffentlichen.
send = Senden
you = Sie
editor = Editor
editor-works = Der Editor arbeitet.
interrupt = Anhalten
interrupted = Angehalten, bevor es fertig war.
back-to-here = Zurück zu diesem Stand

## Screens: persons, accounts, forms

page = Seite
person = Person
person-new = Neue Person
account-one = Firma
persons-search = Personen suchen
persons-empty = Noch keine Personen
persons-empty-text = Personen kommen aus Formularen, aus Ihrem CRM über die API oder von Hand.
company-domain = Firmendomain
phone = Telefonnummer
phone-help = Mit Ländervorwahl: +49 30 901820.
linkedin = LinkedIn-Profil
activity = Aktivität
timeline-visit = Hat eine Seite besucht
timeline-page = Hat eine persönliche Seite erhalten
timeline-submission = Hat ein Formular gesendet
activity-none = Bisher ist nichts geschehen.
details = Einzelheiten
delete = Löschen
delete-question = { $name } löschen?
person-delete-text = Die Person verschwindet aus den Listen, und ihre persönliche Seite ist weg. Sie können das zurücknehmen.
not-confirmed = Das ist nicht der Name. Nichts wurde gelöscht.
done-person-deleted = Die Person ist gelöscht.
account-new = Neue Firma
accounts-search = Firmen suchen
accounts-empty = Noch keine Firmen
accounts-empty-text = Eine Firma erscheint mit der ersten Person, die ihre Domain hat.
last-activity = Letzte Aktivität
submissions = Einsendungen
submissions-empty = Noch nichts gesendet
submissions-empty-text = Was Besucher über die Formulare Ihrer Seiten senden, erscheint hier.
form = Formular
form-contact = Kontaktformular
fields-count = { $count ->
    [one] 1 Feld
   *[other] { NUMBER($count) } Felder
}
sender = Absender
accepted = Angenommen
spam = Spam
spam-because = Zurückgehalten wegen:
to-person = Zur Person
release = Kein Spam
mark-spam = Als Spam markieren

## Screens: visits

visits-empty = Noch keine Seiten
visits-empty-text = Sobald es eine Seite gibt, sehen Sie hier, was Besucher tun.
visits-by-day = Besuche je Tag
visits-by-source = Besuche je Quelle
day = Tag
source = Quelle
source-none = Direkt
steps = Schritte
step-seen = Seite gesehen
step-scrolled = Bis zur Mitte gescrollt
step-action = Eine Aktion benutzt
step-form = Ein Formular gesendet
sessions = Letzte Besuche
converted = konvertiert

## Screens: webhooks

address = Adresse
events = Ereignisse
events-all = Alle Ereignisse
events-help = Keines gewählt: alle.
event = Ereignis
webhooks-empty = Noch keine Webhooks
webhooks-empty-text = Ein Webhook meldet Ihren Systemen, was geschieht: Eine Fassung wurde veröffentlicht, ein Formular gesendet.
webhook-new = Neuer Webhook
webhook-url-help = Wohin Ereignisse per POST gesendet werden, unterschrieben mit einem Geheimnis, das Sie gleich sehen.
signing-secret = Signaturgeheimnis
secret-once = Bewahren Sie das Geheimnis jetzt auf: Es wird nur dieses eine Mal gezeigt. Damit prüft Ihr Empfänger Signaturen.
secret-kept = Ich habe es aufbewahrt
active = Aktiv
inactive = Nicht aktiv
activate = Aktivieren
deactivate = Deaktivieren
webhook-test = Test senden
resend = Erneut senden
resend-failed = Gescheiterte aus 7 Tagen erneut senden
rotate-secret = Neues Geheimnis
deliveries = Zustellungen
deliveries-empty = Noch nichts gesendet
deliveries-empty-text = Senden Sie einen Test, um zu sehen, ob Ihr Empfänger antwortet.
attempts = Versuche
when = Wann
waiting = Wartet
delivered = Zugestellt
failed = Gescheitert
next-attempt = Nächster Versuch
done-sent-again = Es ist unterwegs.

## Screens: account and settings

profile = Profil
language = Sprache
current-password = Bisheriges Passwort
done-password-changed = Das Passwort ist geändert. Andere Sitzungen sind beendet.
second-factor = Authenticator-App
app-none = Mit einer App auf Ihrem Telefon genügt ein gestohlenes Passwort nicht zur Anmeldung.
app-add = App hinzufügen
app-remove = App entfernen
app-scan = Scannen Sie dieses Bild mit Ihrer Authenticator-App.
app-picture = QR-Code für die Authenticator-App
app-type = Oder geben Sie dieses Geheimnis ein:
app-code-help = Die sechs Ziffern, die die App jetzt zeigt.
app-confirm = Bestätigen
codes = Wiederherstellungscodes
codes-text = Bewahren Sie diese Codes so auf, dass Sie sie ohne Ihr Telefon finden. Jeder gilt einmal.
codes-kept = Ich habe sie aufbewahrt
codes-left = { $count ->
    [one] Die App ist eingerichtet. 1 Wiederherstellungscode ist übrig.
   *[other] Die App ist eingerichtet. { NUMBER($count) } Wiederherstellungscodes sind übrig.
}
codes-renew = Neue Wiederherstellungscodes
signed-in-at = Wo Sie angemeldet sind
this-browser = dieser Browser
end-session = Dort abmelden
end-others = Überall sonst abmelden
users = Benutzer
role = Rolle
remove-user = Von hier entfernen
invite = Einladen
invite-help = Leer gelassen kann jeder annehmen, der den Link hat.
invitation-made = Senden Sie diesen Link an die eingeladene Person. Er wird nur dieses eine Mal gezeigt und gilt 7 Tage.
anybody = Wer den Link hat
revoke = Widerrufen
audit = Audit-Protokoll

## Screens: knowledge

topic = Thema
topic-new = Neues Thema
topic-title = Titel des Themas
topic-title-help = Ein Gegenstand, etwa Preise, Referenzen oder Lieferung.
topic-about = Was es sagt
topic-rename = Titel ändern
topic-delete-text = Das Thema und alle seine Einträge werden endgültig gelöscht. Seiten, die schon geschrieben sind, bleiben, wie sie sind.
topics-search = Themen durchsuchen
topics-empty = Noch keine Themen
topics-empty-text = Ein Thema enthält, was Sie über einen Gegenstand wissen. Daraus werden Seiten geschrieben und Fragen von Besuchern beantwortet.
knowledge-search = Alles durchsuchen, was bekannt ist
knowledge-nothing = Nichts, was bekannt ist, sagt etwas dazu.
entries = Einträge
entries-count = { $count ->
    [one] 1 Eintrag
   *[other] { NUMBER($count) } Einträge
}
entries-pending = { $count ->
    [one] 1 wird gelesen
   *[other] { NUMBER($count) } werden gelesen
}
entries-failed = { $count ->
    [one] 1 nicht gelesen
   *[other] { NUMBER($count) } nicht gelesen
}
entries-empty = Noch keine Einträge
entries-empty-text = Fügen Sie einen Text, die Adresse einer Webseite oder eine Datei hinzu.
entry = Eintrag
entry-type = Art
entry-of-text = Text
entry-of-page = Webseite
entry-add-text = Text hinzufügen
entry-add-address = Webseite hinzufügen
entry-add-file = Datei hinzufügen
entry-text-help = Fakten in Ihren eigenen Worten. Eine Zeile, die mit # beginnt, ist eine Überschrift.
entry-text-missing = Schreiben Sie zuerst den Text.
entry-address-help = Die Seite wird in wenigen Sekunden gelesen, und alle 30 Tage wieder.
entry-file-help = PDF, DOCX, PPTX, HTML, Markdown, reiner Text oder CSV.
entry-pending = Wird gelesen
entry-read = Bereit
entry-failed = Nicht gelesen
entry-unchanged = Unverändert
entry-retry = Wird gleich noch einmal versucht
entry-read-again = Noch einmal lesen
entry-description = Beschreibung
entry-summary = Zusammenfassung
entry-readings = Versuche, es zu lesen
entry-readings-none = Es wurde noch nicht gelesen.
entry-delete-text = Der Eintrag wird endgültig gelöscht. Seiten, die schon geschrieben sind, bleiben, wie sie sind.
file = Datei
file-missing = Wählen Sie zuerst eine Datei.
done-reading = Es wird gelesen. Öffnen Sie diese Ansicht gleich noch einmal.
done-deleted = Gelöscht.

## Screens: domains

domain = Domain
domain-new = Domain hinzufügen
domain-help = Der Hostname, den Besucher öffnen, etwa go.example.com.
domains-empty = Noch keine Domains
domains-empty-text = Ihre Seiten haben schon eine Adresse. Mit einer eigenen Domain erscheinen sie unter Ihrem Namen.
domain-active = Aktiv
domain-pending = Wartet auf den DNS-Eintrag
domain-verifying = Bestätigt, führt noch nicht hierher
domain-certificate-waits = Das Zertifikat ist unterwegs
domain-failed = Aufgegeben
domain-problem = Was nicht stimmt:
domain-verify = Jetzt nachsehen
domain-default-text = Suchmaschinen wird diese Domain als Adresse Ihrer Seiten genannt.
domain-delete-text = Unter der Domain wird nichts mehr gezeigt. Wer sie wieder hinzufügt, muss sie mit einem anderen Eintrag bestätigen.
default = Standard
default-make = Zum Standard machen
default-take = Nicht mehr Standard
records-wanted = Einträge, die gebraucht werden
records-help = Fügen Sie den Eintrag für das Eigentum hinzu, und für die Adresse entweder den CNAME-Eintrag oder alle A- und AAAA-Einträge.
records-seen = Was gesehen wurde
records-not-looked = Im DNS wurde noch nicht nachgesehen.
records-none = Keine
records-unanswered = Die Nameserver haben nicht geantwortet.
record-for = Für
record-type = Typ
record-value = Wert
record-ownership = Eigentum
record-address = Adresse
look-last = Letzte Prüfung
look-next = Nächste Prüfung
looks-end = Aufgegeben
looks-ended = Es wird nicht mehr nachgesehen. „Jetzt nachsehen“ beginnt von vorn.
certificate = Zertifikat
certificate-ends = Endet
certificate-renews = Wird erneuert
certificate-next = Nächster Schritt
done-looked = Im DNS wurde soeben nachgesehen.

## Screens: assets

assets-search = Medien durchsuchen
assets-empty = Noch keine Medien
assets-empty-text = Laden Sie Bilder hoch und sagen Sie, wofür sie sind. Seiten zeigen sie, wo sie passen.
asset-type = Art
asset-logo = Logo
asset-icon = Symbol
asset-video = Video
asset-component = Komponente
asset-hidden = Auf neuen Seiten nicht verwenden
asset-hidden-help = Seiten, die es schon zeigen, behalten es.
asset-open = Datei öffnen
picture = Bild
picture-new = Bild hochladen
picture-file-help = In der nächsten Ansicht sagen Sie, wofür es ist.
picture-file-wrong = Die Datei ist kein Bild. Es wurde nichts davon behalten.
purpose = Wofür es ist
purpose-help = Danach werden Seiten geschrieben: „zeigt unsere Werkstatt; neben dem, was wir zur Qualität sagen“.
tags = Schlagwörter
tags-help = Wörter, mit denen man es findet, durch Kommas getrennt.
upload = Hochladen
video-new = Video hinzufügen
video-address = Adresse des Videos
video-address-help = Die Adresse eines Videos bei YouTube.
trash = Papierkorb
trash-empty = Der Papierkorb ist leer
trash-text = Was im Papierkorb liegt, wird nach 30 Tagen endgültig entfernt.
trashed = Weggeworfen
to-trash = In den Papierkorb
done-asset-trashed = Es liegt im Papierkorb.
done-asset-restored = Es ist wieder da.

## Screens: brands

brand-new = Neue Marke
brand-from-website = Von einer Website
brand-website-help = Zum Beispiel die Startseite. Farben, Schriften, Logo und rechtliche Links werden gelesen; gespeichert wird noch nichts.
brand-propose = Website lesen
brand-proposed = Das sagt die Website. Ändern Sie, was Sie möchten, und speichern Sie dann.
brand-name = Name der Marke
brand-site-name = Name auf Seiten
brand-site-name-help = Leer gelassen tragen Seiten den Namen aus den Einstellungen der Site.
brand-default-text = Seiten, die keine Marke nennen, haben diese.
brand-delete-text = Seiten dieser Marke haben von da an die Standardmarke. Die Marke lässt sich nicht wiederherstellen.
brands-search = Marken durchsuchen
brands-empty = Noch keine Marken
brands-empty-text = Eine Marke gibt Seiten Ihre Farben, Schriften und Wörter. Beginnen Sie mit der Adresse Ihrer Website.
colours = Farben
colour-of = Farbe von
palette = Farben der Seiten
palette-help = Sie folgen aus dem Aussehen. Jeder Text hat mit seinem Grund einen Kontrast von mindestens 4,5.
colour-background = Hintergrund
colour-text = Text
colour-text-help = Der Kontrast mit dem Hintergrund muss mindestens 4,5 sein.
colour-accent = Schaltflächen
colour-accent-help = Etwa #2b55b8. Farben, die leer bleiben, folgen aus dieser.
colour-on-accent = Text auf Schaltflächen
colour-link = Links
colour-primary = Große Flächen
colour-on-primary = Text auf großen Flächen
fonts-headings = Schrift der Überschriften
fonts-body = Schrift der Texte
fonts-help = Namen, durch Kommas getrennt: Inter, Helvetica.
corner-radius = Eckenradius in Pixeln
spacing = Abstand
spacing-unset = Wie üblich
spacing-compact = Wenig
spacing-regular = Normal
spacing-roomy = Viel
logo-address = Adresse des Logos
logo-description = Beschreibung des Logos
icon-address = Adresse des Symbols
words-to-use = Wörter, die vorkommen sollen
words-to-avoid = Wörter, die nicht vorkommen sollen
words-help = Durch Kommas getrennt.
legal-links = Links in der letzten Zeile
link-lines-help = Einer je Zeile: Impressum | https://example.com/impressum
link-line-wrong = Zeile { NUMBER($count) } ist kein Link. Schreiben Sie: Text | Adresse

## Screens: links

links-search = Links durchsuchen
links-empty = Noch keine Links
links-empty-text = Ein Link ist ein kurzer Pfad wie /fruehling, der zu einer Seite führt, mit einem QR-Code für den Druck.
link-new = Neuer Link
link-which-page = Zu welcher Seite führt der Link?
link-of-page = Der Link führt zu { $name }.
link-path = Pfad
link-path-help = Etwa /fruehling.
link-path-change = Wo der alte Pfad gedruckt oder verschickt ist, führt er nirgends mehr hin.
link-own-domain = Die übliche Domain
link-target = Führt zu
link-target-help = Besucher sehen die Seite, eine ihrer Zielgruppen, oder werden auf mehrere verteilt.
link-target-gone = Nirgendwohin: Die Seite ist gelöscht.
link-to-page = Die Seite
link-to-shared = Verteilt nach Gewichten
link-weight = Gewicht von { $name }
link-weight-wrong = Zeile { NUMBER($count) } braucht eine Adresse und eine ganze Zahl: https://example.com/demo | 1
link-no-route = Geben Sie mindestens einer Zielgruppe oder Adresse ein Gewicht.
link-elsewhere = Adressen anderswo
link-elsewhere-help = Nur wenn Besucher verteilt werden. Eine je Zeile mit ihrem Gewicht: https://example.com/demo | 1
link-routes = { $count ->
    [one] 1 Ziel
   *[other] { NUMBER($count) } Ziele
}
link-delete-text = Der Pfad antwortet von da an mit „nicht gefunden“, auch wo er gedruckt ist.
qr = QR-Code
qr-of = QR-Code von { $address }
blocks = Linkblöcke
blocks-empty = Noch keine Linkblöcke
blocks-empty-text = Links, die mehrere Seiten als Navigation oder Fußzeile teilen. Eine Änderung erscheint auf allen.
block-new = Neuer Linkblock
block-kind = Erscheint in
block-navigation = Navigation
block-footer = Fußzeile
block-lines-help = Ein Link je Zeile: Preise | https://example.com/preise. Eine Zeile „# Firma“ beginnt eine Gruppe, eine leere Zeile beendet sie. In einer Fußzeile steht jeder Link in einer Gruppe.
link-line-wrong-footer = Zeile { NUMBER($count) } ist kein Link einer Gruppe. Schreiben Sie zuerst „# Überschrift“, dann: Text | Adresse
block-not-lines = Dieser Block hat Einträge, die sich nicht als Zeilen schreiben lassen. Ändern Sie ihn über die API.
block-delete-text = Seiten, die den Block verwenden, behalten seine Links als eigene.

## Screens: imports of persons

imports = Importe
import = Import
import-new = Personen importieren
imports-empty = Noch nichts importiert
import-file-help = Eine CSV-Datei in UTF-8 mit Spaltennamen in der ersten Zeile, wie Tabellenprogramme und CRMs sie schreiben. Nichts wird importiert, bevor Sie gesehen haben, was daraus wird.
import-status = Status
import-draft = Nicht geprüft
import-checking = Wird geprüft
import-checked = Geprüft
import-importing = Wird importiert
import-done = Importiert
import-cancelled = Abgebrochen
import-failed = Fehlgeschlagen
import-failed-text = Die Datei konnte nicht bis zum Ende gelesen werden. Was vorher importiert wurde, bleibt. Speichern Sie die Datei noch einmal als CSV und importieren Sie sie erneut: Niemand wird doppelt importiert.
import-created = Neue Personen
import-updated = Geänderte Personen
import-unchanged = Zeilen ohne Neues
import-refused = Abgelehnte Zeilen
import-rehearsed = Noch wurde nichts importiert. Das würde geschehen.
import-progress = Gelesener Anteil der Datei
import-refused-rows = Zeilen, die nicht importiert werden können
import-refused-download = Alle als CSV-Datei
import-line = Zeile
import-reason = Grund
import-columns = Spalten
import-column = Spalte
import-becomes = Wird zu
import-filled = Zeilen
import-columns-help = Sagen Sie, was aus jeder Spalte wird. Unter ihrem Namen stehen ihre ersten Werte.
import-change-columns = Spalten ändern
import-first-name = Vorname
import-last-name = Nachname
import-context = Was über die Person bekannt ist
import-ignore = Weglassen
import-region = Land der Telefonnummern ohne Landesvorwahl
import-region-help = Zwei Buchstaben, etwa DE.
import-check = Prüfen
import-start = Importieren
import-cancel = Abbrechen

## Screens: merging and erasing persons

merge = Zusammenführen
merge-help = Zwei Einträge für eine Person? Wählen Sie den anderen. Bevor etwas geschieht, sehen Sie, was geschähe.
merge-nobody = Niemand sonst wurde gefunden. Suchen Sie nach einem anderen Namen oder einer anderen Adresse.
merge-nothing = Nichts
merge-question = { $other } geht in { $this } auf und wird nicht mehr aufgeführt. Alles Folgende zieht um. Sie können das 30 Tage lang rückgängig machen.
merge-logs = Einträge im Verlauf
merge-audiences = Persönliche Seiten
merge-collisions = Auf diesen Seiten haben beide eine persönliche Seite. Die der anderen Person ziehen nicht um, und ihre Adressen zeigen, dass es die Seite nicht mehr gibt:
merge-do = Personen zusammenführen
merge-undo = Zusammenführung rückgängig machen
merged-persons = In dieser Person aufgegangen
done-persons-merged = Die Personen sind zusammengeführt.
erase = Löschen für immer
erase-question = { $name } für immer löschen?
erase-text = Die Person, ihr Verlauf, ihre Besuche, Einsendungen und persönlichen Seiten werden entfernt, und ihr Name verschwindet aus allem anderen. Das lässt sich nicht rückgängig machen. Sie können auch die E-Mail-Adresse eingeben.
done-person-erased = Die Person ist gelöscht und wird gerade für immer entfernt.
person-export = Exportieren
