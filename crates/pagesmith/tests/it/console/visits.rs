//! The screens of visits: figures beside those of the time before, who is there now, and what one visitor did.

use http_body_util::BodyExt;
use pagesmith_model::user::Role;
use serde_json::json;

use super::browser::{Browser, events_of};
use crate::visits::{Scene, shown};

/// The days that the figures are asked for.
const DAYS: u64 = 30;

#[tokio::test]
async fn figures_stand_beside_those_of_the_time_before() {
    let scene = Scene::start().await;
    for view in 1..=2 {
        assert_eq!(scene.send_as(&scene.browser(100 + view), u128::from(view), &json!({})).await, None);
    }
    scene.after(DAYS * 24 * 60).await;
    for view in 3..=5 {
        assert_eq!(scene.send_as(&scene.browser(100 + view), u128::from(view), &json!({})).await, None);
    }
    let path = format!("/console/t/acme/visits/{}", scene.page);
    let screen = Browser::owner(&scene.app).await.open(&path).await.expect(200).text();
    for told in ["Before: 2 (+50", "Previous period", "3 visitors are on the page now."] {
        assert!(screen.contains(told), "{told}: {screen}");
    }
    // Days are written as people do.
    assert!(screen.contains("<bdi>4 Mar</bdi>") && !screen.contains("<bdi>2026-"), "{screen}");
    // The figures follow the visitors, and keep the days that were asked for.
    let mut viewer = Browser::with_role(&scene.app, Role::Viewer).await;
    let days =
        viewer.open(&format!("{path}?from=2026-01-01&to=2026-01-31&done=saved")).await.expect(200).text();
    let report = days.split("<live-part id=\"report\" ").nth(1).unwrap().split('>').next().unwrap();
    assert!(report.starts_with(&format!("data-events=\"{path}/events?since=")), "{report}");
    let content = format!("data-event=\"live\" data-content=\"{path}?from=2026-01-01&amp;to=2026-01-31\"");
    assert!(report.ends_with(&content), "{report}");
    // A single audience is compared with no other.
    assert!(!screen.contains("Audiences side by side"));
    shown(&scene.client, &scene.page, &json!({})).await;
    let mut analyst = Browser::with_role(&scene.app, Role::Analyst).await;
    let screen = analyst.open(&path).await.expect(200).text();
    assert!(screen.contains("Before: 2 (+50") && !screen.contains("/sessions"), "{screen}");
    analyst.open(&format!("{path}/sessions")).await.expect(403);
}

#[tokio::test]
async fn pages_are_searched_with_their_visits() {
    let scene = Scene::start().await;
    assert_eq!(scene.send_as(&scene.browser(101), 1, &json!({})).await, None);
    let other = scene
        .client
        .post("/v0/pages", &pagesmith_testkit::fixtures::page("Autumn fair"))
        .await
        .expect(201)
        .json();
    let page = scene.client.get(&format!("/v0/pages/{}", scene.page)).await.expect(200).json();
    let mut owner = Browser::owner(&scene.app).await;
    let list = owner.open("/console/t/acme/visits").await.expect(200).text();
    let (this, other) =
        (format!("/visits/{}", scene.page), format!("/visits/{}", other["pageId"].as_str().unwrap()));
    assert!(list.contains(&this) && list.contains(&other), "{list}");
    let asked = page["name"].as_str().unwrap().replace(' ', "+");
    let found = owner.open(&format!("/console/t/acme/visits?q={asked}")).await.expect(200).text();
    assert!(found.contains(&this) && !found.contains(&other), "{found}");
    let row = found.split(&this).nth(1).unwrap().split("</tr>").next().unwrap();
    assert!(row.contains(">1<"), "{row}");
    let found = owner.open("/console/t/acme/visits?q=nothing+of+that").await.expect(200).text();
    assert!(!found.contains(&this) && !found.contains(&other), "{found}");
}

