//! A client that sends the bytes it is given and reads no more than one answer.

use std::io::Read;
use std::net::SocketAddr;

use flate2::read::GzDecoder;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

/// A connection to the server under test.
pub(crate) struct Client(TcpStream);

/// An answer: its status, its headers with names in lower case, its body, unpacked.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Answer {
    /// The header, if it is there once; all of them joined, if it is there more than once.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let values = self.headers.iter().filter(|(known, _)| known == name);
        let values: Vec<&str> = values.map(|(_, value)| value.as_str()).collect();
        (!values.is_empty()).then(|| values.join(", "))
    }

    /// Whether this is the error with this status and message, as JSON.
    #[track_caller]
    pub(crate) fn assert_error(&self, status: u16, message: &str) {
        assert_eq!(self.status, status, "{}", self.body);
        // No operation of pointbook is asked for here, so the code is in the header alone.
        assert_eq!(self.body, format!("{{\"message\":\"{message}\"}}"));
        assert!(self.header("error-code").is_some_and(|code| !code.is_empty()), "{message}");
        assert_eq!(self.header("content-type").as_deref(), Some("application/json"));
        assert_eq!(self.header("cache-control").as_deref(), Some("no-cache, private"));
    }

    /// Whether this is a response of hyper to bytes that it could not read as a request.
    fn is_bare(&self) -> bool {
        let has_no_body = self.header("content-length").as_deref() == Some("0");
        [400, 414, 431].contains(&self.status) && has_no_body && self.header("content-type").is_none()
    }

    /// Whether this is such a response, with this status.
    #[track_caller]
    pub(crate) fn assert_bare(&self, status: u16) {
        assert_eq!(self.status, status, "{}", self.body);
        assert!(self.is_bare(), "{:?} {}", self.headers, self.body);
    }
}

impl Client {
    pub(crate) async fn connect(address: SocketAddr) -> Self {
        Self(TcpStream::connect(address).await.unwrap())
    }

    /// Connects from another address of this machine.
    pub(crate) async fn connect_from(own: [u8; 4], address: SocketAddr) -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((own, 0).into()).unwrap();
        Self(socket.connect(address).await.unwrap())
    }

    /// Connects and sends, and leaves the server no time to notice.
    pub(crate) fn connect_and_send(address: SocketAddr, bytes: &str) -> Self {
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        std::io::Write::write_all(&mut stream, bytes.as_bytes()).unwrap();
        stream.set_nonblocking(true).unwrap();
        Self(TcpStream::from_std(stream).unwrap())
    }

    pub(crate) async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.write_all(bytes.as_ref()).await.unwrap();
    }

    /// Sends a request without a body, with these lines as headers beside `Host`, and reads the answer.
    pub(crate) async fn ask(&mut self, method: &str, path: &str, headers: &[&str]) -> Answer {
        self.request(method, path, headers).await;
        self.answer(method != "HEAD").await
    }

    pub(crate) async fn get(&mut self, path: &str) -> Answer {
        self.ask("GET", path, &[]).await
    }

    pub(crate) async fn request(&mut self, method: &str, path: &str, headers: &[&str]) {
        let headers: String = headers.iter().flat_map(|line| [line, "\r\n"]).collect();
        self.send(format!("{method} {path} HTTP/1.1\r\nHost: acme.example\r\n{headers}\r\n")).await;
    }

    pub(crate) async fn answer(&mut self, has_body: bool) -> Answer {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(self.0.read_u8().await.expect("an answer"));
        }
        let head = String::from_utf8(head).unwrap();
        let mut lines = head.trim_end().split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let split =
            |line: &str| line.split_once(": ").map(|(name, value)| (name.to_owned(), value.to_owned()));
        let mut answer = Answer { status, headers: lines.filter_map(split).collect(), body: String::new() };
        // A 100 only says that the response is still to come, and what hyper refuses has a bare status.
        let is_ours = status >= 200 && !answer.is_bare();
        assert!(!is_ours || answer.header("x-content-type-options").as_deref() == Some("nosniff"));
        let length = answer.header("content-length").map_or(0, |length| length.parse().unwrap());
        let mut body = vec![0; if has_body { length } else { 0 }];
        self.0.read_exact(&mut body).await.unwrap();
        answer.body = match answer.header("content-encoding").as_deref() {
            Some("gzip") => {
                let mut text = String::new();
                GzDecoder::new(&*body).read_to_string(&mut text).unwrap();
                text
            }
            _ => String::from_utf8(body).unwrap(),
        };
        answer
    }

    /// Everything until the server closes the connection.
    pub(crate) async fn rest(&mut self) -> String {
        let mut rest = Vec::new();
        // A connection that is reset is closed as well.
        let _ = self.0.read_to_end(&mut rest).await;
        String::from_utf8(rest).unwrap()
    }

    /// Ends the client's side.
    pub(crate) async fn finish(&mut self) {
        self.0.shutdown().await.unwrap();
    }
}
