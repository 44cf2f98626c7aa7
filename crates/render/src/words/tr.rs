//! Turkish: all that pages say in it.

use super::{AskWords, FormWords, Words};

pub(super) static WORDS: Words = Words {
    colon: ": ",
    skip: "İçeriğe geç",
    navigation: "Ana menü",
    footer: "Alt bilgi",
    preview: "Ön izleme",
    preview_says: "{number}. sürümün ön izlemesi. Bu bağlantı şu zamana kadar çalışır: {until}.",
    table: "Tablo",
    quotes: "Başkalarının söyledikleri",
    previous: "Önceki",
    next: "Sonraki",
    pause: "Hareketi durdur",
    play: "Videoyu oynat",
    watch: "Videoyu izle",
    show_text: "Metni göster",
    copied: "Kopyalandı",
    close: "Kapat",
    consent: "Gizliliğiniz",
    consent_why: "Bu sayfa, örneğin ziyaretleri ölçmek için başka şirketlerin hizmetlerini yüklemek \
        istiyor. Bunlar yalnızca kabul ederseniz yüklenir ve kararınızı istediğiniz zaman \
        değiştirebilirsiniz.",
    accept: "Kabul et",
    decline: "Reddet",
    change: "Gizlilik tercihi",
    not_found: (
        "Sayfa bulunamadı",
        "Bu adreste bir sayfa yok. Lütfen kullandığınız bağlantıyı kontrol edin.",
    ),
    gone: ("Artık mevcut değil", "Bu sayfa kaldırıldı."),
    not_published: ("Henüz yayımlanmadı", "Bu sayfa hazırlanıyor. Lütfen daha sonra tekrar gelin."),
    unavailable: ("Birazdan döneceğiz", "Bu sayfa şu anda gösterilemiyor. Lütfen tekrar deneyin."),
    preview_expired: (
        "Bu ön izlemenin süresi doldu",
        "Ön izlemeler sınırlı bir süre görülebilir. Lütfen yeni bir bağlantı isteyin.",
    ),
    link_expired: (
        "Bu bağlantının süresi doldu",
        "Sayfa sınırlı bir süre açılabilir. Lütfen yeni bir bağlantı isteyin.",
    ),
};

pub(super) static ASK: AskWords = AskWords {
    tag: "tr",
    heading: "Bir sorunuz mu var?",
    label: "Sorunuz",
    ask: "Sor",
    note: "Yanıtlar, yayımladıklarımıza dayanır.",
    answer: "Yanıt",
    source: "Kaynak",
    written: "Bu yanıtı, belirtilen kaynaklardan yararlanarak bir program yazmıştır.",
    unknown: "Bu soru için yayımladığımız bir yanıt yok.",
    missed: "Şunlar için yayımladığımız bir yanıt yok:",
    used_up: "Şu anda burada daha fazla soru yanıtlanamıyor. Lütfen daha sonra tekrar gelin.",
    nothing_asked: "Lütfen kendi sözcüklerinizle bir soru yazın.",
    not_taken: "Burada artık soru yanıtlanmıyor.",
    another: "Başka bir soru sorun",
};

pub(super) static FORM: FormWords = FormWords {
    tag: "tr",
    contact: ["Ad Soyad", "E-posta", "Mesaj"],
    send: "Gönder",
    optional: "(isteğe bağlı)",
    thanks_title: "Teşekkür ederiz",
    thanks: "Mesajınızı aldık, size geri döneceğiz.",
    back: "Sayfaya dön",
    go_on: "Devam et",
    check_again: "Lütfen girdiğiniz bilgileri kontrol edin",
    gone: "Bu form artık mevcut değil",
    not_now: "Gönderiniz alınamadı. Lütfen daha sonra tekrar deneyin.",
    too_large: "Gönderiniz çok büyük: Tüm dosyaların toplamı 10 MB olabilir.",
    required: "Lütfen bu alanı doldurun.",
    not_agreed: "Lütfen onay verin.",
    email: "Lütfen bir e-posta adresi girin, örneğin isim@example.com.",
    phone: "Lütfen bir telefon numarası girin, örneğin +90 212 345 67 89.",
    url: "Lütfen bir web sitesinin adresini girin, örneğin example.com.",
    number: "Lütfen bir sayı girin, örneğin 25000 veya 2,5.",
    date: "Lütfen bir tarih girin.",
    option: "Lütfen seçeneklerden birini seçin.",
    too_short: "Lütfen en az {} karakter girin.",
    too_long: "Lütfen en fazla {} karakter girin.",
    too_small: "Lütfen en az {} olan bir sayı girin.",
    too_big: "Lütfen en fazla {} olan bir sayı girin.",
};
