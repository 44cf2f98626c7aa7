# What the console says in English. Keys are in groups by where they are said; every language has the same keys and arguments.
# A number within a text is written NUMBER($count), so that its digits are grouped.

## The language itself

language-name = English
direction = ltr
format-group = ,
format-decimal = .
format-date = { $day } { $month } { $year }
format-day = { $day } { $month }
format-date-time = { $date }, { $time } UTC
percent = { $number } %
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
sort-by-shown = Sorts these rows and those behind them, up to 100
sort-shown = Only the rows shown are sorted. The list goes on in its own order.
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
by-api-more = { $count ->
    [one] And { NUMBER($count) } more call like these.
   *[other] And { NUMBER($count) } more calls like these.
}
by-api-forms = What the forms and buttons here send, with examples. Replace what stands in capitals: it is an id that the call before answers, or one that only you know.
by-api-forms-label = Forms and buttons by API
by-nothing = No call of the API and no command shows this: it belongs to the installation, and only the console puts it together.
by-command-line = The same on the command line
by-command-line-help = For whoever runs the server: the API has no such operation, since this belongs to the installation and not to a tenant.
copy = Copy
copied = Copied

## Palette and keys

palette-open = Find…
palette-title = Find anything
palette-placeholder = Page, person, setting…
palette-results = Results
palette-go = Go to
palette-do = Action
palette-here = On this screen
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
key-preview = In the preview: choose an element of a block, and have it changed
key-move-block = Move the block up or down
key-keys = Show these keys
key-go = Go to { $name }

## Screens

## Screens: everywhere

account = Your account
save = Save
edit = Edit
archive = Archive
restore = Restore
yes = Yes
no = No
name = Name
email = E-mail address
state = State
changed = Changed
created = Created
time-spent = Time on the page
seconds-short = { NUMBER($count) } s
minutes-short = { $minutes }:{ $seconds } min
seconds = { $count ->
    [one] 1 second
   *[other] { NUMBER($count) } seconds
}
done-audiences-made = The audiences are being written.
done-saved = Saved.
done-page-created = The page was created. Its draft appears here as soon as it is written.
done-page-archived = The page is archived. Its links answer “not found”.
done-page-deleted = The page is deleted. Its links answer “not found”.
done-page-restored = The page is back.
done-audience-archived = The audience is archived. Its link answers “not found”.
done-published = Published. Visitors see it now.
done-scheduled = The schedule is set.
done-unscheduled = The schedule is cancelled.
problem-not-found = Not found
problem-not-found-text = There is nothing at this address, or it is not yours to see.
problem-methods = The console takes GET and POST.
problem-cross-site = This was not sent by the console. Open the screen again and repeat it there.
problem-no-role = You have no role in any tenant any more.
problem-suspended = The tenant is suspended.
problem-form-too-large = More was entered than a form may hold.
problem-failed-text = Something went wrong on the server. What you did may not have happened.
problem-conflict = This conflicts with what is there now.
problem-changed = Somebody else has changed it meanwhile. Open it again and repeat the change.
problem-too-large = That is larger than is allowed.
problem-limited = That was too often. Try again in a moment.
problem-forbidden = Not allowed
problem-refused = That did not work
problem-failed = Something went wrong
problem-request = If you report it, name the request { $id }.
problem-home = To the console
role-forbids = Your role does not allow this. An owner can change your role.
role-owner = Owner
role-editor = Editor
role-analyst = Analyst
role-viewer = Viewer

## Screens: signing in

sign-in = Sign in
sign-in-title = Sign in
sign-in-with = Sign in with { $provider }
password-none = You sign in at an identity provider, without a password.
sign-in-emergency = Sign in with a password
sign-in-emergency-help = Passwords are off here, except for users who are marked for emergencies.
sign-in-insecure = Browsers keep a sign-in safe only over HTTPS or on the machine itself. Open the console at an address that begins with https://, or at http://localhost.
password = Password
new-password = Password
password-new = New password
password-help = At least 12 characters. A sentence is easy to remember.
password-set = Set the password
password-title = Choose a password
code = Code
code-title = Enter the code
code-help = The six digits that your authenticator app shows, or a recovery code.
setup = Create your account
setup-title = Welcome to Pagesmith
setup-text = Create the first account. It may do everything here, and can invite others.
setup-company = Your company
setup-company-help = Shown at the top of the console. Visitors do not see it.
invitation-title = You are invited
invitation-text = You are invited to { $tenant }. Your role there: { $role }.
invitation-accept = Accept the invitation
invitation-accept-with = Accept with { $provider }
invitation-has-user = I have an account already

## Screens: start and pages

start-attention = What needs attention
start-nothing-waits = Nothing waits for you.
start-more-waits = More waits than is shown here. What is newer stands first.
start-whole-page = Show the page
start-week = Visits in 7 days
start-pages = Recent pages
visits-of-week = { $count ->
    [one] 1 visit in 7 days
   *[other] { NUMBER($count) } visits in 7 days
}
webhook-dead = Turned off after failures
questions-unanswered = Unanswered questions
questions-open = { $count ->
    [one] 1 unanswered question
   *[other] { NUMBER($count) } unanswered questions
}
questions-help = Visitors asked this, and nothing was known that answers it. Add what is missing to your knowledge; then the next visitor gets an answer.
questions-none = Every question was answered.
question-where = Where it was asked
question-done = Done
pages-empty = Make your first page
pages-empty-text = Paste what you know about your offer. Pagesmith writes a page of it, and one for each audience.
pages-search = Search pages
page-new = New page
page-new-text = Paste your text as it is: from a website, an e-mail or notes. You see a draft before anybody else does.
page-new-example = Start with an example:
page-name = Name of the page
page-name-help = For you and for the page’s address. If you leave it empty, it is taken from the text.
page-type = Kind of page
page-context = What the page is about
page-context-help = Facts for visitors: what you offer, figures, quotations, questions, prices, next steps.
page-write = Write the page
type-inbound = Landing page
type-outbound = Outreach
type-call-followup = After a call
type-sales-deck = Sales deck
type-custom = Other
example-inbound-name = Bakery catering
example-inbound-context =
    Hearth & Crumb bakes for offices in Leeds. We deliver breakfast for 10 to 200 people before 8 in the morning.

    Since 2014 we have served 340 companies. “Nobody is late on Hearth days”, says Ama Boateng, office manager at Brightline.

    How early do I have to order? By noon the day before. Vegan and gluten-free boxes cost the same.

    Ask for a free tasting box.
example-inbound-audience = Office managers of law firms; they worry about punctual delivery.
example-outbound-name = Lift inspections in one visit
example-outbound-context =
    Subject: two inspections, one visit

    Meridian Lifts maintains and inspects lifts in the north of England. Most landlords pay for two visits a year: one for maintenance, one for the statutory inspection. We do both in one, on a day that you choose, and send the report on the same day.

    In 2025 we looked after 1,150 lifts in 480 buildings. A lift of ours stands still for 3 hours a year on average; the average in the trade is 19. “We have one number to call now”, says Tom Ridley, who manages 31 buildings for Calder Homes.

    What does it cost? 89 pounds a lift and month, inspection included. Do we have to change the contract? Yes, but we give notice for you. Are other makes a problem? No, we have spare parts for all common ones.

    Book 20 minutes with an engineer.
example-outbound-audience = Facility managers of housing associations with 10 to 100 lifts; they do not know us yet, and tenants complain when a lift stands still.
example-call-name = After our call: the move to one warehouse
example-call-context =
    Notes of the call, Tuesday, 45 minutes.

    They want to bring two warehouses together in Hull until September. 14,000 articles, 900 parcels a day, twice as many in November. What worries them most is the week of the move: in 2023 another provider lost four days.

    What we promised: the move takes one weekend. On Friday evening we count, on Saturday we drive, on Sunday we scan everything in, on Monday at 6 the first parcels leave. We have done that 26 times; the longest took until Monday noon. If parcels leave later than Monday evening, we pay 2,000 pounds a day.

    Price: 38,000 pounds for the move, then 1.95 pounds a parcel. Included are packaging, returns and a person to call on site.

    Open questions: does their shop software connect directly? Yes, we have connected it for 12 customers. Who signs the lease? They do, we advise.

    Next step: a visit in Hull next Thursday at 10, with their head of operations.
