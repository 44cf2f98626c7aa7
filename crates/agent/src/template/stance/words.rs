//! The words by which an instruction is known, in small letters.
//!
//! What this is not: complete. A new one is a line here and a line in the corpus beside it.

/// Parts of texts that speak to a program.
pub const INJECTIONS: &[&str] = &[
    "ignore the above", "ignore all", "ignore any", "ignore previous", "ignore everything", "ignore your", "ignore the previous",
    "ignore these", "disregard the", "disregard all", "disregard any", "disregard previous", "forget everything",
    "forget all", "forget the above", "forget your", "forget previous", "system prompt", "your instructions", "your prompt",
    "previous instructions", "prior instructions", "above instructions", "hidden instructions", "developer mode", "jailbreak",
    "you are now", "as an ai", "language model", "chatgpt", "<|", "|>", "[inst]", "[/inst]", "<<sys>>", "### instruction",
    "### system", "begin system", "end of prompt", "prompt injection", "do anything now", "ignoriere alle", "ignoriere die",
    "ignorez les", "ignora las", "ignora todas", "ignora le",
];

/// What politeness and connection put before an order.
pub const MANNERS: &[&str] = &[
    "please ", "kindly ", "also ", "and ", "then ", "finally ", "additionally ", "important ", "note ", "nb ", "ps ", "remember to ",
    "remember, ", "make sure to ", "make sure you ", "make sure that you ", "make sure ", "be sure to ", "ensure that you ", "try to ",
    "you should ", "you must ", "you need to ", "you can ", "i want you to ", "we want you to ", "we'd like you to ",
    "i'd like you to ", "i would like you to ", "we need you to ", "can you ", "could you ", "would you ", "just ", "always ",
    "in the hero ", "at the end ", "bitte ", "por favor ", "s'il te plaît ", "s'il vous plaît ", "per favore ",
];

/// What may stand before the kind of a page.
pub const ARTICLES: &[&str] = &[
    "a simple ", "a short ", "a single ", "a personalized ", "a personalised ", "a personal ", "an ", "a ", "the ", "this is a ", "this is the ",
    "eine ", "ein ", "une ", "una ", "uma ",
];

/// Kinds of pages, as operators call them.
pub const PAGE_KINDS: &[&str] = &[
    "landing page", "landingpage", "landing", "one-pager", "one pager", "onepager", "follow-up page", "followup page", "follow up page",
    "microsite", "web page", "webpage", "website", "sales page", "product page", "sales deck", "pitch deck", "slide deck", "deck",
    "pitch", "copy", "page", "seite", "página", "pagina", "page d'atterrissage", "landing-page",
];

/// What joins a page and its subject.
pub const ABOUT: &[&str] = &[
    "for", "about", "on", "to", "that", "which", "aimed", "aiming", "targeting", "targeted", "promoting", "selling", "with", "introducing",
    "announcing", "explaining", "für", "über", "pour", "sur", "para", "sobre", "per", "su", "voor",
];

/// Parts and qualities of a page that only its writer speaks of.
pub const PAGE_WORDS: &[&str] = &[
    "page", "landing", "copy", "headline", "headlines", "subheadline", "subheadlines", "hero", "section", "sections", "paragraph",
    "paragraphs", "cta", "ctas", "call-to-action", "headings", "wording", "phrasing", "persona", "one-pager", "one-page", "landing-page",
    "webpage", "microsite", "bullet", "bullets", "competitor", "competitors", "prospect", "prospects", "prospect's", "visitor", "visitors",
    "reader", "readers", "faq", "testimonials", "seo", "keywords", "deck", "slides", "tone",
];

/// How a text can be.
pub const STYLE_WORDS: &[&str] = &[
    "tone", "style", "voice", "jargon", "buzzword", "buzzwords", "emoji", "emojis", "hype", "words", "wordy", "sentence", "sentences",
    "concise", "brief", "punchy", "short", "friendly", "professional", "formal", "informal", "casual", "conversational", "persuasive",
    "upbeat", "warm", "exciting", "humble", "polite", "direct", "specific", "witty", "playful", "scannable", "readable", "salesy", "pushy",
    "english", "german", "french", "spanish", "italian", "portuguese", "dutch", "markdown", "html", "json", "language",
];

