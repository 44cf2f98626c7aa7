//! Public mail providers, world-wide: domains under which everybody may have a mailbox.
//!
//! What this is not: complete, nor a list of throw-away addresses. Who is missing here becomes an account with many persons, which
//! does no harm; a company that stood here would lose its account, so names with other uses are left out.
//! Invariant: the lists are sorted, and every domain is a registrable one.

/// Providers that have a domain of this label in many countries.
const FAMILIES: [&str; 5] = ["gmx", "hotmail", "outlook", "yahoo", "yandex"];

/// All others.
#[rustfmt::skip]
const PROVIDERS: &[&str] = &[
    "126.com", "139.com", "163.com", "189.cn",
    "21cn.com",
    "abv.bg", "aim.com", "alice.it", "aliceadsl.fr", "aliyun.com", "aol.co.uk", "aol.com", "aol.de", "aon.at", "arcor.de",
    "att.net", "azet.sk",
    "bbox.fr", "bellsouth.net", "biglobe.ne.jp", "bigmir.net", "bigpond.com", "bigpond.net.au", "bk.ru", "bluewin.ch",
    "blueyonder.co.uk", "bol.com.br", "btinternet.com",
    "centrum.cz", "centrum.sk", "charter.net", "chello.at", "chello.nl", "citromail.hu", "club-internet.fr", "comcast.net",
    "cox.net",
    "daum.net", "disroot.org", "docomo.ne.jp", "duck.com",
    "earthlink.net", "email.com", "email.cz", "email.de", "ezweb.ne.jp",
    "fastmail.com", "fastmail.fm", "foxmail.com", "free.fr", "freemail.hu", "freenet.de", "frontier.com",
    "gmail.com", "googlemail.com",
    "hanmail.net", "hetnet.nl", "hey.com", "home.nl", "hushmail.com",
    "i.ua", "icloud.com", "ig.com.br", "inbox.com", "inbox.lv", "inbox.ru", "interia.pl", "internet.ru",
    "juno.com",
    "kakao.com", "keemail.me", "kpnmail.nl",
    "laposte.net", "libero.it", "list.ru", "live.at", "live.be", "live.ca", "live.cl", "live.cn", "live.co.uk", "live.co.za",
    "live.com", "live.com.ar", "live.com.au", "live.com.mx", "live.com.pt", "live.de", "live.dk", "live.fi", "live.fr",
    "live.ie", "live.in", "live.it", "live.jp", "live.nl", "live.no", "live.se",
    "mac.com", "mail.bg", "mail.com", "mail.de", "mail.dk", "mail.ee", "mail.ru", "mailbox.org", "mailfence.com", "me.com",
    "meta.ua", "mozmail.com", "msn.com", "mynet.com",
    "nate.com", "naver.com", "netcologne.de", "netzero.net", "neuf.fr", "nifty.com", "ntlworld.com", "numericable.fr",
    "o2.pl", "ocn.ne.jp", "onet.eu", "onet.pl", "online.de", "online.no", "ono.com", "op.pl", "optonline.net",
    "optusnet.com.au", "orange.fr", "otenet.gr",
    "planet.nl", "pm.me", "posteo.de", "posteo.net", "proton.me", "protonmail.ch", "protonmail.com",
    "qq.com",
    "rambler.ru", "rediffmail.com", "riseup.net", "rocketmail.com", "rogers.com", "runbox.com",
    "sapo.pt", "sbcglobal.net", "seznam.cz", "sfr.fr", "shaw.ca", "sina.cn", "sina.com", "sky.com", "skynet.be", "sohu.com",
    "suomi24.fi", "sympatico.ca",
    "t-online.de", "talktalk.net", "telefonica.net", "telenet.be", "telus.net", "terra.com.br", "tin.it", "tiscali.it",
    "tlen.pl", "tuta.com", "tuta.io", "tutamail.com", "tutanota.com", "tutanota.de",
    "ukr.net", "uol.com.br", "usa.com",
    "verizon.net", "videotron.ca", "virgilio.it", "virginmedia.com", "vivaldi.net", "volny.cz",
    "walla.co.il", "walla.com", "wanadoo.fr", "web.de", "windowslive.com", "wp.pl",
    "xs4all.nl", "xtra.co.nz",
    "yeah.net", "ymail.com",
    "ziggo.nl", "zoho.com", "zohomail.com", "zohomail.eu", "zohomail.in",
];

/// Whether this registrable domain is a public mail provider's.
pub(crate) fn is_provider(registrable: &str) -> bool {
    let label = registrable.split_once('.').map_or(registrable, |(label, _)| label);
    FAMILIES.binary_search(&label).is_ok() || PROVIDERS.binary_search(&registrable).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Domain;

    #[test]
    fn the_lists_are_sorted_and_hold_registrable_domains() {
        assert!(FAMILIES.is_sorted());
        for pair in PROVIDERS.windows(2) {
            assert!(pair[0] < pair[1], "{pair:?}");
        }
        for provider in PROVIDERS {
            let domain = Domain::parse(provider).unwrap();
            assert_eq!(domain.as_str(), *provider);
            assert_eq!(domain.registrable(), Some(domain));
        }
    }

    #[test]
    fn knows_providers_and_families() {
        for provider in
            ["gmail.com", "web.de", "yahoo.co.jp", "gmx.net", "outlook.com.br", "163.com", "zohomail.in"]
        {
            assert!(is_provider(provider), "{provider}");
        }
        for company in ["google.com", "yahooinc.com", "example.com", "notgmail.com", "live.org", ""] {
            assert!(!is_provider(company), "{company}");
        }
    }
}