example-call-audience = The managing director who was on the call; she decides, and will pass the page on to her head of operations.
example-deck-name = Brightwater for city councils
example-deck-context =
    ## The problem
    A third of the drinking water of British cities never reaches a tap. Leaks are found when a street is flooded.

    ## What we do
    Brightwater listens to pipes. A sensor the size of a fist is put on a hydrant in ten minutes and reports a leak to within two metres, weeks before it is seen.

    ## Figures
    - 61 networks in 9 countries
    - 34 % less loss after the first year
    - 10 minutes to install a sensor

    ## What others say
    “We repaired 212 leaks nobody knew of.” – Maren Holt, head of the water works in Tynebridge

    ## Prices
    - Pilot: 50 sensors, 6 months, 24,000 pounds
    - City: from 400 sensors, 310 pounds a sensor and year

    ## Next step
    Choose a district for the pilot; we install within four weeks.
example-deck-audience = Council members and the treasurer; they are no engineers, and ask when the investment pays for itself.
archive-question = Archive { $name }?
archive-page-text = Visitors get “not found” at its links. You can restore it at any time.
page-delete-text = Its audiences and versions go with it, and its links answer “not found”. You can take it back at once, and by the API for 30 days.
meta-title = Title in search results
meta-description = Description in search results
visits = Visits
conversion = Conversion
forms-sent = Forms sent
bounces = Bounces

## Screens: audiences

audience = Audience
audiences = Audiences
audiences-count = { $count ->
    [one] 1 audience
   *[other] { NUMBER($count) } audiences
}
audiences-empty = No audiences yet
audiences-search = Search audiences
audiences-empty-text = An audience is who a version of the page is written for: a group, a company, a person.
audience-new = New audience
audience-one = One
audiences-of-file = From a file
audiences-of-file-help = A CSV file of persons with column names in its first line and up to { NUMBER($most) } rows. Who is not known yet becomes a person; all other columns become notes for the writer.
audiences-of-file-large = The file has more than 4 MB. Divide it.
audiences-of-file-many = The file has more than { NUMBER($most) } rows. Divide it; nothing was made.
audiences-of-file-nobody = No column is known to hold e-mail addresses, phone numbers or LinkedIn profiles. Call one of them Email, or import the file under Persons, where you say what each column holds, and select the persons here.
audiences-of-file-empty = The file has no rows below its column names.
audiences-of-notes = From notes
audiences-of-persons-help = Select persons: each gets a page of their own.
audiences-of-accounts-help = Select accounts: each gets a page of its own.
many-draft = Write drafts
many-publish = Write and publish
many-none = Nothing is selected. Select at least one.
many-left = What was not done
many-done = { $count ->
    [0] Nothing was done.
    [one] Done for one. The others are below, each with the reason.
   *[other] Done for { NUMBER($count) }. The others are below, each with the reason.
}
many-gone = Does not exist any more
many-to-page = To the page
line-number = Line { NUMBER($line) }
audiences-many-help = One audience a line, up to { NUMBER($most) }.
audience-name = Name of the audience
audience-about = About this audience
audience-context = Who it is for
audience-everyone-help = Notes for the writer: who they are, what worries them, what to stress. Visitors never see them. If you leave it empty, the page is for everyone.
audience-everyone = Everyone
audience-context-help = Notes for the writer: who they are, what worries them, what to stress. Visitors never see them.
save-and-rewrite = Save and write a new version
status-published = Published
status-draft = Draft
status-queued = Waiting
status-processing = Being written
status-cancelled = Not written
status-archived = Archived
being-written = This screen updates by itself.
writing-queued = The page waits for its turn.
writing-pending = The page waits until another version is written.
writing-begins = The page is being written.
writing-reading = The page is being written: the text is read.
writing-planning = The page is being written: its order is planned.
writing-writing = The page is being written.
writing-checking = The page is being written: it is checked.
writing-again = The page is being written: the last attempt failed, it is tried again.
writing-blocks = { $count ->
    [one] One block is finished.
   *[other] { NUMBER($count) } blocks are finished.
}
writing-tries = This is attempt { NUMBER($count) }.
writing-cancelled = Writing was cancelled by { $name }. What was finished until then is kept.
writing-failed = Writing failed.
writing-kept-back = { $count ->
    [one] One part of the text is not on the page
   *[other] { NUMBER($count) } parts of the text are not on the page
}
writing-kept-back-help = Instructions that were not understood, and sentences that are perhaps not meant for visitors. If one belongs on the page, add it there, or write it as you would say it to a visitor.
archived-text = Archived: its link answers “not found”.
cancel-writing = Stop writing
publish = Publish
open-page = Open the page
versions = Versions
version-number = Version { $number }
versions-same = Both versions are the same.
rewrite = Write a new version
compare = Compare with the one before
compare-two = Compare
compare-none = There is only one version.
compare-from = Before
compare-to = After
version-history = History
version-created = Created
version-restored = Created from another version
version-generated = Written
version-failed = Writing failed
version-edited = Changed
version-edited-by-message = Changed by a message
version-cancelled = Cancelled
version-publish-requested = To be published once it is written
version-published = Published
version-replaced = Replaced by another version
version-unpublished = Taken offline
version-scheduled = Schedule set
version-unscheduled = Schedule cancelled
version-schedule-failed = Not published at its time:
as-draft = Use as a draft
schedule = Schedule
schedule-publish-at = Publish at
schedule-unpublish-at = Take offline at
schedule-zone = Time zone: { $zone }
schedule-time-wrong = Enter a day and a time in a known time zone, such as 2026-04-01 08:00.
unschedule = Cancel the schedule
will-be-published = will be published:
will-be-unpublished = will be taken offline:
block-added = Added
block-removed = Removed
block-changed = Changed
block-kept = Unchanged
block-moved = Moved to another place.
block-changed-whole = So much has changed that single fields are not shown.
preview = Preview
preview-none = There is nothing to show yet.
preview-width = Width of the preview
device-desk = Desk
device-tablet = Tablet
device-phone = Phone
scheme-light = Light
scheme-dark = Dark
conversation = Tell the editor
conversation-empty = Say what should be different: “make the headline shorter”, “put the figures first”, “remove the questions”.
message = What should be different?
message-help = Changes go into the draft. Nothing is public until you publish.
send = Send
you = You
editor = Editor
editor-works = The editor is at work.
interrupt = Stop
interrupted = Stopped before it was finished.
back-to-here = Back to this state

## Screens: persons, accounts, forms

page = Page
person = Person
person-new = New person
account-one = Account
persons-search = Search persons
persons-empty = No persons yet
persons-empty-text = Persons come from forms, from an imported file, from your CRM over the API, or by hand.
person-context = Known from imports
person-context-help = Columns of imported files. The page agent knows them when it writes for this person; visitors never see them.
person-exists = { $name } has this already. Open that person to change it.
company-domain = Company domain
phone = Phone number
phone-help = With the country code: +44 20 7946 0000.
linkedin = LinkedIn profile
activity = Activity
timeline-visit = Visit to a page
timeline-page = A page of their own was made
timeline-submission = Sent a form
activity-none = Nothing has happened yet.
details = Details
delete = Delete
delete-question = Delete { $name }?
person-delete-text = The person disappears from lists, and a personal page is gone. You can take it back.
not-confirmed = That is not the name. Nothing was deleted.
done-person-deleted = The person is deleted.
account-new = New account
accounts-search = Search accounts
accounts-empty = No accounts yet
accounts-empty-text = An account is a company. It appears with the first person who has its domain.
last-activity = Last activity
submissions = Submissions
submissions-empty = Nothing was sent yet
submissions-empty-text = What visitors send by the forms of your pages appears here.
form = Form
form-contact = Contact form
fields-count = { $count ->
    [one] 1 field
   *[other] { NUMBER($count) } fields
}
sender = Sender
accepted = Accepted
spam = Spam
spam-because = Kept apart because
to-person = To the person
release = Not spam
mark-spam = Mark as spam

