//! Contents with every component, as a caller gives them: among them those that the page agent uses seldom. `PICTURES` stands for where pictures are.

use serde_json::{Value, json};

/// Every component, some of them in two layouts.
pub fn everything() -> Value {
    let picture = |width: u32, height: u32, name: &str| json!({ "url": format!("PICTURES/{width}/{height}/{name}"), "altText": name, "width": width, "height": height });
    json!({ "head": { "title": "Routes that plan themselves", "description": "Every component once.", "siteName": "Halvard" }, "blocks": [
        { "type": "hero", "eyebrow": "For service teams", "title": "The van that plans its own day",
          "subtitle": "Halvard plans the routes of service technicians every morning, and again whenever the day changes.",
          "figure": { "value": "23 %", "label": "fewer kilometres in the first quarter" }, "actionIds": ["talk", "guide"] },
        { "type": "logo-marquee", "title": "Trusted by", "names": ["Nordlys Heating", "Aqua & Sons", "Liftwerk", "Brinton Electric"] },
        { "type": "text", "title": "Why plans break", "markdown": "A job takes longer, a customer is **not at home**.\n\n- The afternoon is planned anew.\n- Nobody phones around." },
        { "type": "feature-cards", "title": "What is different", "subtitle": "Three things that other planners do not do.", "cards": [
            { "title": "Plans that bend", "text": "Within seconds, all day long.", "actionId": "guide" },
            { "title": "Parts on board", "text": "Nobody drives to a job without its parts." },
            { "title": "Customers who know", "text": "A message ten minutes before you ring.", "actionId": "code" }] },
        { "type": "steps", "title": "How a day goes", "steps": [
            { "title": "Six o'clock", "text": "The plan stands, with parts, skills and promises in mind." },
            { "title": "All day", "text": "Halvard watches the traffic and moves what has to move." },
            { "title": "In the evening", "text": "Hours are booked, tomorrow is half planned." }] },
        { "type": "stats-cards", "title": "In numbers", "stats": [{ "value": "2", "label": "more jobs a day and van" },
            { "value": "11 min", "label": "from call to plan" }, { "value": "98.5 %", "label": "of promised hours kept" }] },
        { "type": "comparison", "title": "A board, or a plan that follows the day", "columns": [
            { "title": "With a board on the wall", "points": ["Wrong by nine o'clock", "One person knows why"] },
            { "title": "With Halvard", "points": ["Right all day", "Everybody sees the same list", "Customers are told by themselves"] }] },
        { "type": "testimonial-carousel", "testimonials": [{ "quote": "We gave every technician one more job a day, and they are home earlier.",
            "author": "Signe Dahl", "role": "Head of service, Nordlys Heating", "picture": picture(96, 96, "signe") }] },
        { "type": "steps", "title": "The first six weeks", "steps": (1..=6).map(|week| json!({ "title": format!("Week {week}"),
            "text": "One more depot joins, with its vans, its parts and its customers." })).collect::<Vec<_>>() },
        { "type": "price-cards", "title": "Plans", "plans": [
            { "name": "Solo", "price": "€ 29 a van", "text": "For up to five vans.", "points": ["Support by mail", "A year of data"], "actionId": "guide" },
            { "name": "Fleet", "price": "€ 24 a van", "text": "For up to eighty.", "points": ["Support by telephone", "Two days with your team"], "actionId": "talk" },
            { "name": "Group", "text": "For any number.", "actionId": "code" }] },
        { "type": "price-cards", "plans": [{ "name": "The first month", "price": "Free", "points": ["Every function", "No card needed"], "actionId": "talk" }] },
        { "type": "image", "image": picture(1600, 900, "van"), "caption": "A van in front of a house." },
        { "type": "video", "title": "A day in two minutes", "url": "https://www.youtube.com/watch?v=dQw4w9WgXcQ" },
        { "type": "table", "title": "Side by side", "columns": ["Plan", "Vans", "Data kept"], "rows": [["Solo", "5", "1 year"], ["Fleet", "80", "5 years"]] },
        { "type": "testimonial-carousel", "title": "What they say", "testimonials": [{ "quote": "The first tool that our dispatchers asked to keep.", "author": "Omar Haddad" },
            { "quote": "Nobody phones the office any more.", "author": "Ida Lund", "role": "Liftwerk" }] },
        { "type": "frame", "title": "Security", "markdown": "Your data stays in your country.", "collapsible": true },
        { "type": "frame-list", "title": "Questions", "frames": [{ "title": "Does it work with our calendar?", "markdown": "Yes, with every one that speaks CalDAV." },
            { "title": "Who owns the data?", "markdown": "You do." }] },
        { "type": "threads", "question": "How large is your fleet?", "choices": [{ "label": "Up to five vans", "markdown": "Start today." }, { "label": "More", "markdown": "Let us talk." }] },
        { "type": "custom", "name": "note", "html": "<h2>Method</h2><p>Kilometres are measured in the van.</p>" },
        { "type": "logo-marquee", "title": "Works with", "logos": [picture(280, 96, "aqua"), picture(280, 96, "lift")], "names": ["CalDAV", "Fieldpad"] },
        { "type": "hero", "title": "One more look at the map", "image": picture(1200, 800, "map") },
        { "type": "call-to-action", "title": "Shall we plan one day together?", "text": "Bring yesterday's jobs.", "actionIds": ["talk", "guide"] },
    ] })
}

