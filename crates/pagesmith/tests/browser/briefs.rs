//! Pages as operators order them: one of each type, and two that are hard to set.
//!
//! `PICTURES/WIDTH/HEIGHT/NAME` in a text is a picture of that size.

use serde_json::{Value, json};

/// A page of that type about this, with everything around it that a page can have.
fn page(kind: &str, name: &str, context: &str) -> Value {
    json!({
        "name": name,
        "pageType": kind,
        "pageContext": context,
        "brandId": "",
        "headerActionId": "talk",
        "actions": [
            { "actionId": "talk", "purpose": "Ask for a conversation", "buttonTitle": "Talk to us", "actionType": "form",
              "formId": "form-1", "formInstructions": "Tell us in two sentences what you need. We answer within a day." },
            { "actionId": "code", "purpose": "Copy the code for the first month", "buttonTitle": "Copy your code",
              "actionType": "copy-text", "copyText": "FIRST-MONTH" },
            { "actionId": "guide", "purpose": "Read the guide", "buttonTitle": "Read the guide", "actionType": "open-url",
              "url": "https://halvard.example/guide" },
        ],
        "actionCardWidgets": [],
        "scripts": [],
        "navLinks": [
            { "type": "link", "text": "Product", "url": "https://halvard.example/product" },
            { "type": "group", "title": "Learn", "links": [
                { "text": "Guides", "url": "https://halvard.example/guides" },
                { "text": "Courses", "url": "https://halvard.example/courses" },
            ] },
        ],
        "footerLinks": [
            { "title": "Legal", "links": [
                { "text": "Imprint", "url": "https://halvard.example/imprint" },
                { "text": "Privacy", "url": "https://halvard.example/privacy" },
            ] },
        ],
    })
}

const HALVARD: &str = "\
# The van that plans its own day

Halvard plans the routes of service technicians every morning, and again whenever the day changes. Dispatchers see one map, technicians one list.

