//! The few words that the template adds by itself, per language.
//!
//! `{name}` is the person, `{first}` the first name, `{company}` the company. A language without phrases gets none: its pages consist
//! of what the context says. Invariant: no phrase says anything about the product or the reader that might be wrong.

use crate::language::Language;

/// The phrases of a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Phrases {
    /// Above the title of a page for a person at a company.
    pub for_person_at: &'static str,
    /// Above the title of a page for a person or a company alone.
    pub for_one: &'static str,
    /// Above the title of a page that a known person visits.
    pub welcome: &'static str,
    /// The title after a call.
    pub thanks: &'static str,
    /// The title after a call with nobody known.
    pub thanks_all: &'static str,
    /// Under that title.
    pub recap: &'static str,
    /// What was talked about.
    pub talked: &'static str,
    /// What happens next.
    pub next: &'static str,
    /// What is of use for the company, or for the reader.
    pub matters_to: &'static str,
    /// The same for a reader without a company.
    pub matters: &'static str,
    /// The reader's goal, challenge and use.
    pub reader: [&'static str; 3],
    /// Above questions and answers.
    pub questions: &'static str,
    /// Above what customers say.
    pub voices: &'static str,
    /// Above what had no room elsewhere.
    pub more: &'static str,
    /// The last words: to visitors, to a person by name, after a call, at the end of a deck.
    pub closing: [&'static str; 4],
}

/// The phrases of a language, if it has any.
pub fn of(language: Language) -> Option<&'static Phrases> {
    ALL.iter().find(|(tag, _)| *tag == language.tag).map(|(_, phrases)| phrases)
}

/// A phrase with its names; nothing if it needs a name that is not there.
pub fn filled(phrase: &str, name: &str, first: &str, company: &str) -> Option<String> {
    let lacks = |mark: &str, text: &str| phrase.contains(mark) && text.is_empty();
    if phrase.is_empty() || lacks("{name}", name) || lacks("{first}", first) || lacks("{company}", company) {
        return None;
    }
    Some(phrase.replace("{name}", name).replace("{first}", first).replace("{company}", company))
}

