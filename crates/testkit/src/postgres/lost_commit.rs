//! A network that loses a connection while a commit is on its way.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio_postgres::Config;
use tokio_postgres::config::Host;

use super::PostgresDatabase;

/// Which way the loss happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lost {
    /// The server never hears of the commit.
    Commit,
    /// The server commits, and its answer is lost.
    Answer,
}

/// Gives a URL of the same database on which the first commit is lost and everything else arrives.
pub async fn losing_first_commit(database: &PostgresDatabase, lost: Lost) -> String {
    let config: Config = database.url.parse().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let url = format!("postgres://{}@{address}/{}", config.get_user().unwrap(), database.name);
    let is_armed = Arc::new(AtomicBool::new(true));
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(pass_on(client, connect(&config).await, lost, is_armed.clone()));
        }
    });
    url
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

/// Passes on what both sides say, until one of them ends or the commit comes.
async fn pass_on(mut client: TcpStream, mut server: Box<dyn Stream>, lost: Lost, is_armed: Arc<AtomicBool>) {
    let (mut asked, mut answered) = (vec![0; 65_536], vec![0; 65_536]);
    loop {
        tokio::select! {
            Ok(length @ 1..) = client.read(&mut asked) => {
                let is_commit = asked[..length].windows(6).any(|word| word == b"COMMIT");
                let is_lost = is_commit && is_armed.swap(false, Ordering::SeqCst);
                if is_lost && lost == Lost::Commit {
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
