//! How a video is played: in a player that we know, as a file, or behind a link.
//!
//! Nothing is asked of another company before the visitor clicks, not even a picture.

/// How a video is played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Playback {
    /// In a frame with this address.
    Player(String),
    /// By the browser.
    File,
    /// Somewhere else.
    Link,
}

/// What is asked of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wishes {
    pub looped: bool,
    pub controls: bool,
    pub muted: bool,
}

impl Wishes {
    pub const NONE: Wishes = Wishes { looped: false, controls: true, muted: false };
}

/// How the video at an address is played.
pub(crate) fn playback(url: &str, wishes: Wishes) -> Playback {
    let Some((_, rest)) = url.split_once("://") else { return Playback::Link };
    let (authority, rest) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let host = authority.rsplit('@').next().unwrap_or_default().to_ascii_lowercase();
    let host = host.strip_prefix("www.").or_else(|| host.strip_prefix("m.")).unwrap_or(&host);
    let rest = rest.split('#').next().unwrap_or_default();
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let player = match (host, parts.as_slice()) {
        ("youtu.be", [id, ..]) => youtube(id, query, wishes),
        (
            "youtube.com" | "youtube-nocookie.com" | "music.youtube.com",
            ["embed" | "shorts" | "live" | "v", id, ..],
        ) => youtube(id, query, wishes),
        ("youtube.com" | "music.youtube.com", ["watch"]) => {
            value(query, "v").and_then(|id| youtube(id, query, wishes))
        }
        ("player.vimeo.com", ["video", id, ..]) => vimeo(id, value(query, "h"), wishes),
        ("vimeo.com", ["channels", _, id] | ["groups", _, "videos", id]) => vimeo(id, None, wishes),
        ("vimeo.com", [id]) => vimeo(id, None, wishes),
        ("vimeo.com", [id, hash]) => vimeo(id, Some(hash), wishes),
        ("loom.com", ["share" | "embed", id, ..]) => {
            is_id(id).then(|| format!("https://www.loom.com/embed/{id}?autoplay=1"))
        }
        ("fast.wistia.net" | "fast.wistia.com", ["embed", "iframe", id, ..]) => wistia(id),
        (host, ["medias", id, ..]) if host.ends_with(".wistia.com") => wistia(id),
        _ => None,
    };
    let is_file = || {
        let name = parts.last().copied().unwrap_or_default().to_ascii_lowercase();
        [".mp4", ".webm", ".m4v", ".ogv", ".mov"].iter().any(|end| name.ends_with(end))
    };
    match player {
        Some(address) => Playback::Player(address),
        None if is_file() => Playback::File,
        None => Playback::Link,
    }
}

fn youtube(id: &str, query: &str, wishes: Wishes) -> Option<String> {
    if !is_id(id) {
        return None;
    }
    let mut address = format!("https://www.youtube-nocookie.com/embed/{id}?autoplay=1&rel=0");
    let start = value(query, "t").or_else(|| value(query, "start")).map(|time| time.trim_end_matches('s'));
    if let Some(start) = start.filter(|time| is_number(time)) {
        address.push_str("&start=");
        address.push_str(start);
    }
    if wishes.looped {
        // The player repeats lists only, be it of one.
        address.push_str("&loop=1&playlist=");
        address.push_str(id);
    }
    if !wishes.controls {
        address.push_str("&controls=0");
    }
    if wishes.muted {
        address.push_str("&mute=1");
    }
    Some(address)
}

fn vimeo(id: &str, hash: Option<&str>, wishes: Wishes) -> Option<String> {
    if !is_number(id) {
        return None;
    }
    let mut address = format!("https://player.vimeo.com/video/{id}?autoplay=1&dnt=1");
    if let Some(hash) = hash.filter(|hash| is_id(hash)) {
        address.push_str("&h=");
        address.push_str(hash);
    }
    for (wish, parameter) in
        [(wishes.looped, "&loop=1"), (!wishes.controls, "&controls=0"), (wishes.muted, "&muted=1")]
    {
        if wish {
            address.push_str(parameter);
        }
    }
    Some(address)
}

fn wistia(id: &str) -> Option<String> {
    is_id(id).then(|| format!("https://fast.wistia.net/embed/iframe/{id}?autoPlay=true&doNotTrack=true"))
}

fn value<'a>(query: &'a str, name: &str) -> Option<&'a str> {
    query
        .split('&')
        .find_map(|pair| pair.split_once('=').filter(|(key, _)| *key == name))
        .map(|(_, value)| value)
}

fn is_id(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (3..=64).contains(&text.len()) && text.bytes().all(plain)
}

fn is_number(text: &str) -> bool {
    (1..=20).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::csp::{PLAYERS, origin_of};

    #[test]
    fn known_players_are_found_behind_all_their_addresses() {
        let youtube = "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1&rel=0";
        for (url, player) in [
            ("https://www.youtube.com/watch?v=dQw4w9WgXcQ", youtube),
            ("https://youtu.be/dQw4w9WgXcQ?si=x", youtube),
            ("http://m.youtube.com/shorts/dQw4w9WgXcQ", youtube),
            ("https://vimeo.com/76979871", "https://player.vimeo.com/video/76979871?autoplay=1&dnt=1"),
            (
                "https://vimeo.com/76979871/abc123",
                "https://player.vimeo.com/video/76979871?autoplay=1&dnt=1&h=abc123",
            ),
            ("https://www.loom.com/share/0a1b2c3d?sid=1", "https://www.loom.com/embed/0a1b2c3d?autoplay=1"),
        ] {
            assert_eq!(playback(url, Wishes::NONE), Playback::Player(player.to_owned()), "{url}");
        }
        assert!(matches!(
            playback("https://acme.wistia.com/medias/abc123", Wishes::NONE),
            Playback::Player(_)
        ));
        assert_eq!(playback("https://example.com/tour.MP4?x", Wishes::NONE), Playback::File);
        for link in [
            "https://example.com/tour",
            "https://youtube.com/watch?v=\"><",
            "https://youtu.be/",
            "https://youtube.com/@a",
        ] {
            assert_eq!(playback(link, Wishes::NONE), Playback::Link, "{link}");
        }
    }

    #[test]
    fn wishes_reach_the_player() {
        let wishes = Wishes { looped: true, controls: false, muted: true };
        let Playback::Player(address) = playback("https://youtu.be/dQw4w9WgXcQ?t=42s", wishes) else {
            panic!()
        };
        assert!(address.ends_with("&start=42&loop=1&playlist=dQw4w9WgXcQ&controls=0&mute=1"), "{address}");
    }

    proptest! {
        #[test]
        fn a_frame_only_ever_shows_a_known_player(
            url in "https?://(www\\.)?(youtube\\.com|youtu\\.be|vimeo\\.com|loom\\.com|a\\.wistia\\.com|x\\.y)/\\PC{0,30}"
        ) {
            if let Playback::Player(address) = playback(&url, Wishes::NONE) {
                prop_assert!(PLAYERS.contains(&origin_of(&address).unwrap().as_str()));
                prop_assert!(!address.contains(['"', '<', ' ', '\'']));
            }
        }
    }
}