/// Who a writer is told to speak to.
pub const READERS: &[&str] = &[
    "reader", "readers", "visitor", "visitors", "prospect", "prospects", "recipient", "recipients", "they", "audience", "audiences", "he",
    "she", "leads",
];

/// What must be.
pub const MUSTS: &[&str] =
    &["should", "must", "shall", "needs", "need", "has", "have", "ought", "shouldn't", "mustn't", "cannot", "soll", "sollte", "muss"];

/// How a wish about the page begins.
pub const WISHES: &[&str] = &[
    "we want visitors", "we want them", "we want the", "we want readers", "we want prospects", "we want people to", "i want the", "i want a", "i want to",
    "we need a page", "we need a landing", "we'd like a page", "i need a", "the goal of", "the goal is", "the aim is", "the aim of", "the purpose of", "goal of the page",
    "the objective", "the target audience", "target audience", "act as", "pretend", "your task", "your job", "your role", "your goal is", "you are a ", "you are an ",
    "you're a ", "you're an ", "imagine you", "die zielgruppe", "der ton soll", "die seite soll",
];

/// Orders that only a writer gets.
pub const ALWAYS_ORDERS: &[&str] = &[
    "mention", "emphasize", "emphasise", "highlight", "stress", "underline", "underscore", "omit", "reiterate", "rewrite", "rephrase", "paraphrase",
    "output", "print", "respond", "reply", "translate", "summarize", "summarise", "generate", "upsell", "cross-sell", "return", "insert", "tailor",
    "personalize", "personalise", "proofread", "showcase", "downplay",
];

/// What a writer is told not to do.
pub const NOT_ORDERS: &[&str] = &[
    "mention", "use", "include", "say", "talk", "write", "show", "promise", "reveal", "offer", "discuss", "name", "add", "refer", "oversell", "sound",
    "exaggerate", "invent", "claim", "disclose", "quote", "link", "push", "list", "reference", "call",
];

/// Orders that a reader may get too: the rest of the sentence tells.
pub const ORDERS: &[&str] = &[
    "create", "produce", "craft", "build", "design", "make", "prepare", "compose", "add", "use", "put", "place", "show", "start", "begin", "open", "end",
    "close", "finish", "give", "provide", "structure", "organize", "organise", "format", "address", "target", "speak", "talk", "link", "refer", "include",
    "list", "explain", "describe", "present", "position", "frame", "adapt", "ask", "invite", "convince", "persuade", "encourage", "remind", "tell",
];

/// Who is meant by an order that is not for them.
pub const SOMEONE: &[&str] =
    &["them", "him", "her", "prospects", "visitors", "readers", "recipients", "leads", "cfos", "everything"];

/// What follows `write` when a writer is told to.
pub const WRITTEN: &[&str] =
    &["about", "in", "for", "like", "as", "with", "it", "this", "something", "copy", "everything", "from"];

/// What a writer avoids.
pub const AVOIDED: &[&str] = &[
    "using", "mentioning", "talking", "any", "sounding", "being", "naming", "writing", "long", "technical", "passive", "making", "overly", "the",
];