#[tokio::test]
async fn what_is_not_counted_is_told_with_why() {
    let scene = Scene::start().await;
    let path = format!("/console/t/acme/visits/{}", scene.page);
    assert_eq!(scene.send(1, &json!({})).await, None);
    let mut owner = Browser::owner(&scene.app).await;
    let screen = owner.open(&path).await.expect(200).text();
    assert!(!screen.contains("Not counted"), "{screen}");
    for (view, agent) in [(2, "Googlebot/2.1"), (3, "bingbot/2.0")] {
        let dropped = scene.send_as(&scene.agent(agent), view, &json!({})).await;
        assert_eq!(dropped.as_deref(), Some("crawler"));
    }
    assert_eq!(scene.send(4, &json!({ "w": true })).await.as_deref(), Some("automated"));
    let screen = owner.open(&path).await.expect(200).text();
    assert!(screen.contains("Not counted"), "{screen}");
    for told in ["Crawlers: <strong>2</strong>", "Automated browsers: <strong>1</strong>"] {
        assert!(screen.contains(told), "{told}: {screen}");
    }
}

#[tokio::test]
async fn what_a_visitor_does_next_is_an_event() {
    let scene = Scene::start().await;
    let mut browser = Browser::owner(&scene.app).await;
    let list = format!("/console/t/acme/visits/{}/sessions", scene.page);
    let none = browser.open(&list).await.expect(200).text();
    assert_eq!(scene.send(1, &json!({ "e": 1_000 })).await, None);
    let mut came = browser.listen(&scene.app, &events_of(&none, "sessions-live")).await;
    let told = came.frame().await.unwrap().unwrap().into_data().unwrap();
    assert!(told.starts_with(b"event: live\n"), "{told:?}");
    let id = scene.sessions().await[0]["audienceSessionId"].as_str().unwrap().to_owned();
    let screen = browser.open(&format!("{list}/{id}")).await.expect(200).text();
    // The address of the events says what is shown, so that nothing between is missed.
    scene.app.advance(std::time::Duration::from_secs(20));
    assert_eq!(scene.send(1, &json!({ "e": 9_000, "x": ["book"] })).await, None);
    let mut events = browser.listen(&scene.app, &events_of(&screen, "session")).await;
    let told = events.frame().await.unwrap().unwrap().into_data().unwrap();
    assert!(told.starts_with(b"event: session\n"), "{told:?}");
}

#[tokio::test]
async fn what_one_visitor_did_is_told_step_by_step() {
    let scene = Scene::start().await;
    let mut browser = Browser::owner(&scene.app).await;
    let path = format!("/console/t/acme/visits/{}", scene.page);
    let none = browser.open(&format!("{path}/sessions")).await.expect(200).text();
    assert!(none.contains("No visits yet"), "{none}");
    let location = "/spring-launch?utm_source=%3Cb%3EMail&utm_campaign=Spring";
    let did = json!({ "l": location, "e": 9_500, "s": 80, "c": 3, "x": ["book"], "q": ["1-1"] });
    assert_eq!(scene.send(1, &did).await, None);
    // Told again, and told of an action that the page does not have, it is noted once.
    scene.app.advance(std::time::Duration::from_secs(20));
    let more = json!({ "l": location, "e": 9_900, "s": 90, "c": 4, "x": ["book", "nothing"], "q": ["1-1"] });
    assert_eq!(scene.send(1, &more).await, None);
    scene.app.advance(std::time::Duration::from_secs(20));
    let again = json!({ "l": "/spring-launch?secret=1", "e": 0, "x": ["read", "book"] });
    assert_eq!(scene.send(2, &again).await, None);
    scene.after(31).await;
    let list = browser.open(&format!("{path}/sessions")).await.expect(200).text();
    assert!(list.contains("Unknown visitor") && list.contains("&lt;b&gt;Mail"), "{list}");
    let id = scene.sessions().await[0]["audienceSessionId"].as_str().unwrap().to_owned();
    assert!(list.contains(&format!("{path}/sessions/{id}")));
    let screen = browser.open(&format!("{path}/sessions/{id}")).await.expect(200).text();
    for told in ["What do you do?", "Casting", "10 seconds", "Spring", "&lt;b&gt;Mail"] {
        assert!(screen.contains(told), "{told}: {screen}");
    }
    let steps = scene.get(&format!("audience_sessions/{id}/steps")).await;
    let told = |step: &serde_json::Value| {
        let text = |name: &str| step[name].as_str().unwrap_or_default().to_owned();
        format!("{} {}{}{}", text("type"), text("path"), text("actionId"), text("label"))
    };
    let steps: Vec<String> = steps["items"].as_array().unwrap().iter().map(told).collect();
    // Actions are in the order of use, which is not the page's.
    let expected = [
        "view ",
        "action bookBook",
        "answer What do you do?",
        "view /spring-launch",
        "action readRead",
        "action bookBook",
    ];
    assert_eq!(steps, expected);
    let list = screen.split("What happened, step by step").nth(1).unwrap();
    let places = ["Opened the page ", "Book<", "What do you do?", "Opened the page again:", "Read<"]
        .map(|told| list.find(told).unwrap_or_else(|| panic!("{told}: {list}")));
    assert!(places.is_sorted() && !list.contains("secret"), "{list}");
    // What is no answer is told as none.
    let answers =
        scene.client.get(&format!("/v0/audience_sessions/{id}/interactions")).await.expect(200).json();
    assert_eq!(answers["interactions"].as_array().unwrap().len(), 1);
    let file = browser.open(&format!("{path}/sessions.csv")).await.expect(200);
    assert!(file.header("content-type").unwrap().starts_with("text/csv") && file.text().contains(&id));
    let other = format!("{path}/sessions/session_00000000000000000000000000");
    browser.open(&other).await.expect(404);
}

