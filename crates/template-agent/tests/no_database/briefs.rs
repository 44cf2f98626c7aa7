//! Briefs as operators write them, one for each type of page and some in other languages.

use pagesmith_model::Timestamp;
use pagesmith_model::brief::{AccountBrief, Brief, LogBrief, PersonBrief};
use pagesmith_model::page::PageType;
use pagesmith_model::page::action::Action;
use serde_json::json;

/// An action that opens an address.
pub fn action(index: usize, id: &str, title: &str, purpose: &str) -> Action {
    let value = json!({ "actionId": id, "actionIndex": index, "purpose": purpose, "buttonTitle": title,
        "actionType": "open-url", "url": "https://example.com/go" });
    serde_json::from_value(value).unwrap()
}

pub fn person(name: &str, columns: &[(&str, &str)]) -> PersonBrief {
    let columns = columns.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    PersonBrief {
        name: name.to_owned(),
        email: Some("someone@example.com".to_owned()),
        domain: None,
        columns,
    }
}

pub fn account(name: Option<&str>, domain: &str) -> AccountBrief {
    AccountBrief { name: name.map(str::to_owned), domain: domain.to_owned() }
}

pub fn log(source: &str, kind: &str, payload: &serde_json::Value) -> LogBrief {
    let at = Timestamp::from_micros(1_790_000_000_000_000);
    LogBrief { source: source.to_owned(), kind: kind.to_owned(), at, payload: payload.to_string() }
}

const LEDGER: &str = "\
# Northwind Ledger

Northwind Ledger closes the books for finance teams in three days instead of ten. Bank, card and ledger match overnight, so that
month-end starts almost finished.

Tone: confident, friendly. Target audience: CFOs and controllers at mid-size companies.
Do not mention competitors. Keep sentences short and end with a clear call to action.

