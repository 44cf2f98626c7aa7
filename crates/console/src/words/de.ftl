# What the console says in German.

## The language itself

language-name = Deutsch
direction = ltr
format-group = .
format-decimal = ,
format-date = { $day }. { $month } { $year }
format-day = { $day }. { $month }
format-date-time = { $date }, { $time } UTC
percent = { $number } %
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
user-menu = Ihr Konto
sign-out = Abmelden
messages = Meldungen
dismiss = Schließen
undo = Rückgängig
cancel = Abbrechen
close = Schließen
apply = Anwenden
search = Suchen
request-failed = Das hat nicht geklappt. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.

## Tables

rows = Zeilen { NUMBER($from) }–{ NUMBER($to) }
rows-of = { NUMBER($from) }–{ NUMBER($to) } von { NUMBER($total) }
rows-none = Nichts anzuzeigen
pagination = Teile der Liste
page-first = Anfang
page-previous = Zurück
page-next = Weiter
sort-by = Nach dieser Spalte sortieren
sort-by-shown = Sortiert diese Zeilen und die dahinter, bis zu 100
sort-shown = Nur die angezeigten Zeilen sind sortiert. Die Liste geht in ihrer eigenen Reihenfolge weiter.
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
by-api-more = { $count ->
    [one] Und { NUMBER($count) } weiterer Aufruf wie diese.
   *[other] Und { NUMBER($count) } weitere Aufrufe wie diese.
}
by-api-forms = Was die Formulare und Schaltflächen hier senden, mit Beispielen. Ersetzen Sie, was in Großbuchstaben steht: Das ist eine ID, die der Aufruf davor nennt oder die nur Sie kennen.
by-api-forms-label = Formulare und Schaltflächen über die API
by-nothing = Kein Aufruf der API und kein Befehl zeigt das: Es gehört zur Installation, und nur die Konsole stellt es zusammen.
by-command-line = Dasselbe auf der Kommandozeile
by-command-line-help = Für die Person, die den Server betreibt: Die API kann das nicht, weil es zur Installation gehört und nicht zu einem Mandanten.
copy = Kopieren
copied = Kopiert

## Palette and keys

palette-open = Finden …
palette-title = Alles finden
palette-placeholder = Seite, Person, Einstellung …
palette-results = Treffer
palette-go = Öffnen
palette-do = Aktion
palette-here = Auf dieser Seite
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
key-preview = In der Vorschau: ein Element eines Blocks wählen und ändern lassen
key-move-block = Den Block nach oben oder unten schieben
key-keys = Diese Tasten zeigen
key-go = Zu { $name }

## Screens

## Screens: everywhere

account = Ihr Konto
save = Speichern
edit = Bearbeiten
archive = Archivieren
restore = Wiederherstellen
yes = Ja
no = Nein
name = Name
email = E-Mail-Adresse
state = Status
changed = Geändert
created = Angelegt
time-spent = Zeit auf der Seite
seconds-short = { NUMBER($count) } s
minutes-short = { $minutes }:{ $seconds } min
seconds = { $count ->
    [one] 1 Sekunde
   *[other] { NUMBER($count) } Sekunden
}
done-audiences-made = Die Zielgruppen werden geschrieben.
done-saved = Gespeichert.
done-page-created = Die Seite ist angelegt. Ihr Entwurf erscheint hier, sobald er geschrieben ist.
done-page-archived = Die Seite ist archiviert. Ihre Links führen ins Leere.
done-page-deleted = Die Seite ist gelöscht. Ihre Links führen ins Leere.
done-page-restored = Die Seite ist wieder da.
done-audience-archived = Die Zielgruppe ist archiviert. Ihr Link führt ins Leere.
done-published = Veröffentlicht. Besucher sehen die Seite jetzt.
done-scheduled = Die Planung ist gesetzt.
done-unscheduled = Die Planung ist aufgehoben.
problem-not-found = Nicht gefunden
problem-not-found-text = Unter dieser Adresse gibt es nichts, oder Sie dürfen es nicht sehen.
problem-methods = Die Konsole nimmt GET und POST an.
problem-cross-site = Das wurde nicht von der Konsole gesendet. Öffnen Sie den Bildschirm noch einmal und wiederholen Sie es dort.
problem-no-role = Sie haben in keinem Mandanten mehr eine Rolle.
problem-suspended = Der Mandant ist gesperrt.
problem-form-too-large = Es wurde mehr eingegeben, als ein Formular fassen darf.
problem-failed-text = Auf dem Server ist etwas schiefgegangen. Was Sie getan haben, ist vielleicht nicht geschehen.
problem-conflict = Das steht im Widerspruch zum jetzigen Stand.
problem-changed = Jemand anderes hat es inzwischen geändert. Öffnen Sie es noch einmal und wiederholen Sie die Änderung.
problem-too-large = Das ist größer als erlaubt.
problem-limited = Das war zu oft. Versuchen Sie es gleich noch einmal.
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
sign-in-with = Mit { $provider } anmelden
password-none = Sie melden sich bei einem Identitätsanbieter an, ohne Passwort.
sign-in-emergency = Mit Passwort anmelden
sign-in-emergency-help = Passwörter sind hier abgeschaltet, außer für Benutzer, die für Notfälle vorgesehen sind.
sign-in-insecure = Browser bewahren eine Anmeldung nur über HTTPS oder auf der Maschine selbst sicher auf. Öffnen Sie die Konsole unter einer Adresse, die mit https:// beginnt, oder unter http://localhost.
password = Passwort
new-password = Passwort
password-new = Neues Passwort
password-help = Mindestens 12 Zeichen. Ein Satz ist leicht zu merken.
password-set = Passwort festlegen
password-title = Passwort wählen
code = Code
code-title = Code eingeben
code-help = Die sechs Ziffern Ihrer Authenticator-App oder ein Wiederherstellungscode.
setup = Konto anlegen
setup-title = Willkommen bei Pagesmith
setup-text = Legen Sie das erste Konto an. Es darf hier alles und kann andere einladen.
setup-company = Ihr Unternehmen
setup-company-help = Wird oben in der Konsole angezeigt. Besucher sehen es nicht.
invitation-title = Sie sind eingeladen
invitation-text = Sie sind zu { $tenant } eingeladen. Ihre Rolle dort: { $role }.
invitation-accept = Einladung annehmen
invitation-accept-with = Mit { $provider } annehmen
invitation-has-user = Ich habe schon ein Konto

## Screens: start and pages

start-attention = Was Aufmerksamkeit braucht
start-nothing-waits = Nichts wartet auf Sie.
start-more-waits = Es wartet mehr, als hier steht. Neueres steht zuerst.
start-whole-page = Zur Seite
start-week = Besuche in 7 Tagen
start-pages = Zuletzt bearbeitete Seiten
visits-of-week = { $count ->
    [one] 1 Besuch in 7 Tagen
   *[other] { NUMBER($count) } Besuche in 7 Tagen
}
webhook-dead = Nach Fehlern abgeschaltet
questions-unanswered = Unbeantwortete Fragen
questions-open = { $count ->
    [one] 1 unbeantwortete Frage
   *[other] { NUMBER($count) } unbeantwortete Fragen
}
questions-help = Das haben Besucher gefragt, und nichts war bekannt, was es beantwortet. Ergänzen Sie das Fehlende in Ihrem Wissen; dann bekommt der nächste Besucher eine Antwort.
questions-none = Jede Frage wurde beantwortet.
question-where = Wo gefragt wurde
question-done = Erledigt
pages-empty = Machen Sie Ihre erste Seite
pages-empty-text = Fügen Sie ein, was Sie über Ihr Angebot wissen. Pagesmith schreibt daraus eine Seite, und eine für jede Zielgruppe.
pages-search = Seiten suchen
page-new = Neue Seite
page-new-text = Fügen Sie Ihren Text ein, wie er ist: von einer Website, aus einer E-Mail oder Notizen. Sie sehen den Entwurf vor allen anderen.
page-new-example = Mit einem Beispiel beginnen:
page-name = Name der Seite
page-name-help = Für Sie und für die Adresse der Seite. Bleibt das Feld leer, wird der Name aus dem Text genommen.
page-type = Art der Seite
page-context = Worum es auf der Seite geht
page-context-help = Fakten für Besucher: was Sie anbieten, Zahlen, Zitate, Fragen, Preise, nächste Schritte.
page-write = Seite schreiben
type-inbound = Landingpage
type-outbound = Ansprache
type-call-followup = Nach einem Gespräch
type-sales-deck = Präsentation
type-custom = Sonstige
example-inbound-name = Catering der Bäckerei
example-inbound-context =
    Ofenglück backt für Büros in Leipzig. Wir liefern Frühstück für 10 bis 200 Personen vor 8 Uhr morgens.

    Seit 2014 haben wir 340 Firmen versorgt. „Am Ofenglück-Tag kommt niemand zu spät“, sagt Jana Voigt, Büroleiterin bei Hellwerk.

    Wie früh muss ich bestellen? Bis 12 Uhr am Vortag. Vegane und glutenfreie Boxen kosten dasselbe.

    Bestellen Sie eine kostenlose Probierbox.
