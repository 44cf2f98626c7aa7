//! Files: what variants of a photograph cost, one of them from disk beside nginx, and the server's memory while a large upload arrives.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use image::{Rgb, RgbImage};
use serde_json::{Value, json};

use crate::pairs::Caller;
use crate::people::Chance;
use crate::report::{Bar, PeerRow, Report, median};
use crate::request::Template;
use crate::scenarios::measure_any;
use crate::server::{Server, usage};
use crate::setup::{Engine, Setup, key};
use crate::{Result, client, say};

const MEBIBYTE: f64 = 1024.0 * 1024.0;
const CONNECTIONS: usize = 64;
/// About how many bytes the variant has that is served from disk.
const SERVED: usize = 100_000;
/// The upload whose memory is measured, in bytes.
const UPLOADED: usize = 50 * 1024 * 1024;
/// The photograph, in pixels.
const PHOTOGRAPH: (u32, u32) = (4_000, 3_000);
/// How long variants may take to be made.
const TIME_LIMIT: Duration = Duration::from_secs(60);
/// Where distributions put nginx.
const NGINX: [&str; 3] = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"];

/// Measures all of it, if it was asked for.
pub fn run(setup: &Setup, report: &mut Report) -> Result<()> {
    if !setup.options.wants("pictures") {
        return Ok(());
    }
    variants(setup, report)?;
    if setup.options.wants_engine("sqlite") {
        from_disk(setup, report)?;
        upload_memory(setup, report)?;
    }
    Ok(())
}

/// All variants of a photograph, in the process that the server starts for it: as usual, and as AVIF, of which nothing is promised.
fn variants(setup: &Setup, report: &mut Report) -> Result<()> {
    let photograph = photograph()?;
    let (took, peak) = made(setup, &photograph, &[])?;
    let name = "variants of a JPEG of 12 megapixels, all widths, WebP";
    report.bar(Bar::at_most(format!("{name}: time of one core"), took, 2.0, "s"));
    report.bar(Bar::at_most(format!("{name}: memory"), peak, 150.0, "MiB"));
    let (took, peak) = made(setup, &photograph, &["--avif"])?;
    let name = "the same as AVIF, which is a setting that is off";
    report.bar(Bar::told(format!("{name}: time of one core"), took, "s"));
    report.bar(Bar::told(format!("{name}: memory"), peak, "MiB"));
    Ok(())
}

/// How many seconds of one core, and mebibytes, it takes to make the variants of a photograph.
fn made(setup: &Setup, photograph: &[u8], how: &[&str]) -> Result<(f64, f64)> {
    let mut took = Vec::new();
    let mut peak = 0;
    for _ in 0..setup.options.rounds(3) {
        let mut process = Command::new(&setup.options.binary)
            .args(["read-picture", "--kind", "raster", "--memory-mib", "512", "--seconds", "60"])
            .args(how)
            .env_clear()
            .env("MIMALLOC_ARENA_RESERVE", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (Some(mut input), Some(mut output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err("a process without input and output".into());
        };
        input.write_all(photograph)?;
        drop(input);
        // It answers when it has done everything, and waits until the whole answer is taken: what it has used can be read then.
        let mut answer = vec![0];
        output.read_exact(&mut answer)?;
        let used = usage(process.id())?;
        output.read_to_end(&mut answer)?;
        if !process.wait()?.success() || !answer.starts_with(b"{\"read\"") {
            return Err("the photograph was not read".into());
        }
        took.push(used.cpu.as_secs_f64());
        peak = peak.max(used.peak_bytes);
    }
    let (took, peak) = (median(took), peak as f64 / MEBIBYTE);
    say(&format!("variants of 12 megapixels {}: {took:.2} s of one core, {peak:.0} MiB", how.concat()))?;
    Ok((took, peak))
}

/// A picture with surfaces, edges and grain, as photographs have.
pub fn photograph() -> Result<Vec<u8>> {
    let mut state = 1_u32;
    let pixels = RgbImage::from_fn(PHOTOGRAPH.0, PHOTOGRAPH.1, |x, y| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let grain = (state >> 27) as f32 - 16.0;
        let (x, y) = (x as f32 / 97.0, y as f32 / 131.0);
        let hill = if (x * 0.7).sin() * 4.0 + 12.0 > y { 60.0 } else { 0.0 };
        let leaf = ((x * 9.0).sin() * (y * 11.0).cos()).max(0.0) * 40.0;
        let part = |base: f32| (base + hill + leaf + grain * 0.5).clamp(0.0, 255.0) as u8;
        Rgb([part(70.0 + y * 3.0), part(90.0 + x), part(120.0 - y * 2.0)])
    });
    let mut bytes = Vec::new();
    image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, 88).encode_image(&pixels)?;
    Ok(bytes)
}

