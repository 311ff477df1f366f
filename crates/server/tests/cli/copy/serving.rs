//! A copy into the database of a running server.

use std::time::{Duration, Instant};

use pointbook_catalogue::commands::{RetireProducts, UpsertProducts};
use pointbook_testkit::build;

use super::fixture::{CopyFixture, End, SOURCE};
use crate::program::{Server, get_of_host};

#[tokio::test]
async fn a_server_on_the_target_shows_what_is_copied() {
    for fixture in CopyFixture::all().await {
        let products = Products::serve(&fixture);
        fixture.copy().expect_code(0);
        wait_until(|| products.show("Product cup"));
        let data = SOURCE.tenant(&fixture.folder, "acme").await;
        data.write(UpsertProducts(vec![build::upsert(build::product("glass"))])).await.unwrap();
        data.write(RetireProducts { ids: vec![build::product_id("cup")], at: build::on_day(4) })
            .await
            .unwrap();
        drop(data);
        fixture.copy().expect_code(0);
        wait_until(|| products.show("Product glass") && !products.show("Product cup"));
    }
}

/// The server must see the change regardless of which side had more catalogue writes.
#[tokio::test]
async fn a_server_forgets_a_catalogue_that_was_copied_over() {
    for fixture in CopyFixture::all().await {
        let products = Products::serve(&fixture);
        fixture.copy().expect_code(0);
        for (round, [of_source, of_target]) in [[3, 1], [1, 1], [1, 3]].into_iter().enumerate() {
            write_products(&fixture, &SOURCE, &format!("new-{round}"), of_source).await;
            write_products(&fixture, &fixture.target, &format!("own-{round}"), of_target).await;
            wait_until(|| products.count(&format!("Product own-{round}-")) == of_target);
            fixture.copy().expect_code(0);
            wait_until(|| {
                products.count(&format!("Product new-{round}-")) == of_source
                    && products.count("Product own-") == 0
            });
            assert_eq!(fixture.target(), fixture.source());
        }
    }
}

/// Writes the catalogue this many times.
async fn write_products(fixture: &CopyFixture, end: &End, name: &str, count: usize) {
    let data = end.tenant(&fixture.folder, "acme").await;
    for number in 0..count {
        let product = build::product(&format!("{name}-{number}"));
        data.write(UpsertProducts(vec![build::upsert(product)])).await.unwrap();
    }
}

/// The products of `acme` that customers of the target see.
struct Products {
    server: Server,
    headers: String,
}

impl Products {
    fn serve(fixture: &CopyFixture) -> Self {
        assert_eq!(fixture.change_source("UPDATE users SET disabled_at = NULL WHERE id = 'ann'"), 2);
        let token = fixture.run(&SOURCE, "token issue --tenant acme --user ann").expect_code(0).stdout;
        // The test reads none of the log lines.
        fixture.folder.write("a.toml", "[log]\naccess = false\n");
        let serve = format!("--database {} serve --listen 127.0.0.1:0 --config a.toml", fixture.target.url());
        let headers = format!("Authorization: Bearer {}\r\n", token.trim());
        Self { server: fixture.folder.serve(&serve), headers }
    }

    fn show(&self, title: &str) -> bool {
        self.count(title) > 0
    }

    /// How many titles begin with this string.
    fn count(&self, title: &str) -> usize {
        let url = format!("{}/api/v1/store/products", self.server.url);
        let answer = get_of_host("acme.example", &url, &self.headers);
        answer.matches(&format!("\"title\":\"{title}")).count()
    }
}

/// Repeats the check until it holds. Fails after ten seconds.
#[track_caller]
#[expect(clippy::disallowed_methods, reason = "another process can only be polled")]
pub(crate) fn wait_until(holds: impl Fn() -> bool) {
    let asked_at = Instant::now();
    while !holds() {
        assert!(asked_at.elapsed() < Duration::from_secs(10), "timed out after ten seconds");
        std::thread::sleep(Duration::from_millis(20));
    }
}
