//! An OpenID Connect issuer on this machine that follows the rules, except for one planted fault.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use data_encoding::{BASE64, BASE64URL_NOPAD};
use pointbook_access::openid::{Issuer, OpenId, Settings};
use sha2::{Digest, Sha256};
use url::{Url, form_urlencoded};

use super::members::{Members, text};

pub(super) const CLIENT_ID: &str = "pointbook";
/// It has characters that HTTP Basic authentication has to encode.
pub(super) const CLIENT_SECRET: &str = "a secret: 100%+ünsafe";

/// The one thing that the issuer does wrong.
#[derive(Clone, Copy)]
pub(super) enum Plant {
    Nothing,
    Metadata(fn(&mut Members)),
    Discovery(Reply),
    /// Changes the response of the token endpoint.
    Answer(fn(&mut Members)),
    Exchange(Reply),
    Claims(fn(&mut Members)),
    /// Makes another text of the payload.
    Payload(fn(&str) -> String),
    /// Makes another text of the ID token.
    Token(fn(&str) -> String),
    /// Codes work any number of times, for every verifier.
    AcceptsEveryCode,
}

/// A response that is no good one.
#[derive(Clone, Copy)]
pub(super) enum Reply {
    /// This status line and headers, and the usual body.
    Head(&'static str),
    /// This body as JSON.
    Body(&'static str),
    /// A body of this many bytes.
    Long(usize),
    /// The connection ends without a response.
    Closed,
    /// The connection stays open without a response.
    Silent,
}

/// How the client proves who it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Proof {
    Basic,
    Post,
    Public,
}

/// What a code is good for.
struct Grant {
    nonce: String,
    challenge: String,
    redirect_uri: String,
    email: String,
    now: i64,
}

struct State {
    address: SocketAddr,
    plant: Plant,
    proof: Proof,
    grants: HashMap<String, Grant>,
    codes: u32,
    /// The requests so far.
    requests: u32,
    held: Vec<TcpStream>,
    /// The origin of the console.
    console: &'static str,
}

pub(super) struct FakeIssuer(Arc<Mutex<State>>);

impl FakeIssuer {
    /// Listens until the process ends.
    pub(super) fn start(proof: Proof) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, grants, held) = (listener.local_addr().unwrap(), HashMap::new(), Vec::new());
        let state = State {
            address,
            plant: Plant::Nothing,
            proof,
            grants,
            codes: 0,
            requests: 0,
            held,
            console: "https://shop.example",
        };
        let state = Arc::new(Mutex::new(state));
        let answering = state.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                answering.lock().unwrap().answer(stream.unwrap());
            }
        });
        Self(state)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.state().address)
    }

    pub(super) fn plant(&self, plant: Plant) {
        self.state().plant = plant;
    }

    /// From now on, only the console at this origin may send people here.
    pub(super) fn expect_return_to(&self, console: &'static str) {
        self.state().console = console;
    }

    pub(super) fn requests(&self) -> u32 {
        self.state().requests
    }

    /// The client that a server would have.
    pub(super) fn client(&self, timeout: Duration) -> OpenId {
        let has_secret = self.state().proof != Proof::Public;
        OpenId::new(Settings {
            issuer: Issuer::parse(&self.url()).unwrap(),
            client_id: CLIENT_ID.to_owned(),
            client_secret: has_secret.then(|| CLIENT_SECRET.to_owned()),
            name: "Fake & Co".to_owned(),
            timeout,
        })
    }

    /// What the issuer does when a browser comes with this URL and this person agrees: the parameters of the callback.
    pub(super) fn authorize(&self, url: &str, email: &str, now: i64) -> Vec<(String, String)> {
        let url = Url::parse(url).unwrap();
        let sent: HashMap<_, _> = url.query_pairs().into_owned().collect();
        assert_eq!(url.path(), "/authorize");
        let redirect_uri = format!("{}/console/openid", self.state().console);
        for (name, value) in [
            ("response_type", "code"),
            ("scope", "openid email profile"),
            ("client_id", CLIENT_ID),
            ("code_challenge_method", "S256"),
            ("redirect_uri", &*redirect_uri),
        ] {
            assert_eq!(sent[name], value, "{name}");
        }
        let mut state = self.state();
        state.codes += 1;
        let code = format!("code {}", state.codes);
        let of = |name: &str| sent[name].clone();
        let (nonce, challenge, redirect_uri) = (of("nonce"), of("code_challenge"), of("redirect_uri"));
        let grant = Grant { nonce, challenge, redirect_uri, email: email.to_owned(), now };
        state.grants.insert(code.clone(), grant);
        let iss = format!("http://{}", state.address);
        [("code", code), ("state", of("state")), ("iss", iss)]
            .map(|(name, value)| (name.to_owned(), value))
            .into()
    }
}

