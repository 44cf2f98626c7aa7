//! What the label of a `Label: value` line, or a heading, says about what follows it.

use crate::template::tidy;

/// What a label announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// Something for the writer.
    Writer,
    /// The page's title.
    Headline,
    /// A sentence about the whole.
    Tagline,
    /// The name of the company or product that speaks.
    Brand,
    /// What the reader wants to reach.
    Goal,
    /// What troubles the reader.
    Challenge,
    /// What the reader would use it for.
    UseCase,
    /// The reader's role.
    Role,
    /// The reader's industry.
    Industry,
    /// Where the reader is.
    Place,
    /// What was talked about.
    Talked,
    /// What happens next.
    Next,
    /// Questions and answers.
    Questions,
    /// What customers say.
    Voices,
    /// A heading that only orders the context.
    Neutral,
    /// Anything else.
    Fact,
}

const WRITER: &[&str] = &[
    "tone", "tone of voice", "tone & voice", "voice", "voice and tone", "voice & tone", "brand voice", "style", "writing style", "style guide", "target audience", "audience", "target", "target group", "target market",
    "persona", "personas", "icp", "ideal customer", "buyer persona", "goal of the page", "page goal", "page purpose", "goal of this page", "objective", "objectives", "purpose", "cta", "ctas", "call to action", "call-to-action",
    "primary cta", "secondary cta", "keywords", "seo", "seo keywords", "language", "lang", "locale", "format", "output", "output format", "length", "word count", "structure", "page structure", "sections", "layout", "instructions",
    "instruction", "guidelines", "writing guidelines", "rules", "constraints", "requirements", "prompt", "system", "assistant", "user", "task", "your task", "do", "don't", "don'ts", "dos", "dos and don'ts", "do's and don'ts", "do not",
    "avoid", "must include", "must have", "must-haves", "please include", "include", "mention", "emphasize", "emphasise", "focus", "focus on", "note to writer", "note to the writer", "notes for the writer", "notes for the agent",
    "note to agent", "internal", "internal note", "internal notes", "internal only", "confidential", "brief", "briefing", "creative brief", "page type", "type", "template", "variables", "deal", "deal size", "deal stage", "deal value",
    "stage", "budget", "lead score", "score", "owner", "account owner", "lead owner", "sales rep", "ae", "sdr", "crm id", "id", "account id", "person id", "salesforce id", "hubspot id", "arr", "acv", "close date", "probability",
    "competitor", "competitors", "competition", "objections", "objection handling", "status", "priority", "source", "lead source", "utm", "segment", "tier", "messaging", "key message", "key messages", "positioning", "cta text",
    "cta button", "tonalität", "ton", "tonfall", "stil", "zielgruppe", "zielsetzung", "zweck", "sprache", "länge", "aufbau", "struktur", "hinweise", "anweisung", "anweisungen", "nicht erwähnen", "vermeiden",
    "handlungsaufforderung", "intern", "interne notiz",
];

const WRITER_ELSEWHERE: &[&str] = &[
    "vertraulich", "schlüsselwörter", "cible", "public cible", "objectif", "objectif de la page", "consignes", "langue", "mots-clés", "à éviter", "interne", "confidentiel", "appel à l'action", "tono", "público objetivo", "objetivo",
    "objetivo de la página", "estilo", "idioma", "instrucciones", "evitar", "palabras clave", "llamada a la acción", "tom", "público-alvo", "instruções", "chamada para ação", "palavras-chave", "pubblico", "pubblico target", "obiettivo",
    "stile", "lingua", "istruzioni", "toon", "doelgroep", "doel", "stijl", "taal", "instructies", "トーン", "文体", "ターゲット", "対象読者", "指示", "目的", "注意", "语气", "风格", "目标受众", "受众", "指示事項", "الجمهور المستهدف", "النبرة", "الأسلوب", "الجمهور", "اللغة", "الهدف", "الطول", "טון",
    "קהל יעד", "סגנון", "שפה", "тон", "стиль", "целевая аудитория", "аудитория", "цель", "язык", "톤", "어조", "타깃", "대상", "목적", "문체", "语调", "目标", "长度", "文風", "målgrupp",
    "grupa docelowa",
];