## Screens: visits

visits-empty = No pages yet
visits-empty-text = Once there is a page, you see here what its visitors do.
visits-by-day = Visits by day
visits-by-source = Visits by source
day = Day
source = Source
source-none = Direct
visits-values-left = Not shown: { NUMBER($count) } more, with { NUMBER($visits) } visits together.
visits-others = Not told apart: { NUMBER($visits) } visits.
steps = Steps
step-seen = Saw the page
step-scrolled = Scrolled to the middle
step-action = Used an action
step-form = Sent a form
sessions = Last visits
sessions-empty = No visits yet
sessions-empty-text = Publish the page and send somebody its link.
session-began = Began
session-ended = Ended
visitor = Visitor
visitor-unknown = Unknown visitor
visitors-now = { $count ->
    [0] Nobody is on the page now.
    [one] 1 visitor is on the page now.
   *[other] { NUMBER($count) } visitors are on the page now.
}
visits-not-counted = Not counted
visits-not-counted-text = Visits by programs and from your own networks. They are in none of the figures above.
not-counted-crawler = Crawlers
not-counted-automated = Automated browsers
not-counted-prefetch = Prefetched pages
not-counted-referrer-spam = Referrer spam
not-counted-own-address = Your own networks
not-counted-data-centre = Data centres
visits-before = Previous period
figure-before = Before: { $figure }
visits-by-campaign = Visits by campaign
campaign = Campaign
campaign-none = None
campaign-content = Content
campaign-term = Term
medium = Medium
scrolled = Scrolled
clicks = Clicks
form-was-sent = Form sent
session-steps = What happened, step by step
session-viewed = Opened the page
session-viewed-again = Opened the page again:
session-used = Used:
session-sent-form = Sent the form
audiences-side-by-side = Audiences side by side
audience-of-person = A personal page
audience-withheld = What is written for a person is not shown to analysts.
download-csv = Download as CSV
share = Share
shares = Links to these figures
shares-text = Whoever has such a link sees the figures of this page, without names and without signing in, until the link ends.
share-new = Make a link
share-make = Make the link
share-for = For whom
share-for-help = So that you know later who has it.
share-days = Good for
share-password-help = Leave it empty if the link alone is enough.
share-until = until
share-with-password = with a password
share-end = End
share-link = The link
share-link-help = Copy it now: it is not shown again.
shared-title = These figures are protected
shared-open = Show them
shared-until = This link is good until
days = { $count ->
    [one] 1 day
   *[other] { NUMBER($count) } days
}
converted = converted

## Screens: webhooks

address = Address
events = Events
events-all = All events
events-help = None chosen: all of them.
event = Event
webhooks-empty = No webhooks yet
webhooks-empty-text = A webhook tells your own systems what happens: a version was published, a form was sent.
webhook-new = New webhook
webhook-delete-text = Nothing is sent there any more, and its deliveries are gone. It cannot be restored.
webhook-url-help = Where events are sent by POST, signed with a secret that you see next.
signing-secret = Signing secret
secret-once = Keep this secret now: it is shown only this once. With it your receiver checks signatures.
secret-kept = I have kept it
active = Active
inactive = Not active
activate = Activate
deactivate = Deactivate
webhook-test = Send a test
resend = Send again
resend-failed = Send failed ones again
resend-failed-next = Send the next ones again
failed-left = More deliveries have failed than can be sent again at once.
rotate-secret = New secret
deliveries = Deliveries
sent-body = What was sent
attempts-none = Nothing was sent yet.
deliveries-empty = Nothing was sent yet
deliveries-empty-text = Send a test to see whether your receiver answers.
attempts = Attempts
when = When
waiting = Waiting
delivered = Delivered
failed = Failed
next-attempt = Next attempt
done-sent-again = It is on its way.
done-recovered = { $count ->
    [0] No failed delivery of the last 30 days is left.
    [one] 1 delivery is sent again.
   *[other] { NUMBER($count) } deliveries are sent again.
}

## Screens: account and settings

profile = Profile
language = Language
current-password = Current password
done-password-changed = The password is changed. Other sessions have ended.
second-factor = Authenticator app
app-none = With an app on your phone, a stolen password is not enough to sign in.
app-add = Add an app
app-remove = Remove the app
app-scan = Scan this picture with your authenticator app.
app-picture = QR code for the authenticator app
app-type = Or type this secret:
app-code-help = The six digits that the app shows now.
app-confirm = Confirm
codes = Recovery codes
codes-text = Keep these codes where you find them without your phone. Each works once.
codes-kept = I have kept them
codes-left = { $count ->
    [one] The app is set up. 1 recovery code is left.
   *[other] The app is set up. { NUMBER($count) } recovery codes are left.
}
codes-renew = Make new recovery codes
signed-in-at = Where you are signed in
browser-on = { $browser } on { $system }
this-browser = this browser
end-session = Sign out there
end-others = Sign out everywhere else
users = Users
role = Role
remove-user = Remove from here
invite = Invite
invite-help = Left empty, whoever has the link can accept it.
mail-waiting = The e-mail waits to be sent.
mail-sent = Sent by e-mail.
mail-failed = The e-mail could not be sent.
mail-again = Send it again
mail-invitation-subject = You are invited to { $tenant }
mail-invitation-text = You are invited to { $tenant } on Pagesmith. Open this address to accept:
mail-invitation-end = It works once and for 7 days. If you did not expect this, do nothing.
invitation-made = Send this link to whoever is invited. It is shown only this once and works for 7 days.
anybody = Whoever has the link
revoke = Revoke
audit = Audit log

## Screens: settings

