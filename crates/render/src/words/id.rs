//! Indonesian: all that pages say in it.

use super::{AskWords, FormWords, Words};

pub(super) static WORDS: Words = Words {
    colon: ": ",
    skip: "Langsung ke konten",
    navigation: "Navigasi utama",
    footer: "Bagian kaki",
    preview: "Pratinjau",
    preview_says: "Pratinjau versi {number}. Tautan ini berlaku hingga {until}.",
    table: "Tabel",
    quotes: "Kata mereka",
    previous: "Sebelumnya",
    next: "Berikutnya",
    pause: "Hentikan gerakan",
    play: "Putar video",
    watch: "Tonton video",
    show_text: "Tampilkan teks",
    copied: "Disalin",
    close: "Tutup",
    consent: "Privasi Anda",
    consent_why: "Halaman ini ingin memuat layanan dari perusahaan lain, misalnya untuk mengukur \
        kunjungan. Layanan tersebut hanya dimuat jika Anda setuju, dan Anda dapat berubah pikiran kapan \
        saja.",
    accept: "Setuju",
    decline: "Tolak",
    change: "Pilihan privasi",
    not_found: (
        "Halaman tidak ditemukan",
        "Tidak ada halaman di alamat ini. Silakan periksa tautan yang Anda ikuti.",
    ),
    gone: ("Tidak tersedia lagi", "Halaman ini telah dihapus."),
    not_published: ("Belum diterbitkan", "Halaman ini sedang disiapkan. Silakan kembali lagi nanti."),
    unavailable: ("Segera kembali", "Halaman ini tidak dapat ditampilkan saat ini. Silakan coba lagi."),
    preview_expired: (
        "Pratinjau ini telah berakhir",
        "Pratinjau hanya dapat dilihat untuk waktu terbatas. Silakan minta tautan baru.",
    ),
    link_expired: (
        "Tautan ini telah kedaluwarsa",
        "Halaman ini hanya dapat dibuka untuk waktu terbatas. Silakan minta tautan baru.",
    ),
};

pub(super) static ASK: AskWords = AskWords {
    tag: "id",
    heading: "Apakah Anda memiliki pertanyaan?",
    label: "Pertanyaan Anda",
    ask: "Tanyakan",
    note: "Jawaban berasal dari apa yang telah kami terbitkan.",
    answer: "Jawaban",
    source: "Sumber",
    written: "Jawaban ini ditulis oleh program berdasarkan sumber yang disebutkan.",
    unknown: "Kami belum menerbitkan jawaban untuk pertanyaan ini.",
    missed: "Kami belum menerbitkan jawaban untuk:",
    used_up: "Saat ini tidak ada lagi pertanyaan yang dapat dijawab di sini. Silakan kembali lagi nanti.",
    nothing_asked: "Silakan tulis pertanyaan dengan kata-kata Anda sendiri.",
    not_taken: "Pertanyaan tidak lagi dijawab di sini.",
    another: "Ajukan pertanyaan lain",
};

pub(super) static FORM: FormWords = FormWords {
    tag: "id",
    contact: ["Nama", "Email", "Pesan"],
    send: "Kirim",
    optional: "(opsional)",
    thanks_title: "Terima kasih",
    thanks: "Kami telah menerima pesan Anda dan akan menghubungi Anda.",
    back: "Kembali ke halaman",
    go_on: "Lanjutkan",
    check_again: "Silakan periksa isian Anda",
    gone: "Formulir ini tidak tersedia lagi",
    not_now: "Kiriman ini tidak dapat diterima. Silakan coba lagi nanti.",
    too_large: "Kiriman ini terlalu besar: semua file bersama-sama boleh berukuran 10 MB.",
    required: "Silakan isi kolom ini.",
    not_agreed: "Silakan setujui ini.",
    email: "Silakan masukkan alamat email, misalnya nama@example.com.",
    phone: "Silakan masukkan nomor telepon, misalnya +62 21 1234 5678.",
    url: "Silakan masukkan alamat situs web, misalnya example.com.",
    number: "Silakan masukkan angka, misalnya 25000 atau 2,5.",
    date: "Silakan masukkan tanggal.",
    option: "Silakan pilih salah satu opsi.",
    too_short: "Silakan masukkan minimal {} karakter.",
    too_long: "Silakan masukkan maksimal {} karakter.",
    too_small: "Silakan masukkan angka minimal {}.",
    too_big: "Silakan masukkan angka maksimal {}.",
};
