//! How numbers, their units, currencies and times are written.

use std::sync::LazyLock;

use regex::Regex;

/// A number: sign or currency, digits in groups, fraction, and what sticks to it.
pub static NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?:(?:R\$|US\$|A\$|C\$|Rs\.?|₹|CHF|EUR|USD)\s?|[€$£¥+−~≈±]\s?|[-–]?)",
        r"\d{1,3}(?:[.,'’ \u{a0}\u{202f}]\d{3})+(?:[.,]\d+)?(?-u:\b)",
        r"|(?:(?:R\$|US\$|A\$|C\$|Rs\.?|₹|CHF|EUR|USD)\s?|[€$£¥+−~≈±]\s?)?\d+(?:[.,]\d+)?(?:/\d+)?",
    ))
    .ok()
});

/// What sticks to a number, or follows it after a space.
pub static SUFFIX: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^\s?(?:m³|m3|m²|m2|cm³|cm3|km|l|L|ml|mg|kg|g|t|kWh|W|U|Mbit|Gbit|MB|GB)/(?:h|min|s|d|m³|m3|m²|m2|m|km|kg|l|ha|Std|Tag|Woche|Jahr|day|week|year|jour|an|día|año|dia|ano|giorno|anno|dag|jaar|dzień|år)\b",
        r"|^\s?(?:€|\$|£|EUR|CHF|zł|kr|Kč)\s?/\s?\p{L}{1,12}[²³23]?",
        r"|^\s?(?:m3|m2|km2|cm3)\b",
        r"|^\s?(?:%|‰|€|\$|£|°C?|µm\b|mm\b|cm\b|km²|km\b|m²|m³|kWh\b|kW\b|MW\b|kWp\b|kg\b|GB\b|TB\b|MB\b|ms\b|Mio\.?|Mrd\.?|CHF\b|EUR\b|USD\b|x\b|×)",
        r"|^(?:k|K|M|m|bn|B|h|s|t|d|p|min|g|l)\b",
    ))
    .ok()
});

/// A currency in words behind an amount.
pub static CURRENCY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)^\s?(?:euros?|dollars?|dólares|eur|usd|gbp|chf|mxn|brl|franken|francs?|franchi|kronor|kroner|kr|zł|złotych|złote|pln|pesos?|soles|reais|",
        r"rupees|dirhams?|korun|kč|forint|lei|рубл(?:ей|я|ь)|руб|гривень|грн)\b",
    ))
    .ok()
});

/// A thousand in words behind a number: `310 mil`, `300 tys.`
pub static THOUSANDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)^[\s\u{a0}](?:lakhs?|crores?|thousand|tausend|mille|mil|mila|duizend|tusen|tusind|tysięcy|tysiące|tys\.?|bin|тысяч[аи]?|тыс\.?|тисяч[аі]?|тис\.?)",
        r"(?:[\s\u{a0},;]|$)",
    ))
    .ok()
});

/// A unit behind a number in a script without spaces: `12万人`, `40台`.
pub static UNSPACED_UNIT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^(?:[千万億亿만억]?(?:人|円|元|度|台|件|社|名|回|次|倍|割|分钟|分|秒|時間|小时|営業日|日間|日|天|週間|周|年間|年|か月|ヶ月|カ月|个月|店舗|家|位|泊|명|원|분|초|시간|영업일|일|개월|년|대|개)",
        r"|[千万億亿만억])",
    ))
    .ok()
});

/// A unit between a number and a script without spaces: `0.5mmから`.
pub static JOINED_UNIT: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^(?:mm|cm|km|kg|mg|ml|kW|m|g|t|L|℃|㎡|m²)").ok());

/// Times of a day: `10 to 23h`, `9-18 Uhr`, `9 am to 5 pm`, `de 9 a 14 h`.
pub static HOURS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)\b\d{1,2}(?:[.:h]\d{2})?\s?(?:am|pm|a\.m\.|p\.m\.|h|uhr|u)?\s?(?:-|–|to|till|until|bis|à|a|às|alle|tot|til|do)\s?",
        r"\d{1,2}(?:[.:h]\d{2})?\s?(?:am|pm|a\.m|p\.m|h|uhr|u)\b",
        r"|\b\d{1,2}[hu](?:\d{2})?\s?(?:-|–|à|a|às|alle|tot|e)\s?\d{1,2}[hu]\d{2}\b",
    ))
    .ok()
});

/// What a number is a share of or the end of: `8 out of 10`, `20 to 600`, `between 30 and 500`; it ends before that number.
pub static LED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)(?:^|[\s(])(?:",
        r"(?P<share>\d[\d.,]*|\p{L}+)\s+(?:out of|of|in|von|auf|sur|su|de cada|em cada|op de|op|av|na)\s+(?:the |its |our |all |den |every |each )?",
        r"|(?P<least>\d[\d.,]*)\s?(?:to|or|bis|oder|à|ou|a|o|hasta|até|tot|till|do|lub|albo|eller|veya|или|або|–|-)\s?",
        // `40 instead of 20 years` is told as a whole: the unit is that of both.
        r"|\d[\d.,]*\s+(?:instead of|rather than|statt|anstatt|au lieu de|en vez de|en lugar de|em vez de|invece di|anziché|in plaats van|istället för|zamiast)\s+",
        // `3 x 5 metres`
        r"|(?:\d[\d.,]*\s?[x×]\s?)+",
        r"|(?:between|zwischen|entre|tra|fra|tussen|mellan)\s+\d[\d.,]*\s+(?:and|und|et|y|e|en|och)\s+",
        r")$",
    ))
    .ok()
});