/// The meaning of labels besides those for the writer.
const MEANINGS: [(Label, &[&str]); 14] = [
    (Label::Headline, &["headline", "title", "main headline", "hero headline", "hero title", "page title", "h1", "überschrift", "titel", "titre", "título", "titolo", "kop", "タイトル", "見出し", "标题", "заголовок", "العنوان"]),
    (Label::Tagline, &["tagline", "slogan", "subheadline", "sub-headline", "subtitle", "claim", "motto", "one-liner", "one liner", "elevator pitch", "value proposition", "description", "summary", "untertitel", "beschreibung", "sous-titre", "lema", "キャッチコピー", "标语"]),
    (Label::Brand, &["company", "company name", "brand", "brand name", "product", "product name", "business", "business name", "organization", "organisation", "name", "firma", "unternehmen", "produkt", "marke", "entreprise", "produit", "marque", "empresa", "producto", "marca", "produto", "azienda", "prodotto", "bedrijf", "会社名", "製品名", "社名", "公司", "产品", "компания", "продукт", "الشركة", "المنتج"]),
    (Label::Goal, &["goal", "goals", "their goal", "main goal", "ziel", "ziele", "objetivos", "desired outcome", "initiative", "priorities", "current initiative", "目標"]),
    (Label::Challenge, &["challenge", "challenges", "main challenge", "pain", "pains", "pain point", "pain points", "pain_point", "problem", "problems", "herausforderung", "herausforderungen", "schmerzpunkt", "défi", "défis", "reto", "retos", "desafio", "sfida", "uitdaging", "課題"]),
    (Label::UseCase, &["use case", "use cases", "use_case", "usecase", "interest", "interests", "interested in", "product interest", "anwendungsfall", "interesse", "cas d'usage", "caso de uso", "caso d'uso"]),
    (Label::Role, &["role", "job title", "job_title", "jobtitle", "position", "job", "function", "rolle", "funktion", "poste", "fonction", "cargo", "puesto", "ruolo", "functie", "役職", "职位"]),
    (Label::Industry, &["industry", "sector", "vertical", "branche", "industrie", "secteur", "industria", "setor", "settore", "業種", "行业"]),
    (Label::Place, &["city", "location", "region", "country", "stadt", "ort", "ville", "ciudad", "cidade", "città", "stad", "都市", "城市"]),
    (Label::Talked, &["call notes", "call summary", "meeting notes", "meeting summary", "notes", "recap", "discussed", "we discussed", "what we discussed", "topics", "topics discussed", "discussion", "key points", "takeaways", "key takeaways", "call recap", "besprochen", "gesprächsnotizen", "notizen", "themen", "gespräch", "notes d'appel", "points abordés", "notas", "notas de la llamada", "temas", "appunti", "besproken", "打ち合わせ内容", "議事録", "メモ", "通话记录", "讨论内容"]),
    (Label::Next, &["next steps", "next step", "action items", "action item", "actions", "follow-ups", "follow-up", "follow up", "todo", "todos", "to do", "to-do", "to-dos", "nächste schritte", "nächster schritt", "aufgaben", "prochaines étapes", "prochaine étape", "próximos pasos", "siguientes pasos", "próximos passos", "prossimi passi", "volgende stappen", "次のステップ", "今後の流れ", "下一步", "الخطوات التالية", "следующие шаги"]),
    (Label::Questions, &["faq", "faqs", "q&a", "q & a", "questions", "questions and answers", "frequently asked questions", "common questions", "fragen", "häufige fragen", "fragen und antworten", "questions fréquentes", "foire aux questions", "preguntas frecuentes", "perguntas frequentes", "domande frequenti", "veelgestelde vragen", "よくある質問", "よくあるご質問", "常见问题", "الأسئلة الشائعة", "частые вопросы", "자주 묻는 질문"]),
    (Label::Voices, &["testimonials", "testimonial", "quotes", "customer quotes", "reviews", "kundenstimmen", "témoignages", "testimonios", "depoimentos", "testimonianze", "お客様の声", "客户评价", "отзывы"]),
    (Label::Neutral, &["context", "page context", "content", "contents", "details", "intro", "introduction", "hero", "body", "text", "copy", "background", "overview", "supplementary context", "company context", "product context", "key facts", "facts", "info", "information", "additional information", "kontext", "einleitung", "contexte", "contexto", "contesto", "stats", "statistics", "numbers", "metrics", "links", "images", "video", "logos", "table"]),
];

/// What a label announces.
pub fn of(label: &str) -> Label {
    let folded = tidy::folded(label);
    let bare = folded.trim_matches(|char: char| !char.is_alphanumeric() && char != '\'');
    if WRITER.contains(&bare) || WRITER_ELSEWHERE.contains(&bare) {
        return Label::Writer;
    }
    if let Some((meaning, _)) = MEANINGS.iter().find(|(_, texts)| texts.contains(&bare)) {
        return *meaning;
    }
    let signs = ["tone of voice", "target audience", "instruction", "guideline", "for the agent", "for the writer", "internal", "prompt", "do not", "to avoid", "not to "];
    if signs.iter().any(|sign| bare.contains(sign)) && bare.len() < 60 { Label::Writer } else { Label::Fact }
}

/// Splits a line into its label and where its value begins, in bytes; none if it has no label.
pub fn split(line: &str) -> Option<(&str, usize)> {
    let (at, colon) = line.char_indices().take(48).find(|(_, char)| *char == ':' || *char == '：')?;
    let label = line[..at].trim();
    let rest = &line[at + colon.len_utf8()..];
    let ends_in_digit = label.chars().next_back().is_some_and(|char| char.is_ascii_digit());
    let is_label = !label.is_empty()
        && tidy::length(label) <= 40
        && label.split_whitespace().count() <= 5
        && label.starts_with(char::is_alphanumeric)
        && !label.contains(['.', '?', '!', '。', '"', '“'])
        && !(ends_in_digit && rest.starts_with(|char: char| char.is_ascii_digit()))
        && !rest.starts_with("//")
        && (rest.is_empty() || rest.starts_with(char::is_whitespace) || colon == '：' || !rest.is_ascii());
    is_label.then(|| (label, line.len() - rest.trim_start().len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_told_from_sentences() {
        assert_eq!(split("Tone: friendly"), Some(("Tone", 6)));
        assert_eq!(split("価格：100円"), Some(("価格", "価格：".len())));
        for none in ["At 10:30 we open", "https://example.com", "no label", "One two three four five six: x", ": x", "a:b"] {
            assert_eq!(split(none), None, "{none}");
        }
    }

    #[test]
    fn labels_have_meanings() {
        for (label, meaning) in [
            ("Target Audience", Label::Writer),
            ("**CTA**", Label::Writer),
            ("Zielgruppe", Label::Writer),
            ("Internal notes (sales only)", Label::Writer),
            ("Headline", Label::Headline),
            ("Nächste Schritte", Label::Next),
            ("よくある質問", Label::Questions),
            ("Opening hours", Label::Fact),
        ] {
            assert_eq!(of(label), meaning, "{label}");
        }
    }
}
