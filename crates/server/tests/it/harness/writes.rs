//! What tests of writes need: requests with bodies, points to spend, and a look behind the service.

use http::Method;
use pointbook_app::ports::UserProfile;
use pointbook_app::timestamp_text::parse_day;
use pointbook_app::{Clock, audit_ledger, audit_stock};
use pointbook_domain::{Locale, Product, TokenKind};
use pointbook_testkit::build::user_id;
use serde_json::Value;

use super::{Act, TestServer, base_path, sample};
use crate::client::{Answer, Call};

impl TestServer {
    /// A request of production with this token.
    pub(crate) fn request(&self, method: Method, path: &str, token: &str) -> Call {
        Call::new(self.address, method, format!("{}{path}", base_path())).bearer(token)
    }

    /// A POST of production with this token, and no body.
    pub(crate) fn post(&self, path: &str, token: &str) -> Call {
        self.request(Method::POST, path, token)
    }

    /// An order of `u1`.
    pub(crate) async fn order(&self, body: &Value) -> Answer {
        self.post("/v1/store/orders", &self.token).json(body).send().await
    }

    /// The id of an order of `u1` for so many pieces, which is good.
    pub(crate) async fn ordered(&self, product_id: &str, quantity: u32) -> String {
        let body = serde_json::json!({"product_id": product_id, "quantity": quantity});
        let answer = self.order(&body).await;
        assert_eq!(answer.status, 201, "{}", answer.text());
        answer.json()["data"]["id"].as_str().unwrap().to_owned()
    }

    /// Gives `u1` points.
    pub(crate) async fn award(&self, points: i64) {
        self.record(&[Act::new("code", points, "2026-02-01T10:00:00Z")]).await;
    }

    /// The balance of `u1`.
    pub(crate) async fn balance(&self) -> i64 {
        self.get("/v1/user").await.json()["data"]["user_points"].as_i64().unwrap()
    }

    /// Adds a product to production, like any other but for this change, and takes it in.
    pub(crate) async fn add_changed_product(&self, id: &str, change: impl FnOnce(&mut Product)) {
        let mut product = sample::product(id);
        change(&mut product);
        self.store(&[product]).await;
    }

    /// Tells production of a user.
    pub(crate) async fn know_user(&self, user: &str, birth_date: &str, locale: Locale) {
        let (birth_date, locale) = (parse_day(birth_date), Some(locale));
        let profile = UserProfile { id: user_id(user), birth_date, locale };
        self.production().data.upsert_users(&[profile], self.clock.now()).await.unwrap();
    }

    pub(crate) async fn issue_super_user_in_staging(&self) -> String {
        self.issue_kind("shop/staging", TokenKind::SuperUser, None).await
    }

    /// Whether these bytes stand anywhere in the files of the database.
    pub(crate) fn files_hold(&self, bytes: &[u8]) -> bool {
        let files = std::fs::read_dir(self.file.parent().unwrap()).unwrap();
        let contents: Vec<Vec<u8>> = files.map(|file| std::fs::read(file.unwrap().path()).unwrap()).collect();
        assert!(contents.iter().any(|content| content.starts_with(b"SQLite format 3\0")));
        contents.iter().any(|content| content.windows(bytes.len()).any(|window| window == bytes))
    }

    /// Recomputes balances, days and stock of production from the ledger and the orders.
    pub(crate) async fn assert_audit_is_clean(&self) {
        let data = self.production().data.clone();
        let mut differences = Vec::new();
        let ledger = audit_ledger(&*data, |user| differences.extend(user.differences.clone())).await.unwrap();
        assert_eq!(ledger.differences, 0, "{differences:?}");
        let stock = audit_stock(&*data, |_| {}).await.unwrap();
        assert_eq!(stock.differences, 0);
    }
}
