//! The Lua that makes up requests for `wrk`: never the same twice, at little cost for each.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;

use super::super::BASE_PATH;
use super::Kind;
use super::ground::{BUYERS, Ground, PRODUCT, STRIDE, WRITERS};

/// A script, written to a file.
pub(super) struct Script {
    pub(super) file: PathBuf,
}

impl Script {
    /// Writes the script of one round. No two rounds make up the same source id.
    pub(super) fn write(kind: Kind, ground: &Ground) -> Result<Self> {
        static ROUND: AtomicUsize = AtomicUsize::new(0);
        let round = ROUND.fetch_add(1, Ordering::Relaxed);
        let text = match kind {
            Kind::ManyUsers => {
                activities(&ground.back_office, round, "writer-%05d", &format!("n * {STRIDE} % {WRITERS}"))
            }
            Kind::OneUser => activities(&ground.back_office, round, "single", ""),
            Kind::Orders => orders(ground),
        };
        let file = ground.folder.join("requests.lua");
        fs::write(&file, text)?;
        Ok(Self { file })
    }
}

/// `user` is how ids are formatted, `argument` what is put into them.
fn activities(token: &str, round: usize, user: &str, argument: &str) -> String {
    let body = format!(
        r#"{{"type":"code","source_id":"r{round:06}-%08d","points":10,"title":"QR code scan","subtitle":"Item 12345"}}"#
    );
    // Eight digits stand where four characters of the format do.
    let length = body.len() - "%08d".len() + 8;
    let head = head(&format!("/v1/manage/users/{user}/activities"), token, length);
    let arguments = if argument.is_empty() { "n".to_owned() } else { format!("{argument}, n") };
    format!(
        "local n = 0\nlocal form = [[{head}{body}]]\nform = form:gsub('\\n', '\\r\\n')\n\
         request = function()\n  n = n + 1\n  return string.format(form, {arguments})\nend\n"
    )
}

/// Every request is made up beforehand, one per buyer: orders need not differ.
fn orders(ground: &Ground) -> String {
    let body = format!(r#"{{"product_id":"{PRODUCT}"}}"#);
    let requests: Vec<String> = (0..BUYERS)
        .map(|number| {
            let buyer = number * STRIDE % BUYERS;
            let token = &ground.tokens[&format!("buyer-{buyer}")];
            format!("([[{}{body}]]):gsub('\\n', '\\r\\n')", head("/v1/store/orders", token, body.len()))
        })
        .map(|request| format!("  ({request}),\n"))
        .collect();
    format!(
        "local n = 0\nlocal forms = {{\n{}}}\nrequest = function()\n  n = n % {BUYERS} + 1\n  return forms[n]\nend\n",
        requests.concat()
    )
}

/// With the line ends of a text file; the script mends them.
fn head(path: &str, token: &str, length: usize) -> String {
    format!(
        "POST {BASE_PATH}{path} HTTP/1.1\nHost: bench.example\nAuthorization: Bearer {token}\n\
         Accept: application/json\nContent-Type: application/json\nContent-Length: {length}\n\n"
    )
}
