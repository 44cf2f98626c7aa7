//! The header `traceparent` of W3C Trace Context, read strictly: which trace a request is a part of.
//!
//! What is not valid is as good as absent, as the recommendation says. Of the flags only "sampled" is known.

/// The caller's span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceParent {
    /// The trace.
    pub trace_id: u128,
    /// The caller's span within it.
    pub span_id: u64,
    /// Whether the caller records it.
    pub is_sampled: bool,
}

/// The length of the form that version 00 has, and that every later version begins with.
const LENGTH: usize = 55;

impl TraceParent {
    /// Reads the header's value.
    pub fn parse(text: &str) -> Option<TraceParent> {
        let (known, later) = text.split_at_checked(LENGTH)?;
        let mut parts = known.split('-');
        let version = hex(parts.next()?, 2)?;
        let (trace_id, span_id) = (hex(parts.next()?, 32)?, hex(parts.next()?, 16)?);
        let flags = hex(parts.next()?, 2)?;
        let has_valid_end =
            if version == 0 { later.is_empty() } else { later.is_empty() || later.starts_with('-') };
        if parts.next().is_some() || version == 0xff || !has_valid_end || trace_id == 0 || span_id == 0 {
            return None;
        }
        Some(TraceParent { trace_id, span_id: u64::try_from(span_id).ok()?, is_sampled: flags & 1 == 1 })
    }
}

/// So many hexadecimal digits in lower case.
fn hex(text: &str, digits: usize) -> Option<u128> {
    let is_lower = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    (text.len() == digits && text.bytes().all(is_lower)).then(|| u128::from_str_radix(text, 16).ok())?
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
    const SPAN: &str = "b7ad6b7169203331";

    #[test]
    fn the_form_is_read_strictly() {
        let parent = TraceParent {
            trace_id: 0x0af7_6519_16cd_43dd_8448_eb21_1c80_319c,
            span_id: 0xb7ad_6b71_6920_3331,
            is_sampled: true,
        };
        assert_eq!(TraceParent::parse(&format!("00-{TRACE}-{SPAN}-01")), Some(parent));
        let unsampled = Some(TraceParent { is_sampled: false, ..parent });
        assert_eq!(TraceParent::parse(&format!("00-{TRACE}-{SPAN}-00")), unsampled);
        assert_eq!(TraceParent::parse(&format!("00-{TRACE}-{SPAN}-fe")), unsampled);
        assert_eq!(TraceParent::parse(&format!("cc-{TRACE}-{SPAN}-01-what-comes")), Some(parent));
        for wrong in [
            String::new(),
            format!("00-{TRACE}-{SPAN}"),
            format!("00-{TRACE}-{SPAN}-1"),
            format!("00-{TRACE}-{SPAN}-01-"),
            format!("00-{TRACE}-{SPAN}-01 "),
            format!(" 00-{TRACE}-{SPAN}-01"),
            format!("ff-{TRACE}-{SPAN}-01"),
            format!("cc-{TRACE}-{SPAN}-01.x"),
            format!("+0-{TRACE}-{SPAN}-01"),
            format!("00-{}-{SPAN}-01", TRACE.to_uppercase()),
            format!("00-{}-{SPAN}-01", "0".repeat(32)),
            format!("00-{TRACE}-{}-01", "0".repeat(16)),
            format!("00-{SPAN}-{TRACE}-01"),
            format!("00_{TRACE}_{SPAN}_01"),
        ] {
            assert_eq!(TraceParent::parse(&wrong), None, "{wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_reader(text in "\\PC{0,70}", near in "[0-9a-f]{2}-[0-9a-f]{30,34}-[0-9a-fé]{14,18}-[0-9a-f]{2}(-.{0,3})?") {
            TraceParent::parse(&text);
            TraceParent::parse(&near);
        }
    }
}
