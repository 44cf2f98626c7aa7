//! A million made-up persons whose fields are distributed somewhat as real ones are, the same at every run.
//!
//! Names come from few syllables, so that some are common and most are rare; one in twelve is Chinese, Japanese or
//! Cyrillic. A third of the addresses are with one mail provider, the others with companies of very different sizes.

/// A person's fields in the order in which they are searched.
pub struct Fields {
    pub name: String,
    pub email: String,
    pub domain: Option<String>,
    pub phone: Option<String>,
    pub linkedin: Option<String>,
    pub slug: String,
}

impl Fields {
    /// Those that there are.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        let optional = [self.domain.as_deref(), self.phone.as_deref(), self.linkedin.as_deref()];
        [self.name.as_str(), self.email.as_str(), self.slug.as_str()]
            .into_iter()
            .chain(optional.into_iter().flatten())
    }
}

const FIRST: [&str; 60] = [
    "Anna",
    "Maria",
    "James",
    "John",
    "Robert",
    "Michael",
    "David",
    "Thomas",
    "Peter",
    "Julia",
    "Laura",
    "Sarah",
    "Lisa",
    "Emma",
    "Sophie",
    "Lukas",
    "Jonas",
    "Paul",
    "Max",
    "Felix",
    "Zoë",
    "José",
    "François",
    "Jürgen",
    "Søren",
    "Łukasz",
    "Giulia",
    "Marco",
    "Elena",
    "Ivan",
    "Olga",
    "Mehmet",
    "Ayşe",
    "Ali",
    "Fatima",
    "Omar",
    "Priya",
    "Rahul",
    "Wei",
    "Ming",
    "Yuki",
    "Haruto",
    "Chloe",
    "Liam",
    "Noah",
    "Olivia",
    "Mia",
    "Ethan",
    "Grace",
    "Kwame",
    "Amara",
    "Nguyen",
    "Linh",
    "Carlos",
    "Lucía",
    "Pedro",
    "Inês",
    "Björn",
    "Astrid",
    "Siobhán",
];
const START: [&str; 40] = [
    "Sch", "Ber", "Mül", "Kra", "Hof", "Wei", "Bra", "Gar", "Mar", "Fer", "Gon", "Ros", "Smi", "John", "Wil",
    "Jack", "And", "Tho", "Har", "Mor", "Ked", "Pat", "Sin", "Kow", "Nov", "Pet", "Iva", "Dub", "Lef", "Mor",
    "Nak", "Tan", "Oka", "Str", "Vog", "Zim", "Qua", "Xan", "Ygg", "Ulm",
];
const MIDDLE: [&str; 30] = [
    "", "", "", "mi", "ne", "la", "ro", "ber", "ti", "er", "ka", "del", "lo", "we", "ri", "na", "sto", "gen",
    "man", "chi", "vo", "ster", "li", "fa", "zu", "qui", "dow", "ke", "pha", "bry",
];
const END: [&str; 30] = [
    "son", "mann", "er", "dt", "ski", "ov", "ez", "ini", "sen", "th", "ler", "ner", "berg", "stein", "ton",
    "ley", "ford", "wood", "man", "ke", "el", "ard", "ot", "aud", "ira", "oto", "uchi", "ian", "ic", "ák",
];
const HAN: [&str; 30] = [
    "王", "李", "张", "刘", "陈", "杨", "赵", "黄", "周", "吴", "伟", "芳", "娜", "敏", "静", "丽", "强",
    "磊", "洋", "艳", "山", "田", "佐", "藤", "高", "橋", "渡", "辺", "郎", "子",
];
const CYRILLIC: [&str; 12] = [
    "Дмитрий",
    "Иванов",
    "Ольга",
    "Смирнова",
    "Сергей",
    "Кузнецов",
    "Анна",
    "Попова",
    "Юрий",
    "Волков",
    "Ёлкина",
    "Фёдор",
];
const BUSINESS: [&str; 24] = [
    "acme", "globex", "initech", "umbrella", "hooli", "stark", "wayne", "wonka", "tyrell", "cyber", "data",
    "cloud", "green", "blue", "north", "alpha", "omega", "delta", "solar", "quant", "zenith", "vertex",
    "nova", "terra",
];
const TRADE: [&str; 12] = [
    "",
    "soft",
    "tech",
    "labs",
    "systems",
    "group",
    "bank",
    "media",
    "works",
    "health",
    "logistics",
    "energy",
];
const ENDING: [&str; 8] = ["com", "com", "com", "com", "de", "io", "net", "co.uk"];

/// A sequence of numbers that looks random and is the same at every run (splitmix64).
pub struct Chance(u64);

impl Chance {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    /// The next number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % end as u64) as usize
    }

    /// One of a list, the first ones more often.
    pub fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len()).min(self.below(list.len()))]
    }
}

/// The person of this number.
pub fn person(number: u64) -> Fields {
    let mut chance = Chance::new(number.wrapping_mul(0xd6e8_feb8_6659_fd93));
    let latin = (
        chance.pick(&FIRST).to_owned(),
        format!("{}{}{}", chance.pick(&START), chance.pick(&MIDDLE), chance.pick(&END)),
    );
    let name = match chance.below(24) {
        0 => (0..2 + chance.below(2)).map(|_| chance.pick(&HAN)).collect(),
        1 => format!("{} {}", chance.pick(&CYRILLIC), chance.pick(&CYRILLIC)),
        _ => format!("{} {}", latin.0, latin.1),
    };
    let plain = |text: &str| {
        let folded = pagesmith_model::text::fold(text);
        folded.chars().filter(char::is_ascii_alphanumeric).collect::<String>()
    };
    let (first, last) = (plain(&latin.0), plain(&latin.1));
    let company = format!(
        "{}{}{}.{}",
        chance.pick(&BUSINESS),
        chance.pick(&TRADE),
        match chance.below(3) {
            0 => String::new(),
            _ => chance.below(400).min(chance.below(400)).to_string(),
        },
        chance.pick(&ENDING)
    );
    let public = chance.below(3) == 0;
    let host = if public { "gmail.com" } else { company.as_str() };
    let email = match chance.below(4) {
        0 => format!("{first}@{host}"),
        1 => format!("{}{last}@{host}", &first[..1]),
        2 => format!("{first}.{last}{}@{host}", chance.below(100)),
        _ => format!("{first}.{last}@{host}"),
    };
    let ending = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 36;
    Fields {
        slug: format!("{first}-{last}-{:06x}", ending & 0xff_ffff),
        phone: (chance.below(2) == 0).then(|| {
            let area = chance.pick(&["+4915", "+4917", "+447", "+336", "+4850"]);
            // Mobile numbers of five countries' plans, so that an import takes them.
            match area {
                "+4915" => format!("+49151{:08}", 10_000_000 + chance.below(89_999_999)),
                "+4917" => format!("+49171{:07}", 1_000_000 + chance.below(8_999_999)),
                "+447" => format!("+4477{:08}", chance.below(99_999_999)),
                "+336" => format!("+336{:08}", 10_000_000 + chance.below(79_999_999)),
                _ => format!("+4850{:07}", chance.below(9_999_999)),
            }
        }),
        linkedin: (chance.below(3) > 0)
            .then(|| format!("https://www.linkedin.com/in/{first}-{last}-{ending:07x}")),
        domain: (!public).then_some(company),
        name,
        email,
    }
}