settings-site = Site
settings-consent = Consent
settings-agent = Agent
settings-keys = Keys
settings-usage = Usage
settings-retention = Retention
switched-on = On
switched-off = Off
never = Never
site-name = Name of the site
site-name-help = Left empty, each page says its own name.
site-home = Page at the root
site-home-help = What visitors see who open the site without a path. The first page that is published takes the place.
site-home-stays = Leave unchanged
site-look = How pages look by default is a matter of the default brand:
person-page-access = Pages of single persons
access-open = Open
access-open-help = At an address made from the name.
access-unguessable = Unguessable
access-unguessable-help = At an address with a random part.
access-signed = Signed links only
access-signed-help = Only by a link that expires.
signed-link-days = Days until a signed link expires
consent-scripts = Scripts of pages
consent-ask = Ask visitors first
consent-ask-help = No script of a page runs until the visitor agrees.
consent-none = Run them unasked
consent-none-help = Only if you may do so without asking.
measurement = Measurement of visits
measurement-help = Visits are measured without cookies.
privacy-signal = Browsers that ask not to be tracked
signal-ignore = Count their visits
signal-ignore-help = Visits name nobody anyway, until somebody sends a form.
signal-no-person = Count them, but never as a person’s
signal-no-person-help = Not even when the visitor sends a form.
signal-nothing = Do not count them
signal-nothing-help = The visit leaves no trace in your figures.
own-networks = Your own networks
own-networks-help = One to a line, such as 203.0.113.0/24. Visits from there are not counted.
agent-help = The agent writes your pages. A change counts from the next version on.
agent-who = Who writes
agent-server = The agent of this server
agent-server-template = At present that is the template.
agent-server-model = At present that is the model { $model }.
agent-template = The template
agent-template-help = Works offline and costs nothing.
agent-openai = Your own model, chat completions
agent-openai-help = The API of OpenAI, and of many servers that speak like it.
agent-anthropic = Your own model, messages
agent-anthropic-help = The API of Anthropic.
agent-address = Address of the API
agent-address-help = Left empty: the usual one.
agent-model = Model
agent-key = Key of the API
agent-key-kept = A key is saved and is never shown. Left empty, it stays; another address, another model or other prices need it again.
agent-key-none = No key is saved.
agent-key-lost = The saved key cannot be opened any more. Enter it again.
agent-key-remove = Remove the saved key
agent-input-price = Price of a million tokens read
agent-output-price = Price of a million tokens written
agent-price-help = Such as 2.50, in the currency you count in.
agent-token-limit = Most tokens in a month
agent-cost-limit = Most money in a month
agent-limit-help = 0 for what the operator allows.
agent-allowed-any = 0 for any number. The operator sets no limit.
agent-allowed-tokens = The operator allows { NUMBER($count) } tokens; the smaller number counts. 0 for no limit of your own.
agent-allowed-cost = The operator allows { $cost } a month. 0 for no limit of your own.
agent-allowed-both = The operator allows { NUMBER($count) } tokens and { $cost } a month; the smaller numbers count. 0 for no limit of your own.
agent-try = Try it
agent-try-help = Asks the saved agent once for a few words about a text. Nothing is kept; what a model uses counts against the budget.
agent-try-text = Text
agent-try-example = Acme makes anvils for smiths who work all day. Each lasts 50 years.
agent-try-worked = It works
agent-try-failed = It did not answer
tokens-read = Tokens read
tokens-written = Tokens written
questions = Questions of visitors
questions-shown = Pages have a field for questions
questions-shown-help = Answers are quoted from what you know, unless a page says otherwise.
questions-per-visitor = Questions of a visitor in a visit
questions-per-page = Answers on a page in a day
questions-per-tenant = Answers on all pages in a day
key-new = New key
keys-empty = No keys yet
keys-empty-text = A key lets a program call the API for this tenant.
key-scope = Permission
scope-read = Read
scope-write = Read and change
key-made = Created
key-used = Last used
key-expires = Expires
key-actions = Actions
key-expired = Expired
key-revoked = Revoked
key-name-help = The program that uses it, such as CRM.
key-days = Days until it expires
key-days-help = Left empty, it does not expire.
key-rotate = Replace
key-rotate-help = Makes another key. This one works for a day more.
key-once = Keep this key now: it is shown only this once.
key-call = A call with it:
key-revoke-question = Revoke { $name }?
key-revoke-text = Programs that use this key are refused from now on. This cannot be undone.
done-key-revoked = The key is revoked.
usage-files = Files
usage-storage = Storage
usage-budget = Budget of this month
usage-no-budget = No limit
usage-by-month = By month
usage-month = Month
usage-tries = Model calls
usage-cost = Cost
usage-help = Months are in UTC. What happened stays counted, whatever is deleted later.
audit-action = What
audit-actor = By
audit-subject = To
audit-any = Anything
audit-since = From
audit-until = Before
audit-narrow = Show
audit-empty = Nothing yet
audit-empty-text = Changes that matter for security and privacy appear here.
audit-action-tenant-created = Tenant created
audit-action-tenant-updated = Tenant changed
audit-action-tenant-suspended = Tenant suspended
audit-action-tenant-resumed = Tenant resumed
audit-action-key-created = Key created
audit-action-key-rotated = Key replaced
audit-action-key-revoked = Key revoked
audit-action-agent-updated = Agent changed
audit-action-site-updated = Site changed
audit-action-access-updated = Access to personal pages changed
audit-action-domain-verified = Domain verified
audit-action-domain-lost = Domain given up
audit-action-domain-removed = Domain removed
audit-action-webhook-secret-rotated = Signing secret of a webhook replaced
audit-action-person-exported = Person exported
audit-action-person-erased = Person erased
audit-action-person-merged = Persons merged
audit-action-person-unmerged = Merge of persons undone
audit-action-server-key-rotated = Server key replaced
audit-action-server-key-accepted = Another server key accepted
audit-action-user-created = User created
audit-action-user-updated = User changed
audit-action-user-disabled = User disabled
audit-action-user-enabled = User enabled
audit-action-user-removed = User removed
audit-action-user-invited = User invited
audit-action-invitation-revoked = Invitation revoked
audit-action-invitation-mailed = Invitation sent by e-mail
audit-action-visits-shared = Figures of a page shared
audit-action-visit-share-ended = Shared figures ended
audit-action-role-changed = Role changed
audit-action-role-removed = Role taken away
audit-action-signed-in = Signed in
audit-action-signed-out = Signed out
audit-action-sign-in-failed = Sign-in failed several times
audit-action-sessions-ended = Sessions ended
audit-action-password-link-created = Password link created
audit-action-password-changed = Password changed
audit-action-password-removed = Password removed
audit-action-second-factor-added = Authenticator app added
audit-action-second-factor-removed = Authenticator app removed
audit-action-recovery-codes-renewed = Recovery codes renewed
audit-action-recovery-code-used = Recovery code used
audit-action-identity-connected = Identity provider connected
audit-action-identities-removed = Identity providers disconnected
audit-action-break-glass-changed = Emergency sign-in with a password changed
audit-action-operator-added = Operator added
audit-action-operator-removed = Operator removed
audit-action-backup-started = Backup started
audit-action-visit-settings-updated = Visit measurement changed
actor-operator = Operator
actor-server = The server
actor-schedule = A schedule
actor-key = Key { $name }
retention-days = Days for which single visits are kept
retention-days-help = Older ones are removed within an hour and do not come back. Sums stay.
kept-rest = What is fixed
kept-deleted = What is deleted and can be restored, and the trash
kept-deleted-for = 30 days
kept-events = Events and deliveries of webhooks
kept-events-for = 30 days
kept-visitors = What tells visitors apart within a day
kept-visitors-for = At most 48 hours
kept-answers = Answers to repeated requests
kept-answers-for = 24 hours
kept-files = Files that nothing uses any more
kept-files-for = A day
kept-audit = The audit log
kept-audit-for = For good

## Screens: operator

operator = Operator
operator-tenants = Tenants
operator-servers = Servers
operator-queues = Queues
operator-health = Health
operator-backup = Backup
tenants-search = Search by name
tenant-new = New tenant
tenant-slug = Label in host names
tenant-slug-help = Lower-case letters, digits and hyphens. Left empty, it is made from the name. It never changes.
tenant-region = Country of phone numbers
tenant-region-help = Two letters, such as DE, for numbers without a country code.
tenant-owner = E-mail address of the first owner
tenant-owner-help = Left empty, whoever has the link becomes the owner.
tenant-made = { $name } is there. Send this link to its first owner. It is shown only this once and works for 7 days.
tenant-suspended = Suspended
tenant-suspend = Suspend
tenant-resume = Resume
tenant-suspend-question = Suspend { $name }?
tenant-suspend-text = Its keys and users are refused, and its pages are hidden, until it is resumed. Nothing is deleted.
done-tenant-suspended = The tenant is suspended.
done-tenant-resumed = The tenant works again.
servers-help = Each server says every half minute that it is there. What was silent for a day is forgotten.
servers-none = No server has said yet that it is there. Look again in half a minute.
server-host = Machine
server-version = Version
server-started = Started
server-seen = Last sign of life
server-alive = Running
server-silent = Silent
server-other-version = Other version
queues-help = The work of all tenants. What belongs to suspended tenants is held back and does not count.
queue = Queue
queue-due = Due
queue-oldest = Oldest waiting since
queue-running = Being done
queue-again = To be tried again
queue-versions = Versions to write
queue-messages = Messages of conversations
queue-deliveries = Deliveries of webhooks
queue-readings = Pages and files to read
queue-enrichments = Submissions to enrich
queue-pictures = Pictures to prepare
queue-descriptions = Pictures to describe
queue-imports = Imports of persons
health-now = This server now
health-ready = Ready
health-ready-text = The database is read and written.
health-not-ready = Not ready
health-not-ready-text = This server cannot do what it promises:
health-examined = Full check
health-examine-help = Looks at the database, the disk, the clock, keys and certificates. With a large database this takes a while.
health-examine = Examine now
level-ok = In order
level-warn = Warning
level-fail = Broken
check-database = The database answers and its files are whole
check-migrations = The database has the form of this version
check-collation = Texts of every script can be kept
check-clock = The clock is right
check-durability = Confirmed changes survive a crash
check-recovery = The database takes changes
check-disk = There is room on the disk
check-files = Only the server can read its files
check-bucket = The bucket of files works
check-transport = The connection to the database is protected
backup-no-folder = There is no folder for backups: set backup.folder in the configuration and start the server again.
backup-help = Copies the database and the files of tenants while everything goes on, into { $folder }. Keep copies on another machine as well.
backup-now = Back up now
backup-running = Under way
backup-database = The database is copied:
backup-files = The files of tenants are copied.
backup-made = The backup is whole
backup-with-files = { $count ->
    [one] With 1 file of tenants.
   *[other] With { NUMBER($count) } files of tenants.
}
backup-without-files = The files of tenants are in a bucket and not in it: copy the bucket after this.
backup-key = The key of the server is not in it: keep a copy of its file elsewhere.
backup-failed = No backup was made
backups-kept = Backups in the folder
backups-none = None yet.
backup-file = File
backup-size = Size of the database
backup-restore = To restore one, stop the server and run this (with PostgreSQL, on an empty database):
done-backup-started = The backup has begun.

