//! Invitations by e-mail: sent beside the request, tried again, and never lost without a word on the screen.

use std::time::Duration;

use pagesmith_operations::users::invitation_mails::MOST_A_DAY;
use pagesmith_testkit::{SmtpServer, TestApp};

use super::browser::{Browser, PASSWORD};

const SETTINGS: &str = "/console/t/acme/settings";
const INVITE: [(&str, &str); 2] = [("email", "jane@acme.example"), ("role", "editor")];

async fn app(server: &SmtpServer) -> TestApp {
    let mut app = TestApp::with(|plan| plan.settings.sends_mail = true).await;
    app.mail_by(server.address);
    app
}

/// Signs the owner in again, whose session has ended.
async fn sign_in(owner: &mut Browser) {
    owner
        .send("/console/sign-in", &[("email", "olga@acme.example"), ("password", PASSWORD)])
        .await
        .expect(303);
}

/// The link in a mail, whose long lines may be folded.
fn link(message: &str) -> String {
    let whole = message.replace("=\n", "").replace("=3D", "=");
    let (_, rest) = whole.split_once("http://pagesmith.test").unwrap();
    rest.split_whitespace().next().unwrap().to_owned()
}

/// The only invitation on the screen.
fn invitation(shown: &str) -> &str {
    let (_, rest) = shown.split_once("name=\"invitation\" value=\"").unwrap();
    rest.split('"').next().unwrap()
}

#[tokio::test]
async fn an_invitation_is_mailed_and_its_link_works_as_the_one_on_the_screen() {
    let server = SmtpServer::start().await;
    let app = app(&server).await;
    let mut owner = Browser::owner(&app).await;
    let made = owner.send(&format!("{SETTINGS}/invite"), &INVITE).await.expect(200).text();
    assert!(made.contains("waits to be sent"), "{made}");
    assert!(server.mailed().is_empty(), "nobody waits for the mail server");
    let (path, again) = (format!("{SETTINGS}/resend"), [("invitation", invitation(&made))]);
    owner.send(&path, &again).await.expect(409);
    app.run_due_work().await;
    let [mail] = &server.mailed()[..] else { panic!("one mail") };
    assert_eq!(
        (mail.from.as_str(), mail.to.as_slice()),
        ("pages@pagesmith.test", &["jane@acme.example".to_owned()][..])
    );
    assert!(mail.message.contains("Subject: You are invited to acme"), "{}", mail.message);
    assert!(made.contains(&link(&mail.message).replace('&', "&amp;")), "{}", mail.message);
    let shown = owner.open(SETTINGS).await.expect(200).text();
    assert!(shown.contains("Sent by e-mail"), "{shown}");
    app.run_due_work().await;
    assert_eq!(server.mailed().len(), 1);
    // One that was sent is sent again, once for however many wishes.
    owner.send(&path, &again).await.expect(303);
    owner.send(&path, &again).await.expect(409);
    app.run_due_work().await;
    assert_eq!(server.mailed().len(), 2);

    let mut jane = Browser::new(&app);
    let link = link(&mail.message);
    jane.open(&link).await.expect(200);
    let token = link.split_once("token=").unwrap().1;
    let fields = [("token", token), ("name", "Jane"), ("email", "jane@acme.example"), ("password", PASSWORD)];
    jane.send("/console/invitation", &fields).await.expect(303);
    jane.open("/console/t/acme/pages").await.expect(200);
}