/// Makes a link to the figures of the scene's page; its path.
async fn share(browser: &mut Browser, scene: &Scene, days: &str, password: &str) -> String {
    let path = format!("/console/t/acme/visits/{}/shares", scene.page);
    let fields = [("name", "The board"), ("expiresInDays", days), ("password", password)];
    let screen = browser.send(&path, &fields).await.expect(200).text();
    let link = screen.split("/console/shared/").nth(1).unwrap().split('<').next().unwrap();
    format!("/console/shared/{link}")
}

#[tokio::test]
async fn whoever_has_a_link_sees_figures_without_names_until_it_ends() {
    let scene = Scene::start().await;
    assert_eq!(scene.send(1, &json!({ "e": 9_500 })).await, None);
    let mut owner = Browser::owner(&scene.app).await;
    let link = share(&mut owner, &scene, "7", "").await;
    let mut guest = Browser::new(&scene.app);
    let shown = guest.open(&link).await.expect(200);
    assert_eq!(shown.header("x-robots-tag"), Some("noindex"));
    let text = shown.text();
    assert!(text.contains("Spring launch") && text.contains("Visits by day"), "{text}");
    assert!(!text.contains("/console/t/acme") && !text.contains("Olga"), "{text}");
    let range = format!("{link}?from=2026-01-01&to=2026-01-31");
    assert!(guest.open(&range).await.expect(200).text().contains("2026-01-31"));
    // The link opens nothing else, and neither does half of it.
    for path in ["/console/t/acme/visits", "/console"] {
        assert!(guest.open(path).await.header("location").unwrap().contains("/console/sign-in"));
    }
    scene.app.add_tenant("rival").await;
    for wrong in [
        link.replace("/acme/", "/rival/"),
        link[..link.len() - 1].to_owned(),
        link.replace("/acme/", "/nobody/"),
    ] {
        guest.open(&wrong).await.expect(404);
    }
    scene.app.advance(std::time::Duration::from_hours(7 * 24));
    guest.open(&link).await.expect(404);
}

#[tokio::test]
async fn a_personal_page_is_named_only_for_those_who_may_see_persons() {
    let scene = Scene::start().await;
    let person = json!({ "name": "Ada Lovelace", "email": "ada@example.com" });
    let person = scene.client.post("/v0/persons", &person).await.expect(201).json();
    let personal = json!({ "personId": person["personId"] });
    let personal = shown(&scene.client, &scene.page, &personal).await;
    assert_eq!(scene.send(1, &json!({})).await, None);
    assert_eq!(scene.send(2, &json!({ "a": personal })).await, None);
    let mut owner = Browser::owner(&scene.app).await;
    let path = format!("/console/t/acme/visits/{}", scene.page);
    let link = share(&mut owner, &scene, "7", "").await;
    let full = owner.open(&path).await.expect(200).text();
    assert!(full.contains("Audiences side by side") && full.contains("Ada Lovelace"), "{full}");
    let analyst = Browser::with_role(&scene.app, Role::Analyst).await.open(&path).await.expect(200).text();
    let guest = Browser::new(&scene.app).open(&link).await.expect(200).text();
    for screen in [analyst, guest] {
        assert!(screen.contains("A personal page") && !screen.contains("Ada"), "{screen}");
    }
}

