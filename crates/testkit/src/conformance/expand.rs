//! How the list of facts becomes tests.

/// What [`conformance_suite!`] expands to.
#[doc(hidden)]
#[macro_export]
macro_rules! conformance_facts {
    ($make:ident; $($area:ident: $($fact:ident),+;)+) => {
        $(mod $area {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $fact() {
                let fresh: Option<$crate::TestDatabase> = super::$make().await.into();
                let Some(fresh) = fresh else { return };
                $crate::conformance::$area::$fact(fresh.database.clone()).await;
            })+
        })+
    };
}
