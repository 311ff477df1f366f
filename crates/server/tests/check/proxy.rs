//! A server that passes everything on to a right one, and spoils what comes back.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use pointbook_check::Json;

/// Where the interface begins on both servers.
const BASE_PATH: &str = "/acme/api";

/// A request, in parts that a fault may change.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ApiRequest {
    pub(crate) method: String,
    /// Below the base address.
    pub(crate) path: String,
    /// As it came, percent-encoded.
    pub(crate) query: String,
    pub(crate) authorization: Option<String>,
    pub(crate) if_none_match: Option<String>,
}

impl ApiRequest {
    /// Whether the query has this text, decoded as far as brackets go.
    pub(crate) fn asks(&self, text: &str) -> bool {
        self.readable_query().contains(text)
    }

    /// Replaces a text in the query.
    pub(crate) fn replace(&mut self, from: &str, to: &str) {
        self.query = self.readable_query().replace(from, to);
    }

    fn readable_query(&self) -> String {
        self.query.replace("%5B", "[").replace("%5D", "]")
    }

    /// The number of the page that is asked for.
    pub(crate) fn page(&self) -> u32 {
        let query = self.readable_query();
        let value = query.split('&').find_map(|pair| pair.strip_prefix("page[number]="));
        value.and_then(|value| value.parse().ok()).unwrap_or(1)
    }
}

/// An answer, in parts that a fault may change.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    pub(crate) status: u16,
    /// Names in small letters.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Told {
    /// Changes the body as JSON, where it is JSON of a 200.
    pub(crate) fn edit(&mut self, change: impl FnOnce(&mut Json)) {
        if self.status != 200 || self.body.is_empty() {
            return;
        }
        let mut json = Json::parse(self.body.as_bytes()).unwrap();
        change(&mut json);
        self.body = json.to_string();
    }

    /// Changes every occurrence of a text in the body.
    pub(crate) fn replace(&mut self, from: &str, to: &str) {
        self.body = self.body.replace(from, to);
    }

    pub(crate) fn set_header(&mut self, name: &str, value: &str) {
        self.headers.retain(|(found, _)| found != name);
        self.headers.push((name.to_owned(), value.to_owned()));
    }

    pub(crate) fn become_json(&mut self, status: u16, body: &str) {
        self.status = status;
        body.clone_into(&mut self.body);
        self.set_header("content-type", "application/json");
    }
}

/// The right server. What it answered once, it is not asked again.
pub(crate) struct Origin {
    authority: String,
    memory: Mutex<HashMap<ApiRequest, Told>>,
}

impl Origin {
    pub(crate) fn new(authority: &str) -> Arc<Self> {
        Arc::new(Self { authority: authority.to_owned(), memory: Mutex::default() })
    }

    pub(crate) fn ask(&self, asked: &ApiRequest) -> Told {
        let known = self.memory.lock().unwrap().get(asked).cloned();
        known.unwrap_or_else(|| {
            let told = self.fetch(asked);
            self.memory.lock().unwrap().insert(asked.clone(), told.clone());
            told
        })
    }

    fn fetch(&self, asked: &ApiRequest) -> Told {
        let ApiRequest { method, path, query, authorization, if_none_match } = asked;
        let mut stream = TcpStream::connect(&self.authority).unwrap();
        let mark = if query.is_empty() { "" } else { "?" };
        write!(stream, "{method} {BASE_PATH}{path}{mark}{query} HTTP/1.1\r\nHost: {}\r\n", self.authority)
            .unwrap();
        for (name, value) in [("Authorization", authorization), ("If-None-Match", if_none_match)] {
            if let Some(value) = value {
                write!(stream, "{name}: {value}\r\n").unwrap();
            }
        }
        write!(stream, "Connection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        read_answer(&answer)
    }
}

fn read_answer(answer: &str) -> Told {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let header = |line: &str| {
        let (name, value) = line.split_once(':').unwrap();
        (name.to_ascii_lowercase(), value.trim().to_owned())
    };
    Told { status, headers: lines.map(header).collect(), body: body.to_owned() }
}

/// What is wrong with a server.
#[derive(Clone, Copy)]
pub(crate) struct Spoil {
    /// Before the right server is asked.
    pub(crate) ask: fn(&mut ApiRequest),
    /// After it has answered what was asked first.
    pub(crate) tell: fn(&ApiRequest, &mut Told, &Origin),
}

/// Serves until the process ends; gives where.
pub(crate) fn start(origin: Arc<Origin>, spoil: Spoil) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let origin = origin.clone();
            thread::spawn(move || answer(stream.unwrap(), address, &origin, spoil));
        }
    });
    address
}

/// The base address of the interface there.
pub(crate) fn base_url(address: SocketAddr) -> String {
    format!("http://{address}{BASE_PATH}")
}

fn answer(mut stream: TcpStream, address: SocketAddr, origin: &Origin, spoil: Spoil) {
    let Some(asked) = read_request(&stream) else { return };
    let mut passed_on = asked.clone();
    (spoil.ask)(&mut passed_on);
    let mut told = origin.ask(&passed_on);
    (spoil.tell)(&asked, &mut told, origin);
    told.replace(&origin.authority, &address.to_string());
    told.headers
        .retain(|(name, _)| !["content-length", "connection", "transfer-encoding"].contains(&&**name));
    let headers: Vec<String> =
        told.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let text = format!("HTTP/1.1 {} Some reason\r\n{}", told.status, headers.concat());
    let length =
        if told.status == 304 { String::new() } else { format!("content-length: {}\r\n", told.body.len()) };
    let body = if asked.method == "HEAD" || told.status == 304 { "" } else { &told.body };
    // A client that left wants no answer.
    let _ = write!(stream, "{text}{length}connection: close\r\n\r\n{body}");
}

fn read_request(stream: &TcpStream) -> Option<ApiRequest> {
    let mut lines = BufReader::new(stream).lines();
    let line = lines.next()?.ok()?;
    let mut words = line.split(' ');
    let (method, target) = (words.next()?.to_owned(), words.next()?);
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let path = path.strip_prefix(BASE_PATH)?.to_owned();
    let (mut authorization, mut if_none_match) = (None, None);
    for line in lines.map_while(Result::ok).take_while(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':')?;
        match name.to_ascii_lowercase().as_str() {
            "authorization" => authorization = Some(value.trim().to_owned()),
            "if-none-match" => if_none_match = Some(value.trim().to_owned()),
            _ => {}
        }
    }
    Some(ApiRequest { method, path, query: query.to_owned(), authorization, if_none_match })
}
