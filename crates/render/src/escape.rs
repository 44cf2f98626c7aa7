//! Text as text: what a browser would read as markup is written so that it does not.

/// Adds `text` to `html`, fit for an element's text and for an attribute between double quotes.
pub(crate) fn escape(text: &str, html: &mut String) {
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        let entity = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            b'\'' => "&#39;",
            _ => continue,
        };
        html.push_str(&text[from..at]);
        html.push_str(entity);
        from = at + 1;
    }
    html.push_str(&text[from..]);
}

/// A text that is not blank.
pub(crate) fn said(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markup() {
        let mut html = String::new();
        escape("<a href=\"x\" b='y'>ü & 漢</a>", &mut html);
        assert_eq!(html, "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;ü &amp; 漢&lt;/a&gt;");
    }
}
