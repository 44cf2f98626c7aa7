//! A mail server on a port of the machine: it keeps what it is sent and answers what the test says.

use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A mail that arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mailed {
    /// From whom, by the envelope.
    pub from: String,
    /// To whom, by the envelope.
    pub to: Vec<String>,
    /// Head and text as they came.
    pub message: String,
}

#[derive(Default)]
struct Shared {
    mailed: Mutex<Vec<Mailed>>,
    /// What is answered to the next mails instead of taking them.
    refusals: Mutex<VecDeque<&'static str>>,
}

/// A running mail server; it ends with this.
pub struct SmtpServer {
    /// Where it listens.
    pub address: SocketAddr,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

impl SmtpServer {
    /// A server that takes every mail.
    pub async fn start() -> SmtpServer {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::<Shared>::default();
        let serving = Arc::clone(&shared);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let shared = Arc::clone(&serving);
                // Whoever hangs up has said enough.
                tokio::spawn(async move { drop(talk(stream, &shared).await) });
            }
        });
        SmtpServer { address, shared, task }
    }

    /// Lets it refuse the next mails with these answers.
    pub fn refuse(&self, answers: impl IntoIterator<Item = &'static str>) {
        self.shared.refusals.lock().unwrap().extend(answers);
    }

    /// Everything that it took, in order.
    pub fn mailed(&self) -> Vec<Mailed> {
        self.shared.mailed.lock().unwrap().clone()
    }
}

impl Drop for SmtpServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn talk(mut stream: TcpStream, shared: &Shared) -> std::io::Result<()> {
    let (reader, mut writer) = stream.split();
    let mut lines = BufReader::new(reader).lines();
    writer.write_all(b"220 mail.test ESMTP\r\n").await?;
    let mut mail = Mailed { from: String::new(), to: vec![], message: String::new() };
    while let Some(line) = lines.next_line().await? {
        let path =
            || line.split_once('<').map(|(_, rest)| rest.split('>').next().unwrap_or_default().to_owned());
        let verb = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
        let answer = match verb.as_str() {
            "EHLO" => "250-mail.test\r\n250 8BITMIME",
            "MAIL" => {
                mail = Mailed { from: path().unwrap(), to: vec![], message: String::new() };
                "250 OK"
            }
            "RCPT" => match shared.refusals.lock().unwrap().pop_front() {
                Some(refusal) => refusal,
                None => {
                    mail.to.push(path().unwrap());
                    "250 OK"
                }
            },
            "DATA" => {
                writer.write_all(b"354 go on\r\n").await?;
                while let Some(line) = lines.next_line().await?.filter(|line| line != ".") {
                    mail.message.push_str(line.strip_prefix('.').unwrap_or(&line));
                    mail.message.push('\n');
                }
                shared.mailed.lock().unwrap().push(mail.clone());
                "250 taken"
            }
            "QUIT" => "221 bye",
            _ => "250 OK",
        };
        writer.write_all(format!("{answer}\r\n").as_bytes()).await?;
    }
    Ok(())
}