/// How orders begin in other languages.
pub const STARTS_ELSEWHERE: &[&str] = &[
    "schreibe eine", "schreibe die", "schreibe einen", "schreib eine", "schreiben sie eine seite", "schreiben sie eine landing", "schreibe in", "schreibe im", "erstelle eine", "erstelle die",
    "erstelle ein", "erstellen sie eine seite", "erstellen sie eine landing", "verfasse", "formuliere", "erwähne", "erwähnen sie", "betone", "betonen sie", "hebe ", "heben sie", "vermeide",
    "verwende ", "verwenden sie einen", "nutze einen", "nicht erwähnen", "seite über", "seite für", "zielgruppe sind", "zielgruppe ist", "der ton ", "die tonalität", "die seite soll",
    "die überschrift", "rédige", "rédigez", "écris une", "écris un", "écrivez une page", "écrivez un texte", "crée une page", "créez une page", "génère", "générez", "mentionne", "mentionnez",
    "ne mentionne", "ne mentionnez", "ne pas mentionner", "évite", "évitez", "insiste", "insistez", "mets en avant", "mettez en avant", "utilise un ton", "utilisez un ton", "la page doit",
    "le ton doit", "le ton est", "page pour", "escribe una página", "escribe un", "escribe una", "escribe en", "redacta", "redacte", "crea una página", "cree una página", "genera una", "menciona",
    "mencione", "no menciones", "no mencione", "no mencionar", "evita", "evite", "destaca ", "enfatiza", "resalta", "usa un tono", "la página debe", "el tono debe", "escreva uma", "escreva um",
    "escreva em", "redija", "crie uma página", "não mencione", "não mencionar", "enfatize", "destaque ", "use um tom", "a página deve", "o tom deve", "scrivi una", "scrivi un", "redigi",
    "crea una pagina", "menziona", "non menzionare", "sottolinea", "evidenzia", "usa un tono", "la pagina deve", "il tono deve", "schrijf een", "schrijf in", "maak een pagina", "vermeld ",
    "noem geen", "vermijd", "benadruk", "напиши", "создай", "создайте страницу", "упомяни", "не упоминай", "избегай", "подчеркни",
    "используйте тон", "страница должна", "请写", "请用", "写一", "撰写", "请创建", "生成一", "不要提", "请勿", "避免使用", "请强调", "请突出", "突出显示", "اكتب صفحة",
    "اكتب نص", "اكتب ", "أنشئ صفحة", "لا تذكر", "تجنب ", "استخدم أسلوب", "استخدم نبرة", "ركز على", "כתוב ", "כתבו ", "צור דף", "אל תזכיר", "הימנע מ",
];

/// How orders end in languages that put the verb there, and signs of orders in scripts without capitals.
pub const ENDS_ELSEWHERE: &[&str] = &[
    " nennen", " erwähnen", " verwenden", " hervorheben", " betonen", " vermeiden", " ansprechen", "siezen", "duzen", " weglassen", "言及しない", "触れない", "書いて", "作成して",
    "作成せよ", "しないこと",
];

/// What stands before the subject in a request for a page.
pub const SUBJECTS: &[&str] = &[
    "page about ", "page on ", "page for ", "page to promote ", "page promoting ", "page that sells ", "page selling ", "page introducing ", "page announcing ", "page explaining ", "pager about ",
    "pager on ", "pager for ", "deck about ", "deck for ", "deck on ", "copy about ", "copy for ", "write about ", "website for ", "microsite for ", "site for ", "text about ", "seite über ", "seite für ", "page sur ",
    "page pour ", "página sobre ", "página para ", "pagina su ", "pagina per ", "pagina over ", "pagina voor ", "landingpage für ", "landingpage über ", "landingpage zu ",
];

/// What no longer belongs to the subject.
pub const SUBJECT_ENDS: &[&str] = &[
    ", with", ", in ", ", using", " that ", " which ", ", and ", " with a ", " using ", ", mit ", ", das ", ", die ", ", avec", ", con ", ", com ", ", met ", " in a ",
];

/// What stands before something that is not to be mentioned.
pub const UNWANTED: &[&str] = &[
    "not mention ", "don't mention ", "dont mention ", "never mention ", "avoid mentioning ", "not talk about ", "don't talk about ", "avoid talking about ", "not discuss ", "don't discuss ",
    "not refer to ", "leave out ", "no mention of ", "not reveal ", "don't reveal ", "not disclose ", "don't disclose ", "not include ", "don't include ", "erwähne nicht ", "erwähne keine ",
    "erwähne kein ", "ne mentionne pas ", "ne mentionnez pas ", "no menciones ", "no mencione ", "não mencione ", "non menzionare ", "noem geen ", "vermeld geen ",
];