## Screens: knowledge

topic = Topic
topic-new = New topic
topic-title = Title of the topic
topic-title-help = One subject, such as prices, references or delivery.
topic-about = What it says
topic-rename = Change the title
topic-delete-text = The topic and all of its entries are deleted for good. Pages that are written already stay as they are.
topics-search = Search topics
topics-empty = No topics yet
topics-empty-text = A topic holds what you know about one subject. Pages are written from it, and questions of visitors are answered from it.
knowledge-search = Search everything that is known
knowledge-nothing = Nothing that is known says anything about this.
entries = Entries
entries-count = { $count ->
    [one] 1 entry
   *[other] { NUMBER($count) } entries
}
entries-pending = { $count ->
    [one] 1 is being read
   *[other] { NUMBER($count) } are being read
}
entries-failed = { $count ->
    [one] 1 not read
   *[other] { NUMBER($count) } not read
}
entries-empty = No entries yet
entries-empty-text = Add a text, the address of a web page, or a file.
entry = Entry
entry-type = Kind
entry-of-text = Text
entry-of-page = Web page
entry-add-text = Add a text
entry-add-address = Add a web page
entry-add-file = Add a file
entry-text-help = Facts in your own words. A line that begins with # is a heading.
entry-text-missing = Write the text first.
entry-address-help = The page is read within seconds, and again every 30 days.
entry-file-help = PDF, DOCX, PPTX, HTML, Markdown, plain text or CSV.
entry-pending = Being read
entry-read = Ready
entry-failed = Not read
entry-unchanged = Unchanged
entry-retry = Tried again in a moment
entry-read-again = Read again
entry-description = Description
entry-summary = Summary
entry-readings = Attempts to read it
entry-readings-none = It has not been read yet.
entry-delete-text = The entry is deleted for good. Pages that are written already stay as they are.
file-drop = You can also drop the file here.
file-uploading = Uploading
file = File
file-missing = Choose a file first.
file-again = This file was removed. Choose it again.
done-reading = It is being read. Open this screen again in a moment.
done-deleted = Deleted.

## Screens: domains

domain = Domain
domain-new = Add a domain
domain-help = The host name that visitors open, such as go.example.com.
domains-empty = No domains yet
domains-empty-text = Your pages have an address already. With a domain of your own they are shown under your name.
domain-active = Active
domain-pending = Waits for its DNS record
domain-verifying = Verified, does not lead here yet
domain-certificate-waits = Its certificate is on its way
domain-failed = Given up
domain-problem = What is wrong:
domain-verify = Check now
domain-default-text = Search engines are told this domain as the address of your pages.
domain-delete-text = Nothing is shown on the domain any more. Whoever adds it again has to verify it by another record.
default = Default
default-make = Make it the default
default-take = No longer the default
records-wanted = Records to add
records-help = Add the record of ownership, and for the address either the CNAME record or all A and AAAA records.
records-seen = What was seen
records-not-looked = The DNS has not been checked yet.
records-none = None
records-unanswered = The name servers did not answer.
record-for = For
record-type = Type
record-value = Value
record-ownership = Ownership
record-address = Address
look-last = Last check
look-next = Next check
looks-end = Given up
looks-ended = The DNS is not checked any more. “Check now” begins again.
certificate = Certificate
certificate-ends = Ends
certificate-renews = Renewed
certificate-next = Next step
done-looked = The DNS was checked just now.

## Screens: assets

assets-search = Search assets
assets-empty = No assets yet
assets-empty-text = Upload pictures and say what they are for. Pages show them where they fit.
asset-type = Kind
asset-logo = Logo
asset-icon = Icon
asset-video = Video
asset-component = Component
asset-hidden = Not used on new pages
asset-hidden-help = Pages that show it already keep it.
asset-open = Open the file
picture = Picture
picture-new = Upload a picture
picture-file-help = On the next screen you say what it is for.
picture-file-wrong = The file is no picture. Nothing was kept of it.
purpose = What it is for
purpose-help = Pages are written by this: “shows our workshop; beside what we say of quality”.
tags = Tags
tags-help = Words to find it by, separated by commas.
upload = Upload
video-new = Add a video
video-address = Address of the video
video-address-help = The address of a video at YouTube.
trash = Trash
trash-empty = The trash is empty
trash-text = What is in the trash is removed for good after 30 days.
trashed = Thrown away
to-trash = Put into the trash
done-asset-trashed = It is in the trash.
done-asset-restored = It is back.

## Screens: brands

brand-new = New brand
brand-from-website = From a website
brand-website-help = The start page, for example. Its colours, fonts, logo and legal links are read; nothing is saved yet.
brand-propose = Read the website
brand-proposed = This is what the website says. Change what you like, then save it.
brand-name = Name of the brand
brand-site-name = Name on pages
brand-site-name-help = Left empty, pages have the name that the settings of the site say.
brand-default-text = Pages that name no brand have this one.
brand-delete-text = Pages of this brand have the default brand from then on. The brand cannot be restored.
brands-search = Search brands
brands-empty = No brands yet
brands-empty-text = A brand gives pages your colours, fonts and words. Begin with the address of your website.
colours = Colours
colour-of = Colour of
palette = Colours of pages
palette-help = They follow from the look. Every text has a contrast of at least 4.5 with what it stands on.
brand-preview-help = As it is entered. Nothing is saved before you save it.
brand-sample = A card of a page, { $mode }
brand-sample-heading = A heading
brand-sample-text = Text, as most of a page is set in.
brand-sample-link = A link to somewhere
brand-sample-button = A button
brand-sample-area = A large area
contrast = Contrast
contrast-refused = Text: { $colour } on { $ground } has a contrast of { $contrast }, and 4.5 is needed. It cannot be saved. The nearest colour that has it is { $nearest }.
contrast-replaced = Links: { $colour } on { $ground } has a contrast of { $contrast }, and 4.5 is needed. Links are drawn in { $nearest } instead.
colour-wrong = { $text } is no colour. Write it as #2b55b8.
colour-background = Background
colour-text = Text
colour-text-help = Its contrast with the background must be at least 4.5.
colour-accent = Buttons
colour-accent-help = As #2b55b8. Colours that are left empty follow from this one.
colour-on-accent = Button text
colour-link = Links
colour-primary = Large areas
colour-on-primary = Text on large areas
fonts-headings = Heading font
fonts-body = Body font
fonts-help = One font, or several separated by commas: Inter, Helvetica.
corner-radius = Corner radius in pixels
spacing = Spacing
spacing-unset = Default
spacing-compact = Compact
spacing-regular = Regular
spacing-roomy = Roomy
logo-address = Address of the logo
logo-description = Description of the logo
icon-address = Address of the icon
words-to-use = Words to use
words-to-avoid = Words to avoid
words-help = Separated by commas.
legal-links = Links in the last line
link-lines-help = One a line: Imprint | https://example.com/imprint
link-line-wrong = Line { NUMBER($count) } is no link. Write: text | address

## Screens: links

