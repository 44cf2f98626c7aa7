//! What stands in the e-mails that the console causes, in the languages of its words.

use pagesmith_operations::users::links::LinkTarget;

use crate::words::Words;

/// Subject and text of an invitation to a tenant, whose link is made of this token.
pub fn invitation(language: &str, tenant: &str, console_url: &str, token: &str) -> (String, String) {
    let words = Words::choose(Some(language), None);
    let link = LinkTarget::Invitation.link(console_url, token);
    let subject = words.with("mail-invitation-subject", &[("tenant", tenant.into())]);
    let parts = [
        words.with("mail-invitation-text", &[("tenant", tenant.into())]),
        link,
        words.text("mail-invitation-end"),
    ];
    (subject, parts.join("\n\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invitation_has_its_link_on_a_line_of_its_own() {
        for language in ["en", "de", "fr"] {
            let (subject, text) = invitation(language, "Acme & Söhne", "https://pages.example", "a-b_c");
            assert!(subject.contains("Acme & Söhne"), "{subject}");
            assert!(
                text.lines().any(|line| line == "https://pages.example/console/invitation?token=a-b_c"),
                "{text}"
            );
        }
    }
}
