//! What is measured. A new scenario is a file here, with a line in [`all`].

mod campaigns;
mod changes;
mod compressed;
mod expiry;
mod footprint;
mod history;
mod idle;
mod neighbour;
mod operators;
mod overload;
mod queries;
mod reads;
mod reports;
mod search;
mod visitors;
mod writes;

use anyhow::Result;

use crate::measure::Side;
use crate::options::Options;
use crate::subject::Subject;

/// How many connections send reads at once.
const READERS: u32 = 32;
/// How many connections send writes at once.
const WRITERS: u32 = 64;

/// The scenarios of all files, for these options.
pub(crate) fn all(options: &Options) -> Vec<Scenario> {
    let files: [fn(&Options) -> Vec<Scenario>; 14] = [
        reads::scenarios,
        search::scenarios,
        compressed::scenarios,
        history::scenarios,
        changes::scenarios,
        footprint::scenarios,
        idle::scenarios,
        overload::scenarios,
        neighbour::scenarios,
        writes::scenarios,
        campaigns::scenarios,
        expiry::scenarios,
        reports::scenarios,
        visitors::scenarios,
    ];
    files.iter().flat_map(|scenarios| scenarios(options)).collect()
}

type Open = Box<dyn Fn(&Subject) -> Result<Vec<Side>>>;

/// Something to measure.
pub(crate) struct Scenario {
    /// Its name in the table and for `--scenario`.
    pub(crate) name: String,
    /// Prepares the data of a subject and starts its servers.
    pub(crate) open: Open,
    /// Whether it is measured once, because it takes long.
    pub(crate) is_once: bool,
    /// Whether it is part of a run on PostgreSQL.
    is_on_postgres: bool,
    /// Whether it needs only the interface, so that it can be sent to another server.
    is_of_interface: bool,
}

impl Scenario {
    fn new(name: impl Into<String>, open: impl Fn(&Subject) -> Result<Vec<Side>> + 'static) -> Self {
        let (name, open) = (name.into(), Box::new(open));
        Self { name, open, is_once: false, is_on_postgres: false, is_of_interface: false }
    }

    fn once(self) -> Self {
        Self { is_once: true, ..self }
    }

    fn also_on_postgres(self) -> Self {
        Self { is_on_postgres: true, ..self }
    }

    fn of_interface(self) -> Self {
        Self { is_of_interface: true, ..self }
    }

    /// Whether the options allow this scenario.
    pub(crate) fn runs_with(&self, options: &Options) -> bool {
        (options.database.is_none() || self.is_on_postgres)
            && (options.against.is_none() || self.is_of_interface)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::Parser as _;

    use super::*;

    fn names(words: &[&str]) -> Vec<String> {
        let options = Options::parse_from([&["cargo benchmark"], words].concat());
        let allowed = all(&options).into_iter().filter(|scenario| scenario.runs_with(&options));
        allowed.map(|scenario| scenario.name).collect()
    }

    #[test]
    fn every_scenario_has_a_unique_name() {
        let names = names(&[]);
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    }

    #[test]
    fn another_database_or_server_has_some_of_the_scenarios() {
        let (all, on_postgres) = (names(&[]), names(&["--database", "postgres"]));
        let against = names(&["--against", "http://127.0.0.1:9", "--against-token", "t"]);
        let has = |names: &[String], part: &str| names.iter().any(|name| name.contains(part));
        assert!(has(&all, "overload") && !has(&on_postgres, "overload") && !has(&against, "overload"));
        assert!(has(&on_postgres, "idle tenants") && !has(&against, "idle tenants"));
        assert!(has(&against, "filters, all together, 50000 products"), "{against:?}");
    }
}
