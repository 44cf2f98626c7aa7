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