#[tokio::test]
async fn a_link_can_ask_for_a_password_and_can_be_ended() {
    let scene = Scene::start().await;
    let mut owner = Browser::owner(&scene.app).await;
    let link = share(&mut owner, &scene, "30", "twelve anvils").await;
    let other = share(&mut owner, &scene, "30", "twelve hammers").await;
    let mut guest = Browser::new(&scene.app);
    let asked = guest.open(&link).await.expect(200).text();
    assert!(asked.contains("name=\"password\"") && !asked.contains("Spring launch"), "{asked}");
    for wrong in ["", "twelve hammers", "Twelve anvils"] {
        let refused = guest.send(&link, &[("password", wrong)]).await.expect(401).text();
        assert!(
            refused.contains("The password is wrong.") && !refused.contains("Spring launch"),
            "{refused}"
        );
    }
    guest.send(&link, &[("password", "twelve anvils")]).await.expect(303);
    assert!(guest.open(&link).await.expect(200).text().contains("Spring launch"));
    // The proof for one link is none for another.
    assert!(!guest.open(&other).await.expect(200).text().contains("Spring launch"));
    // Guessing ends, and does not close the link to whoever knows the password.
    let mut guesser = Browser::new(&scene.app);
    let mut answers = vec![];
    for guess in 0..30 {
        answers.push(guesser.send(&other, &[("password", &format!("guess {guess}"))]).await.status.as_u16());
    }
    assert_eq!((answers[0], answers[29]), (401, 429));
    let shares = format!("/console/t/acme/visits/{}/shares", scene.page);
    let list = owner.open(&shares).await.expect(200).text();
    assert_eq!(list.matches("The board").count(), 2);
    let id = list.split("name=\"share\" value=\"").nth(2).unwrap().split('"').next().unwrap().to_owned();
    owner.send(&format!("{shares}/end"), &[("share", &id)]).await.expect(303);
    guest.open(&link).await.expect(404);
    owner.send(&format!("{shares}/end"), &[("share", &id)]).await.expect(404);
}

#[tokio::test]
async fn a_link_that_cannot_be_made_is_refused_at_its_fields() {
    let scene = Scene::start().await;
    let mut owner = Browser::owner(&scene.app).await;
    let path = format!("/console/t/acme/visits/{}/shares", scene.page);
    for (field, value) in [
        ("name", " "),
        ("expiresInDays", "0"),
        ("expiresInDays", "367"),
        ("expiresInDays", "soon"),
        ("password", "short"),
    ] {
        let mut fields = vec![("name", "The board"), ("expiresInDays", "30"), ("password", "")];
        fields.iter_mut().find(|(name, _)| *name == field).unwrap().1 = value;
        let refused = owner.send(&path, &fields).await.expect(400).text();
        let at_field = format!("name=\"{field}\"");
        assert!(
            refused.contains(&at_field) && refused.contains("aria-invalid=\"true\""),
            "{field} {value}: {refused}"
        );
        let told = refused.to_lowercase();
        assert!(told.contains("must ") && !refused.contains(&format!("{field}: must")), "{refused}");
    }
    for _ in 0..20 {
        share(&mut owner, &scene, "7", "").await;
    }
    owner.send(&path, &[("name", "One more"), ("expiresInDays", "7"), ("password", "")]).await.expect(409);
    let other = format!("/console/t/acme/visits/{}/shares", scene.page.replace("page_0", "page_1"));
    owner.send(&other, &[("name", "No page"), ("expiresInDays", "7"), ("password", "")]).await.expect(404);
}
