//! Metrics of the process, with the names that the Prometheus client libraries use. Linux has them in `/proc`.

use std::fs;

/// Reads the metrics, in the Prometheus text format. Leaves out those that the system does not have.
pub(crate) fn process() -> String {
    let stat = read("/proc/self/stat");
    let ticks = ticks_per_second();
    // Field 3 follows the name of the program, which may contain spaces.
    let fields: Vec<&str> =
        stat.rsplit_once(") ").map_or_else(Vec::new, |(_, rest)| rest.split(' ').collect());
    let field = |number: usize| fields.get(number - 3)?.parse::<f64>().ok();
    let seconds = |number| Some(field(number)? / ticks);
    let booted_at = value_after(&read("/proc/stat"), "btime ");
    let rss = value_after(&read("/proc/self/status"), "VmRSS:").map(|kibibytes| kibibytes * 1_024.0);
    let sum = |one: Option<f64>, other: Option<f64>| Some(one? + other?);
    let figures = [
        ("process_resident_memory_bytes", "gauge", "Resident memory of the process.", rss),
        (
            "process_cpu_seconds_total",
            "counter",
            "Processor time of the process, in user and system mode.",
            sum(seconds(14), seconds(15)),
        ),
        ("process_open_fds", "gauge", "Open file descriptors.", open_files()),
        ("process_max_fds", "gauge", "The most file descriptors that the process may open.", max_files()),
        (
            "process_start_time_seconds",
            "gauge",
            "When the process started, in seconds since 1970.",
            sum(seconds(22), booted_at),
        ),
    ];
    let shown = figures.into_iter().filter_map(|(name, kind, meaning, value)| {
        let value = value?;
        Some(format!("# HELP {name} {meaning}\n# TYPE {name} {kind}\n{name} {value}\n\n"))
    });
    shown.collect()
}

/// Returns an empty string when the file does not exist.
fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// The first number after `words`, on the line that begins with them.
fn value_after(text: &str, words: &str) -> Option<f64> {
    text.lines().find_map(|line| line.strip_prefix(words))?.split_whitespace().next()?.parse().ok()
}

#[expect(clippy::cast_precision_loss, reason = "descriptors are few")]
fn open_files() -> Option<f64> {
    // One of them is the folder itself, which is open only during this call.
    Some(fs::read_dir("/proc/self/fd").ok()?.count().saturating_sub(1) as f64)
}

fn max_files() -> Option<f64> {
    let limits = read("/proc/self/limits");
    // The limit may be the word `unlimited`.
    value_after(&limits, "Max open files")
        .or_else(|| limits.contains("Max open files").then_some(f64::INFINITY))
}

#[cfg(target_os = "linux")]
#[expect(clippy::cast_precision_loss, reason = "there are about a hundred ticks in a second")]
fn ticks_per_second() -> f64 {
    rustix::param::clock_ticks_per_second() as f64
}

/// Never used: other systems have no `/proc`.
#[cfg(not(target_os = "linux"))]
fn ticks_per_second() -> f64 {
    1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_number_after_the_words_is_read() {
        let limits =
            "Limit  Soft\nMax open files            1024                 524288               files\n";
        assert_eq!(value_after(limits, "Max open files"), Some(1024.0));
        assert_eq!(value_after(limits, "Max processes"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn linux_process_has_plausible_metrics() {
        let text = process();
        let value = |name: &str| value_after(&text, &format!("{name} ")).unwrap();
        assert!(value("process_resident_memory_bytes") > 1_000_000.0, "{text}");
        assert!(value("process_open_fds") >= 3.0 && value("process_open_fds") <= value("process_max_fds"));
        assert!(value("process_cpu_seconds_total") >= 0.0);
        let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs_f64();
        let started_ago = now - value("process_start_time_seconds");
        assert!((-2.0..3_600.0).contains(&started_ago), "{started_ago}");
    }
}
