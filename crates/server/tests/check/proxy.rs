//! A proxy in front of a correct server, which adds faults to requests and responses.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use pointbook_exchange::check::Json;

/// The base path of the interface on both servers.
const BASE_PATH: &str = "/acme/api";

/// A request in parts that a fault may change.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ProxiedRequest {
    pub(crate) method: String,
    /// The path below the base URL.
    pub(crate) path: String,
    /// The unchanged query, percent-encoded.
    pub(crate) query: String,
    pub(crate) authorization: Option<String>,
    pub(crate) if_none_match: Option<String>,
}

impl ProxiedRequest {
    /// Whether the query contains this string, decoded but for brackets.
    pub(crate) fn query_has(&self, text: &str) -> bool {
        self.readable_query().contains(text)
    }

    /// Replaces a string in the query.
    pub(crate) fn replace(&mut self, from: &str, to: &str) {
        self.query = self.readable_query().replace(from, to);
    }

    fn readable_query(&self) -> String {
        self.query.replace("%5B", "[").replace("%5D", "]")
    }

    /// The requested page number.
    pub(crate) fn page(&self) -> u32 {
        let query = self.readable_query();
        let value = query.split('&').find_map(|pair| pair.strip_prefix("page[number]="));
        value.and_then(|value| value.parse().ok()).unwrap_or(1)
    }
}

/// A response in parts that a fault may change.
#[derive(Debug, Clone)]
pub(crate) struct ProxiedResponse {
    pub(crate) status: u16,
    /// The names are in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl ProxiedResponse {
    /// Changes the JSON body of a 200.
    pub(crate) fn edit(&mut self, change: impl FnOnce(&mut Json)) {
        if self.status != 200 || self.body.is_empty() {
            return;
        }
        let mut json = Json::parse(self.body.as_bytes()).unwrap();
        change(&mut json);
        self.body = json.to_string();
    }

    /// Replaces every occurrence of a string in the body.
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

/// The correct server. The proxy caches its responses.
pub(crate) struct Origin {
    authority: String,
    memory: Mutex<HashMap<ProxiedRequest, ProxiedResponse>>,
}

impl Origin {
    pub(crate) fn new(authority: &str) -> Arc<Self> {
        Arc::new(Self { authority: authority.to_owned(), memory: Mutex::default() })
    }

    pub(crate) fn send(&self, request: &ProxiedRequest) -> ProxiedResponse {
        let known = self.memory.lock().unwrap().get(request).cloned();
        known.unwrap_or_else(|| {
            let response = self.fetch(request);
            self.memory.lock().unwrap().insert(request.clone(), response.clone());
            response
        })
    }

    fn fetch(&self, request: &ProxiedRequest) -> ProxiedResponse {
        let ProxiedRequest { method, path, query, authorization, if_none_match } = request;
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
        parse_response(&answer)
    }
}

fn parse_response(answer: &str) -> ProxiedResponse {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let header = |line: &str| {
        let (name, value) = line.split_once(':').unwrap();
        (name.to_ascii_lowercase(), value.trim().to_owned())
    };
    ProxiedResponse { status, headers: lines.map(header).collect(), body: body.to_owned() }
}

/// A fault of a server.
#[derive(Clone, Copy)]
pub(crate) struct Tampering {
    /// Changes the request before the correct server gets it.
    pub(crate) on_request: fn(&mut ProxiedRequest),
    /// Changes the response. Also gets the original request.
    pub(crate) on_response: fn(&ProxiedRequest, &mut ProxiedResponse, &Origin),
}

/// Serves until the process ends. Returns the address.
pub(crate) fn start(origin: Arc<Origin>, tampering: Tampering) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let origin = origin.clone();
            thread::spawn(move || respond(stream.unwrap(), address, &origin, tampering));
        }
    });
    address
}

/// The base URL of the interface at this address.
pub(crate) fn base_url(address: SocketAddr) -> String {
    format!("http://{address}{BASE_PATH}")
}

fn respond(mut stream: TcpStream, address: SocketAddr, origin: &Origin, tampering: Tampering) {
    let Some(request) = read_request(&stream) else { return };
    let mut passed_on = request.clone();
    (tampering.on_request)(&mut passed_on);
    let mut response = origin.send(&passed_on);
    (tampering.on_response)(&request, &mut response, origin);
    response.replace(&origin.authority, &address.to_string());
    response
        .headers
        .retain(|(name, _)| !["content-length", "connection", "transfer-encoding"].contains(&&**name));
    let headers: Vec<String> =
        response.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let text = format!("HTTP/1.1 {} Some reason\r\n{}", response.status, headers.concat());
    let length = if response.status == 304 {
        String::new()
    } else {
        format!("content-length: {}\r\n", response.body.len())
    };
    let body = if request.method == "HEAD" || response.status == 304 { "" } else { &response.body };
    // The client may have closed the connection.
    let _ = write!(stream, "{text}{length}connection: close\r\n\r\n{body}");
}

fn read_request(stream: &TcpStream) -> Option<ProxiedRequest> {
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
    Some(ProxiedRequest { method, path, query: query.to_owned(), authorization, if_none_match })
}