example-inbound-audience = Büroleitungen von Kanzleien; ihnen ist pünktliche Lieferung wichtig.
example-outbound-name = Aufzüge in einem Termin geprüft
example-outbound-context =
    Betreff: zwei Prüfungen, ein Termin

    Meridian Aufzüge wartet und prüft Aufzüge in Norddeutschland. Die meisten Vermieter zahlen zwei Termine im Jahr: einen für die Wartung, einen für die vorgeschriebene Prüfung. Wir machen beides in einem, an einem Tag Ihrer Wahl, und schicken den Bericht am selben Tag.

    2025 haben wir 1.150 Aufzüge in 480 Gebäuden betreut. Ein Aufzug steht bei uns im Schnitt 3 Stunden im Jahr still; in der Branche sind es 19. „Wir rufen jetzt nur noch eine Nummer an“, sagt Thomas Ridder, der 31 Gebäude der Wohnbau Elbe verwaltet.

    Was kostet das? 99 Euro je Aufzug und Monat, die Prüfung eingeschlossen. Müssen wir den Vertrag wechseln? Ja, aber wir kündigen für Sie. Sind andere Fabrikate ein Problem? Nein, wir haben Ersatzteile für alle gängigen.

    Buchen Sie 20 Minuten mit einer Ingenieurin.
example-outbound-audience = Technische Leitungen von Wohnungsgesellschaften mit 10 bis 100 Aufzügen; sie kennen uns noch nicht, und Mieter beschweren sich, wenn ein Aufzug steht.
example-call-name = Nach unserem Gespräch: der Umzug in ein Lager
example-call-context =
    Notizen vom Gespräch, Dienstag, 45 Minuten.

    Sie wollen bis September zwei Lager in Hannover zusammenlegen. 14.000 Artikel, 900 Pakete am Tag, im November doppelt so viele. Am meisten sorgt sie die Woche des Umzugs: 2023 hat ein anderer Anbieter vier Tage verloren.

    Was wir zugesagt haben: Der Umzug dauert ein Wochenende. Freitagabend zählen wir, Samstag fahren wir, Sonntag scannen wir alles ein, Montag um 6 gehen die ersten Pakete hinaus. Das haben wir 26 Mal gemacht; am längsten dauerte es bis Montagmittag. Gehen Pakete später als Montagabend hinaus, zahlen wir 2.000 Euro am Tag.

    Preis: 42.000 Euro für den Umzug, danach 2,15 Euro je Paket. Verpackung, Retouren und eine Ansprechpartnerin vor Ort sind enthalten.

    Offene Fragen: Lässt sich ihre Shopsoftware direkt anbinden? Ja, das haben wir für 12 Kunden getan. Wer unterschreibt den Mietvertrag? Sie, wir beraten.

    Nächster Schritt: ein Besuch in Hannover, nächsten Donnerstag um 10, mit ihrer Betriebsleitung.
example-call-audience = Die Geschäftsführerin, mit der wir gesprochen haben; sie entscheidet und gibt die Seite an ihre Betriebsleitung weiter.
example-deck-name = Klarlauf für Städte
example-deck-context =
    ## Das Problem
    Ein Siebtel des Trinkwassers kommt in vielen Städten nie an einem Hahn an. Lecks findet man, wenn eine Straße überschwemmt ist.

    ## Was wir tun
    Klarlauf hört Rohre ab. Ein faustgroßer Sensor sitzt in zehn Minuten auf einem Hydranten und meldet ein Leck auf zwei Meter genau, Wochen bevor man es sieht.

    ## Zahlen
    - 61 Netze in 9 Ländern
    - 34 % weniger Verlust nach dem ersten Jahr
    - 10 Minuten, um einen Sensor anzubringen

    ## Was andere sagen
    „Wir haben 212 Lecks geschlossen, von denen niemand wusste.“ – Maren Holt, Leiterin der Wasserwerke Elbstadt

    ## Preise
    - Pilot: 50 Sensoren, 6 Monate, 26.000 Euro
    - Stadt: ab 400 Sensoren, 340 Euro je Sensor und Jahr

    ## Nächster Schritt
    Wählen Sie einen Stadtteil für den Pilot; wir bringen die Sensoren innerhalb von vier Wochen an.