![A dispatcher's map of the day](PICTURES/1200/800/map)

## What is different

- **Plans that bend** – A job takes longer, a customer is not at home: the afternoon is planned anew within seconds.
- **Parts on board** – Nobody drives to a job for which the van has no parts.
- **Customers who know** – A message with the hour, and another one when the technician is ten minutes away.

## In numbers

- 23 % fewer kilometres
- 2 more jobs a day and van
- 11 minutes from call to plan

## How a day goes

1. **Six o'clock** – The plan stands, with parts, skills and promises in mind.
2. **All day** – Halvard watches the traffic and the jobs, and moves what has to move.
3. **In the evening** – Reports are written, hours are booked, tomorrow is half planned.

![A van in front of a house](PICTURES/1600/900/van)

## Trusted by

![Nordlys Heating](PICTURES/280/96/nordlys)
![Aqua & Sons](PICTURES/280/96/aqua)
![Liftwerk](PICTURES/280/96/liftwerk)
![Brinton Electric](PICTURES/280/96/brinton)

## What they say

> We gave every technician one more job a day, and they are home earlier.
> — Signe Dahl, Head of service, Nordlys Heating

> The first tool that our dispatchers asked to keep.
> — Omar Haddad, Operations, Aqua & Sons

## Plans

| Plan | Vans | Price per van | Support | Onboarding | Data kept |
|---|---|---|---|---|---|
| Solo | up to 5 | €29 | by mail | a video | 1 year |
| Fleet | up to 80 | €24 | by telephone, on working days | two days with your team | 5 years |
| Group | any number | on request | day and night | a project of your own | as long as you wish |

## Questions

### Does it work with our calendar?
Yes, with every calendar that speaks CalDAV, and with the two large ones anyway.

### Who owns the data?
You do. Take it along at any time, as files that any spreadsheet opens.

### What if a van has no reception?
The list stays on the device. What was done meanwhile is sent when there is reception again.

## How large is your fleet?

- **Up to five vans**: Start today with the plan Solo. You need nobody of us for it.
- **Up to eighty**: We sit with your dispatchers for two days and import what you have.
- **More than that**: Let us talk about regions, shifts and your own systems first.

https://www.youtube.com/watch?v=dQw4w9WgXcQ
";

pub fn inbound() -> Value {
    page("inbound", "Route planning", HALVARD)
}

pub fn outbound() -> Value {
    page("outbound", "Spring outreach", HALVARD)
}

pub fn deck() -> Value {
    page("sales_deck", "Fleet deck", HALVARD)
}

pub fn after_a_call() -> Value {
    page("call_followup", "After our call", HALVARD)
}

pub fn custom() -> Value {
    let mut page = page(
        "custom",
        "Open day",
        "# Come and see the workshop\n\nOn the first Saturday of May we open the doors of our workshop in Leith.\n\n\
         ## Programme\n\n10:00 Doors open\n11:00 A route is planned, live\n13:00 Lunch in the yard\n15:00 Questions to the team\n\n\
         ![The yard](PICTURES/1400/700/yard)\n\n## How to find us\n\nFrom Waverley with bus 22 to **Ocean Terminal**, then five minutes \
         on foot. Details stand in [the guide](https://halvard.example/guide).\n\n```\n55.9816 N, 3.1773 W\n```\n\n\
         > There is cake.\n",
    );
    page["actionCardWidgets"] = json!([
        { "type": "marquee", "title": "Who comes", "logos": (1..=8).map(|at| json!({ "image": {
            "altText": format!("Guest {at}"), "url": format!("PICTURES/280/96/guest{at}"), "fileId": "", "assetId": null } })).collect::<Vec<_>>() },
        { "type": "video", "video": { "title": "Last year", "youtubeUrl": "https://www.youtube.com/watch?v=dQw4w9WgXcQ" } },
    ]);
    page["scripts"] = json!([
        { "name": "Counter", "content": "<script>window.counted = (window.counted || 0) + 1</script>", "enabled": true, "injectionPoint": "body-end" },
    ]);
    page
}

pub fn arabic() -> Value {
    let mut page = page(
        "inbound",
        "الخبز",
        "# خبز طازج كل صباح إلى باب بيتك\n\nنخبز الخبز كل ليلة ونوصله قبل السابعة صباحًا إلى جميع أحياء المدينة.\n\n## لماذا نحن\n\n\
         - **دقيق من المزارع القريبة** – نعرف كل مزارع بالاسم.\n- **بلا مواد حافظة** – دقيق وماء وملح ووقت.\n- **توصيل بالدراجة** – هادئ ونظيف.\n\n\
         ## بالأرقام\n\n- 98 % من الطلبات تصل قبل السابعة\n- 40 نوعًا من الخبز\n\n## أسئلة\n\n### هل يمكنني إيقاف الطلب مؤقتًا؟\nنعم، في أي وقت حتى الساعة الثامنة مساءً.\n\n\
         ### هل توصلون يوم الجمعة؟\nنعم، كل يوم ما عدا الأعياد.\n",
    );
    page["navLinks"] = json!([{ "type": "link", "text": "من نحن", "url": "https://halvard.example/about" }]);
    page
}

pub fn long_words() -> Value {
    let long = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(3);
    page(
        "custom",
        &"n".repeat(150),
        &format!(
            "# {long}\n\n{long} and `{long}` and https://halvard.example/{long}\n\n## {long}\n\n- **{}** – {long}\n- **Two** – {long}\n\n\
             | {long} | B |\n|---|---|\n| {long} | 2 |\n\n## Is {long} possible?\nYes, {long} is.\n\n- 1 {long}\n\n> {long}\n> — {}\n\n```\n{long}\n```\n",
            &long[..60],
            &long[..70],
        ),
    )
}

/// An audience that a page is tailored to.
pub fn segment() -> Value {
    json!({ "customName": "Heating engineers", "supplementaryContext": "Audience: owners of heating companies\n\n\
        ## For heating engineers\n\n- **Emergencies first** – A cold house goes before a service, whatever the plan said.\n\
        - **Boilers by make** – Who has been trained for it gets the job.\n" })
}

/// The audience of the person of [`person`].
pub fn of_person() -> Value {
    json!({ "supplementaryContext": "Her goal: fewer kilometres before winter.\n\n## For thirty vans in Fife\n\nWe would begin with the depot in Kirkcaldy." })
}

/// What was said to a person, which makes her known.
pub fn person() -> Value {
    json!({
        "email": "isla.munro@fifeheating.example",
        "name": "Isla Munro",
        "source": "phone",
        "type": "call",
        "payload": {
            "summary": "Isla asked about parts that are ordered during a job.\nDiscussed a trial with the depot in Kirkcaldy.",
            "nextSteps": ["Send the list of interfaces", "Meet the dispatchers on Thursday"],
        },
    })
}
