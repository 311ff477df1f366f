//! `--events`: readers follow the event feed while servers are killed, and compare it with the ledger.
//!
//! Each reader keeps a fingerprint of every event by its position. It goes back to an earlier cursor now and then, as a reader
//! does that stopped before it stored its cursor. So an event that moved, changed, vanished or came late is found.

use std::net::SocketAddr;
use std::thread::ScopedJoinHandle;

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::Value;
use xtask::operate::http_client::{Answer, Call, Connection};
use xtask::operate::numbers::Numbers;

use super::client::Client;
use super::event_book::EventBook;
use super::setup::{CrashSetup, below_base};
use super::shift::Shift;
use super::webhook::Receiver;

/// Two readers give positions at the same time.
const READERS: usize = 2;

/// The most events of one page.
const MAX_PAGE: u32 = 1_000;

/// How many earlier cursors a reader keeps, to go back to one of them.
const KEPT_CURSORS: usize = 20;

/// One page in so many begins at an earlier cursor.
const PAGES_PER_RETURN: u32 = 8;

/// All readers of a run, and a receiver of a webhook. None without `--events`.
pub(super) struct Readers(Vec<FeedReader>, Option<Receiver>);

impl Readers {
    pub(super) fn new(has_readers: bool, seed: u64) -> Self {
        let count = if has_readers { READERS } else { 0 };
        Self((0..count as u64).map(|number| FeedReader::new(seed ^ (number + 1))).collect(), None)
    }

    /// Lets a webhook follow the feed too.
    pub(super) fn add_webhook(&mut self, setup: &CrashSetup, address: SocketAddr) -> Result<()> {
        if !self.0.is_empty() {
            self.1 = Some(Receiver::start(setup, address)?);
        }
        Ok(())
    }

    /// One loop for each reader, which follows the feed until the shift is over.
    pub(super) fn loops<'r>(
        &'r mut self,
        setup: &'r CrashSetup,
        shift: &'r Shift,
    ) -> impl Iterator<Item = impl FnOnce() -> Result<()> + Send + 'r> {
        self.0.iter_mut().map(move |reader| move || reader.follow(setup, shift))
    }

    /// Reads to the end of the feed. Every reader must then have one event for each of the `rows` of the ledger.
    pub(super) fn catch_up(&mut self, setup: &CrashSetup, address: SocketAddr, rows: usize) -> Result<()> {
        for reader in &mut self.0 {
            reader.read_to_end(setup, address)?;
            let found = reader.book.rows();
            ensure!(found == rows, "the ledger has {rows} rows, and the feed has events of {found}");
        }
        Ok(())
    }

    /// Reads the whole feed again, and compares it with what every reader read, with the exported ledger and with the
    /// orders of all clients. Prints the counts.
    pub(super) fn compare(self, setup: &CrashSetup, clients: &[Client], address: SocketAddr) -> Result<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        let mut last = FeedReader::new(0);
        last.read_to_end(setup, address)?;
        for reader in &self.0 {
            last.book.compare_events(&reader.book)?;
        }
        let rows = last.book.compare_ledger(setup)?;
        let orders = last.book.compare_orders(clients)?;
        let (read, again): (usize, usize) =
            self.0.iter().fold((0, 0), |(read, again), reader| (read + reader.read, again + reader.again));
        println!(
            "events: {} in the feed, {rows} rows and {orders} orders compared; {READERS} readers read {read} events, \
             {again} of them again; 0 differences",
            last.book.events(),
        );
        self.1.map_or(Ok(()), |receiver| receiver.compare(&last.book.transactions()))
    }
}

/// Waits for all loops.
pub(super) fn ended(loops: Vec<ScopedJoinHandle<'_, Result<()>>>) -> Result<()> {
    let ended = loops.into_iter().map(|reader| reader.join().map_err(|_| anyhow!("a reader panicked"))?);
    ended.collect()
}

struct FeedReader {
    numbers: Numbers,
    book: EventBook,
    /// The next request begins after it. `None` for the oldest event.
    cursor: Option<String>,
    earlier: Vec<Option<String>>,
    /// How many events arrived, also again.
    read: usize,
    again: usize,
}

impl FeedReader {
    fn new(seed: u64) -> Self {
        let (numbers, book) = (Numbers::new(seed), EventBook::default());
        Self { numbers, book, cursor: None, earlier: Vec::new(), read: 0, again: 0 }
    }

    fn follow(&mut self, setup: &CrashSetup, shift: &Shift) -> Result<()> {
        let mut senders = shift.senders();
        while shift.goes_on() {
            self.sometimes_return();
            let first = self.numbers.place(senders.len());
            let limit = 1 + self.numbers.next(MAX_PAGE);
            let call = self.call(setup, limit, 1);
            let sent = shift.send(&mut senders, first, &call);
            let Some(answer) = sent.context("no response to a reader of the feed")? else { return Ok(()) };
            self.take(&answer)?;
        }
        Ok(())
    }

    fn read_to_end(&mut self, setup: &CrashSetup, address: SocketAddr) -> Result<()> {
        let mut connection = Connection::new(address);
        loop {
            let answer = connection.send(&self.call(setup, MAX_PAGE, 0))?;
            if self.take(&answer)? {
                return Ok(());
            }
        }
    }

    fn sometimes_return(&mut self) {
        if !self.earlier.is_empty() && self.numbers.one_in(PAGES_PER_RETURN) {
            self.cursor = self.earlier.swap_remove(self.numbers.place(self.earlier.len()));
        }
    }

    fn call<'s>(&self, setup: &'s CrashSetup, limit: u32, wait: u32) -> Call<'s> {
        let after = self.cursor.as_ref().map_or_else(String::new, |cursor| format!("&after={cursor}"));
        let path = format!("/v1/manage/events?limit={limit}&wait={wait}{after}");
        Call::get(below_base(&path), &setup.back_office)
    }

    /// Takes a page. Returns whether it ends at the newest event.
    fn take(&mut self, answer: &Answer) -> Result<bool> {
        ensure!(answer.status == 200, "the feed: {} {}", answer.status, answer.text());
        let page = answer.json()?;
        for event in page["data"].as_array().context("a page without data")? {
            let is_new = self.book.take(event).with_context(|| format!("the event {event}"))?;
            self.read += 1;
            self.again += usize::from(!is_new);
        }
        let cursor = &page["meta"]["cursor"];
        self.move_to(cursor)?;
        Ok(*cursor == page["meta"]["latest"])
    }

    fn move_to(&mut self, cursor: &Value) -> Result<()> {
        if self.earlier.len() == KEPT_CURSORS {
            self.earlier.remove(0);
        }
        let cursor = cursor.as_str().context("a page without a cursor")?.to_owned();
        self.earlier.push(self.cursor.replace(cursor));
        Ok(())
    }
}