links-search = Search links
links-empty = No links yet
links-empty-text = A link is a short path such as /spring that leads to a page, with a QR code for print.
link-new = New link
link-which-page = Which page does the link lead to?
link-of-page = The link leads to { $name }.
link-path = Path
link-path-help = Such as /spring.
link-path-change = Where the old path is printed or sent, it leads nowhere any more.
link-own-domain = The usual domain
link-target = Leads to
link-search = Find audiences
link-search-help = The page has more audiences than are offered here. Search for a part of their names before you fill in the form.
link-target-help = Visitors see the page, one of its audiences, or are shared among several.
link-target-gone = Nowhere: its page is deleted.
link-to-page = The page
link-to-shared = Shared by weights
link-weight = Weight of { $name }
link-weight-wrong = Line { NUMBER($count) } needs an address and a whole number: https://example.com/demo | 1
link-no-route = Give a weight to at least one audience or address.
link-elsewhere = Addresses elsewhere
link-elsewhere-help = Only if visitors are shared. One a line with its weight: https://example.com/demo | 1
link-routes = { $count ->
    [one] 1 target
   *[other] { NUMBER($count) } targets
}
link-visits = { $count ->
    [one] 1 visit by this link in the last 30 days.
   *[other] { NUMBER($count) } visits by this link in the last 30 days.
}
link-planned = Share by weight
link-measured = Share of visits
link-not-counted = not counted
link-visits-help = Visits count where a page is shown. Who is sent to an address elsewhere is not counted.
link-target-change = Change where it leads
link-another-page = Choose another page
link-delete-text = Its path answers “not found” from then on, also where it is printed.
qr = QR code
qr-of = QR code of { $address }
blocks = Link blocks
blocks-empty = No link blocks yet
blocks-empty-text = Links that several pages share as their navigation or footer. A change shows on all of them.
block-new = New link block
block-kind = Shown in
block-navigation = Navigation
block-footer = Footer
block-lines-help = One link a line: Prices | https://example.com/prices. A line “# Company” begins a group, an empty line ends it. In a footer every link stands in a group.
link-line-wrong-footer = Line { NUMBER($count) } is no link of a group. Write “# heading” first, then: text | address
block-not-lines = This block has entries that cannot be written as lines. Change it over the API.
block-delete-text = Pages that use the block keep its links as their own.

## Screens: the blocks of a draft