/// The components that are set in a special way, in a language that is read from right to left.
pub fn right_to_left() -> Value {
    json!({ "head": { "title": "خبز طازج كل صباح", "language": "ar", "siteName": "مخبز النخيل" }, "blocks": [
        { "type": "hero", "title": "خبز طازج كل صباح إلى باب بيتك", "subtitle": "نخبز كل ليلة ونوصل قبل السابعة صباحًا.",
          "figure": { "value": "98 %", "label": "من الطلبات تصل قبل السابعة" }, "actionIds": ["talk", "guide"] },
        { "type": "logo-marquee", "title": "يثق بنا", "names": ["مقهى الساحة", "فندق الواحة", "مدرسة النور"] },
        { "type": "stats-cards", "title": "بالأرقام", "stats": [{ "value": "40", "label": "نوعًا من الخبز" }, { "value": "14 min", "label": "من الفرن إلى الطريق" }] },
        { "type": "steps", "title": "كيف نعمل", "steps": [{ "title": "نعجن", "text": "دقيق وماء وملح ووقت." }, { "title": "نخبز", "text": "في الليل." }, { "title": "نوصل" }] },
        { "type": "comparison", "title": "ما الذي يتغير", "columns": [{ "title": "من المتجر", "points": ["خبز الأمس", "طابور طويل"] }, { "title": "معنا", "points": ["خبز هذا الصباح", "إلى الباب"] }] },
        { "type": "testimonial-carousel", "testimonials": [{ "quote": "لم أعد أذهب إلى المتجر.", "author": "ليلى حداد", "role": "مقهى الساحة" }] },
        { "type": "price-cards", "title": "الأسعار", "plans": [{ "name": "عائلة", "price": "30 € في الشهر", "points": ["ثلاثة أرغفة", "كل يوم"], "actionId": "talk" },
            { "name": "مقهى", "price": "190 €", "text": "للمقاهي والفنادق.", "points": ["ما تشاء"], "actionId": "guide" }] },
        { "type": "call-to-action", "title": "جربنا أسبوعًا", "actionIds": ["talk"] },
    ] })
}

/// Long words, in every text of the components that are set in a special way.
pub fn long_words() -> Value {
    let long = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
    let figure: String = long.chars().take(40).collect();
    let column = json!({ "title": long, "points": [long, "B"] });
    json!({ "head": { "title": long, "siteName": long }, "blocks": [
        { "type": "hero", "title": long, "figure": { "value": figure, "label": long } },
        { "type": "logo-marquee", "names": [long, "B"] },
        { "type": "steps", "title": long, "steps": [{ "title": long, "text": long }, { "title": "B" }, { "title": long }, { "title": long }] },
        { "type": "stats-cards", "stats": [{ "value": figure, "label": long }, { "value": "2", "label": long }] },
        { "type": "comparison", "title": long, "columns": [column, column] },
        { "type": "price-cards", "title": long, "plans": [{ "name": long, "price": long, "points": [long] }, { "name": "B" }] },
        { "type": "testimonial-carousel", "testimonials": [{ "quote": long, "author": long }] },
    ] })
}