example-deck-audience = Mitglieder des Stadtrats und die Kämmerin; sie sind keine Ingenieure und fragen, wann sich die Ausgabe lohnt.
archive-question = { $name } archivieren?
archive-page-text = Besucher finden unter ihren Links nichts mehr. Sie können sie jederzeit wiederherstellen.
page-delete-text = Ihre Zielgruppen und Fassungen gehen mit, und ihre Links führen ins Leere. Sie können das gleich danach zurücknehmen, und 30 Tage lang über die API.
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
audiences-search = Zielgruppen suchen
audiences-empty-text = Eine Zielgruppe ist, für wen eine Fassung der Seite geschrieben wird: eine Gruppe, eine Firma, eine Person.
audience-new = Neue Zielgruppe
audience-one = Eine
audiences-of-file = Aus einer Datei
audiences-of-file-help = Eine CSV-Datei mit Personen: Spaltennamen in der ersten Zeile, bis zu { NUMBER($most) } Zeilen. Wer noch nicht bekannt ist, wird als Person angelegt; alle anderen Spalten werden Notizen für den Verfasser.
audiences-of-file-large = Die Datei hat mehr als 4 MB. Teilen Sie sie auf.
audiences-of-file-many = Die Datei hat mehr als { NUMBER($most) } Zeilen. Teilen Sie sie auf; nichts wurde angelegt.
audiences-of-file-nobody = Keine Spalte ist als E-Mail-Adresse, Telefonnummer oder LinkedIn-Profil zu erkennen. Nennen Sie eine davon E-Mail, oder importieren Sie die Datei unter Personen, wo Sie die Spalten zuordnen, und wählen Sie die Personen hier aus.
audiences-of-file-empty = Die Datei hat unter den Spaltennamen keine Zeilen.
audiences-of-notes = Aus Notizen
audiences-of-persons-help = Wählen Sie Personen aus: Jede bekommt eine eigene Seite.
audiences-of-accounts-help = Wählen Sie Firmen aus: Jede bekommt eine eigene Seite.
many-draft = Entwürfe schreiben
many-publish = Schreiben und veröffentlichen
many-none = Nichts ist ausgewählt. Wählen Sie mindestens einen Eintrag aus.
many-left = Was nicht erledigt wurde
many-done = { $count ->
    [0] Nichts wurde erledigt.
    [one] Für einen erledigt. Die anderen stehen unten, jeweils mit dem Grund.
   *[other] Für { NUMBER($count) } erledigt. Die anderen stehen unten, jeweils mit dem Grund.
}
many-gone = Nicht mehr vorhanden
many-to-page = Zur Seite
line-number = Zeile { NUMBER($line) }
audiences-many-help = Eine Zielgruppe je Zeile, bis zu { NUMBER($most) }.
audience-name = Name der Zielgruppe
audience-about = Über diese Zielgruppe
audience-context = Für wen sie ist
audience-everyone-help = Notizen für den Schreiber: wer sie sind, was sie beschäftigt, was wichtig ist. Besucher sehen sie nie. Bleibt das Feld leer, ist die Seite für alle.
audience-everyone = Alle
audience-context-help = Notizen für den Schreiber: wer sie sind, was sie beschäftigt, was wichtig ist. Besucher sehen sie nie.
save-and-rewrite = Speichern und neue Fassung schreiben
status-published = Veröffentlicht
status-draft = Entwurf
status-queued = Wartet
status-processing = Wird geschrieben
status-cancelled = Nicht geschrieben
status-archived = Archiviert
being-written = Diese Ansicht aktualisiert sich von selbst.
writing-queued = Die Seite wartet, bis sie an der Reihe ist.
writing-pending = Die Seite wartet, bis eine andere Fassung geschrieben ist.
writing-begins = Die Seite wird geschrieben.
writing-reading = Die Seite wird geschrieben: Der Text wird gelesen.
writing-planning = Die Seite wird geschrieben: Die Reihenfolge wird geplant.
writing-writing = Die Seite wird geschrieben.
writing-checking = Die Seite wird geschrieben: Sie wird geprüft.
writing-again = Die Seite wird geschrieben: Der letzte Versuch ist gescheitert, es folgt ein neuer.
writing-blocks = { $count ->
    [one] Ein Baustein ist fertig.
   *[other] { NUMBER($count) } Bausteine sind fertig.
}
writing-tries = Das ist Versuch { NUMBER($count) }.
writing-cancelled = Das Schreiben wurde von { $name } abgebrochen. Was bis dahin fertig war, bleibt.
writing-failed = Das Schreiben ist gescheitert.
writing-kept-back = { $count ->
    [one] Ein Teil des Textes steht nicht auf der Seite
   *[other] { NUMBER($count) } Teile des Textes stehen nicht auf der Seite
}
writing-kept-back-help = Anweisungen, die nicht verstanden wurden, und Sätze, die vielleicht nicht für Besucher bestimmt sind. Gehört einer auf die Seite, ergänzen Sie ihn dort, oder schreiben Sie ihn so, wie Sie ihn Besuchern sagen würden.
archived-text = Archiviert: Der Link führt ins Leere.
cancel-writing = Schreiben abbrechen
publish = Veröffentlichen
open-page = Seite öffnen
versions = Fassungen
version-number = Fassung { $number }
versions-same = Beide Fassungen sind gleich.
rewrite = Neue Fassung schreiben
compare = Mit der vorigen vergleichen
compare-two = Vergleichen
compare-none = Es gibt nur eine Fassung.
compare-from = Vorher
compare-to = Nachher
version-history = Verlauf
version-created = Angelegt
version-restored = Aus einer anderen Fassung angelegt
version-generated = Geschrieben
version-failed = Schreiben gescheitert
version-edited = Geändert
version-edited-by-message = Durch eine Nachricht geändert
version-cancelled = Abgebrochen
version-publish-requested = Soll veröffentlicht werden, sobald sie geschrieben ist
version-published = Veröffentlicht
version-replaced = Von einer anderen Fassung abgelöst
version-unpublished = Offline genommen
version-scheduled = Planung gesetzt
version-unscheduled = Planung aufgehoben
version-schedule-failed = Nicht zur geplanten Zeit veröffentlicht:
as-draft = Als Entwurf übernehmen
schedule = Planen
schedule-publish-at = Veröffentlichen am
schedule-unpublish-at = Offline nehmen am
schedule-zone = Zeitzone: { $zone }
schedule-time-wrong = Geben Sie Tag und Uhrzeit in einer bekannten Zeitzone an, etwa 01.04.2026 08:00.
unschedule = Planung aufheben
will-be-published = wird veröffentlicht:
will-be-unpublished = wird offline genommen:
block-added = Hinzugefügt
block-removed = Entfernt
block-changed = Geändert
block-kept = Unverändert
block-moved = An eine andere Stelle gerückt.
block-changed-whole = Es hat sich so viel geändert, dass einzelne Felder nicht gezeigt werden.
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
persons-empty-text = Personen kommen aus Formularen, aus einer importierten Datei, aus Ihrem CRM über die API oder von Hand.
person-context = Aus Importen bekannt
person-context-help = Spalten importierter Dateien. Der Seitenagent kennt sie, wenn er für diese Person schreibt; Besucher sehen sie nie.
person-exists = Das hat { $name } schon. Öffnen Sie diese Person, um sie zu ändern.
company-domain = Firmendomain
phone = Telefonnummer
phone-help = Mit Ländervorwahl: +49 30 901820.
linkedin = LinkedIn-Profil
activity = Aktivität
timeline-visit = Besuch einer Seite
timeline-page = Eine eigene Seite wurde angelegt
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
spam-because = Zurückgehalten, weil
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
visits-values-left = Nicht gezeigt: { NUMBER($count) } weitere mit zusammen { NUMBER($visits) } Besuchen.
visits-others = Nicht unterschieden: { NUMBER($visits) } Besuche.
steps = Schritte
step-seen = Seite gesehen
step-scrolled = Bis zur Mitte gescrollt
step-action = Eine Aktion benutzt
step-form = Ein Formular gesendet
sessions = Letzte Besuche
sessions-empty = Noch keine Besuche
sessions-empty-text = Veröffentlichen Sie die Seite und senden Sie jemandem ihren Link.
session-began = Begonnen
session-ended = Beendet
visitor = Besucher
visitor-unknown = Unbekannter Besucher
visitors-now = { $count ->
    [0] Gerade ist niemand auf der Seite.
    [one] Gerade ist 1 Besucher auf der Seite.
   *[other] Gerade sind { NUMBER($count) } Besucher auf der Seite.
}
visits-not-counted = Nicht gezählt
visits-not-counted-text = Besuche von Programmen und aus Ihren eigenen Netzen. Sie sind in keiner der Zahlen oben.
not-counted-crawler = Crawler
not-counted-automated = Automatisierte Browser
not-counted-prefetch = Vorab geladene Seiten
not-counted-referrer-spam = Referrer-Spam
not-counted-own-address = Ihre eigenen Netze
not-counted-data-centre = Rechenzentren
visits-before = Vorheriger Zeitraum
figure-before = Davor: { $figure }
visits-by-campaign = Besuche je Kampagne
campaign = Kampagne
campaign-none = Keine
campaign-content = Inhalt
campaign-term = Suchwort
medium = Medium
scrolled = Gescrollt
clicks = Klicks
form-was-sent = Formular gesendet
session-steps = Was geschah, Schritt für Schritt
session-viewed = Seite geöffnet
session-viewed-again = Seite erneut geöffnet:
session-used = Benutzt:
session-sent-form = Formular gesendet
audiences-side-by-side = Zielgruppen im Vergleich
audience-of-person = Eine persönliche Seite
audience-withheld = Was für eine Person geschrieben ist, sehen Analysten nicht.
download-csv = Als CSV herunterladen
share = Teilen
shares = Links zu diesen Zahlen
shares-text = Wer einen solchen Link hat, sieht die Zahlen dieser Seite ohne Namen und ohne Anmeldung, bis der Link endet.
share-new = Link erstellen
share-make = Link erstellen
share-for = Für wen
share-for-help = Damit Sie später wissen, wer ihn hat.
share-days = Gültig für
share-password-help = Leer lassen, wenn der Link allein genügt.
share-until = bis
share-with-password = mit Passwort
share-end = Beenden
share-link = Der Link
share-link-help = Jetzt kopieren: Er wird nicht wieder angezeigt.
shared-title = Diese Zahlen sind geschützt
shared-open = Anzeigen
shared-until = Dieser Link gilt bis
days = { $count ->
    [one] 1 Tag
   *[other] { NUMBER($count) } Tage
}
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
webhook-delete-text = Dorthin wird nichts mehr gesendet, und die Zustellungen sind weg. Das kann nicht zurückgenommen werden.
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
resend-failed = Gescheiterte erneut senden
resend-failed-next = Die nächsten erneut senden
failed-left = Es sind mehr Zustellungen gescheitert, als auf einmal erneut gesendet werden können.
rotate-secret = Neues Geheimnis
deliveries = Zustellungen
sent-body = Was gesendet wurde
attempts-none = Noch wurde nichts gesendet.
deliveries-empty = Noch nichts gesendet
deliveries-empty-text = Senden Sie einen Test, um zu sehen, ob Ihr Empfänger antwortet.
attempts = Versuche
when = Wann
waiting = Wartet
delivered = Zugestellt
failed = Gescheitert
next-attempt = Nächster Versuch
done-sent-again = Es ist unterwegs.
done-recovered = { $count ->
    [0] Es ist keine gescheiterte Zustellung der letzten 30 Tage übrig.
    [one] 1 Zustellung wird erneut gesendet.
   *[other] { NUMBER($count) } Zustellungen werden erneut gesendet.
}

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
browser-on = { $browser } unter { $system }
this-browser = dieser Browser
end-session = Dort abmelden
end-others = Überall sonst abmelden
users = Benutzer
role = Rolle
remove-user = Von hier entfernen
invite = Einladen
invite-help = Leer gelassen kann jeder annehmen, der den Link hat.
mail-waiting = Die E-Mail wartet darauf, gesendet zu werden.
mail-sent = Per E-Mail gesendet.
mail-failed = Die E-Mail konnte nicht gesendet werden.
mail-again = Noch einmal senden
mail-invitation-subject = Sie sind zu { $tenant } eingeladen
mail-invitation-text = Sie sind zu { $tenant } auf Pagesmith eingeladen. Öffnen Sie diese Adresse, um anzunehmen:
mail-invitation-end = Sie gilt einmal und 7 Tage lang. Wenn Sie das nicht erwartet haben, tun Sie nichts.
invitation-made = Senden Sie diesen Link an die eingeladene Person. Er wird nur dieses eine Mal gezeigt und gilt 7 Tage.
anybody = Wer den Link hat
revoke = Widerrufen
audit = Audit-Protokoll

## Screens: settings

