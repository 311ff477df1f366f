//! The order in which a copy writes tables and removes rows.

use super::error::CopyError;
use super::pairs::{Pair, Pairs};
use super::pass::{Pass, affected};
use super::version::Versions;
use crate::ports::{Row, RowReader, TenantData};
use crate::schema::{CATEGORY_TREES, TABLES, Table};

pub(crate) struct Copier<'c> {
    pub(crate) source: &'c dyn RowReader,
    pub(crate) target: &'c dyn TenantData,
    pub(crate) progress: &'c mut (dyn FnMut(&'static str, u64) + Send),
    pub(crate) versions: Option<Versions>,
    pub(crate) added: u64,
    pub(crate) changed: u64,
    pub(crate) removed: u64,
}

impl Copier<'_> {
    /// Makes the rows of the target those of the source.
    pub(crate) async fn copy(&mut self) -> Result<(), CopyError> {
        for table in TABLES.iter().filter(|table| table.is_append_only) {
            self.pass(table, Pass::Check).await?;
        }
        let mut with_extra_rows = Vec::new();
        for table in TABLES.iter().filter(|table| table.is_copied) {
            // A version that is there moves when all that it speaks of is there.
            if !(table.is_version && self.versions.is_some()) && self.write_table(table).await? > 0 {
                with_extra_rows.push(table);
            }
        }
        // Last those that others point into.
        for table in with_extra_rows.into_iter().rev() {
            self.pass(table, Pass::Remove).await?;
        }
        self.move_version().await
    }

    async fn move_version(&mut self) -> Result<(), CopyError> {
        let Some((table, row)) = self.versions.as_ref().and_then(|both| Some((both.table, both.end()?)))
        else {
            return Ok(());
        };
        self.changed += 1;
        self.send(table, Pass::Write, &mut vec![row]).await
    }

    /// Gives how many rows only the target has that may be removed.
    async fn write_table(&mut self, table: &'static Table) -> Result<u64, CopyError> {
        let extra = self.pass(table, Pass::Write).await?;
        // Of the tables with one row per tenant, only this one may have none.
        Ok(if table.key_columns > 0 || *table == CATEGORY_TREES { extra } else { 0 })
    }

    /// Walks along a table; gives how many of its rows only the target has.
    async fn pass(&mut self, table: &'static Table, pass: Pass) -> Result<u64, CopyError> {
        let mut pairs = Pairs::new(self.source, self.target, table);
        let (mut batch, mut looked_at, mut extra) = (Vec::new(), 0, 0);
        while let Some(pair) = pairs.next().await? {
            looked_at += 1;
            extra += u64::from(matches!(pair, Pair::Extra(_)));
            self.count(pass, &pair);
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

    fn count(&mut self, pass: Pass, pair: &Pair) {
        match pair {
            Pair::Lacking(_) if pass == Pass::Write => self.added += 1,
            Pair::Both { source, target } if pass == Pass::Write && source != target => self.changed += 1,
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
        if table.is_catalogue
            && let Some(both) = &mut self.versions
            && let Some(row) = both.begin()
        {
            self.target.write_rows(both.table, &[row]).await.map_err(CopyError::Target)?;
        }
        match pass {
            Pass::Check => Ok(()),
            Pass::Write => {
                let written = self.target.write_rows(table, &rows).await.map_err(CopyError::Target)?;
                if written == rows.len() as u64 { Ok(()) } else { Err(CopyError::in_use(table)) }
            }
            Pass::Remove => self.target.remove_rows(table, &rows).await.map_err(CopyError::Target),
        }
    }
}
