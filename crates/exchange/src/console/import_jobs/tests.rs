//! Which imports run, and which results are kept.

use super::*;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(seconds * 1_000_000).unwrap()
}

fn new(id: &str, tenant: &str, seconds: i64) -> NewImport {
    NewImport {
        id: id.to_owned(),
        tenant: TenantId::new(tenant).unwrap(),
        kind: Kind::Products,
        is_dry: false,
        operator: String::new(),
        file_name: String::new(),
        lines: 1,
        started_at: at(seconds),
    }
}

fn admit(jobs: &ImportJobs, id: &str, tenant: &str, seconds: i64) -> Result<RunningImport, String> {
    match jobs.admit(new(id, tenant, seconds)) {
        Admission::Runs(running) => Ok(running),
        Admission::Known => Err("known".to_owned()),
        Admission::Busy(other) => Err(format!("busy with {}", other.new.id)),
        Admission::Full => Err("full".to_owned()),
    }
}

fn ids(jobs: &ImportJobs, tenant: &str, seconds: i64) -> Vec<String> {
    let found = jobs.of_tenant(&TenantId::new(tenant).unwrap(), at(seconds));
    found.iter().map(|job| job.new.id.clone()).collect()
}

#[test]
fn a_tenant_runs_one_import_and_all_tenants_run_four() {
    let jobs = ImportJobs::default();
    let first = admit(&jobs, "1", "a", 0).unwrap();
    assert_eq!(admit(&jobs, "1", "a", 0).unwrap_err(), "known");
    assert_eq!(admit(&jobs, "2", "a", 0).unwrap_err(), "busy with 1");
    let others = ["b", "c", "d"].map(|tenant| admit(&jobs, "1", tenant, 0).unwrap());
    assert_eq!(admit(&jobs, "1", "e", 0).unwrap_err(), "full");
    first.0.state().end(ImportEnding::Complete);
    drop(first);
    assert_eq!(admit(&jobs, "1", "a", 0).unwrap_err(), "known", "it ended and is kept");
    assert!(admit(&jobs, "2", "a", 0).is_ok());
    drop(others);
}

#[test]
fn an_import_that_is_dropped_has_broken_off() {
    let jobs = ImportJobs::default();
    let running = admit(&jobs, "1", "a", 0).unwrap();
    let job = running.0.clone();
    assert!(job.is_running());
    drop(running);
    assert_eq!(job.state().ending, Some(ImportEnding::BrokenOff));
    assert!(admit(&jobs, "1", "a", 1).is_ok(), "it may be sent again");
    assert_eq!(ids(&jobs, "a", 1), ["1"]);
}

#[test]
fn downloads_share_the_refused_rows() {
    let running = admit(&ImportJobs::default(), "1", "a", 0).unwrap();
    let job = running.0.clone();
    job.state().refused_rows = b"line\r\n2\r\n".to_vec();
    drop(running);
    let [first, second] = [(); 2].map(|()| job.state().refused_file.clone());
    assert_eq!((&first[..], first.as_ptr()), (&b"line\r\n2\r\n"[..], second.as_ptr()));
}

#[test]
fn results_are_kept_for_an_hour_unless_there_are_too_many() {
    let jobs = ImportJobs::default();
    for number in 0..10 {
        drop(admit(&jobs, &number.to_string(), "a", number).unwrap());
    }
    drop(admit(&jobs, "x", "b", 100).unwrap());
    assert_eq!(ids(&jobs, "a", 100), ["9", "8", "7", "6", "5", "4", "3", "2"]);
    assert_eq!(ids(&jobs, "a", 3_606), ["9", "8", "7"]);
    assert_eq!(ids(&jobs, "b", 3_699), ["x"]);
    let find = |tenant: &str| jobs.find(&TenantId::new(tenant).unwrap(), "x", at(3_699)).is_some();
    assert_eq!((find("a"), find("b")), (false, true), "another tenant does not find it");
    assert_eq!(ids(&jobs, "b", 3_700), [""; 0]);
}

#[test]
fn a_running_import_is_kept_and_large_files_of_refused_rows_are_not() {
    let jobs = ImportJobs::default();
    let old = admit(&jobs, "old", "a", 0).unwrap();
    let large = admit(&jobs, "large", "b", 1).unwrap();
    large.0.state().refused_rows = vec![0; MAX_KEPT_BYTES + 1];
    drop(large);
    assert_eq!((ids(&jobs, "a", 10_000), ids(&jobs, "b", 2)), (vec!["old".to_owned()], Vec::new()));
    drop(old);
    assert_eq!(ids(&jobs, "a", 10_000), [""; 0]);
}

#[test]
fn old_tried_files_leave_and_their_results_stay() {
    let jobs = ImportJobs::default();
    for (id, at) in [("1", 1), ("2", 2)] {
        let running = admit(&jobs, id, "a", at).unwrap();
        running.0.state().tried_file = Some(vec![0; MAX_TRIED_BYTES / 2 + 1].into());
    }
    assert_eq!(ids(&jobs, "a", 3), ["2", "1"]);
    let has_file = |id| {
        let job = jobs.find(&TenantId::new("a").unwrap(), id, at(3)).unwrap();
        job.state().tried_file.is_some()
    };
    assert_eq!((has_file("1"), has_file("2")), (false, true));
}

#[test]
fn the_newest_large_file_is_kept() {
    let jobs = ImportJobs::default();
    for (id, at) in [("1", 1), ("2", 2)] {
        let running = admit(&jobs, id, "a", at).unwrap();
        running.0.state().refused_rows = vec![0; MAX_KEPT_BYTES / 2 + 1];
    }
    assert_eq!(ids(&jobs, "a", 3), ["2"]);
}

/// The results of a tenant do not depend on how much others import.
#[test]
fn a_tenant_with_little_loses_nothing_to_others() {
    let jobs = ImportJobs::default();
    drop(admit(&jobs, "own", "small", 0).unwrap());
    let own = || jobs.find(&TenantId::new("small").unwrap(), "own", at(99)).unwrap();
    own().state().refused_file = vec![0; 100].into();
    for (tenant, at) in (0..MAX_BYTES / MAX_KEPT_BYTES + 4).zip(1..) {
        let running = admit(&jobs, "large", &format!("t{tenant}"), at).unwrap();
        running.0.state().refused_rows = vec![0; MAX_KEPT_BYTES];
    }
    assert_eq!(own().state().refused_file.len(), 100);
    let kept: usize = jobs.jobs(at(99)).iter().map(|job| job.state().bytes()).sum();
    assert!((MAX_BYTES - MAX_KEPT_BYTES..=MAX_BYTES).contains(&kept), "{kept}");
}
