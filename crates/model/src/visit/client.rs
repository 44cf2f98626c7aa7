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
    /// A television, a console, a watch, or nothing that is known.
    Other,
}

/// What devices say that are none of the others, although many name the system of one as well.
const OTHERS: [&str; 16] = [
    "SmartTV",
    "SMART-TV",
    "Smart TV",
    "AppleTV",
    "Apple TV",
    "GoogleTV",
    "Google TV",
    "Android TV",
    "BRAVIA",
    "Web0S",
    "CrKey",
    "PlayStation",
    "Xbox",
    "Nintendo",
    "Watch",
    "OculusBrowser",
];
const TABLETS: [&str; 5] = ["iPad", "Tablet", "Kindle", "Silk/", "PlayBook"];
const PHONES: [&str; 3] = ["Mobi", "iPhone", "iPod"];
const DESKTOPS: [&str; 4] = ["Windows NT", "Macintosh", "X11", "CrOS"];

impl Device {
    /// The class that a user agent tells. Browsers of an iPad that ask for pages of computers say that they are one.
    pub fn of(user_agent: &str) -> Device {
        let has = |words: &[&str]| words.iter().any(|word| user_agent.contains(word));
        if has(&OTHERS) {
            Device::Other
        } else if has(&TABLETS) || has(&["Android"]) && !has(&["Mobile"]) {
            Device::Tablet
        } else if has(&PHONES) {
            Device::Phone
        } else if has(&DESKTOPS) {
            Device::Desktop
        } else {
            Device::Other
        }
    }

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Device::Desktop => "desktop",
            Device::Phone => "phone",
            Device::Tablet => "tablet",
            Device::Other => "other",
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
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15",
                Device::Desktop,
            ),
            ("Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0", Device::Phone),
            ("Mozilla/5.0 (Android 15; Tablet; rv:145.0) Gecko/145.0 Firefox/145.0", Device::Tablet),
            (
                "Mozilla/5.0 (Linux; Android 11; KFTRWI) AppleWebKit/537.36 Silk/140.1 like Chrome/140.0 Safari/537.36",
                Device::Tablet,
            ),
            ("Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox Series X) Edg/140.0", Device::Other),
            (
                "Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 Chrome/120.0 Safari/537.36",
                Device::Other,
            ),
            ("Mozilla/5.0 (Linux; Android 12; BRAVIA 4K VH2) Chrome/120.0 Safari/537.36", Device::Other),
            ("", Device::Other),
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
