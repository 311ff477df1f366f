//! The order in which tables are written and rows removed.

use super::CopyError;
use super::pairs::{Pair, Pairs};
use super::pass::{Pass, affected};
use crate::ports::{Row, TenantData};
use crate::tables::{TABLES, Table};

/// A copy under way.
pub(super) struct Copier<'c> {
    pub(super) source: &'c dyn TenantData,
    pub(super) target: &'c dyn TenantData,
    pub(super) progress: &'c mut (dyn FnMut(&'static str, u64) + Send),
    pub(super) added: u64,
    pub(super) changed: u64,
    pub(super) removed: u64,
}

impl Copier<'_> {
    /// Makes the rows of the target those of the source.
    pub(super) async fn copy(&mut self) -> Result<(), CopyError> {
        for table in TABLES.iter().filter(|table| table.is_append_only) {
            self.pass(table, Pass::Check).await?;
        }
        // Read before all that they speak of, and changed after it: who sees the change finds all of it.
        let signals = self.read_signals().await?;
        let mut with_extra_rows = Vec::new();
        for table in &TABLES {
            if let Some((_, rows)) = signals.iter().find(|(signal, _)| signal.name == table.name) {
                self.write_signal(table, rows, Where::Lacking).await?;
            } else if self.write_table(table).await? > 0 {
                with_extra_rows.push(table);
            }
        }
        // Last those that others point into.
        for table in with_extra_rows.into_iter().rev() {
            self.pass(table, Pass::Remove).await?;
        }
        for (table, rows) in &signals {
            self.write_signal(table, rows, Where::Different).await?;
        }
        Ok(())
    }

    async fn read_signals(&self) -> Result<Vec<(&'static Table, Vec<Row>)>, CopyError> {
        let mut signals = Vec::new();
        for table in TABLES.iter().filter(|table| table.is_signal) {
            let rows = self.source.rows_after(table, None, table.rows_per_page).await;
            signals.push((table, rows.map_err(CopyError::Source)?));
        }
        Ok(signals)
    }

    async fn write_signal(
        &mut self,
        table: &'static Table,
        rows: &[Row],
        to: Where,
    ) -> Result<(), CopyError> {
        let there = self.target.rows_after(table, None, table.rows_per_page).await;
        match (there.map_err(CopyError::Target)?.as_slice(), to) {
            ([], _) => self.added += rows.len() as u64,
            (there, Where::Different) if there != rows => self.changed += rows.len() as u64,
            (_, Where::Lacking | Where::Different) => return Ok(()),
        }
        self.send(table, Pass::Write, &mut rows.to_vec()).await
    }

    /// Gives how many rows only the target has that may be removed.
    async fn write_table(&mut self, table: &'static Table) -> Result<u64, CopyError> {
        if table.parent_column.is_some() {
            self.pass(table, Pass::Detach).await?;
        }
        let extra = self.pass(table, Pass::Write).await?;
        Ok(if table.key_columns > 0 { extra } else { 0 })
    }

    /// Walks along a table; gives how many of its rows only the target has.
    async fn pass(&mut self, table: &'static Table, pass: Pass) -> Result<u64, CopyError> {
        let mut pairs = Pairs::new(self.source, self.target, table);
        let (mut batch, mut looked_at, mut extra) = (Vec::new(), 0, 0);
        while let Some(pair) = pairs.next().await? {
            looked_at += 1;
            extra += u64::from(matches!(pair, Pair::Extra(_)));
            self.count(table, pass, &pair);
            batch.extend(affected(table, pass, pair)?);
            if looked_at % u64::from(table.rows_per_page) == 0 {
                self.send(table, pass, &mut batch).await?;
                (self.progress)(table.name, looked_at);
            }
        }
        self.send(table, pass, &mut batch).await?;
        (self.progress)(table.name, looked_at);
        Ok(extra)
    }

    /// Counts what differs, in the first pass that writes: the next one finds other rows.
    fn count(&mut self, table: &Table, pass: Pass, pair: &Pair) {
        let first = if table.parent_column.is_some() { Pass::Detach } else { Pass::Write };
        match pair {
            Pair::Lacking(_) if pass == first => self.added += 1,
            Pair::Both { source, target } if pass == first && source != target => self.changed += 1,
            Pair::Extra(_) if pass == Pass::Remove => self.removed += 1,
            Pair::Lacking(_) | Pair::Both { .. } | Pair::Extra(_) => {}
        }
    }

    async fn send(
        &mut self,
        table: &'static Table,
        pass: Pass,
        batch: &mut Vec<Row>,
    ) -> Result<(), CopyError> {
        let rows = std::mem::take(batch);
        if rows.is_empty() {
            return Ok(());
        }
        match pass {
            Pass::Check => Ok(()),
            Pass::Detach | Pass::Write => {
                let written = self.target.write_rows(table, &rows).await.map_err(CopyError::Target)?;
                if written == rows.len() as u64 { Ok(()) } else { Err(CopyError::TargetInUse) }
            }
            Pass::Remove => self.target.remove_rows(table, &rows).await.map_err(CopyError::Target),
        }
    }
}

/// Which rows of the target are written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Where {
    /// Those that it lacks.
    Lacking,
    /// Those that are not the source's.
    Different,
}
