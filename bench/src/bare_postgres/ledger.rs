//! Ledger rows with the days and states of their users, as a transaction of the service writes them.

use std::collections::HashSet;

use anyhow::{Result, ensure};
use futures_util::future::{try_join, try_join3};
use tokio_postgres::{Client, Row, Statement};

use super::statements;

const DAY_MICROS: i64 = 86_400_000_000;

/// The prepared statements of one connection.
pub(super) struct Ledger {
    hold_users: Statement,
    see: Statement,
    add_transactions: Statement,
    add_days: Statement,
    update_users: Statement,
}

/// The rows to record, as columns. Each user has one row.
#[derive(Default)]
pub(super) struct Columns {
    users: Vec<String>,
    ids: Vec<String>,
    kinds: Vec<&'static str>,
    at: Vec<i64>,
    days: Vec<i32>,
    points: Vec<i64>,
    hashes: Vec<Vec<u8>>,
}

/// The states of users before and after the write.
#[derive(Default)]
pub(super) struct States {
    balances_before: Vec<i64>,
    seqs_before: Vec<i64>,
    balances: Vec<i64>,
    day_counts: Vec<i64>,
    seqs: Vec<i64>,
}

impl States {
    fn push(&mut self, before: &Row, points: i64, begins_day: bool) {
        let (balance, day_count, seq): (i64, i64, i64) = (before.get(1), before.get(2), before.get(3));
        self.balances_before.push(balance);
        self.seqs_before.push(seq);
        self.balances.push(balance + points);
        self.day_counts.push(day_count + i64::from(begins_day));
        self.seqs.push(seq + 1);
    }
}

impl Columns {
    /// Adds a row. Calls must be in the order of user ids.
    pub(super) fn push(&mut self, user: &str, id: String, at: i64, points: i64) -> Result<()> {
        // A fake hash of 32 bytes: it takes the same space on the disk as a real one.
        let mut hash = vec![0x5a_u8; 32];
        for (byte, digit) in hash.iter_mut().zip(id.bytes()) {
            *byte ^= digit;
        }
        self.users.push(user.to_owned());
        self.ids.push(id);
        self.kinds.push(if points < 0 { "order" } else { "code" });
        self.at.push(at);
        self.days.push(i32::try_from(at / DAY_MICROS)?);
        self.points.push(points);
        self.hashes.push(hash);
        Ok(())
    }
}

impl Ledger {
    pub(super) async fn prepare(client: &Client) -> Result<Self> {
        Ok(Self {
            hold_users: client.prepare(statements::HOLD_USERS).await?,
            see: client.prepare(statements::SEE).await?,
            add_transactions: client.prepare(statements::ADD_TRANSACTIONS).await?,
            add_days: client.prepare(statements::ADD_DAYS).await?,
            update_users: client.prepare(statements::UPDATE_USERS).await?,
        })
    }

    /// Locks the users, and looks for existing rows.
    pub(super) async fn hold(&self, client: &Client, tenant: &str, columns: &Columns) -> Result<States> {
        let Columns { users, ids, kinds, days, points, .. } = columns;
        let (whose, what): (Params<'_>, Params<'_>) =
            (&[&tenant, users], &[&tenant, users, kinds, ids, days]);
        let (held, known) =
            try_join(client.query(&self.hold_users, whose), client.query(&self.see, what)).await?;
        ensure!(held.len() == users.len(), "users are missing");
        let begun = known.iter().filter(|row| row.get::<_, Option<i32>>(12).is_some());
        let begun: HashSet<&str> = begun.map(|row| row.get(0)).collect();
        let mut states = States::default();
        for ((before, user), points) in held.iter().zip(users).zip(points) {
            states.push(before, *points, !begun.contains(user.as_str()));
        }
        Ok(states)
    }

    /// Writes rows, days and states.
    pub(super) async fn write(
        &self,
        client: &Client,
        tenant: &str,
        columns: &Columns,
        states: &States,
    ) -> Result<()> {
        let Columns { users, ids, kinds, at, points, hashes, .. } = columns;
        let States { balances, seqs, .. } = states;
        let zeros = vec![0_i64; users.len()];
        let texts = |text| vec![text; users.len()];
        let (bonuses, titles, subtitles) = (texts("[]"), texts("QR code scan"), texts("Item 12345"));
        let rows: Params<'_> = &[
            &tenant,
            users,
            seqs,
            ids,
            at,
            kinds,
            ids,
            points,
            &bonuses,
            &titles,
            &subtitles,
            &texts("{}"),
            &texts("campaigns:0"),
            &zeros,
            balances,
            at,
            hashes,
        ];
        let written = try_join3(
            client.execute(&self.add_transactions, rows),
            self.write_states(client, tenant, columns, states),
            self.write_days(client, tenant, columns),
        );
        let count = users.len() as u64;
        ensure!(written.await? == (count, count, count), "another writer wrote for these users");
        Ok(())
    }

    async fn write_days(
        &self,
        client: &Client,
        tenant: &str,
        columns: &Columns,
    ) -> Result<u64, tokio_postgres::Error> {
        let Columns { users, days, .. } = columns;
        let ones = vec![1_i64; users.len()];
        let days: Vec<i64> = days.iter().copied().map(i64::from).collect();
        let counts: Params<'_> = &[&tenant, users, &days, &ones];
        client.execute(&self.add_days, counts).await
    }

    async fn write_states(
        &self,
        client: &Client,
        tenant: &str,
        columns: &Columns,
        states: &States,
    ) -> Result<u64, tokio_postgres::Error> {
        let (users, hashes, earned) = (&columns.users, &columns.hashes, vec!["code:1"; columns.users.len()]);
        let States { balances_before, seqs_before, balances, day_counts, seqs } = states;
        let given: Params<'_> =
            &[&tenant, users, balances, day_counts, seqs, hashes, &earned, seqs_before, balances_before];
        client.execute(&self.update_users, given).await
    }
}

type Params<'p> = &'p [&'p (dyn tokio_postgres::types::ToSql + Sync)];