settings-site = Website
settings-consent = Einwilligung
settings-agent = Agent
settings-keys = Schlüssel
settings-usage = Verbrauch
settings-retention = Aufbewahrung
switched-on = An
switched-off = Aus
never = Nie
site-name = Name der Website
site-name-help = Leer gelassen nennt jede Seite ihren eigenen Namen.
site-home = Seite an der Wurzel
site-home-help = Was Besucher sehen, die die Website ohne Pfad öffnen. Die erste veröffentlichte Seite nimmt den Platz ein.
site-home-stays = Nicht ändern
site-look = Wie Seiten im Normalfall aussehen, bestimmt die Standardmarke:
person-page-access = Seiten einzelner Personen
access-open = Offen
access-open-help = Unter einer Adresse aus dem Namen.
access-unguessable = Nicht zu erraten
access-unguessable-help = Unter einer Adresse mit einem zufälligen Teil.
access-signed = Nur signierte Links
access-signed-help = Nur über einen Link, der abläuft.
signed-link-days = Tage, bis ein signierter Link abläuft
consent-scripts = Skripte von Seiten
consent-ask = Besucher vorher fragen
consent-ask-help = Kein Skript einer Seite läuft, bevor der Besucher zustimmt.
consent-none = Ungefragt ausführen
consent-none-help = Nur, wenn Sie das ohne Frage dürfen.
measurement = Messung von Besuchen
measurement-help = Besuche werden ohne Cookies gemessen.
privacy-signal = Browser, die nicht verfolgt werden wollen
signal-ignore = Ihre Besuche zählen
signal-ignore-help = Besuche nennen ohnehin niemanden, bis jemand ein Formular sendet.
signal-no-person = Zählen, aber nie als die einer Person
signal-no-person-help = Auch nicht, wenn der Besucher ein Formular sendet.
signal-nothing = Nicht zählen
signal-nothing-help = Der Besuch hinterlässt keine Spur in Ihren Zahlen.
own-networks = Ihre eigenen Netze
own-networks-help = Eines je Zeile, etwa 203.0.113.0/24. Besuche von dort werden nicht gezählt.
agent-help = Der Agent schreibt Ihre Seiten. Eine Änderung gilt ab der nächsten Version.
agent-who = Wer schreibt
agent-server = Der Agent dieses Servers
agent-server-template = Zurzeit ist das die Vorlage.
agent-server-model = Zurzeit ist das das Modell { $model }.
agent-template = Die Vorlage
agent-template-help = Arbeitet offline und kostet nichts.
agent-openai = Ihr eigenes Modell, Chat Completions
agent-openai-help = Die API von OpenAI und vieler Server, die so sprechen.
agent-anthropic = Ihr eigenes Modell, Messages
agent-anthropic-help = Die API von Anthropic.
agent-address = Adresse der API
agent-address-help = Leer gelassen: die übliche.
agent-model = Modell
agent-key = Schlüssel der API
agent-key-kept = Ein Schlüssel ist gespeichert und wird nie gezeigt. Leer gelassen bleibt er; eine andere Adresse, ein anderes Modell oder andere Preise brauchen ihn erneut.
agent-key-none = Es ist kein Schlüssel gespeichert.
agent-key-lost = Der gespeicherte Schlüssel lässt sich nicht mehr öffnen. Geben Sie ihn neu ein.
agent-key-remove = Den gespeicherten Schlüssel entfernen
agent-input-price = Preis für eine Million gelesene Token
agent-output-price = Preis für eine Million geschriebene Token
agent-price-help = Etwa 2.50, in der Währung, in der Sie rechnen.
agent-token-limit = Höchstens so viele Token im Monat
agent-cost-limit = Höchstens so viel Geld im Monat
agent-limit-help = 0 für das, was der Betreiber erlaubt.
agent-allowed-any = 0 für beliebig viele. Der Betreiber setzt keine Grenze.
agent-allowed-tokens = Der Betreiber erlaubt { NUMBER($count) } Token; die kleinere Zahl gilt. 0 für keine eigene Grenze.
agent-allowed-cost = Der Betreiber erlaubt { $cost } im Monat. 0 für keine eigene Grenze.
agent-allowed-both = Der Betreiber erlaubt { NUMBER($count) } Token und { $cost } im Monat; die kleineren Zahlen gelten. 0 für keine eigene Grenze.
agent-try = Ausprobieren
agent-try-help = Bittet den gespeicherten Agenten einmal um ein paar Worte zu einem Text. Nichts wird behalten; was ein Modell verbraucht, zählt zum Budget.
agent-try-text = Text
agent-try-example = Acme baut Ambosse für Schmiede, die den ganzen Tag arbeiten. Jeder hält 50 Jahre.
agent-try-worked = Es funktioniert
agent-try-failed = Keine Antwort
tokens-read = Gelesene Token
tokens-written = Geschriebene Token
questions = Fragen von Besuchern
questions-shown = Seiten haben ein Feld für Fragen
questions-shown-help = Antworten werden aus dem zitiert, was Sie wissen, sofern eine Seite nichts anderes sagt.
questions-per-visitor = Fragen eines Besuchers in einem Besuch
questions-per-page = Antworten auf einer Seite am Tag
questions-per-tenant = Antworten auf allen Seiten am Tag
key-new = Neuer Schlüssel
keys-empty = Noch keine Schlüssel
keys-empty-text = Mit einem Schlüssel ruft ein Programm die API für diesen Mandanten auf.
key-scope = Berechtigung
scope-read = Lesen
scope-write = Lesen und ändern
key-made = Erstellt
key-used = Zuletzt benutzt
key-expires = Läuft ab
key-actions = Aktionen
key-expired = Abgelaufen
key-revoked = Widerrufen
key-name-help = Das Programm, das ihn benutzt, etwa CRM.
key-days = Tage, bis er abläuft
key-days-help = Leer gelassen läuft er nicht ab.
key-rotate = Ersetzen
key-rotate-help = Erstellt einen anderen Schlüssel. Dieser gilt noch einen Tag.
key-once = Bewahren Sie diesen Schlüssel jetzt auf: Er wird nur dieses eine Mal gezeigt.
key-call = Ein Aufruf damit:
key-revoke-question = { $name } widerrufen?
key-revoke-text = Programme, die diesen Schlüssel benutzen, werden ab jetzt abgewiesen. Das lässt sich nicht rückgängig machen.
done-key-revoked = Der Schlüssel ist widerrufen.
usage-files = Dateien
usage-storage = Speicher
usage-budget = Budget dieses Monats
usage-no-budget = Keine Grenze
usage-by-month = Nach Monat
usage-month = Monat
usage-tries = Modellaufrufe
usage-cost = Kosten
usage-help = Monate sind in UTC. Was geschehen ist, bleibt gezählt, was auch immer später gelöscht wird.
audit-action = Was
audit-actor = Von
audit-subject = Woran
audit-any = Alles
audit-since = Ab
audit-until = Vor
audit-narrow = Zeigen
audit-empty = Noch nichts
audit-empty-text = Hier erscheinen Änderungen, die für Sicherheit und Datenschutz wichtig sind.
audit-action-tenant-created = Mandant angelegt
audit-action-tenant-updated = Mandant geändert
audit-action-tenant-suspended = Mandant gesperrt
audit-action-tenant-resumed = Mandant wieder freigegeben
audit-action-key-created = Schlüssel angelegt
audit-action-key-rotated = Schlüssel ersetzt
audit-action-key-revoked = Schlüssel widerrufen
audit-action-agent-updated = Agent geändert
audit-action-site-updated = Website geändert
audit-action-access-updated = Zugang zu persönlichen Seiten geändert
audit-action-domain-verified = Domain bestätigt
audit-action-domain-lost = Domain aufgegeben
audit-action-domain-removed = Domain entfernt
audit-action-webhook-secret-rotated = Signaturgeheimnis eines Webhooks ersetzt
audit-action-person-exported = Person exportiert
audit-action-person-erased = Person endgültig gelöscht
audit-action-person-merged = Personen zusammengeführt
audit-action-person-unmerged = Zusammenführung von Personen zurückgenommen
audit-action-server-key-rotated = Serverschlüssel ersetzt
audit-action-server-key-accepted = Anderen Serverschlüssel angenommen
audit-action-user-created = Benutzer angelegt
audit-action-user-updated = Benutzer geändert
audit-action-user-disabled = Benutzer gesperrt
audit-action-user-enabled = Benutzer freigegeben
audit-action-user-removed = Benutzer entfernt
audit-action-user-invited = Benutzer eingeladen
audit-action-invitation-revoked = Einladung widerrufen
audit-action-invitation-mailed = Einladung per E-Mail verschickt
audit-action-visits-shared = Zahlen einer Seite geteilt
audit-action-visit-share-ended = Geteilte Zahlen beendet
audit-action-role-changed = Rolle geändert
audit-action-role-removed = Rolle entzogen
audit-action-signed-in = Angemeldet
audit-action-signed-out = Abgemeldet
audit-action-sign-in-failed = Anmeldung mehrmals fehlgeschlagen
audit-action-sessions-ended = Sitzungen beendet
audit-action-password-link-created = Passwort-Link erstellt
audit-action-password-changed = Passwort geändert
audit-action-password-removed = Passwort entfernt
audit-action-second-factor-added = Authenticator-App hinzugefügt
audit-action-second-factor-removed = Authenticator-App entfernt
audit-action-recovery-codes-renewed = Wiederherstellungscodes erneuert
audit-action-recovery-code-used = Wiederherstellungscode benutzt
audit-action-identity-connected = Mit Identitätsanbieter verbunden
audit-action-identities-removed = Von Identitätsanbietern getrennt
audit-action-break-glass-changed = Notzugang mit Passwort geändert
audit-action-operator-added = Betreiber hinzugefügt
audit-action-operator-removed = Betreiber entfernt
audit-action-backup-started = Sicherung begonnen
audit-action-visit-settings-updated = Messung der Besuche geändert
actor-operator = Betreiber
actor-server = Der Server
actor-schedule = Ein Zeitplan
actor-key = Schlüssel { $name }
retention-days = Tage, für die einzelne Besuche aufbewahrt werden
retention-days-help = Ältere werden innerhalb einer Stunde entfernt und kommen nicht wieder. Summen bleiben.
kept-rest = Was feststeht
kept-deleted = Gelöschtes, das sich wiederherstellen lässt, und der Papierkorb
kept-deleted-for = 30 Tage
kept-events = Ereignisse und Zustellungen von Webhooks
kept-events-for = 30 Tage
kept-visitors = Was Besucher innerhalb eines Tages unterscheidet
kept-visitors-for = Höchstens 48 Stunden
kept-answers = Antworten auf wiederholte Anfragen
kept-answers-for = 24 Stunden
kept-files = Dateien, die nichts mehr benutzt
kept-files-for = Ein Tag
kept-audit = Das Audit-Protokoll
kept-audit-for = Dauerhaft

## Screens: operator

