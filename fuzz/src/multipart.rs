//! Forms of browsers, with and without files.

use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, Method, Uri};
use pointbook_domain::TenantId;
use pointbook_http::kernel::{BodyOwner, ClientAddress, Face, PageRequest, RequestBody, TrustedProxies};
use pointbook_http::pages::{Form, FormLimits, PageError};

use crate::body::{Arrival, receive};

const LIMITS: FormLimits =
    FormLimits { bytes: 1 << 20, fields: 8, files: 4, too_large: FormLimits::TOO_LARGE };

/// The names of fields that the seeds have.
const NAMES: [&str; 4] = ["form", "picture", "a", ""];

/// The same form is read however the body arrives, and it has no more than the body. Written again, it is read as the same form.
pub(crate) fn read(body: &[u8]) {
    let Some(fields) = form(body, Arrival::Whole) else {
        assert_eq!(form(body, Arrival::InPieces), None);
        return;
    };
    assert_eq!(form(body, Arrival::InPieces).as_ref(), Some(&fields));
    if let Some(boundary) = boundary_of(body) {
        let bytes: usize = fields.iter().map(|Part { content, .. }| content.len()).sum();
        assert!(bytes <= body.len());
        let names: usize = fields.iter().filter_map(|part| part.file_name.as_ref()).map(String::len).sum();
        // A longer name may be too long for the headers of a part when it is escaped. Without a part, the boundary is not in the first
        // line.
        if names < 1_000 && !fields.is_empty() {
            assert_eq!(form(&written(&fields, boundary), Arrival::Whole), Some(fields));
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Part {
    name: &'static str,
    /// `None` for a field.
    file_name: Option<String>,
    content: Vec<u8>,
}

/// A body that begins with a delimiter is a form with files. Its first line says the boundary, as its header would.
fn boundary_of(body: &[u8]) -> Option<&str> {
    let line = body.strip_prefix(b"--")?.split(|byte| *byte == b'\r').next()?;
    str::from_utf8(line).ok().filter(|line| line.is_ascii())
}

/// The parts with known names. `None` for a refused form.
fn form(body: &[u8], arrival: Arrival) -> Option<Vec<Part>> {
    let mut headers = HeaderMap::new();
    headers.insert("sec-fetch-site", HeaderValue::from_static("same-origin"));
    if let Some(boundary) = boundary_of(body) {
        let value = format!("multipart/form-data; boundary=\"{boundary}\"");
        headers.insert(CONTENT_TYPE, HeaderValue::from_str(&value).ok()?);
    }
    let form = receive(body, arrival, async |body| read_form(&headers, body).await).ok()?;
    let parts = NAMES.into_iter().flat_map(|name| {
        let file = form.file(name).map(|file| Part {
            name,
            file_name: Some(file.name.clone()),
            content: file.bytes.to_vec(),
        });
        let fields = form.all(name).map(move |text| Part { name, file_name: None, content: text.into() });
        file.into_iter().chain(fields)
    });
    Some(parts.collect())
}

async fn read_form(headers: &HeaderMap, body: &RequestBody<'_>) -> Result<Form, PageError> {
    let (trusted, peer) = (TrustedProxies::default(), "192.0.2.1:80");
    let request = PageRequest::<()> {
        face: Face::Whole,
        method: &Method::POST,
        uri: &Uri::from_static("/console"),
        headers,
        body,
        route: &<_>::default(),
        tenant: &<_>::default(),
        principal: &<_>::default(),
        operator: &<_>::default(),
        client: ClientAddress::new(&trusted, peer, headers),
        request_id: "r",
    };
    Form::read(&request, LIMITS, || BodyOwner::of(TenantId::new("t").unwrap(), String::new())).await
}

/// The form as a browser sends it.
fn written(parts: &[Part], boundary: &str) -> Vec<u8> {
    let mut body = Vec::new();
    for Part { name, file_name, content } in parts {
        let escaped = |text: &str| text.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A");
        let file_name = file_name.as_ref().map(|name| format!("; filename=\"{}\"", escaped(name)));
        let disposition =
            format!("Content-Disposition: form-data; name=\"{name}\"{}", file_name.unwrap_or_default());
        body.extend(format!("--{boundary}\r\n{disposition}\r\n\r\n").bytes());
        body.extend(content);
        body.extend(b"\r\n");
    }
    body.extend(format!("--{boundary}--\r\n").bytes());
    body
}