impl State {
    fn answer(&mut self, mut stream: TcpStream) {
        let Some((head, body)) = read(&mut stream) else { return };
        self.requests += 1;
        let is_discovery = head.starts_with("GET /.well-known/openid-configuration HTTP/1.1\r\n");
        let usual = if is_discovery { Ok(self.metadata()) } else { self.exchange(&head, &body) };
        let reply = match self.plant {
            Plant::Discovery(reply) if is_discovery => Some(reply),
            Plant::Exchange(reply) if !is_discovery => Some(reply),
            _ => None,
        };
        let (ok, bad) =
            ("200 OK\r\nContent-Type: application/json", "400 Bad Request\r\nContent-Type: application/json");
        let (head, body) = match (reply, usual) {
            (Some(Reply::Silent), _) => return self.held.push(stream),
            (Some(Reply::Closed), _) => return,
            (Some(Reply::Head(head)), Ok(body)) => (head, body),
            (Some(Reply::Body(body)), _) => (ok, body.to_owned()),
            (Some(Reply::Long(bytes)), _) => (ok, format!("{{\"a\":\"{}\"}}", "a".repeat(bytes))),
            (None, Ok(body)) => (ok, body),
            (_, Err(error)) => (bad, format!("{{\"error\":\"{error}\"}}")),
        };
        let length = body.len();
        let sent = format!("HTTP/1.1 {head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}");
        // The client may stop reading what is too long.
        let _ = stream.write_all(sent.as_bytes());
    }

    fn metadata(&self) -> String {
        let issuer = format!("http://{}", self.address);
        let methods = match self.proof {
            Proof::Basic => r#"["client_secret_basic"]"#,
            Proof::Post => r#"["client_secret_post"]"#,
            Proof::Public => r#"["none"]"#,
        };
        let mut members = Members::new(
            0,
            &[
                ("issuer", text(&issuer)),
                ("authorization_endpoint", text(&format!("{issuer}/authorize"))),
                ("token_endpoint", text(&format!("{issuer}/token"))),
                ("token_endpoint_auth_methods_supported", methods.to_owned()),
                ("code_challenge_methods_supported", r#"["S256"]"#.to_owned()),
                ("authorization_response_iss_parameter_supported", "true".to_owned()),
            ],
        );
        if let Plant::Metadata(change) = self.plant {
            change(&mut members);
        }
        members.to_json()
    }

    /// Exchanges a code for an ID token, as strictly as issuers may.
    fn exchange(&mut self, head: &str, body: &str) -> Result<String, &'static str> {
        let form: HashMap<_, _> = form_urlencoded::parse(body.as_bytes()).into_owned().collect();
        let of = |name: &str| form.get(name).map(String::as_str).unwrap_or_default();
        if !head.starts_with("POST /token HTTP/1.1\r\n") || of("grant_type") != "authorization_code" {
            return Err("invalid_request");
        }
        if !self.is_client(head, of("client_id"), of("client_secret")) {
            return Err("invalid_client");
        }
        let accepts_every = matches!(self.plant, Plant::AcceptsEveryCode);
        let grant = self.grants.remove(of("code")).ok_or("invalid_grant")?;
        let challenge = BASE64URL_NOPAD.encode(&Sha256::digest(of("code_verifier")));
        let is_right = challenge == grant.challenge && of("redirect_uri") == grant.redirect_uri;
        if !accepts_every && !is_right {
            return Err("invalid_grant");
        }
        let token = self.id_token(&grant);
        let mut members = Members::new(
            grant.now,
            &[
                ("access_token", text("unused")),
                ("token_type", text("Bearer")),
                ("expires_in", "300".to_owned()),
                ("id_token", text(&token)),
            ],
        );
        if accepts_every {
            self.grants.insert(of("code").to_owned(), grant);
        }
        if let Plant::Answer(change) = self.plant {
            change(&mut members);
        }
        Ok(members.to_json())
    }

    fn is_client(&self, head: &str, id: &str, secret: &str) -> bool {
        let header = head.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("authorization").then_some(value)
        });
        let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
        let pair = format!("{}:{}", encoded(CLIENT_ID), encoded(CLIENT_SECRET));
        let basic = format!("Basic {}", BASE64.encode(pair.as_bytes()));
        match self.proof {
            Proof::Basic => header == Some(&basic) && id.is_empty() && secret.is_empty(),
            Proof::Post => header.is_none() && id == CLIENT_ID && secret == CLIENT_SECRET,
            Proof::Public => header.is_none() && id == CLIENT_ID && secret.is_empty(),
        }
    }

    fn id_token(&self, grant: &Grant) -> String {
        let Grant { nonce, email, now, .. } = grant;
        let mut claims = Members::new(
            *now,
            &[
                ("iss", text(&format!("http://{}", self.address))),
                ("sub", text("248289761001")),
                ("aud", text(CLIENT_ID)),
                ("exp", (now + 300).to_string()),
                ("iat", now.to_string()),
                ("nonce", text(nonce)),
                ("email", text(email)),
                ("email_verified", "true".to_owned()),
            ],
        );
        if let Plant::Claims(change) = self.plant {
            change(&mut claims);
        }
        let payload = match self.plant {
            Plant::Payload(change) => change(&claims.to_json()),
            _ => claims.to_json(),
        };
        let part = |text: &str| BASE64URL_NOPAD.encode(text.as_bytes());
        let token = format!("{}.{}.{}", part(r#"{"alg":"RS256"}"#), part(&payload), part("signature"));
        if let Plant::Token(change) = self.plant { change(&token) } else { token }
    }
}

/// The head and the body of a request. `None` when the client is gone.
fn read(stream: &mut TcpStream) -> Option<(String, String)> {
    let mut bytes = Vec::new();
    let mut part = [0; 4_096];
    loop {
        let text = String::from_utf8(bytes.clone()).unwrap();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let lower = head.to_ascii_lowercase();
            let length = lower.split("\r\ncontent-length: ").nth(1).and_then(|rest| rest.lines().next());
            if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
                return Some((format!("{head}\r\n"), body.to_owned()));
            }
        }
        let count = stream.read(&mut part).ok().filter(|count| *count > 0)?;
        bytes.extend(&part[..count]);
    }
}