operator = Betreiber
operator-tenants = Mandanten
operator-servers = Server
operator-queues = Warteschlangen
operator-health = Zustand
operator-backup = Sicherung
tenants-search = Nach Namen suchen
tenant-new = Neuer Mandant
tenant-slug = Bezeichnung in Hostnamen
tenant-slug-help = Kleinbuchstaben, Ziffern und Bindestriche. Leer gelassen entsteht sie aus dem Namen. Sie ändert sich nie.
tenant-region = Land der Telefonnummern
tenant-region-help = Zwei Buchstaben, etwa DE, für Nummern ohne Landesvorwahl.
tenant-owner = E-Mail-Adresse des ersten Eigentümers
tenant-owner-help = Leer gelassen wird Eigentümer, wer den Link hat.
tenant-made = { $name } ist da. Senden Sie diesen Link an den ersten Eigentümer. Er wird nur dieses eine Mal gezeigt und gilt 7 Tage.
tenant-suspended = Gesperrt
tenant-suspend = Sperren
tenant-resume = Entsperren
tenant-suspend-question = { $name } sperren?
tenant-suspend-text = Schlüssel und Benutzer werden abgewiesen und die Seiten verborgen, bis der Mandant entsperrt wird. Nichts wird gelöscht.
done-tenant-suspended = Der Mandant ist gesperrt.
done-tenant-resumed = Der Mandant arbeitet wieder.
servers-help = Jeder Server meldet sich alle halbe Minute. Wer einen Tag lang schweigt, wird vergessen.
servers-none = Noch hat sich kein Server gemeldet. Sehen Sie in einer halben Minute wieder nach.
server-host = Maschine
server-version = Version
server-started = Gestartet
server-seen = Letztes Lebenszeichen
server-alive = Läuft
server-silent = Schweigt
server-other-version = Andere Version
queues-help = Die Arbeit aller Mandanten. Was gesperrten Mandanten gehört, wird zurückgehalten und zählt nicht.
queue = Warteschlange
queue-due = Fällig
queue-oldest = Ältestes wartet seit
queue-running = In Arbeit
queue-again = Noch einmal zu versuchen
queue-versions = Zu schreibende Versionen
queue-messages = Nachrichten aus Gesprächen
queue-deliveries = Zustellungen von Webhooks
queue-readings = Zu lesende Seiten und Dateien
queue-enrichments = Anzureichernde Einsendungen
queue-pictures = Vorzubereitende Bilder
queue-descriptions = Zu beschreibende Bilder
queue-imports = Importe von Personen
health-now = Dieser Server jetzt
health-ready = Bereit
health-ready-text = Die Datenbank wird gelesen und geschrieben.
health-not-ready = Nicht bereit
health-not-ready-text = Dieser Server kann nicht, was er verspricht:
health-examined = Vollständige Prüfung
health-examine-help = Sieht sich Datenbank, Platte, Uhr, Schlüssel und Zertifikate an. Bei einer großen Datenbank dauert das eine Weile.
health-examine = Jetzt untersuchen
level-ok = In Ordnung
level-warn = Warnung
level-fail = Defekt
check-database = Die Datenbank antwortet und ihre Dateien sind heil
check-migrations = Die Datenbank hat die Form dieser Version
check-collation = Texte jeder Schrift lassen sich aufbewahren
check-clock = Die Uhr geht richtig
check-durability = Bestätigte Änderungen überstehen einen Absturz
check-recovery = Die Datenbank nimmt Änderungen an
check-disk = Auf der Platte ist Platz
check-files = Nur der Server kann seine Dateien lesen
check-bucket = Der Bucket der Dateien funktioniert
check-transport = Die Verbindung zur Datenbank ist geschützt
backup-no-folder = Es gibt keinen Ordner für Sicherungen: Setzen Sie backup.folder in der Konfiguration und starten Sie den Server neu.
backup-help = Kopiert die Datenbank und die Dateien der Mandanten im laufenden Betrieb nach { $folder }. Bewahren Sie Kopien auch auf einer anderen Maschine auf.
backup-now = Jetzt sichern
backup-running = Im Gange
backup-database = Die Datenbank wird kopiert:
backup-files = Die Dateien der Mandanten werden kopiert.
backup-made = Die Sicherung ist vollständig
backup-with-files = { $count ->
    [one] Mit 1 Datei von Mandanten.
   *[other] Mit { NUMBER($count) } Dateien von Mandanten.
}
backup-without-files = Die Dateien der Mandanten liegen in einem Bucket und sind nicht dabei: Kopieren Sie danach den Bucket.
backup-key = Der Schlüssel des Servers ist nicht dabei: Bewahren Sie eine Kopie seiner Datei anderswo auf.
backup-failed = Es wurde keine Sicherung gemacht
backups-kept = Sicherungen im Ordner
backups-none = Noch keine.
backup-file = Datei
backup-size = Größe der Datenbank
backup-restore = Um eine zurückzuspielen, halten Sie den Server an und führen Sie dies aus (bei PostgreSQL auf einer leeren Datenbank):
done-backup-started = Die Sicherung hat begonnen.

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
file-drop = Die Datei kann auch hier abgelegt werden.
file-uploading = Wird hochgeladen
file = Datei
file-missing = Wählen Sie zuerst eine Datei.
file-again = Diese Datei wurde entfernt. Wählen Sie sie noch einmal.
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
brand-preview-help = Wie eingegeben. Gespeichert ist nichts, bevor Sie es speichern.
brand-sample = Eine Karte einer Seite, { $mode }
brand-sample-heading = Eine Überschrift
brand-sample-text = Text, wie er auf einer Seite steht.
brand-sample-link = Ein Link irgendwohin
brand-sample-button = Schaltfläche
brand-sample-area = Große Fläche
contrast = Kontrast
contrast-refused = Text: { $colour } auf { $ground } hat einen Kontrast von { $contrast }, nötig sind 4,5. Das kann nicht gespeichert werden. Die nächste Farbe, die ihn hat, ist { $nearest }.
contrast-replaced = Links: { $colour } auf { $ground } hat einen Kontrast von { $contrast }, nötig sind 4,5. Links werden stattdessen in { $nearest } gezeichnet.
colour-wrong = { $text } ist keine Farbe. Schreiben Sie sie wie #2b55b8.
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
fonts-help = Eine Schrift oder mehrere, durch Kommas getrennt: Inter, Helvetica.
corner-radius = Eckenradius in Pixeln
spacing = Abstand
spacing-unset = Standard
spacing-compact = Kompakt
spacing-regular = Normal
spacing-roomy = Großzügig
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
link-search = Zielgruppen finden
link-search-help = Die Seite hat mehr Zielgruppen, als hier angeboten werden. Suchen Sie nach einem Teil ihrer Namen, bevor Sie das Formular ausfüllen.
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
link-visits = { $count ->
    [one] 1 Besuch über diesen Link in den letzten 30 Tagen.
   *[other] { NUMBER($count) } Besuche über diesen Link in den letzten 30 Tagen.
}
link-planned = Anteil nach Gewicht
link-measured = Anteil der Besuche
link-not-counted = nicht gezählt
link-visits-help = Besuche zählen, wo eine Seite gezeigt wird. Wer zu einer Adresse anderswo geschickt wird, ist nicht gezählt.
link-target-change = Ziel ändern
link-another-page = Andere Seite wählen
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

## Screens: the blocks of a draft