#[tokio::test]
async fn a_mail_that_is_not_taken_is_tried_again_and_then_given_up_with_a_word() {
    let server = SmtpServer::start().await;
    let app = app(&server).await;
    let mut owner = Browser::owner(&app).await;
    owner.send(&format!("{SETTINGS}/invite"), &INVITE).await.expect(200);
    server.refuse(["451 later, please"; 2]);
    app.run_due_work().await;
    let shown = owner.open(SETTINGS).await.expect(200).text();
    assert!(shown.contains("waits to be sent") && shown.contains("later, please"), "{shown}");
    app.run_due_work().await;
    app.advance(Duration::from_secs(61));
    app.run_due_work().await;
    assert!(server.mailed().is_empty());
    app.advance(Duration::from_mins(5));
    app.run_due_work().await;
    assert_eq!(server.mailed().len(), 1);

    server.refuse(["550 no such person <b>here</b>"]);
    owner.send(&format!("{SETTINGS}/invite"), &INVITE).await.expect(200);
    app.run_due_work().await;
    let shown = owner.open(SETTINGS).await.expect(200).text();
    assert!(shown.contains("could not be sent") && shown.contains("no such person"), "{shown}");
    assert!(!shown.contains("<b>here"), "{shown}");
    app.advance(Duration::from_hours(24));
    app.run_due_work().await;
    assert_eq!(server.mailed().len(), 1, "what was refused for good is not sent again by itself");
    sign_in(&mut owner).await;
    owner.send(&format!("{SETTINGS}/resend"), &[("invitation", invitation(&shown))]).await.expect(303);
    app.run_due_work().await;
    assert_eq!(server.mailed().len(), 2);
}

#[tokio::test]
async fn a_mail_server_that_is_away_loses_nothing() {
    let server = SmtpServer::start().await;
    let app = app(&server).await;
    let mut owner = Browser::owner(&app).await;
    owner.send(&format!("{SETTINGS}/invite"), &INVITE).await.expect(200);
    drop(server);
    for _ in 0..8 {
        app.run_due_work().await;
        app.advance(Duration::from_hours(12));
    }
    sign_in(&mut owner).await;
    let shown = owner.open(SETTINGS).await.expect(200).text();
    assert!(shown.contains("could not be sent"), "{shown}");
}

#[tokio::test]
async fn without_a_mail_server_or_an_address_nothing_is_mailed() {
    let server = SmtpServer::start().await;
    let app = app(&server).await;
    let mut owner = Browser::owner(&app).await;
    let made = owner.send(&format!("{SETTINGS}/invite"), &[("role", "viewer")]).await.expect(200).text();
    assert!(!made.contains("waits to be sent"), "{made}");
    app.run_due_work().await;
    assert!(server.mailed().is_empty());
    let plain = TestApp::start().await;
    let mut owner = Browser::owner(&plain).await;
    let made = owner.send(&format!("{SETTINGS}/invite"), &INVITE).await.expect(200).text();
    assert!(made.contains("/console/invitation?token="), "the link is shown: {made}");
    plain.run_due_work().await;
    let shown = owner.open(SETTINGS).await.expect(200).text();
    assert!(shown.contains("jane@acme.example"), "{shown}");
    for told in ["waits to be sent", "Sent by e-mail", "could not be sent", "/settings/resend"] {
        assert!(!made.contains(told) && !shown.contains(told), "{told}: {shown}");
    }
    owner.send(&format!("{SETTINGS}/resend"), &[("invitation", invitation(&shown))]).await.expect(303);
    let shown = owner.open(SETTINGS).await.expect(200).text();
    assert!(!shown.contains("waits to be sent"), "{shown}");
}

#[tokio::test]
async fn whoever_invites_and_revokes_in_turn_sends_so_many_mails_a_day() {
    let server = SmtpServer::start().await;
    let app = app(&server).await;
    let mut owner = Browser::owner(&app).await;
    for number in 0..MOST_A_DAY {
        let email = format!("p{number}@elsewhere.example");
        let made =
            owner.send(&format!("{SETTINGS}/invite"), &[("email", email.as_str()), ("role", "viewer")]).await;
        let id = invitation(&made.expect(200).text()).to_owned();
        owner.send(&format!("{SETTINGS}/revoke"), &[("invitation", id.as_str())]).await.expect(303);
    }
    let made = owner.send(&format!("{SETTINGS}/invite"), &INVITE).await.expect(200).text();
    assert!(!made.contains("waits to be sent") && made.contains("invitation?token="), "{made}");
    let (path, again) = (format!("{SETTINGS}/resend"), [("invitation", invitation(&made))]);
    let refused = owner.send(&path, &again).await.expect(409).text();
    assert!(refused.contains("200 e-mails were ordered within a day"), "{refused}");
    app.advance(Duration::from_hours(25));
    sign_in(&mut owner).await;
    owner.send(&path, &again).await.expect(303);
    app.run_due_work().await;
    assert_eq!(server.mailed().len(), 1);
}