![The close calendar](https://cdn.northwind.example/calendar.png)

## Why teams switch

- **Continuous reconciliation**: bank, card and ledger match every night, line by line.
- **One audit trail**: every change has a name, a time and a reason.
- **Works with your ERP**: NetSuite, SAP Business One and Dynamics, connected in a day.

## In numbers

- 3 days average close
- 42 % fewer manual journal entries
- 600+ finance teams

## What you get compared with competitors

They are slow.

> “We closed March on the second working day. I went home at five.”
> — Dana Reyes, CFO at Holloway Foods

> “The auditors asked for the trail and got it in a minute.” — Miguel Ortiz, Controller, Tide & Sons

https://www.youtube.com/watch?v=dQw4w9WgXcQ

## FAQ

How long does it take to set up?
Two weeks on average, with one of our accountants at your side.

Is our data safe?
It stays in the region that you choose, and we are audited under SOC 2 every year.

Q: What does it cost?
A: From 900 € a month; there is no fee per user.
";

pub fn outbound() -> Brief {
    Brief {
        supplementary_context: Some(
            "Jordan runs finance at Brightpath Logistics. They close in 9 days and are moving to NetSuite in spring. \
             Lead score 87, budget about 40k. Write a short page that shows how we could help with the migration. Mention the NetSuite connector."
                .to_owned(),
        ),
        actions: vec![
            action(0, "book", "Book 20 minutes", "Book a call with our accountants"),
            action(1, "tour", "Take the tour", "Watch the product tour"),
            action(2, "docs", "Read the NetSuite guide", "The guide about connecting NetSuite to the ledger"),
        ],
        person: Some(person(
            "Jordan Ellis",
            &[("Title", "VP Finance"), ("industry", "Logistics"), ("Pain Points", "month-end takes nine days"), ("hs_object_id", "8812345678901")],
        )),
        account: Some(account(Some("Brightpath Logistics, Inc."), "brightpath.com")),
        ..Brief::new(PageType::Outbound, "Q3 outbound – CFO template v2", LEDGER)
    }
}

pub fn followup() -> Brief {
    Brief {
        actions: vec![action(0, "next", "Pick a time", "Schedule the technical session")],
        person: Some(person("Dr. Priya Raman", &[])),
        account: Some(account(None, "harbor-health.org")),
        logs: vec![
            log(
                "gong",
                "call",
                &json!({
                    "summary": "Priya asked about the audit trail and about SAP. Discussed the rollout for two hospitals. She wants a pilot with her controlling team in May. Deal is at 60 %, Priya is the champion.",
                    "nextSteps": ["Send the security paper by Friday", "Schedule a technical session with IT"],
                    "dealScore": 87, "recordingId": "rec_01JABCDEFGHJKMNPQRSTVWXYZ1",
                }),
            ),
            log("crm", "deal-stage-changed", &json!({ "from": "demo", "to": "proposal", "amount": 54000 })),
            log("user", "note", &json!({ "text": "Next step: share the reference of Holloway Foods." })),
        ],
        ..Brief::new(PageType::CallFollowup, "Follow-up", LEDGER)
    }
}

pub fn deck() -> Brief {
    let context = "\
Headline: Warm buildings, half the gas
Tagline: Kestrel reads every radiator and tells the boiler what is needed, not what was planned.
Company: Kestrel Energy
CTA: Book a site visit
Length: at most eight slides

## The problem
Most office buildings are heated by a timetable. Rooms that nobody uses are warm, and those in use are not. Every winter that costs
a mid-size building about 30,000 € more than it must.

## How it works
1. **Measure**: a sensor on each radiator, fitted in three minutes, no wires.
2. **Learn**: two weeks of data show how your building really breathes.
3. **Steer**: the boiler runs for the rooms that are in use.

## Results
- 47 % less gas in the first winter
- 11 months until it has paid for itself
- 4.8/5 from people who sit in the rooms

## What our customers say
\"The complaints stopped in week one. The bill followed in week four.\" – Ines Vogt, Facility Lead, Hafen Offices
\"Finally a system that my caretaker likes.\" – Tom Becker, Owner of three office blocks

## Plans

| Plan | Radiators | Per month |
|---|---|---|
| House | up to 50 | 190 € |
| Campus | up to 400 | 890 € |
| City | unlimited | on request |

## Trusted by
![Hafen Offices](https://cdn.kestrel.example/hafen.svg)
![Blockwerk](https://cdn.kestrel.example/blockwerk.svg)
![Nordlicht](https://cdn.kestrel.example/nordlicht.svg)
";
    Brief {
        supplementary_context: Some(
            "Goal: cut heating cost before next winter\nUse case: two office blocks in Rotterdam".to_owned(),
        ),
        actions: vec![action(0, "visit", "Plan a site visit", "Plan a visit of the building")],
        account: Some(account(Some("Maasdam Properties B.V."), "maasdam.nl")),
        ..Brief::new(PageType::SalesDeck, "Deck Kestrel Maasdam", context)
    }
}

pub fn little() -> Brief {
    Brief {
        actions: vec![action(0, "order", "Order bread", "Order for tomorrow")],
        ..Brief::new(
            PageType::Inbound,
            "Summer bread",
            "Sourdough bakery in Porto. Open every day from seven.",
        )
    }
}

pub fn word() -> Brief {
    Brief::new(PageType::Inbound, "Summer bread", "Bakery")
}

pub fn only_instructions() -> Brief {
    Brief {
        actions: vec![action(0, "demo", "See a demo", "Book a demo")],
        ..Brief::new(
            PageType::Inbound,
            "crm_dentists_v3",
            "Write a landing page about our new CRM for dental practices. Tone: friendly and professional. \
             Do not mention pricing. Include a hero, three features and a FAQ.",
        )
    }
}

pub fn custom() -> Brief {
    let context = "\
<h1>Riverside Half Marathon 2027</h1>
<p>Twenty-one kilometres along the river, flat, fast and closed to traffic.<br>Start on Sunday, 9 May, at 9:00 at the old harbour.</p>
<script>alert('x')</script>
<h2>The day</h2>
<ul><li>07:00 Bag drop opens</li><li>09:00 Start</li><li>12:30 Prize giving</li></ul>
<h2>Good to know</h2>
<p>Date: Sunday, 9 May 2027</p>
<p>Place: Old Harbour, Gate 3</p>
<p>Fee: 45 € until March, then 60 €</p>
<p>See the <a href=\"https://riverside.example/course\">course map</a> or <a href=\"javascript:alert(1)\">this</a>.</p>
<h2>Which distance is yours?</h2>
<ul><li>Half marathon: 21.1 km, from 16 years</li><li>Relay: four runners, 5.3 km each</li><li>Kids' mile: from 6 years, free</li></ul>
<h3>Can I change my distance?</h3><p>Yes, until the day before the race, at the help desk.</p>
<h3>Is there a time limit?</h3><p>The course closes after three hours.</p>
";
    Brief {
        actions: vec![
            action(0, "enter", "Enter now", "Sign up"),
            action(1, "share", "Copy the link", "Share the race"),
        ],
        ..Brief::new(PageType::Custom, "Riverside 2027", context)
    }
}

pub fn german() -> Brief {
    let context = "\
# Holzwerk Lindner

Wir bauen Küchen aus dem Holz der Region, von Hand und für Jahrzehnte. Jede Küche beginnt mit einem Besuch bei Ihnen zu Hause.

Zielgruppe: Familien mit Eigenheim. Ton: warm und ehrlich. Bitte keine Preise nennen.

Unsere Arbeit
- Planung: Wir messen, zeichnen und bauen ein Modell im Maßstab 1:20.
- Fertigung: Eiche, Esche und Nussbaum aus Wäldern im Umkreis von 80 km.
- Einbau: Zwei Tage, besenrein, mit denselben Leuten, die gebaut haben.

„Nach zwölf Jahren schließt jede Schublade wie am ersten Tag.“ – Familie Krause, Weimar

## Häufige Fragen
Wie lange dauert es? Von der ersten Skizze bis zum Einbau vergehen etwa vier Monate.
Arbeiten Sie auch mit alten Möbeln? Ja, wir nehmen Bestehendes gern auf.
";
    Brief {
        actions: vec![action(0, "besuch", "Besuch vereinbaren", "Termin für den Hausbesuch")],
        person: Some(person("Frau Katrin Sommer", &[("Stadt", "Jena")])),
        ..Brief::new(PageType::Outbound, "Küchen Frühjahr", context)
    }
}

pub fn japanese() -> Brief {
    let context = "\
# あおぞら会計

あおぞら会計は、中小企業の月次決算を三日で終わらせるクラウド会計サービスです。銀行とカードの明細を毎晩自動で照合します。

トーン：丁寧で落ち着いた文体
競合他社には言及しないでください。

## 選ばれる理由
・自動照合：銀行・カード・帳簿を毎晩一件ずつ照合します。
・監査証跡：すべての変更に担当者と日時と理由が残ります。
・専任担当：公認会計士が導入から決算まで伴走します。

## 導入実績
- 導入企業数：600社
- 決算日数：3日
- 手入力の削減：42%

「二営業日で三月を締められました。五時に帰宅しました。」――佐藤 恵子、経理部長、はるか食品

## よくあるご質問
導入にはどのくらいかかりますか？
平均で二週間です。担当の会計士がお手伝いします。
";
    Brief {
        actions: vec![action(0, "soudan", "相談を予約する", "オンライン相談")],
        person: Some(person("田中 太郎", &[])),
        account: Some(account(Some("光路物流株式会社"), "koro.co.jp")),
        ..Brief::new(PageType::Outbound, "春のご案内", context)
    }
}

pub fn arabic() -> Brief {
    let context = "\
# مخبز النخيل

نخبز خبزنا كل صباح من قمح محلي وخميرة طبيعية عمرها عشر سنوات. نوصله إلى بابك قبل السابعة.

النبرة: ودودة
لا تذكر الأسعار.

## لماذا نحن
- **قمح محلي**: من مزارع لا تبعد أكثر من ساعة.
- **بلا إضافات**: دقيق وماء وملح ووقت.
- **توصيل مبكر**: على دراجة، كل يوم.

«أفضل خبز في المدينة.» — ليلى حداد، طاهية

## الأسئلة الشائعة
هل يمكنني تغيير طلبي؟
نعم، حتى العاشرة مساءً من اليوم السابق.
";
    Brief {
        actions: vec![action(0, "talab", "اطلب الآن", "طلب الخبز")],
        ..Brief::new(PageType::Inbound, "خبز الصباح", context)
    }
}

pub fn fields() -> Brief {
    let context = "\
Company: Fernweh Bikes
Product: touring bicycles built to order
Audience: people between 35 and 60 who plan a long journey
Key benefits:
- Frames made of steel in our own workshop in Ghent, with a guarantee of twenty years
- Every bicycle is fitted to its rider in a session of ninety minutes
- Repairs on the road: partners in 31 countries
Pricing: from 2,400 €
Delivery time: eight to ten weeks
CTA: Book a fitting
Internal notes: push the carbon fork, margin is better

Fernweh was founded in 2009 by two mechanics who had cycled to Samarkand. Since then more than 4,000 riders have left our yard. We
still answer the telephone ourselves.
";
    Brief {
        actions: vec![
            action(0, "fit", "Book a fitting", "Book a fitting session"),
            action(1, "call", "Call the workshop", "Call us"),
        ],
        ..Brief::new(PageType::Inbound, "Fernweh main page", context)
    }
}

pub fn special() -> Brief {
    Brief {
        supplementary_context: Some(
            "# For the team at Ostsee Klinik\n\n## A pilot on two wards\nWe would start with wards 3 and 5, with your own staff and our trainer on site for the first week.\n\n\
             ## What it needs from you\n- A room with a socket and a window\n- One person who decides\n- Two hours a week for six weeks\n\n\
             Tone: calm. The client asked for a discount of 20 %, do not mention it."
                .to_owned(),
        ),
        actions: vec![action(0, "start", "Agree on a date", "Agree on a start")],
        person: Some(person("Ove Lund", &[])),
        account: Some(account(Some("Ostsee Klinik"), "ostsee-klinik.de")),
        ..Brief::new(
            PageType::Custom,
            "Pilot",
            "Nightwatch listens for falls. A small sensor under the bed hears when somebody gets up, and tells the nurse before anything happens.\n\n\
             Hospitals that use Nightwatch have 38 % fewer falls at night.\n\nIt needs no camera and no wristband. Nothing that is said in the room is kept.",
        )
    }
}