content-blocks = Bausteine der Seite
content-blocks-help = Wählen Sie hier oder in der Vorschau einen Baustein aus, um ihn zu bearbeiten. Verschieben Sie ihn mit den Pfeilen, durch Ziehen oder mit Alt und einer Pfeiltaste.
block-add = Baustein hinzufügen
block-add-text = Eine Seite besteht von oben nach unten aus Bausteinen. Was soll der neue zeigen?
duplicate = Duplizieren
undo-last = Letzte Änderung rückgängig machen
done-draft-edited = Der Entwurf ist geändert. Besucher sehen ihn, sobald er veröffentlicht ist.
done-undone = Die Änderung ist zurückgenommen.
block-gone = Den Baustein gibt es nicht mehr.
block-gone-kept = Der Baustein wurde inzwischen entfernt. Ihre Eingaben stehen noch hier: Senden Sie sie ab, um sie als neuen Baustein hinzuzufügen.
block-changed-meanwhile = Der Baustein wurde inzwischen geändert. Sehen Sie ihn sich noch einmal an, bevor Sie das wiederholen.
block-field-crossed = Inzwischen hat jemand das geändert in: { $value }. Speichern Sie noch einmal, um zu behalten, was hier steht.
form-broken = Das Formular ist nicht vollständig angekommen. Öffnen Sie es noch einmal.
unsaved = Speichern Sie zuerst oder brechen Sie ab: Dieses Formular hat ungespeicherte Änderungen.
say-of-block = Sagen Sie, was in diesem Baustein anders werden soll
message-of-block-help = Nur dieser Baustein wird geändert.
message-of-element-help = Nur dieser Baustein wird geändert. Angeklickt ist „{ $text }“.
add-item = Hinzufügen: { $name }
change-insert = hinzugefügt
change-remove = entfernt
change-move = verschoben
change-set = geändert
audience-link = Link und QR-Code
audience-link-help = Wer den Link hat, sieht die veröffentlichte Version.
none = Keine
component-hero = Auftakt
component-hero-help = Die Überschrift der Seite mit einem Versprechen, einer Schaltfläche und einem Bild.
component-text = Text
component-text-help = Absätze, Listen und Links unter einer Überschrift.
component-cards = Karten
component-cards-help = Zwei bis sechs kurze Punkte nebeneinander, etwa was ein Produkt kann.
component-stats = Zahlen
component-stats-help = Zwei bis vier Zahlen, die überzeugen, jede mit dem, was sie zählt.
component-testimonials = Kundenstimmen
component-testimonials-help = Was Kunden sagen, mit ihren Namen.
component-questions = Fragen und Antworten
component-questions-help = Was Besucher fragen; jede Antwort lässt sich aufklappen.
component-steps = Schritte
component-steps-help = Was nacheinander geschieht, etwa wie man anfängt.
component-comparison = Vergleich
component-comparison-help = Zwei Seiten mit ihren Punkten, etwa vorher und nachher.
component-prices = Preise
component-prices-help = Angebote mit ihren Preisen und dem, was sie enthalten.
component-call = Handlungsaufforderung
component-call-help = Ein Satz und die Schaltfläche, die ein Besucher jetzt drücken soll.
component-image = Bild
component-image-help = Ein Bild mit Bildunterschrift.
component-video = Video
component-video-help = Ein Video von YouTube, Vimeo, Loom oder Wistia. Es lädt erst, wenn ein Besucher es abspielt.
component-table = Tabelle
component-table-help = Zeilen und Spalten, etwa was jedes Angebot enthält.
component-logos = Logos
component-logos-help = Die Logos oder die Namen von Kunden und Partnern.
component-frame = Abschnitt
component-frame-help = Ein Text mit Überschrift in einem Rahmen, der sich zuklappen lässt.
component-threads = Auswahl
component-threads-help = Eine Frage; die Antwort, die ein Besucher wählt, zeigt einen Text dazu.
component-custom = Eigenes HTML
component-custom-help = Für alles, was kein anderer Baustein zeigen kann. Skripte werden entfernt.
content-eyebrow = Zeile über der Überschrift
content-quote = Was gesagt wurde
content-author = Wer es gesagt hat
content-role = Rolle und Unternehmen
content-value = Zahl
content-label = Was sie bedeutet
content-question = Frage
content-answer = Antwort
content-title = Überschrift
content-subtitle = Satz unter der Überschrift
content-price = Preis
content-text = Text
content-markdown-help = **fett**, [ein Link](https://example.com), - eine Liste, ## eine Überschrift.
content-html = HTML
content-html-help = Skripte und Handler werden beim Anzeigen entfernt.
content-points = Punkte
content-lines-help = Einen pro Zeile.
content-asset = Bild aus Ihren Medien
content-picture-help = Eines Ihrer Medien oder die Adresse eines Bildes.
content-alt = Beschreibung des Bildes
content-alt-help = Für Besucher, die es nicht sehen. Leer lassen, wenn das Bild nur schmückt.
content-logo-name = Wessen Logo es ist
content-picture = Bild
content-caption = Bildunterschrift
content-collapsible = Besucher können ihn zuklappen
content-columns = Spalten
content-rows = Zeilen
content-rows-help = Eine Tabellenzeile pro Zeile mit | zwischen den Zellen. Sie können aus einer Tabellenkalkulation einfügen.
content-cards = Karten
content-choices = Antworten zur Auswahl
content-plans = Angebote
content-names = Namen ohne Logo
content-actions = Schaltflächen
content-actions-none = Die Seite hat noch keine Aktionen. Fügen Sie beim Bearbeiten der Seite eine hinzu.
content-action = Schaltfläche
item-card = Karte
item-figure = Zahl
item-testimonial = Kundenstimme
item-question = Frage
item-choice = Antwort
item-step = Schritt
item-column = Seite
item-plan = Angebot
item-logo = Logo
move-up = Nach oben
move-down = Nach unten
remove = Entfernen

## Screens: building forms

forms-empty = Noch keine Formulare
forms-empty-text = Ein Formular fragt Besucher Ihrer Seiten nach dem, was Sie brauchen. Was sie senden, wird zu einer Person, einem Eintrag in ihrer Zeitleiste und einem Ereignis.
form-new = Neues Formular
form-new-text = Fügen Sie die Felder in der Reihenfolge hinzu, in der Besucher gefragt werden. Die erste E-Mail-Adresse sagt, wer es ist.
form-title = Überschrift
form-title-help = Leer lassen, um den Text der Schaltfläche zu zeigen, die das Formular öffnet.
form-name-help = Nur Sie sehen ihn.
form-instructions = Text über den Feldern
form-instructions-help = Ein Text der Aktion der Seite tritt an seine Stelle.
form-fields = Felder
form-submit = Text der Schaltfläche
form-submit-help = Leer lassen für ein Wort in der Sprache der Seite.
form-after = Nach dem Absenden
form-thanks = Meldung nach dem Absenden
form-redirect = Den Besucher weiterleiten zu
form-redirect-help = Eine ganze Adresse oder ein Pfad Ihrer Website wie /danke. Anstelle einer nächsten Aktion.
form-next-action = Nächste Aktion
form-next-action-help = ID einer Aktion der Seite, die danach angeboten wird.
form-spam = Spamfilter
form-spam-help = Was nach Spam aussieht, wird mit den Gründen zurückgehalten. Sie können es freigeben.
form-spam-standard = Normal
form-spam-strict = Streng
form-spam-off = Aus
form-kind = Art
form-label = Beschriftung
form-label-help = Bei einer Einwilligung sind das die Worte, denen zugestimmt wird. Sie bleiben bei jeder Einsendung erhalten.
form-help = Hilfe unter der Beschriftung
form-required = Muss ausgefüllt werden
form-options = Auswahl
form-value = Wert
form-min-length = Mindestens so viele Zeichen
form-max-length = Höchstens so viele Zeichen
form-minimum = Kleinster Wert
form-maximum = Größter Wert
form-person = Sagt über die Person
form-person-help = Es muss zur Art passen: Eine E-Mail-Adresse kommt aus einem Feld für E-Mail-Adressen.
form-person-usual = Wie üblich
form-person-none = Nichts
form-key = Name in Einsendungen
form-key-help = Buchstaben, Ziffern und _. Leer lassen, um ihn aus der Beschriftung zu bilden. Behalten Sie ihn bei, sobald Antworten eingegangen sind.
form-kind-text = Eine Zeile
form-kind-long-text = Mehrere Zeilen
form-kind-phone = Telefonnummer
form-kind-url = Webadresse
form-kind-number = Zahl
form-kind-date = Tag
form-kind-choice = Eines von mehreren
form-kind-choices = Beliebig viele von mehreren
form-kind-consent = Einwilligung
form-kind-file = Datei
form-kind-hidden = Versteckter Wert
form-preview-help = Eine Skizze dessen, was Besucher gefragt werden. Gespeichert steht es hier im Aussehen Ihrer Website.
form-show = In der Vorschau zeigen
form-revision = Fassung { $number } des Wortlauts. Sie steigt mit jeder Änderung der Felder und bleibt bei jeder Einwilligung erhalten.
form-use = Auf einer Seite verwenden
form-use-text = Öffnen Sie eine Seite, wählen Sie „Bearbeiten“ und fügen Sie eine Aktion der Art „Ein Formular öffnen“ mit diesem Formular hinzu. Ihre Schaltfläche öffnet dann das Formular.
form-export = Einsendungen als CSV
form-delete-text = Seiten, die es verwenden, zeigen stattdessen ein einfaches Kontaktformular. Was gesendet wurde, bleibt, und das Formular kann wiederhergestellt werden.
person-whole-name = Ganzer Name
person-first-name = Vorname
person-last-name = Nachname
person-linkedin = LinkedIn-Profil

## Screens: editing a page

page-about = Worum es geht
page-actions = Aktionen
page-actions-help = Was Besucher als Nächstes tun können. Die Texte der Seite nennen die Schaltflächen; eine geänderte Schaltfläche ist sofort zu sehen.
page-navigation = Navigation
page-metadata = Suche und Teilen
page-metadata-help = Was leer bleibt, wird der Seite entnommen.
page-scripts = Skripte
page-scripts-help = Eigenes Markup, etwa das Schnipsel eines Analysedienstes. Wo Sie um Einwilligung bitten, wartet es darauf.
page-brand = Marke
page-header-action = Schaltfläche im Kopf
page-widgets = Neben den Aktionen
page-widgets-help = Steht unter dem Text der Seite.
page-nav-block = Gemeinsame Navigation
page-footer-block = Gemeinsamer Fuß
page-block-help = Links, die mehrere Seiten teilen, treten an die Stelle der folgenden.
page-nav-links = Links in der Navigation
page-nav-links-help = Ein Link pro Zeile: Preise | https://example.com/preise. Eine Zeile „# Unternehmen“ beginnt ein Menü, eine leere Zeile beendet es.
page-footer-links = Links im Fuß
action-open = Eine Adresse öffnen
action-form = Ein Formular öffnen
action-copy = Einen Text kopieren
action-purpose = Wozu sie dient
action-purpose-help = Die Seite wird so geschrieben, dass sie dorthin führt.
action-copied = Text, der kopiert wird
video-autoplay = Startet von selbst
video-loop = Beginnt am Ende von vorn
video-controls = Zeigt die Steuerung des Players
script = Skript
script-description = Was es tut
script-content = Markup
script-content-help = Mit seinen Script-Tags.
script-where = Wo es steht
script-head = Am Ende des Kopfes
script-body-start = Am Anfang des Inhalts
script-body-end = Am Ende des Inhalts
script-enabled = Aktiv
meta-title-help = Etwa 60 Zeichen werden gezeigt.
meta-description-help = Etwa 155 Zeichen werden gezeigt.
meta-keywords = Schlagwörter
meta-canonical = Adresse, die Suchmaschinen führen sollen
meta-robots = Regeln für Suchmaschinen
meta-robots-help = Eine pro Zeile, etwa noindex oder max-snippet:50.
meta-author = Autor
meta-og-title = Titel in sozialen Netzwerken
meta-og-description = Beschreibung in sozialen Netzwerken
meta-og-type = Art der Seite
meta-og-site = Name der Website in sozialen Netzwerken
meta-twitter-card = Aufbau der Karte auf X
meta-twitter-title = Titel auf X
meta-twitter-description = Beschreibung auf X
meta-twitter-site = Konto der Website auf X
meta-twitter-creator = Konto des Autors auf X
meta-theme-color = Farbe des Browserrahmens
meta-preview = Wie andere sie zeigen
meta-search-result = In Suchergebnissen
meta-social-card = In sozialen Netzwerken
meta-hidden = Suchmaschinen sollen sie auslassen.
meta-from-page = Die Beschreibung, die die Seite selbst gibt.
## Screens: imports of persons

imports = Importe
import = Import
import-new = Personen importieren
imports-empty = Noch nichts importiert
import-file-help = Eine CSV-Datei mit Spaltennamen in der ersten Zeile, wie Tabellenprogramme und CRMs sie schreiben. Nichts wird importiert, bevor Sie gesehen haben, was daraus wird.
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
import-unchanged = Unveränderte Zeilen
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
import-filled = Gefüllte Zeilen
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
erase = Endgültig löschen
erase-question = { $name } für immer löschen?
erase-text = Die Person, ihr Verlauf, ihre Besuche, Einsendungen und persönlichen Seiten werden entfernt, und ihr Name verschwindet aus allem anderen. Das lässt sich nicht rückgängig machen.
done-person-erased = Die Person ist gelöscht und wird gerade für immer entfernt.
person-export = Exportieren

## What the API says of a field

delivery-unreachable = Der Empfänger war nicht erreichbar: sein Name, seine Adresse oder die Verbindung zu ihm.
delivery-late = Es kam nicht rechtzeitig eine Antwort.
delivery-tls = Es kam keine sichere Verbindung zustande: { $value }.
delivery-broken = Die Verbindung wurde geschlossen, bevor die Antwort vollständig war.
delivery-nonsense = Was geantwortet wurde, ist kein HTTP, oder zu viel davon.
edited-by-hand = Von Hand geändert.
row-email = { $value }: keine E-Mail-Adresse.
row-linkedin = { $value }: keine Adresse eines LinkedIn-Profils einer Person.
row-phone-region = { $value }: keine internationale Telefonnummer (+49 …). Nummern ohne Ländervorwahl brauchen ein Land für den Import.
row-phone = { $value }: keine Telefonnummer.
row-domain = { $value }: keine Domain.
row-long = { $value }: länger als 255 Zeichen.
row-name-long = Der Name ist länger als 255 Zeichen.
row-nul = { $value }: enthält ein Zeichen, das nicht gespeichert werden kann (NUL).
row-encoding = { $value }: enthält Bytes, die in { $more } keine Zeichen sind.
row-cells = Die Zeile hat { $value } Zellen, die erste Zeile { $more }.
row-nobody = Die Zeile hat weder E-Mail-Adresse noch Telefonnummer oder LinkedIn-Profil.
row-large = Die übrigen Spalten der Zeile enthalten mehr als 64 KiB.
issue-required = Muss angegeben werden.
issue-blank = Darf nicht leer sein.
issue-most-characters = Darf höchstens { $value } Zeichen haben.
issue-fewest-characters = Muss mindestens { $value } Zeichen haben.
issue-most-bytes = Darf höchstens { $value } Bytes haben.
issue-most-items = Darf höchstens { $value } Einträge haben.
issue-no-items = Braucht mindestens einen Eintrag.
issue-fewest-items = Braucht mindestens { $value } Einträge.
issue-least = Muss mindestens { $value } sein.
issue-greatest = Darf höchstens { $value } sein.
issue-one-of = Muss eines davon sein: { $value }.
issue-invalid = Das ist hier nicht gültig.
issue-url = Muss eine vollständige Adresse sein, etwa https://example.com/seite.
issue-email = Muss eine E-Mail-Adresse sein, etwa jane@example.com.
issue-phone = Muss eine Telefonnummer in internationaler Form sein, nur + und Ziffern, etwa +4915112345678.
issue-domain = Muss eine Domain sein, etwa example.com.
issue-host = Muss allein ein Hostname sein, etwa go.example.com.
issue-linkedin = Muss die Adresse eines LinkedIn-Profils sein, etwa https://www.linkedin.com/in/jane-doe.
issue-label = Nur Kleinbuchstaben und Ziffern, in Gruppen mit einzelnen Bindestrichen dazwischen, etwa page-view.
issue-path = Muss allein ein Pfad sein, etwa /fruehling.
issue-address = Auf diese Adresse kann keine Seite verweisen.
issue-past = Muss in der Zukunft liegen.
issue-far = Muss innerhalb von zehn Jahren liegen.
issue-order = Muss später sein als der Zeitpunkt davor.
issue-characters = Enthält ein Zeichen, das nicht gespeichert werden kann.
issue-unknown = Das gibt es nicht.
issue-twice = Das ist schon da.
issue-no-options = Eine Auswahl braucht Möglichkeiten.
issue-password-own = Darf nicht Ihre E-Mail-Adresse oder Ihr Name sein.
issue-password-common = Dieses Passwort gehört zu denen, die zuerst ausprobiert werden.
issue-password-wrong = Das ist nicht das Passwort.
issue-code-wrong = Diesen Code zeigt die App gerade nicht an.

## What the API refuses as a whole

issue-link-old = Dieser Link gilt nicht mehr: Er wurde schon benutzt, durch einen anderen ersetzt oder ist zu alt.
issue-link-ended = Dieser Link zeigt nichts: Er ist beendet, oder es gibt ihn nicht.
issue-passwords-off = Passwörter sind hier abgeschaltet: Nehmen Sie die Einladung an, indem Sie sich bei einem der Anbieter anmelden.
issue-form-running = Was Sie gesendet haben, wird schon ausgeführt. Sehen Sie gleich noch einmal nach.
issue-page-archived = Die Seite ist archiviert.
issue-audience-archived = Die Zielgruppe ist archiviert.
issue-other-persons = E-Mail-Adresse, Telefonnummer oder Profil gehören einer anderen Person.
issue-trashed = Es liegt im Papierkorb. Stellen Sie es zuerst wieder her.
issue-most-forms = Mehr als { $value } Formulare kann ein Mandant nicht haben, die gelöschten mitgezählt.
issue-most-assets = Mehr als { $value } Medien kann ein Mandant nicht haben, die im Papierkorb mitgezählt.
issue-most-entries = Mehr als { $value } Einträge kann ein Mandant nicht haben.
issue-most-files = Mehr als { $value } Dateien kann ein Mandant nicht haben. Löschen Sie einige, die nicht verwendet werden.
issue-file-quota = Die Dateien eines Mandanten dürfen zusammen { $value } Bytes groß sein; diese ist zu viel. Löschen Sie Dateien, die nicht verwendet werden.
issue-most-imports = Höchstens { $value } Importe können zugleich offen sein. Brechen Sie zuerst einen ab.
issue-most-domains = Mehr als { $value } Domains kann ein Mandant nicht haben.
issue-most-link-blocks = Mehr als { $value } Linkblöcke kann ein Mandant nicht haben.
issue-most-webhooks = Mehr als { $value } Webhooks kann ein Mandant nicht haben.
issue-most-brands = Mehr als { $value } Marken kann ein Mandant nicht haben.
issue-most-users = Mehr als { $value } Benutzer kann ein Mandant nicht haben.
issue-most-tenants = Ein Benutzer kann in höchstens { $value } Mandanten eine Rolle haben.
issue-most-invitations = Höchstens { $value } Einladungen können zugleich offen sein: Ziehen Sie zurück, was Sie nicht brauchen.
issue-most-shares = Höchstens { $value } Links zu den Zahlen kann eine Seite haben: Beenden Sie, was Sie nicht brauchen.
issue-most-keys = Der Mandant hat schon { $value } Schlüssel: Widerrufen Sie einen, der nicht mehr gebraucht wird.
issue-file-used = Die Datei wird verwendet. Löschen Sie zuerst, was sie verwendet, auch aus dem Papierkorb.
issue-not-picture = Aus Medien dieser Art kann kein Bild werden.
issue-member-already = Der Benutzer hat in diesem Mandanten schon eine Rolle.
issue-last-owner = Der Mandant { $value } hätte keinen Inhaber mehr: Machen Sie zuerst jemand anderen dazu.
issue-user-exists = Einen Benutzer mit dieser E-Mail-Adresse gibt es schon.
issue-user-disabled = Der Benutzer ist gesperrt.
issue-no-app = Es ist noch keine Authenticator-App eingerichtet.
issue-invitation-other = Die Einladung gilt für eine andere E-Mail-Adresse.
issue-mail-waits = Die E-Mail wartet schon auf den Versand, oder die Einladung ist nicht mehr offen.
issue-most-mails = An einem Tag wurden { $value } E-Mails bestellt: Geben Sie den Link selbst weiter.
issue-role = Ihre Rolle, { $value }, erlaubt das nicht.
issue-signed-out = Sie sind nicht angemeldet.
issue-sign-in-again = Bitte melden Sie sich noch einmal an.
issue-sign-in-wrong = Die E-Mail-Adresse oder das Passwort ist falsch.
issue-attempts = Es gab zu viele Anmeldeversuche. Bitte warten Sie ein wenig.
issue-busy = Gerade melden sich zu viele an. Bitte versuchen Sie es noch einmal.
issue-begin-again = Diese Anmeldung wurde schon benutzt. Bitte beginnen Sie von vorn.
issue-code-used = { $value } hat den Code nicht angenommen: Er wurde schon benutzt oder ist zu alt. Bitte beginnen Sie von vorn.
issue-declined = { $value } hat Sie nicht eingelassen, oder Sie haben abgelehnt.
issue-provider-away = { $value } kann Sie gerade nicht anmelden.
issue-provider-unreachable = { $value } ist gerade nicht zu erreichen oder nicht richtig eingerichtet.
issue-code-refused = Der Code ist falsch.
issue-password-refused = Das Passwort ist falsch.
issue-provider-refused = { $value } hat die Anmeldung abgelehnt ({ $more }). Wer den Server betreibt, muss die Einstellungen prüfen.
issue-provider-other = Der Benutzer mit Ihrer Adresse ist bei { $value } jemand anderes. Wer den Server betreibt, kann die Verbindung lösen.
issue-messages-wait = Es warten schon zu viele Nachrichten.
issue-no-message = Gerade wird keine Nachricht ausgeführt.
issue-not-written = Die Seite ist noch nicht geschrieben.
issue-no-content = Die Fassung hat keinen Inhalt.
issue-taken-back = Die Änderung wurde schon zurückgenommen.
issue-nothing-to-take-back = Die Nachricht hat nichts geändert, das sich zurücknehmen ließe.
issue-no-snapshot = Der Stand vor dieser Nachricht wird nicht mehr aufbewahrt.
issue-changed-since = Dort steht inzwischen etwas anderes, deshalb wurde die Änderung nicht zurückgenommen.
issue-moved = Dort steht inzwischen etwas anderes. Es wurde nichts geändert.
issue-published-already = Die Fassung ist schon veröffentlicht: Nur ihr Ende lässt sich planen.
issue-not-live = Nur eine Fassung, die öffentlich ist oder wird, kann enden: Geben Sie an, wann sie veröffentlicht werden soll.
issue-audience-exists = Für diese Person hat die Seite schon eine Zielgruppe.
issue-nobodys-page = Diese Zielgruppe ist niemandes eigene Seite: Sie wird unter der Adresse der Seite allen gezeigt.
issue-not-read-again = Nur der Eintrag einer Webseite oder einer Datei kann noch einmal gelesen werden.
issue-default-topic = Das Standardthema kann nicht gelöscht werden.
issue-website-not-read = Die Website wurde nicht gelesen. { $value }
issue-domain-held = Die Domain „{ $value }“ hat ein anderer Mandant bestätigt.
issue-domain-exists = Der Mandant hat die Domain „{ $value }“ schon.
issue-domain-not-verified = Die Domain „{ $value }“ ist noch nicht bestätigt.
issue-domain-has-links = Auf der Domain „{ $value }“ liegen noch Links: Verschieben oder löschen Sie diese zuerst.
issue-path-reserved = Der Pfad „{ $value }“ beginnt mit einem Wort, das vergeben ist.
issue-path-slug = Der Pfad „{ $value }“ beginnt mit der Adresse einer Seite.
issue-path-taken = Den Pfad „{ $value }“ hat schon ein anderer Link.
issue-link-block-used = Mehr als { $value } Seiten verwenden den Linkblock. Geben Sie einigen einen anderen und löschen Sie ihn dann.
issue-same-person = Eine Person kann nicht mit sich selbst zusammengeführt werden.
issue-has-merges = In die andere Person ist innerhalb der letzten 30 Tage schon jemand aufgegangen. Vertauschen Sie die beiden, oder machen Sie das zuerst rückgängig.
issue-most-merges = In 30 Tagen können höchstens { $value } Personen in einer aufgehen.
issue-most-moved = Mehr als { $value } Einträge, Seiten, Einsendungen und Besuche müssten umziehen. Führen Sie die beiden andersherum zusammen.
issue-merged-deleted = Die Person, in der sie aufgegangen ist, ist gelöscht. Stellen Sie diese zuerst wieder her.
issue-merged = Die Person ist in einer anderen aufgegangen ({ $value }). Machen Sie das zuerst rückgängig.
issue-import-state = In diesem Stand geht das mit einem Import nicht.
issue-no-identifier = Eine der Spalten muss E-Mail-Adressen, Telefonnummern oder LinkedIn-Profile enthalten.
issue-most-columns = Höchstens { $value } Spalten werden übernommen.
issue-same-name = Zwei Spalten, die als weitere Angaben übernommen werden, heißen „{ $value }“. Lassen Sie eine davon weg.
issue-key-ended = Der Schlüssel { $value } ist widerrufen oder abgelaufen. Legen Sie einen neuen an.
issue-key-more = Der neue Schlüssel dürfte mehr als Ihrer: Er würde länger gelten oder mehr Anfragen stellen.
issue-webhook-inactive = Der Webhook ist nicht aktiv, deshalb wird ihm nichts gesendet.
issue-secret-lost = Das Signaturgeheimnis dieses Webhooks ist mit einem Schlüssel des Servers verloren gegangen. Geben Sie ihm ein neues, bevor Sie ihn aktivieren.
issue-not-note = Nur eine Notiz kann geändert werden.

## What is told of work that could not be done

domain-txt-missing = Unter dem gewünschten Namen gibt es keinen TXT-Eintrag. Legen Sie ihn an, und lassen Sie ihn stehen, solange die Domain benutzt wird.
domain-txt-other = Der TXT-Eintrag unter dem gewünschten Namen hat einen anderen Text. Ersetzen Sie ihn.
domain-txt-unanswered = Die Nameserver der Domain haben nicht geantwortet, als nach dem TXT-Eintrag gefragt wurde.
domain-held-elsewhere = Der TXT-Eintrag stimmt, aber ein anderer Mandant hat die Domain bestätigt. Sie muss zuerst dort entfernt werden.
domain-address-missing = Die Domain hat weder einen CNAME-Eintrag noch Adressen. Legen Sie den CNAME-Eintrag an, oder A- und AAAA-Einträge.
domain-cname-elsewhere = Der CNAME-Eintrag führt woandershin. Er muss die Ausweichdomain des Mandanten nennen.
domain-address-elsewhere = Die A- oder AAAA-Einträge führen woandershin, zu einem anderen Server oder einem Proxy. Ersetzen Sie sie.
domain-address-conflict = Einige A- oder AAAA-Einträge führen hierher und andere woandershin, sodass manche Besucher nicht ankommen. Entfernen Sie die anderen.
domain-address-unanswered = Die Nameserver der Domain haben nicht geantwortet, als nach ihren Adressen gefragt wurde.
domain-caa = Die CAA-Einträge der Domain oder einer darüber lassen diese Zertifizierungsstelle nicht zu. Erlauben Sie sie, oder entfernen Sie die Einträge.
domain-dns = Die Zertifizierungsstelle konnte die Domain nicht nachschlagen. Die Nameserver der Domain antworten nicht, wie sie sollten.
domain-unreachable = Die Zertifizierungsstelle konnte die Domain nicht erreichen, weder über HTTP auf Port 80 noch über TLS auf Port 443. Oft führt ein AAAA-Eintrag woandershin, oder eine Firewall steht dazwischen.
domain-other-answer = Der Zertifizierungsstelle hat etwas anderes geantwortet: ein Proxy, ein anderer Server oder einer, zu dem ein AAAA-Eintrag führt. Die Domain darf nur hierher führen.
domain-rate-limited = Die Zertifizierungsstelle hat für diesen Namen oder seine Hauptdomain so viele Zertifikate ausgestellt, wie sie in einer Weile ausstellt.
domain-name-refused = Die Zertifizierungsstelle stellt für diesen Namen keine Zertifikate aus.
domain-account-refused = Die Zertifizierungsstelle nimmt das Konto dieses Dienstes nicht an. Wer den Server betreibt, muss sich darum kümmern.
domain-undecided = Die Zertifizierungsstelle hat nicht rechtzeitig entschieden.
domain-refused = Die Zertifizierungsstelle hat aus einem eigenen Grund abgelehnt.
entry-unreachable = Die Seite war nicht zu erreichen: Ihr Name, ihre Adresse oder die Verbindung zu ihr hat versagt.
entry-answered = Der Server hat mit { $value } geantwortet.
entry-late = Die Seite war nach 15 Sekunden nicht da.
entry-not-allowed = Die robots.txt der Website erlaubt nicht, die Seite zu lesen.
entry-redirects = Die Seite leitet mehr als dreimal weiter.
entry-redirect-lost = Die Seite leitet zu keiner Adresse weiter.
entry-large = Die Seite ist größer als 5 MiB.
entry-unclear = Die Seite war nicht zu verstehen.
entry-empty = Auf der Seite steht kein Text.
spam-hidden-field = ein Feld ausgefüllt ist, das niemand sieht
spam-no-token = das Skript der Seite nicht beteiligt war
spam-bad-token = das Formular vor zu langer Zeit oder woanders geöffnet wurde
spam-too-fast = es schneller ausgefüllt ist, als jemand schreibt
spam-many-from-address = viele von derselben Adresse kamen
spam-many-with-form = mit diesem Formular sehr viele auf einmal kamen
spam-crawler = ein Suchprogramm es gesendet hat
spam-other-site = es von einer anderen Website gesendet wurde
spam-link-in-name = in einem Namen die Adresse einer Website steht
spam-many-links = es voller Links ist
spam-markup = Links als Markup darin stehen
spam-marked = jemand es markiert hat
