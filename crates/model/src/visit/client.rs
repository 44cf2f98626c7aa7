//! What is kept of a visitor's browser: the class of its device and its first language, and nothing finer.

/// A class of devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Device {
    /// A computer with a large screen.
    Desktop,
    /// A phone.
    Phone,
    /// A tablet.
    Tablet,
}

impl Device {
    /// The class that a user agent tells.
    pub fn of(user_agent: &str) -> Device {
        let has = |word: &str| user_agent.contains(word);
        if has("iPad") || has("Tablet") || has("Android") && !has("Mobile") {
            Device::Tablet
        } else if has("Mobi") || has("iPhone") {
            Device::Phone
        } else {
            Device::Desktop
        }
    }

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Device::Desktop => "desktop",
            Device::Phone => "phone",
            Device::Tablet => "tablet",
        }
    }
}

/// The first language of an `Accept-Language` header, without its region.
pub fn language(accepted: &str) -> Option<String> {
    let first = accepted.split([',', ';', '-']).next()?.trim();
    let is_one = (2..=3).contains(&first.len()) && first.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_one.then(|| first.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_told_apart() {
        for (agent, device) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36",
                Device::Desktop,
            ),
            (
                "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36",
                Device::Phone,
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1",
                Device::Phone,
            ),
            (
                "Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1",
                Device::Tablet,
            ),
            (
                "Mozilla/5.0 (Linux; Android 15; SM-X900) AppleWebKit/537.36 Chrome/140.0 Safari/537.36",
                Device::Tablet,
            ),
            ("", Device::Desktop),
        ] {
            assert_eq!(Device::of(agent), device, "{agent}");
        }
    }

    #[test]
    fn a_language_is_its_first_part() {
        assert_eq!(language("de-CH,de;q=0.9,en;q=0.8").as_deref(), Some("de"));
        assert_eq!(language("EN").as_deref(), Some("en"));
        for none in ["", "*", "1234", "x", "<script>"] {
            assert_eq!(language(none), None, "{none}");
        }
    }
}
