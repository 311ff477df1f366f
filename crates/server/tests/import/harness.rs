//! A database file with two tenants, and imports from memory into it.

use std::io::{Cursor, Write};
use std::path::PathBuf;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use pointbook_domain::zones::timestamp_text::parse_timestamp;
use pointbook_domain::{BaseUrl, Locale, Product, TenantName, TenantSettings, Timestamp};
use pointbook_server::import::{Format, ImportError, Input, Kind, Options, Summary, Target};
use pointbook_server::wiring::{DatabaseClient, DatabaseUrl, open_database};
use pointbook_server::{export, import};
use pointbook_store::ports::{CatalogueVersion, ProductChange};
use pointbook_store::tenants::manage::{NewTenant, add_tenant};
use pointbook_store::{Clock, IdSource, ServedTenant, Service, ServiceLimits};
use pointbook_testkit::{FixedClock, OneSecret, SequentialIds};
use tempfile::TempDir;

/// The time of the clock at the start.
pub(crate) fn start() -> Timestamp {
    time("2026-01-31T12:00:00Z")
}

pub(crate) fn time(text: &str) -> Timestamp {
    parse_timestamp(text).unwrap()
}

/// A new database with the tenants `acme` and `other`.
pub(crate) struct Store {
    folder: TempDir,
    pub(crate) clock: Arc<FixedClock>,
    service: Service,
    ids: Arc<dyn IdSource>,
}

/// A row of the reject file: line, reason, row.
pub(crate) type RejectRow = (u64, String, Vec<u8>);

impl Store {
    pub(crate) async fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(FixedClock::new(start()));
        let url = DatabaseUrl::Sqlite(folder.path().join("pointbook.db"));
        let database = open_database(&url, &*clock, DatabaseClient::NewDatabase).await.unwrap();
        let limits = ServiceLimits {
            principal_max_age_seconds: 0,
            principal_max_age_when_away_seconds: 0,
            refresh_interval_ms: 500,
            catalogue_bytes: 0,
        };
        let service = Service::open(database, clock.clone(), Arc::new(OneSecret), limits).await.unwrap();
        let ids: Arc<dyn IdSource> = Arc::new(SequentialIds::default());
        for slug in ["acme", "other"] {
            add_tenant(&service, tenant(slug), pointbook_store::audit_log::Origin::default(), &*ids)
                .await
                .unwrap();
        }
        Self { folder, clock, service, ids }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn tenant(&self, slug: &str) -> Arc<ServedTenant> {
        self.service.directory().find(&TenantName::parse(slug).unwrap()).unwrap().clone()
    }

    /// Imports into `acme`; rejected rows go to [`Self::rejects`].
    pub(crate) async fn run(
        &self,
        kind: Kind,
        input: Input,
        options: Options,
    ) -> Result<Summary, ImportError> {
        self.run_into("acme", kind, input, options).await
    }

    async fn run_into(
        &self,
        slug: &str,
        kind: Kind,
        input: Input,
        options: Options,
    ) -> Result<Summary, ImportError> {
        let clock: Arc<dyn Clock> = self.clock.clone();
        let target = Target {
            tenant: &self.tenant(slug),
            clock: &clock,
            ids: &self.ids,
            by: &pointbook_store::audit_log::Origin::default().into(),
        };
        let rejects = options.rejects.or_else(|| Some(self.path("rejects.csv")));
        import::run(target, kind, input, Options { rejects, ..options }).await
    }

    /// Imports a string into `acme`. Returns the line with the row counts.
    pub(crate) async fn import(&self, kind: Kind, text: impl Into<Vec<u8>>) -> String {
        self.run(kind, memory(text), Options::default()).await.unwrap().to_string()
    }

    /// Imports a string into `other`. All rows must be good.
    pub(crate) async fn import_elsewhere(&self, kind: Kind, text: impl Into<Vec<u8>>) {
        let summary = self.run_into("other", kind, memory(text), Options::default()).await.unwrap();
        assert!(summary.is_clean(), "{summary:?}");
    }

    pub(crate) async fn export(&self, slug: &str, kind: Kind, format: Option<Format>) -> String {
        let mut written = Vec::new();
        export::run(&*self.tenant(slug).data, kind, format, export::Cells::Exact, &mut written)
            .await
            .unwrap();
        String::from_utf8(written).unwrap()
    }

    /// The rows of the reject file: the cells of each row as a record, or the original line of a file without columns.
    pub(crate) fn rejects(&self) -> Vec<RejectRow> {
        let mut reader =
            csv::ReaderBuilder::new().flexible(true).from_path(self.path("rejects.csv")).unwrap();
        let headers = reader.headers().unwrap().clone();
        assert_eq!((&headers[0], &headers[1]), ("line", "reason"));
        let rows = reader.byte_records().map(|row| {
            let row = row.unwrap();
            let text = |place: usize| String::from_utf8(row[place].to_vec()).unwrap();
            let rest = if headers[2] == *"row" { row[2].to_vec() } else { record(row.iter().skip(2)) };
            (text(0).parse().unwrap(), text(1), rest)
        });
        rows.collect()
    }

    /// The reason why the only row of this string is rejected.
    pub(crate) async fn reason(&self, kind: Kind, text: &str) -> String {
        self.import(kind, text).await;
        let mut rejects = self.rejects();
        assert_eq!(rejects.len(), 1, "{rejects:?}");
        rejects.remove(0).1
    }

    /// The products of `acme` that are not retired, by id.
    pub(crate) async fn products(&self) -> Vec<Product> {
        let data = &self.tenant("acme").data;
        let changes = data.product_changes(CatalogueVersion::default(), None, 10_000).await.unwrap();
        let products = changes.into_iter().map(|change| match change {
            ProductChange::Upserted(product) => *product,
            ProductChange::Retired(id) => panic!("{id} is retired"),
        });
        products.collect()
    }

    pub(crate) async fn product_ids(&self) -> Vec<String> {
        self.products().await.iter().map(|product| product.id.to_string()).collect()
    }
}

/// Cells as a CSV record, without its line end.
fn record<'c>(cells: impl Iterator<Item = &'c [u8]>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(cells).unwrap();
    let record = writer.into_inner().unwrap();
    record.strip_suffix(b"\n").unwrap().to_vec()
}

fn tenant(slug: &str) -> NewTenant {
    NewTenant {
        name: TenantName::parse(slug).unwrap(),
        base_url: BaseUrl::parse(&format!("https://{slug}.example/api")).unwrap(),
        title: slug.to_owned(),
        locale: Locale::new("en").unwrap(),
        settings: TenantSettings::default(),
    }
}

/// Input whose format is detected from its content, as for stdin.
pub(crate) fn memory(text: impl Into<Vec<u8>>) -> Input {
    Input::reader(Cursor::new(text.into()), None)
}

pub(crate) fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}
