//! A network that loses a connection once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio_postgres::Config;
use tokio_postgres::config::Host;

use super::PostgresDatabase;

/// The direction of the loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lost {
    /// The message does not reach the server.
    Question,
    /// The server executes the message, and its response is lost.
    Answer,
}

/// Returns a URL of the same database through a proxy. The proxy closes the connection at the first message with this word,
/// and forwards all others.
pub async fn losing_first(word: &'static str, lost: Lost, database: &PostgresDatabase) -> String {
    let config: Config = database.url.parse().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let url = format!("postgres://{}@{address}/{}", config.get_user().unwrap(), database.name);
    let cut = Arc::new(Loss { word, lost, is_to_come: AtomicBool::new(true) });
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(pass_on(client, connect(&config).await, cut.clone()));
        }
    });
    url
}

struct Loss {
    word: &'static str,
    lost: Lost,
    is_to_come: AtomicBool,
}

impl Loss {
    /// Whether this message triggers the loss.
    fn comes_with(&self, message: &[u8]) -> bool {
        let word = self.word.as_bytes();
        message.windows(word.len()).any(|part| part == word) && self.is_to_come.swap(false, Ordering::SeqCst)
    }
}

trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

async fn connect(config: &Config) -> Box<dyn Stream> {
    let port = config.get_ports().first().copied().unwrap_or(5432);
    match &config.get_hosts()[0] {
        Host::Unix(folder) => {
            Box::new(UnixStream::connect(folder.join(format!(".s.PGSQL.{port}"))).await.unwrap())
        }
        Host::Tcp(host) => Box::new(TcpStream::connect((host.as_str(), port)).await.unwrap()),
    }
}

/// Forwards the messages of both sides, until one of them ends or the loss happens.
async fn pass_on(mut client: TcpStream, mut server: Box<dyn Stream>, loss: Arc<Loss>) {
    let (mut asked, mut answered) = (vec![0; 65_536], vec![0; 65_536]);
    loop {
        tokio::select! {
            Ok(length @ 1..) = client.read(&mut asked) => {
                let is_lost = loss.comes_with(&asked[..length]);
                if is_lost && loss.lost == Lost::Question {
                    return;
                }
                server.write_all(&asked[..length]).await.unwrap();
                if is_lost {
                    assert!(server.read(&mut answered).await.unwrap() > 0);
                    return;
                }
            }
            Ok(length @ 1..) = server.read(&mut answered) => {
                if client.write_all(&answered[..length]).await.is_err() {
                    return;
                }
            }
            else => return,
        }
    }
}
