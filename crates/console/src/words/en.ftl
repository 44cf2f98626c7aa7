# What the console says in English. Keys are in groups by where they are said; every language has the same keys and arguments.
# A number within a text is written NUMBER($count), so that its digits are grouped.

## The language itself

language-name = English
direction = ltr
format-group = ,
format-decimal = .
format-date = { $day } { $month } { $year }
format-date-time = { $date }, { $time } UTC
percent = { $number } %
month-1 = Jan
month-2 = Feb
month-3 = Mar
month-4 = Apr
month-5 = May
month-6 = Jun
month-7 = Jul
month-8 = Aug
month-9 = Sep
month-10 = Oct
month-11 = Nov
month-12 = Dec
size-bytes = { $number } bytes
size-kilobytes = { $number } kB
size-megabytes = { $number } MB
size-gigabytes = { $number } GB
size-terabytes = { $number } TB
number-thousands = { $number }k
number-millions = { $number }M
number-billions = { $number }bn
number-trillions = { $number }tn
just-now = just now
ago-minutes = { $count ->
    [one] 1 minute ago
   *[other] { NUMBER($count) } minutes ago
}
ago-hours = { $count ->
    [one] 1 hour ago
   *[other] { NUMBER($count) } hours ago
}
ago-days = { $count ->
    [one] yesterday
   *[other] { NUMBER($count) } days ago
}
ago-months = { $count ->
    [one] 1 month ago
   *[other] { NUMBER($count) } months ago
}
ago-years = { $count ->
    [one] 1 year ago
   *[other] { NUMBER($count) } years ago
}
in-minutes = { $count ->
    [one] in 1 minute
   *[other] in { NUMBER($count) } minutes
}
in-hours = { $count ->
    [one] in 1 hour
   *[other] in { NUMBER($count) } hours
}
in-days = { $count ->
    [one] tomorrow
   *[other] in { NUMBER($count) } days
}
in-months = { $count ->
    [one] in 1 month
   *[other] in { NUMBER($count) } months
}
in-years = { $count ->
    [one] in 1 year
   *[other] in { NUMBER($count) } years
}

## Areas

area-start = Start
area-pages = Pages
area-knowledge = Knowledge
area-assets = Assets
area-brands = Brands
area-links = Links
area-domains = Domains
area-persons = Persons
area-accounts = Accounts
area-forms = Forms
area-visits = Visits
area-webhooks = Webhooks
area-settings = Settings
areas-content = Content
areas-addresses = Addresses
areas-people = People
areas-system = System

## The shell

skip-to-content = Skip to content
menu = Menu
navigation = Areas
breadcrumb = Above this
tenant = Tenant
tenant-switch = Switch tenant
user-menu = Your account
sign-out = Sign out
messages = Messages
dismiss = Dismiss
undo = Undo
cancel = Cancel
close = Close
apply = Apply
search = Search
request-failed = That did not work. Check your connection and try again.

## Tables

rows = Rows { NUMBER($from) }–{ NUMBER($to) }
rows-of = { NUMBER($from) }–{ NUMBER($to) } of { NUMBER($total) }
rows-none = Nothing to show
pagination = Parts of the list
page-first = First
page-previous = Previous
page-next = Next
sort-by = Sort by this column
select = Select
select-all = Select all rows on this screen
select-row = Select { $name }
selected = selected
bulk-hint = Selected rows:
bulk-actions = With selected rows
filter-remove = Remove the filter { $name }
filters-clear = Clear search and filters
nothing-found = Nothing found
nothing-found-text = Nothing matches the search and the filters.

## Forms and dialogs

field-optional = optional
field-error = Error:
form-errors = { $count ->
    [one] Something needs your attention
   *[other] { NUMBER($count) } things need your attention
}
confirm-by-typing = To confirm, type

## Charts, dates and differences

chart-title = { $title }. The data are in the table below.
chart-empty = No data for these days yet.
chart-data = Data
range = Days
range-7 = 7 days
range-30 = 30 days
range-90 = 90 days
range-365 = 1 year
range-from = First day
range-to = Last day
diff-same = The texts are the same.
diff-removed = removed:
diff-added = added:

## The API

by-api = The same by API
copy = Copy
copied = Copied

## Palette and keys

palette-open = Find…
palette-title = Find anything
palette-placeholder = Page, person, setting…
palette-results = Results
palette-found = { $count ->
    [0] Nothing found
    [one] 1 result
   *[other] { NUMBER($count) } results
}
keys-title = Keys
keys-on = Use keys of a single character
key-palette = Find anything
key-search = Search this list
key-create = Create
key-rows = Next and previous row
key-select = Select the row
key-keys = Show these keys
key-go = Go to { $name }

## Screens