const ALL: &[(&str, Phrases)] = &[
    (
        "en",
        Phrases {
            for_person_at: "Prepared for {first} at {company}",
            for_one: "Prepared for {name}",
            welcome: "Welcome, {first}",
            thanks: "Thank you for the conversation, {first}",
            thanks_all: "Thank you for the conversation",
            recap: "Here is what we talked about, and what comes next.",
            talked: "What we talked about",
            next: "Next steps",
            matters_to: "What matters for {company}",
            matters: "What matters for you",
            reader: ["Your goal", "Your challenge", "Where it helps"],
            questions: "Questions and answers",
            voices: "What customers say",
            more: "Good to know",
            closing: [
                "Ready when you are",
                "Shall we talk, {first}?",
                "Shall we take the next step, {first}?",
                "Where we go from here",
            ],
        },
    ),
    (
        "de",
        Phrases {
            for_person_at: "Für {name}, {company}",
            for_one: "Für {name}",
            welcome: "Willkommen, {name}",
            thanks: "Vielen Dank für das Gespräch, {name}",
            thanks_all: "Vielen Dank für das Gespräch",
            recap: "Hier steht, worüber wir gesprochen haben und wie es weitergeht.",
            talked: "Worüber wir gesprochen haben",
            next: "Nächste Schritte",
            matters_to: "Was für {company} wichtig ist",
            matters: "Was für Sie wichtig ist",
            reader: ["Ihr Ziel", "Ihre Herausforderung", "Ihr Einsatzgebiet"],
            questions: "Fragen und Antworten",
            voices: "Das sagen Kunden",
            more: "Gut zu wissen",
            closing: [
                "Wir sind für Sie da",
                "Wollen wir sprechen?",
                "Wie geht es weiter?",
                "So geht es weiter",
            ],
        },
    ),
    (
        "fr",
        Phrases {
            for_person_at: "Pour {name}, {company}",
            for_one: "Pour {name}",
            welcome: "Bienvenue, {name}",
            thanks: "Merci pour cet échange, {name}",
            thanks_all: "Merci pour cet échange",
            recap: "Voici ce dont nous avons parlé, et la suite.",
            talked: "Ce dont nous avons parlé",
            next: "Prochaines étapes",
            matters_to: "Ce qui compte pour {company}",
            matters: "Ce qui compte pour vous",
            reader: ["Votre objectif", "Votre défi", "Votre usage"],
            questions: "Questions et réponses",
            voices: "Ce que disent nos clients",
            more: "Bon à savoir",
            closing: [
                "Prêts quand vous l’êtes",
                "Et si nous en parlions ?",
                "On avance ensemble ?",
                "La suite",
            ],
        },
    ),
    (
        "es",
        Phrases {
            for_person_at: "Para {name}, {company}",
            for_one: "Para {name}",
            welcome: "Le damos la bienvenida, {name}",
            thanks: "Gracias por la conversación, {name}",
            thanks_all: "Gracias por la conversación",
            recap: "Aquí está lo que hablamos y lo que viene ahora.",
            talked: "Lo que hablamos",
            next: "Próximos pasos",
            matters_to: "Lo que importa a {company}",
            matters: "Lo que le importa",
            reader: ["Su objetivo", "Su reto", "Su caso de uso"],
            questions: "Preguntas y respuestas",
            voices: "Lo que dicen los clientes",
            more: "Conviene saber",
            closing: ["Cuando usted quiera", "¿Hablamos?", "¿Damos el siguiente paso?", "Próximos pasos"],
        },
    ),
    (
        "pt",
        Phrases {
            for_person_at: "Para {name}, {company}",
            for_one: "Para {name}",
            welcome: "Olá, {name}",
            thanks: "Obrigado pela conversa, {name}",
            thanks_all: "Obrigado pela conversa",
            recap: "Aqui está o que conversamos e o que vem a seguir.",
            talked: "O que conversamos",
            next: "Próximos passos",
            matters_to: "O que importa para a {company}",
            matters: "O que importa para você",
            reader: ["Seu objetivo", "Seu desafio", "Seu caso de uso"],
            questions: "Perguntas e respostas",
            voices: "O que dizem os clientes",
            more: "Bom saber",
            closing: [
                "Quando você quiser",
                "Vamos conversar?",
                "Vamos dar o próximo passo?",
                "Próximos passos",
            ],
        },
    ),
    (
        "it",
        Phrases {
            for_person_at: "Per {name}, {company}",
            for_one: "Per {name}",
            welcome: "Salve, {name}",
            thanks: "Grazie per la conversazione, {name}",
            thanks_all: "Grazie per la conversazione",
            recap: "Ecco di cosa abbiamo parlato e come si prosegue.",
            talked: "Di cosa abbiamo parlato",
            next: "Prossimi passi",
            matters_to: "Ciò che conta per {company}",
            matters: "Ciò che conta per voi",
            reader: ["Il vostro obiettivo", "La vostra sfida", "Il vostro caso d’uso"],
            questions: "Domande e risposte",
            voices: "Cosa dicono i clienti",
            more: "Buono a sapersi",
            closing: ["Quando volete", "Ne parliamo?", "Facciamo il prossimo passo?", "Come si prosegue"],
        },
    ),
    (
        "nl",
        Phrases {
            for_person_at: "Voor {name}, {company}",
            for_one: "Voor {name}",
            welcome: "Welkom, {name}",
            thanks: "Bedankt voor het gesprek, {name}",
            thanks_all: "Bedankt voor het gesprek",
            recap: "Hier staat waarover we spraken en wat er nu komt.",
            talked: "Waarover we spraken",
            next: "Volgende stappen",
            matters_to: "Wat telt voor {company}",
            matters: "Wat telt voor u",
            reader: ["Uw doel", "Uw uitdaging", "Uw toepassing"],
            questions: "Vragen en antwoorden",
            voices: "Wat klanten zeggen",
            more: "Goed om te weten",
            closing: [
                "Wij staan klaar",
                "Zullen we praten?",
                "Zetten we de volgende stap?",
                "Hoe het verdergaat",
            ],
        },
    ),
    (
        "ja",
        Phrases {
            for_person_at: "{company} {name} 様",
            for_one: "{name} 様",
            welcome: "{name} 様、ようこそ",
            thanks: "{name} 様、お話しいただきありがとうございました",
            thanks_all: "お話しいただきありがとうございました",
            recap: "お話しした内容と今後の流れをまとめました。",
            talked: "お話しした内容",
            next: "次のステップ",
            matters_to: "{company} 様にとって大切なこと",
            matters: "大切なこと",
            reader: ["目標", "課題", "活用場面"],
            questions: "よくあるご質問",
            voices: "お客様の声",
            more: "補足情報",
            closing: ["お気軽にご連絡ください", "お話ししませんか", "次のステップへ", "今後の流れ"],
        },
    ),
    (
        "zh",
        Phrases {
            for_person_at: "致 {company} {name}",
            for_one: "致 {name}",
            welcome: "{name}，欢迎您",
            thanks: "{name}，感谢您的交流",
            thanks_all: "感谢您的交流",
            recap: "以下是我们谈到的内容和后续安排。",
            talked: "我们谈到的内容",
            next: "下一步",
            matters_to: "{company} 关注的重点",
            matters: "您关注的重点",
            reader: ["您的目标", "您的挑战", "应用场景"],
            questions: "常见问题",
            voices: "客户评价",
            more: "更多信息",
            closing: ["期待您的联系", "我们聊聊吧", "一起迈出下一步", "后续安排"],
        },
    ),
    (
        "ko",
        Phrases {
            for_person_at: "{company} {name} 님께",
            for_one: "{name} 님께",
            welcome: "{name} 님, 환영합니다",
            thanks: "{name} 님, 대화해 주셔서 감사합니다",
            thanks_all: "대화해 주셔서 감사합니다",
            recap: "나눈 이야기와 다음 단계를 정리했습니다.",
            talked: "나눈 이야기",
            next: "다음 단계",
            matters_to: "{company}에 중요한 것",
            matters: "중요한 것",
            reader: ["목표", "과제", "활용 분야"],
            questions: "자주 묻는 질문",
            voices: "고객의 목소리",
            more: "더 알아보기",
            closing: ["언제든 연락 주세요", "이야기 나눠 볼까요?", "다음 단계로 나아가요", "다음 단계"],
        },
    ),
    (
        "ar",
        Phrases {
            for_person_at: "إلى {name}، {company}",
            for_one: "إلى {name}",
            welcome: "أهلًا بك، {name}",
            thanks: "شكرًا على هذا الحديث، {name}",
            thanks_all: "شكرًا على هذا الحديث",
            recap: "إليك ما تحدثنا عنه وما سيأتي بعده.",
            talked: "ما تحدثنا عنه",
            next: "الخطوات التالية",
            matters_to: "ما يهم {company}",
            matters: "ما يهمك",
            reader: ["هدفك", "التحدي الذي تواجهه", "مجال الاستخدام"],
            questions: "أسئلة وأجوبة",
            voices: "ماذا يقول العملاء",
            more: "معلومات مفيدة",
            closing: ["نحن في انتظارك", "هل نتحدث؟", "هل ننتقل إلى الخطوة التالية؟", "ما التالي"],
        },
    ),
    (
        "he",
        Phrases {
            for_person_at: "עבור {name}, {company}",
            for_one: "עבור {name}",
            welcome: "שלום, {name}",
            thanks: "תודה על השיחה, {name}",
            thanks_all: "תודה על השיחה",
            recap: "הנה מה שדיברנו עליו ומה שיבוא אחריו.",
            talked: "על מה דיברנו",
            next: "הצעדים הבאים",
            matters_to: "מה שחשוב ל־{company}",
            matters: "מה שחשוב",
            reader: ["היעד", "האתגר", "השימוש"],
            questions: "שאלות ותשובות",
            voices: "מה לקוחות אומרים",
            more: "טוב לדעת",
            closing: ["נשמח לשמוע ממך", "נדבר?", "נתקדם לצעד הבא?", "מה הלאה"],
        },
    ),
    (
        "ru",
        Phrases {
            for_person_at: "Для {name}, {company}",
            for_one: "Для {name}",
            welcome: "Добро пожаловать, {name}",
            thanks: "Спасибо за разговор, {name}",
            thanks_all: "Спасибо за разговор",
            recap: "Здесь то, о чём мы говорили, и что будет дальше.",
            talked: "О чём мы говорили",
            next: "Следующие шаги",
            matters_to: "Что важно для {company}",
            matters: "Что важно для вас",
            reader: ["Ваша цель", "Ваша задача", "Где это поможет"],
            questions: "Вопросы и ответы",
            voices: "Что говорят клиенты",
            more: "Полезно знать",
            closing: ["Будем рады вам", "Поговорим?", "Сделаем следующий шаг?", "Что дальше"],
        },
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_without_its_name_is_none() {
        assert_eq!(filled("Hello, {first}", "", "Ann", ""), Some("Hello, Ann".to_owned()));
        assert_eq!(filled("Hello, {first}", "Ann Lee", "", ""), None);
        assert_eq!(filled("", "Ann Lee", "Ann", "Acme"), None);
    }

    #[test]
    fn every_language_says_everything() {
        for (tag, phrases) in ALL {
            let shown = format!("{phrases:?}");
            assert!(!shown.contains("\"\""), "{tag}");
            assert_eq!(of(Language { tag }), Some(phrases));
        }
    }
}
