//! The server behind the proxy. It replays the recorded response that the request names by its number.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use anyhow::Result;

use super::exchange::Exchange;

/// The header field with the number of the recorded response, in the request and in the response.
pub(super) const NUMBER: &str = "x-playback";

/// Serves the responses of these exchanges until the task ends. Returns the server's address.
pub(super) fn start(exchanges: Arc<Vec<Exchange>>) -> Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    thread::spawn(move || {
        // After a failed accept, the proxy reports every response as missing.
        for stream in listener.incoming().map_while(Result::ok) {
            let exchanges = exchanges.clone();
            // The client of the proxy notices a response that does not arrive.
            thread::spawn(move || answer(&stream, &exchanges));
        }
    });
    Ok(address)
}

fn answer(mut stream: &TcpStream, exchanges: &[Exchange]) -> io::Result<()> {
    let mut asked = BufReader::new(stream);
    let number = number(&mut asked)?;
    let exchange = exchanges.get(number).ok_or(io::ErrorKind::NotFound)?;
    let first = format!("HTTP/1.1 {} Recorded", exchange.status);
    let with = [(NUMBER, &*number.to_string()), ("connection", "close")];
    stream.write_all(&exchange.answer.bytes(&first, &["connection"], &with))?;
    stream.shutdown(Shutdown::Write)?;
    // Closing before the whole request is read could reset the connection and lose the response.
    io::copy(&mut asked, &mut io::sink())?;
    Ok(())
}

/// Reads the number from the head of a request.
fn number(asked: &mut impl BufRead) -> io::Result<usize> {
    // Skips the request line.
    for line in asked.lines().skip(1) {
        match line?.split_once(": ") {
            Some((NUMBER, number)) => return number.parse().map_err(io::Error::other),
            Some(_) => {}
            None => break,
        }
    }
    Err(io::ErrorKind::NotFound.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::proxy::message::Message;
    use pointbook_operate::http_client;

    fn exchange(body: &str) -> Exchange {
        let headers = vec![
            ("content-length".to_owned(), body.len().to_string()),
            ("connection".to_owned(), "keep-alive".to_owned()),
        ];
        let answer = Message { headers, body: body.into() };
        let request = Message { headers: Vec::new(), body: Vec::new() };
        let [method, path, query] = ["GET", "/v1", ""].map(str::to_owned);
        Exchange { method, path, query, request, status: 418, answer, has_good_request: false, planted: None }
    }

    #[test]
    fn response_follows_from_the_number_only() {
        let address = start(Arc::new(vec![exchange("a"), exchange("bc")])).unwrap();
        let ask = |head: &str| {
            let request = format!("PUT /x HTTP/1.1\r\n{head}content-length: 3\r\n\r\nabc");
            http_client::exchange(address, request.as_bytes())
        };
        let answer = ask("a: b\r\nx-playback: 1\r\n").unwrap();
        let expected =
            "HTTP/1.1 418 Recorded\r\ncontent-length: 2\r\nx-playback: 1\r\nconnection: close\r\n\r\nbc";
        assert_eq!(String::from_utf8(answer.bytes).unwrap(), expected);
        for head in ["", "x-playback: 2\r\n", "x-playback: one\r\n"] {
            assert!(ask(head).is_err(), "{head}");
        }
    }
}