content-blocks = Blocks of the page
content-blocks-help = Select a block here or in the preview to edit it. Move it by the arrows, by dragging, or with Alt and an arrow key.
block-add = Add a block
block-add-text = A page consists of blocks from top to bottom. What should the new one show?
duplicate = Duplicate
undo-last = Undo the last change
done-draft-edited = The draft is changed. Visitors see it once it is published.
done-undone = The change is taken back.
block-gone = The block is not there any more.
block-gone-kept = The block was removed meanwhile. What you entered is still here: send it to add it as a new block.
block-changed-meanwhile = The block has been changed meanwhile. Look at it again before you repeat this.
block-field-crossed = Somebody has changed this meanwhile to: { $value }. Save again to keep what stands here.
form-broken = The form did not arrive whole. Open it again.
unsaved = Save or cancel first: this form has changes that are not saved.
say-of-block = Say what should be different in this block
message-of-block-help = Only this block is changed.
message-of-element-help = Only this block is changed. You have clicked on “{ $text }”.
add-item = Add: { $name }
change-insert = added
change-remove = removed
change-move = moved
change-set = changed
audience-link = Link and QR code
audience-link-help = Whoever has the link sees the published version.
none = None
component-hero = Opening
component-hero-help = The headline of the page with a promise, a button and a picture.
component-text = Text
component-text-help = Paragraphs, lists and links below a heading.
component-cards = Cards
component-cards-help = Two to six short points side by side, such as what a product does.
component-stats = Figures
component-stats-help = Two to four numbers that convince, each with what it counts.
component-testimonials = Testimonials
component-testimonials-help = What customers say, with their names.
component-questions = Questions and answers
component-questions-help = What visitors ask, each answer unfolds.
component-steps = Steps
component-steps-help = What happens one after the other, such as how to start.
component-comparison = Comparison
component-comparison-help = Two sides with their points, such as before and after.
component-prices = Prices
component-prices-help = Plans with their prices and what they include.
component-call = Call to action
component-call-help = One sentence and the button that a visitor should press now.
component-image = Picture
component-image-help = One picture with a caption.
component-video = Video
component-video-help = A video of YouTube, Vimeo, Loom or Wistia. It loads only when a visitor plays it.
component-table = Table
component-table-help = Rows and columns, such as what each plan has.
component-logos = Logos
component-logos-help = The logos or the names of customers and partners.
component-frame = Section
component-frame-help = A text with a heading in a frame, which can be folded.
component-threads = Choice
component-threads-help = A question; the answer that a visitor chooses shows a text for it.
component-custom = HTML of your own
component-custom-help = For what no other block can show. Scripts are removed.
content-eyebrow = Line above the headline
content-quote = What was said
content-author = Who said it
content-role = Role and company
content-value = Figure
content-label = What it means
content-question = Question
content-answer = Answer
content-title = Heading
content-subtitle = Sentence below the heading
content-price = Price
content-text = Text
content-markdown-help = **bold**, [a link](https://example.com), - a list, ## a heading.
content-html = HTML
content-html-help = Scripts and handlers are removed when the page is shown.
content-points = Points
content-lines-help = One a line.
content-asset = Picture from your assets
content-picture-help = One of your assets, or the address of a picture.
content-alt = Description of the picture
content-alt-help = For visitors who do not see it. Leave it empty if the picture only decorates.
content-logo-name = Whose logo it is
content-picture = Picture
content-caption = Caption
content-collapsible = Visitors can fold it
content-columns = Columns
content-rows = Rows
content-rows-help = One row a line with | between its cells. You can paste from a spreadsheet.
content-cards = Cards
content-choices = Answers to choose from
content-plans = Plans
content-names = Names without a logo
content-actions = Buttons
content-actions-none = The page has no actions yet. Add one on the page’s “Edit” screen.
content-action = Button
item-card = Card
item-figure = Figure
item-testimonial = Testimonial
item-question = Question
item-choice = Answer
item-step = Step
item-column = Side
item-plan = Plan
item-logo = Logo
move-up = Move up
move-down = Move down
remove = Remove

## Screens: building forms

forms-empty = No forms yet
forms-empty-text = A form asks visitors of your pages for what you need. What they send becomes a person, an entry in their timeline and an event.
form-new = New form
form-new-text = Add the fields in the order in which visitors are asked. The first e-mail address tells who it is.
form-title = Heading
form-title-help = Leave it empty to show the text of the button that opens the form.
form-name-help = Only you see it.
form-instructions = Text above the fields
form-instructions-help = A text of the page’s action takes its place.
form-fields = Fields
form-submit = Text of the button
form-submit-help = Leave it empty for a word in the language of the page.
form-after = After it was sent
form-thanks = Message after sending
form-redirect = Lead the visitor to
form-redirect-help = A whole address, or a path of your site such as /thanks. Instead of a next action.
form-next-action = Next action
form-next-action-help = Id of an action of the page that is offered next.
form-spam = Spam filter
form-spam-help = What looks like spam is kept apart with its reasons. You can release it.
form-spam-standard = Standard
form-spam-strict = Strict
form-spam-off = Off
form-kind = Kind
form-label = Label
form-label-help = For a consent, these are the words that are agreed to. They are kept with each submission.
form-help = Help below the label
form-required = Has to be filled in
form-options = Options
form-value = Value
form-min-length = Fewest characters
form-max-length = Most characters
form-minimum = Least value
form-maximum = Greatest value
form-person = Tells of the person
form-person-help = It must fit the kind: an e-mail address comes from a field for e-mail addresses.
form-person-usual = As usual
form-person-none = Nothing
form-key = Name in submissions
form-key-help = Letters, digits and _. Leave it empty to name it after the label. Keep it once answers were sent.
form-kind-text = One line
form-kind-long-text = Several lines
form-kind-phone = Phone number
form-kind-url = Web address
form-kind-number = Number
form-kind-date = Day
form-kind-choice = One of several
form-kind-choices = Any of several
form-kind-consent = Consent
form-kind-file = File
form-kind-hidden = Hidden value
form-preview-help = A sketch of what visitors are asked. Once it is saved, it stands here in the look of your site.
form-show = Show in preview
form-revision = Wording version { $number }. It rises with each change of the fields, and is kept with each consent.
form-use = Use it on a page
form-use-text = Open a page, choose “Edit”, and add an action of the kind “Open a form” with this form. Its button then opens the form.
form-export = Submissions as CSV
form-delete-text = Pages that use it show a plain contact form instead. What was sent stays, and the form can be restored.
person-whole-name = Whole name
person-first-name = First name
person-last-name = Last name
person-linkedin = LinkedIn profile

## Screens: editing a page

page-about = About
page-actions = Actions
page-actions-help = What visitors can do next. The page’s texts name the buttons; a changed button shows at once.
page-navigation = Navigation
page-metadata = Search and sharing
page-metadata-help = What is left empty is taken from the page.
page-scripts = Scripts
page-scripts-help = Markup of your own, such as the snippet of an analytics service. Where you ask for consent, it waits for it.
page-brand = Brand
page-header-action = Button in the header
page-widgets = Beside the actions
page-widgets-help = Shown below the text of the page.
page-nav-block = Shared navigation
page-footer-block = Shared footer
page-block-help = Links that several pages share take the place of those below.
page-nav-links = Links in the navigation
page-nav-links-help = One link a line: Prices | https://example.com/prices. A line “# Company” begins a menu, an empty line ends it.
page-footer-links = Links in the footer
action-open = Open an address
action-form = Open a form
action-copy = Copy a text
action-purpose = What it is for
action-purpose-help = The page is written so that it leads there.
action-copied = Text that is copied
video-autoplay = Starts by itself
video-loop = Starts again at its end
video-controls = Shows the controls of the player
script = Script
script-description = What it does
script-content = Markup
script-content-help = With its script tags.
script-where = Where it stands
script-head = At the end of the head
script-body-start = Where the body begins
script-body-end = Where the body ends
script-enabled = Active
meta-title-help = About 60 characters are shown.
meta-description-help = About 155 characters are shown.
meta-keywords = Keywords
meta-canonical = Address that search engines should list
meta-robots = Rules for search engines
meta-robots-help = One a line, such as noindex or max-snippet:50.
meta-author = Author
meta-og-title = Title on social networks
meta-og-description = Description on social networks
meta-og-type = Kind of page
meta-og-site = Name of the site on social networks
meta-twitter-card = Layout of the card on X
meta-twitter-title = Title on X
meta-twitter-description = Description on X
meta-twitter-site = Account of the site on X
meta-twitter-creator = Account of the author on X
meta-theme-color = Colour of the browser’s frame
meta-preview = How others show it
meta-search-result = In search results
meta-social-card = On social networks
meta-hidden = Search engines are told to leave it out.
meta-from-page = The description that the page itself gives.
## Screens: imports of persons

imports = Imports
import = Import
import-new = Import persons
imports-empty = Nothing was imported yet
import-file-help = A CSV file with column names in its first line, as spreadsheets and CRMs write it. Nothing is imported before you have seen what becomes of it.
import-status = Status
import-draft = Not checked
import-checking = Being checked
import-checked = Checked
import-importing = Being imported
import-done = Imported
import-cancelled = Cancelled
import-failed = Failed
import-failed-text = The file could not be read to its end. What was imported before stays. Save the file again as CSV and import it once more: nobody is imported twice.
import-created = New persons
import-updated = Changed persons
import-unchanged = Unchanged rows
import-refused = Refused rows
import-rehearsed = Nothing was imported yet. This is what would happen.
import-progress = Share of the file that was read
import-refused-rows = Rows that cannot be imported
import-refused-download = All of them as a CSV file
import-line = Line
import-reason = Reason
import-columns = Columns
import-column = Column
import-becomes = Becomes
import-filled = Filled rows
import-columns-help = Say what becomes of each column. Below its name are its first values.
import-change-columns = Change the columns
import-first-name = First name
import-last-name = Last name
import-context = What is known of the person
import-ignore = Leave out
import-region = Country of phone numbers without a country code
import-region-help = Two letters, such as GB.
import-check = Check
import-start = Import
import-cancel = Cancel

## Screens: merging and erasing persons

merge = Merge
merge-help = Two entries for one person? Choose the other one. Before anything happens you see what would.
merge-nobody = Nobody else was found. Search by another name or address.
merge-nothing = Nothing
merge-question = { $other } is merged into { $this } and no longer listed. Everything below moves. You can take it back for 30 days.
merge-logs = Log entries
merge-audiences = Personal pages
merge-collisions = On these pages both have a personal page. Those of the other person do not move, and their addresses show that the page is gone:
merge-do = Merge persons
merge-undo = Take the merge back
merged-persons = Merged into this person
done-persons-merged = The persons are merged.
erase = Erase
erase-question = Erase { $name } for good?
erase-text = The person, its log, visits, submissions and personal pages are removed, and its name is taken out of everything else. This cannot be taken back.
done-person-erased = The person is deleted and is being erased.
person-export = Export

## What the API says of a field

delivery-unreachable = The receiver could not be reached: its name, its address or the connection to it failed.
delivery-late = There was no answer in time.
delivery-tls = No secure connection could be made: { $value }.
delivery-broken = The connection was closed before the answer was complete.
delivery-nonsense = What was answered is not HTTP, or too much of it.
edited-by-hand = Edited by hand.
row-email = { $value }: not an e-mail address.
row-linkedin = { $value }: not the address of a person’s LinkedIn profile.
row-phone-region = { $value }: not an international phone number (+49 …). Numbers without a country code need a country for the import.
row-phone = { $value }: not a phone number.
row-domain = { $value }: not a domain.
row-long = { $value }: longer than 255 characters.
row-name-long = The name is longer than 255 characters.
row-nul = { $value }: holds a character that cannot be stored (NUL).
row-encoding = { $value }: holds bytes that are no characters in { $more }.
row-cells = The row has { $value } cells, the first line has { $more }.
row-nobody = The row has no e-mail address, phone number or LinkedIn profile.
row-large = The other columns of the row hold more than 64 KiB.
issue-required = Has to be filled in.
issue-blank = Must not be empty.
issue-most-characters = Must have at most { $value } characters.
issue-fewest-characters = Must have at least { $value } characters.
issue-most-bytes = Must have at most { $value } bytes.
issue-most-items = Must have at most { $value } entries.
issue-no-items = Needs at least one entry.
issue-fewest-items = Needs at least { $value } entries.
issue-least = Must be at least { $value }.
issue-greatest = Must be at most { $value }.
issue-one-of = Must be one of these: { $value }.
issue-invalid = This is not valid here.
issue-url = Must be a whole address, such as https://example.com/page.
issue-email = Must be an e-mail address, such as jane@example.com.
issue-phone = Must be a phone number in international form, + and digits alone, such as +4915112345678.
issue-domain = Must be a domain, such as example.com.
issue-host = Must be a host name alone, such as go.example.com.
issue-linkedin = Must be the address of a person’s LinkedIn profile, such as https://www.linkedin.com/in/jane-doe.
issue-label = Must be lower-case letters and digits, in groups joined by single hyphens, such as page-view.
issue-path = Must be a path alone, such as /spring.
issue-address = A page cannot link to this address.
issue-past = Must be in the future.
issue-far = Must be within ten years.
issue-order = Must be later than the time before it.
issue-characters = Has a character that cannot be stored.
issue-unknown = This does not exist, or no longer does.
issue-twice = This is there already.
issue-no-options = A choice needs options.
issue-password-own = Must not be your e-mail address or your name.
issue-password-common = This is one of the passwords that are tried first.
issue-password-wrong = This is not the password.
issue-code-wrong = The app does not show this code now.

## What the API refuses as a whole

issue-link-old = The link is not good any more: it was used, replaced or is too old.
issue-link-ended = This link shows nothing: it has ended, or there is no such link.
issue-passwords-off = Passwords are off here: accept the invitation by signing in at an identity provider.
issue-form-running = What you sent is being carried out already. Look again in a moment.
issue-page-archived = The page is archived.
issue-audience-archived = The audience is archived.
issue-other-persons = The e-mail address, phone number or profile belongs to another person.
issue-trashed = It is in the trash. Restore it first.
issue-most-forms = A tenant may have at most { $value } forms, deleted ones included.
issue-most-assets = A tenant may have at most { $value } assets, those in the trash included.
issue-most-entries = A tenant may have at most { $value } entries.
issue-most-files = A tenant may have at most { $value } files. Delete some that are not used.
issue-file-quota = The files of a tenant may take { $value } bytes in all, and this one is too much. Delete files that are not used.
issue-most-imports = At most { $value } imports may be open at a time. Cancel one first.
issue-most-domains = A tenant may have at most { $value } domains.
issue-most-link-blocks = A tenant may have at most { $value } link blocks.
issue-most-webhooks = A tenant may have at most { $value } webhooks.
issue-most-brands = A tenant may have at most { $value } brands.
issue-most-users = A tenant has at most { $value } users.
issue-most-tenants = A user has a role in at most { $value } tenants.
issue-most-invitations = A tenant has at most { $value } open invitations: revoke those that are not wanted.
issue-most-shares = A page has at most { $value } links to its figures: end those that are not wanted.
issue-most-keys = The tenant has { $value } keys already: revoke one that is not used any more.
issue-file-used = The file is used. Delete what uses it first; an asset in the trash uses it until it is removed from there.
issue-not-picture = This asset has a kind that cannot become a picture.
issue-member-already = The user has a role in this tenant already.
issue-last-owner = The tenant { $value } would have no owner: make somebody else one first.
issue-user-exists = There is a user with this e-mail address already.
issue-user-disabled = The user is disabled.
issue-no-app = There is no authenticator app yet: set one up first.
issue-invitation-other = The invitation is meant for another e-mail address.
issue-mail-waits = The e-mail waits to be sent already, or the invitation is not open any more.
issue-most-mails = { $value } e-mails were ordered within a day: hand the link over yourself.
issue-role = Your role, { $value }, does not allow that.
issue-signed-out = You are not signed in.
issue-sign-in-again = Please sign in again.
issue-sign-in-wrong = The e-mail address or the password is wrong.
issue-attempts = There were too many attempts to sign in; please wait a little.
issue-busy = Too many people are signing in right now. Please try again.
issue-begin-again = This sign-in was used already. Please begin again.
issue-code-used = { $value } did not take the code: it was used, or is too old. Please begin again.
issue-declined = { $value } did not let you in, or you declined.
issue-provider-away = { $value } cannot sign you in at the moment.
issue-provider-unreachable = { $value } cannot be reached at the moment, or is not set up right.
issue-code-refused = The code is wrong.
issue-password-refused = The password is wrong.
issue-provider-refused = { $value } refused the sign-in ({ $more }). An operator has to look at its settings.
issue-provider-other = The user with your address is somebody else at { $value }. Whoever runs this server can disconnect them.
issue-messages-wait = Too many messages wait already.
issue-no-message = No message is being carried out.
issue-not-written = The page is not written yet.
issue-no-content = The version has no content.
issue-taken-back = The change was taken back already.
issue-nothing-to-take-back = The message has no change to take back.
issue-no-snapshot = What the page was before this message is not kept any more.
issue-changed-since = Something else stands there by now, so the change was not taken back.
issue-moved = Something else stands there by now. Nothing was changed.
issue-published-already = The version is published already: only its end can be scheduled.
issue-not-live = Only a version that is or will be live can be taken offline: say when it is to be published.
issue-audience-exists = The page has an audience for this person already.
issue-nobodys-page = The audience is nobody's own page: it is shown at the page's link to everybody.
issue-not-read-again = Only the entry of a web page or a file can be read again.
issue-default-topic = The default topic cannot be deleted.
issue-website-not-read = The website was not read. { $value }
issue-domain-held = Another tenant has verified the domain “{ $value }”.
issue-domain-exists = The tenant has the domain “{ $value }” already.
issue-domain-not-verified = The domain “{ $value }” is not verified yet.
issue-domain-has-links = Page links are on the domain “{ $value }”: move or delete them first.
issue-path-reserved = The path “{ $value }” begins with a reserved word.
issue-path-slug = The path “{ $value }” begins with the address of a page.
issue-path-taken = The path “{ $value }” is taken by another link.
issue-link-block-used = More than { $value } pages use the link block. Give some of them another one, then delete it.
issue-same-person = A person cannot be merged into itself.
issue-has-merges = Somebody was merged into the other person within the last 30 days. Swap the two persons, or take that merge back first.
issue-most-merges = At most { $value } persons can be merged into one within 30 days.
issue-most-moved = More than { $value } entries, pages, submissions and visits would move. Merge the other way round.
issue-merged-deleted = The person into whom it was merged is deleted. Restore that one first.
issue-merged = The person was merged into another one ({ $value }). Take the merge back first.
issue-import-state = That cannot be done with an import in this state.
issue-no-identifier = One of the columns must hold e-mail addresses, phone numbers or LinkedIn profiles.
issue-most-columns = At most { $value } columns are taken.
issue-same-name = Two columns that are kept as further facts are called “{ $value }”. Leave one of them out.
issue-key-ended = The key { $value } is revoked or expired; create a new one.
issue-key-more = The new key would have more than yours: it would last longer, or send more requests.
issue-webhook-inactive = The webhook is not active, so that nothing is sent to it.
issue-secret-lost = The signing secret of this webhook was lost with a key of the server. Give it another one before you activate it.
issue-not-note = Only a note can be changed.

## What is told of work that could not be done

domain-txt-missing = There is no TXT record at the name that is wanted. Add it, and keep it while the domain is used.
domain-txt-other = The TXT record at the name that is wanted has another text. Replace it.
domain-txt-unanswered = The name servers of the domain did not answer when they were asked for the TXT record.
domain-held-elsewhere = The TXT record is right, and another tenant has verified the domain. It has to be removed there first.
domain-address-missing = The domain has neither a CNAME record nor addresses. Add the CNAME record, or A and AAAA records.
domain-cname-elsewhere = The CNAME record leads elsewhere. Let it name the tenant's fallback domain.
domain-address-elsewhere = The A or AAAA records lead elsewhere, to another server or a proxy. Replace them.
domain-address-conflict = Some A or AAAA records lead here and some elsewhere, so that some visitors do not get here. Remove the others.
domain-address-unanswered = The name servers of the domain did not answer when they were asked for its addresses.
domain-caa = The CAA records of the domain, or of one above it, do not allow this certificate authority. Allow it, or remove them.
domain-dns = The certificate authority could not look the domain up. The name servers of the domain do not answer as they should.
domain-unreachable = The certificate authority could not reach the domain, by HTTP on port 80 or by TLS on port 443. Often an AAAA record leads elsewhere, or a firewall is in between.
domain-other-answer = Something else answered the certificate authority: a proxy, another server, or one to which an AAAA record leads. Let the domain lead here alone.
domain-rate-limited = The certificate authority has given out as many certificates for this name, or its registered domain, as it does in a while.
domain-name-refused = The certificate authority issues no certificates for this name.
domain-account-refused = The certificate authority does not accept this service's account. Its operator has to look after it.
domain-undecided = The certificate authority did not decide in time.
domain-refused = The certificate authority refused, for a reason of its own.
entry-unreachable = The page could not be reached: its name, its address or the connection to it failed.
entry-answered = The server answered { $value }.
entry-late = The page was not there within 15 seconds.
entry-not-allowed = The site’s robots.txt does not allow the page to be read.
entry-redirects = The page redirects more than three times.
entry-redirect-lost = The page redirects to no address.
entry-large = The page is larger than 5 MiB.
entry-unclear = The page could not be understood.
entry-empty = The page has no text.
spam-hidden-field = a field was filled in that nobody sees
spam-no-token = the page’s script did not take part
spam-bad-token = the form was opened too long ago, or elsewhere
spam-too-fast = it was filled in faster than anybody types
spam-many-from-address = many came from the same address
spam-many-with-form = many came with this form at once
spam-crawler = it was sent by a crawler
spam-other-site = it was sent from another website
spam-link-in-name = there is an address of a website in a name
spam-many-links = it is full of links
spam-markup = there are links in markup
spam-marked = somebody marked it