/// Uploads bytes; the file.
pub fn upload(caller: &Caller, name: &str, bytes: &[u8]) -> Result<Value> {
    let mut stream = TcpStream::connect(caller.address)?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    let head = format!(
        "POST /v0/files?name={name} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: {}\r\nconnection: close\r\n\
         content-type: application/octet-stream\r\ncontent-length: {}\r\n\r\n",
        caller.key,
        bytes.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(bytes)?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let answer = String::from_utf8_lossy(&answer);
    let (head, body) = answer.split_once("\r\n\r\n").ok_or("an answer without an end of its head")?;
    if !head.starts_with("HTTP/1.1 201") {
        return Err(format!("an upload: {answer}").into());
    }
    Ok(serde_json::from_str(body)?)
}

fn noise(length: usize) -> Vec<u8> {
    let mut chance = Chance::new(11);
    (0..length).map(|_| chance.below(256) as u8).collect()
}

/// Uploads a picture and shows it on a page; that page's path on the site.
pub fn shown(caller: &Caller, photograph: &[u8]) -> Result<String> {
    let file = upload(caller, "orchard.jpg", photograph)?;
    let page = json!({
        "name": "Spring", "pageContext": "Spring.", "brandId": "", "actions": [], "actionCardWidgets": [], "scripts": [],
        "metadata": { "ogImage": { "type": "file", "fileId": file["fileId"] } },
    });
    let page = caller.ask("POST", "/v0/pages", Some(&page))?;
    let original = page["metadata"]["ogImageUrl"].as_str().ok_or("no address of the picture")?;
    let at = format!("/v0/pages/{}", page["pageId"].as_str().ok_or("a page without an id")?);
    let (audience, version) = caller.finished_audience(&at)?;
    let image = json!({ "url": original, "altText": "An orchard" });
    let content =
        json!({ "blocks": [{ "type": "hero", "blockId": "b1", "title": "Spring", "image": image }] });
    let version = format!("{at}/audiences/{audience}/versions/{version}");
    caller.ask("PUT", &format!("{version}/content"), Some(&content))?;
    caller.ask("POST", &format!("{version}/publish"), Some(&json!({})))?;
    let link = caller.ask("GET", &format!("{at}/audiences/{audience}/link"), None)?;
    Ok(link["path"].as_str().ok_or("a link without a path")?.to_owned())
}

/// The addresses of the variants that a page names, as soon as there are some.
pub fn variants_on(server: &Server, host: &str, page: &str) -> Result<Vec<String>> {
    let begun = Instant::now();
    while begun.elapsed() < TIME_LIMIT {
        let (_, _, html) = client::fetch(server.address, &Template::visit(host, page, "identity"))?;
        let html = String::from_utf8_lossy(&html);
        let addresses = html.match_indices("/files/").map(|(at, _)| {
            let rest = &html[at..];
            rest[..rest.find([' ', '"', ',', ')']).unwrap_or(rest.len())].to_owned()
        });
        // An original has no part of its address for the width.
        let mut found: Vec<String> = addresses.filter(|path| path.matches('/').count() == 3).collect();
        found.sort();
        found.dedup();
        if !found.is_empty() {
            return Ok(found);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Err("the page shows no variants of its picture".into())
}

/// A variant of a photograph, at the address that pages name, beside nginx with the same bytes.
fn from_disk(setup: &Setup, report: &mut Report) -> Result<()> {
    let Some(program) = NGINX.into_iter().map(PathBuf::from).find(|path| path.exists()) else {
        let missing = "nginx is not installed: a picture from disk is compared with nothing";
        say(missing)?;
        report.problem(missing.to_owned());
        return Ok(());
    };
    let store = setup.store(Engine::Sqlite, "pictures")?;
    let server = setup.serve(&store, "pictures", &[])?;
    let page = shown(&Caller::new(&server, key()), &photograph()?)?;
    let host = format!("default.localhost:{}", server.address.port());
    let mut served: Option<(String, Vec<u8>)> = None;
    for path in variants_on(&server, &host, &page)? {
        let (status, head, bytes) =
            client::fetch(server.address, &Template::visit(&host, &path, "identity"))?;
        if status != 200 || !bytes.starts_with(b"RIFF") {
            return Err(format!("a variant of a picture: {head}").into());
        }
        let is_nearer =
            |(_, other): &(String, Vec<u8>)| bytes.len().abs_diff(SERVED) < other.len().abs_diff(SERVED);
        if served.as_ref().is_none_or(is_nearer) {
            served = Some((path, bytes));
        }
    }
    let (path, bytes) = served.ok_or("a page without variants of its picture")?;
    let ours = Template::visit(&host, &path, "identity");
    let folder = setup.directory.path().join("nginx");
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("picture.webp"), &bytes)?;
    let nginx = serve_by_nginx(&program, setup, &folder)?;
    let theirs = Template::visit("localhost", "/picture.webp", "identity");
    let mut rounds = Vec::new();
    for _ in 0..setup.options.rounds(3) {
        let below = measure_any(setup, &nginx, &theirs, CONNECTIONS)?;
        let above = measure_any(setup, &server, &ours, CONNECTIONS)?;
        say(&format!("picture from disk: {:.0} a second, nginx {:.0}", above.per_second, below.per_second))?;
        report.note_errors("picture from disk, nginx", &below);
        report.note_errors("picture from disk", &above);
        rounds.push((above, below.per_second));
    }
    let share = median(rounds.iter().map(|(above, below)| above.per_second / below).collect());
    rounds.sort_by(|left, right| left.0.per_second.total_cmp(&right.0.per_second));
    let (service, peer) = rounds.swap_remove(rounds.len() / 2);
    let name = format!("variant of a photograph from disk, {} KB", bytes.len() / 1_000);
    report.bar(Bar::at_least(format!("{name}, {CONNECTIONS} connections: share of nginx"), share, 0.6, "×"));
    report.peers.push(PeerRow {
        engine: Engine::Sqlite,
        name,
        connections: CONNECTIONS,
        service,
        peer: Some(("nginx", peer)),
    });
    Ok(())
}

/// Starts nginx as it usually runs, with its log.
fn serve_by_nginx(program: &std::path::Path, setup: &Setup, folder: &std::path::Path) -> Result<Server> {
    let configuration = folder.join("nginx.conf");
    let at = folder.display().to_string();
    let written = configuration.clone();
    Server::start(program, setup.directory.path(), "nginx", &[], move |port| {
        let text = format!(
            "user root; daemon off; worker_processes 2; pid {at}/pid; error_log {at}/error.log;\n\
             events {{ worker_connections 1024; }}\n\
             http {{ access_log {at}/access.log; sendfile on; tcp_nopush on; keepalive_requests 1000000000;\n\
             client_body_temp_path {at}/a; proxy_temp_path {at}/b; fastcgi_temp_path {at}/c; uwsgi_temp_path {at}/d; scgi_temp_path {at}/e;\n\
             server {{ listen 127.0.0.1:{port}; root {at}; location = /readyz {{ return 200; }} }} }}\n"
        );
        // nginx itself says what is missing if this cannot be written.
        let _ = std::fs::write(&written, text);
        vec!["-c".to_owned(), written.display().to_string()]
    })
}

/// The server's memory while 50 MiB arrive, above what it has when idle.
fn upload_memory(setup: &Setup, report: &mut Report) -> Result<()> {
    let store = setup.store(Engine::Sqlite, "uploads")?;
    let server = setup.serve(&store, "uploads", &[])?;
    let bytes = noise(UPLOADED);
    std::thread::sleep(Duration::from_secs(1));
    let idle = usage(server.pid())?.resident_bytes as f64 / MEBIBYTE;
    upload(&Caller::new(&server, key()), "large.bin", &bytes)?;
    let peak = usage(server.pid())?.peak_bytes as f64 / MEBIBYTE;
    say(&format!("upload of 50 MiB: {idle:.1} MiB idle, {peak:.1} MiB at most"))?;
    report.bar(Bar::at_most("upload of 50 MiB: memory above idle".to_owned(), peak - idle, 16.0, "MiB"));
    Ok(())
}
