//! Addresses of videos at YouTube, in all forms that people copy, and the one that is kept.

use std::fmt;

use url::Url;

/// What stands where the id of a video does, is as long, and is none: a player of a list, and one of what a channel sends just now.
const NO_VIDEOS: [&str; 2] = ["videoseries", "live_stream"];

/// The address of one video, in the form of a browser's address line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct YoutubeUrl(String);

impl YoutubeUrl {
    /// The video of an address; `None` if it leads to none.
    pub fn parse(text: &str) -> Option<YoutubeUrl> {
        let text = text.trim();
        // People leave the scheme out.
        let text = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
        let url = Url::parse(&text).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
        if !url.username().is_empty() || url.password().is_some() || url.port().is_some() {
            return None;
        }
        let host = url.host_str()?;
        let host = host.strip_suffix('.').unwrap_or(host);
        let parts = ["www.", "m.", "music.", "gaming."];
        let host = parts.iter().find_map(|part| host.strip_prefix(part)).unwrap_or(host);
        let mut segments = url.path_segments()?.filter(|segment| !segment.is_empty());
        let asked = |wanted: &str| url.query_pairs().find(|(name, _)| name == wanted).map(|(_, value)| value);
        let id = match (host, segments.next()) {
            ("youtu.be", Some(id)) => id.to_owned(),
            (
                "youtube.com" | "youtube-nocookie.com",
                Some("embed" | "shorts" | "live" | "v" | "vi" | "e"),
            ) => segments.next()?.to_owned(),
            ("youtube.com", Some("watch")) => match segments.next() {
                Some(id) => id.to_owned(),
                None => asked("v")?.into_owned(),
            },
            ("youtube.com", None) => asked("v")?.into_owned(),
            // What is shared in a mail leads on to another address of the same host.
            ("youtube.com", Some("attribution_link")) => {
                let on = url.join(&asked("u")?).ok().filter(|on| on.path() != url.path())?;
                return YoutubeUrl::parse(on.as_str());
            }
            _ => return None,
        };
        let is_id = id.len() == 11
            && !NO_VIDEOS.contains(&id.as_str())
            && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        is_id.then(|| YoutubeUrl(format!("https://www.youtube.com/watch?v={id}")))
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for YoutubeUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_form_leads_to_one() {
        for form in [
            "https://www.youtube.com/watch?v=aqz-KE-bpKQ",
            "http://youtube.com/watch?feature=share&v=aqz-KE-bpKQ&t=30s",
            "https://m.youtube.com/watch?v=aqz-KE-bpKQ#t=5",
            "https://music.youtube.com/watch?v=aqz-KE-bpKQ&list=RD",
            "https://youtu.be/aqz-KE-bpKQ?si=abc",
            "youtu.be/aqz-KE-bpKQ",
            "https://www.youtube.com/embed/aqz-KE-bpKQ?start=3",
            "https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ",
            "https://www.youtube.com/shorts/aqz-KE-bpKQ",
            "https://www.youtube.com/live/aqz-KE-bpKQ?feature=share",
            "https://www.youtube.com/v/aqz-KE-bpKQ",
            "https://WWW.YouTube.com/watch/?v=aqz-KE-bpKQ",
            "  www.youtube.com/watch?v=aqz-KE-bpKQ ",
            "https://www.youtube.com/vi/aqz-KE-bpKQ",
            "https://www.youtube.com/?v=aqz-KE-bpKQ",
            "https://gaming.youtube.com/watch?v=aqz-KE-bpKQ",
            "https://www.youtube.com./watch?v=aqz-KE-bpKQ",
            "https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3Daqz-KE-bpKQ%26feature%3Dshare",
        ] {
            let video = YoutubeUrl::parse(form);
            assert_eq!(
                video.as_ref().map(YoutubeUrl::as_str),
                Some("https://www.youtube.com/watch?v=aqz-KE-bpKQ"),
                "{form}"
            );
        }
    }

    #[test]
    fn what_leads_to_no_video_is_none() {
        for other in [
            "",
            "video",
            "https://vimeo.com/148751763",
            "https://www.youtube.com/",
            "https://www.youtube.com/watch",
            "https://www.youtube.com/watch?v=short",
            "https://www.youtube.com/watch?v=aqz-KE-bpKQQ",
            "https://www.youtube.com/@blender",
            "https://www.youtube.com/playlist?list=PL1",
            "https://youtube.com.evil.example/watch?v=aqz-KE-bpKQ",
            "https://evil.example/youtu.be/aqz-KE-bpKQ",
            "https://user@youtu.be/aqz-KE-bpKQ",
            "https://youtu.be:8443/aqz-KE-bpKQ",
            "javascript://youtu.be/aqz-KE-bpKQ",
            "https://youtu.be/aqz%2DKE-bpKQ",
            "https://www.youtube.com/embed/videoseries?list=PL1",
            "https://www.youtube.com/embed/live_stream?channel=UC1",
            "https://www.youtube.com/attribution_link?u=%2Fattribution_link%3Fu%3Dx",
            "https://www.youtube.com/attribution_link?u=https%3A%2F%2Fevil.example%2Fwatch%3Fv%3Daqz-KE-bpKQ",
        ] {
            assert_eq!(YoutubeUrl::parse(other), None, "{other}");
        }
    }

    proptest! {
        #[test]
        fn what_is_kept_leads_to_itself(text in "(https?://)?(www[.])?(youtu[.]be/|youtube[.]com/watch[?]v=)[a-zA-Z0-9_/?&-]{0,14}") {
            if let Some(video) = YoutubeUrl::parse(&text) {
                prop_assert_eq!(YoutubeUrl::parse(video.as_str()), Some(video));
            }
        }
    }
}
