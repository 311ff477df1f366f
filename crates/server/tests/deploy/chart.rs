//! The Helm chart. Some tests need Helm and are skipped without it.

use std::collections::BTreeSet;
use std::path::Path;

use super::commands::expect_command;
use super::tools::{expect_success, run_where_installed};
use super::{ROOT, deployed};

/// The name and the content of every template.
pub(crate) fn templates() -> Vec<(String, String)> {
    let folder = Path::new(ROOT).join("deploy/helm/pointbook/templates");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |path: std::path::PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, std::fs::read_to_string(path).unwrap())
    };
    let templates: Vec<_> = paths.map(read).collect();
    assert!(templates.len() >= 8, "{templates:?}");
    templates
}

/// The expressions between `{{` and `}}`, without the trim marks.
fn actions(template: &str) -> Vec<&str> {
    let mut actions = Vec::new();
    let mut rest = template;
    while let Some((before, opened)) = rest.split_once("{{") {
        assert!(!before.contains("}}"), "closed before it is opened: {before}");
        let (action, after) = opened.split_once("}}").unwrap_or_else(|| panic!("not closed: {opened}"));
        assert!(!action.contains("{{"), "opened twice: {action}");
        actions.push(action.trim_start_matches('-').trim_end_matches('-').trim());
        rest = after;
    }
    assert!(!rest.contains("}}"), "closed before it is opened: {rest}");
    actions
}

#[test]
fn every_block_is_closed() {
    for (name, text) in templates() {
        let mut open = Vec::new();
        for action in actions(&text) {
            match action.split_whitespace().next().unwrap() {
                word @ ("if" | "with" | "range" | "define") => open.push(word),
                "else" => assert!(open.last().is_some_and(|word| *word != "define"), "{name}: {action}"),
                "end" => assert!(open.pop().is_some(), "{name}: an end of nothing"),
                _ => {}
            }
        }
        assert!(open.is_empty(), "{name}: {open:?} without an end");
    }
}

#[test]
fn every_part_that_is_included_is_defined_and_none_is_left_over() {
    let quoted = |word: &str| -> BTreeSet<String> {
        let (mark, mut names) = (format!("{word} \""), BTreeSet::new());
        for (_, text) in templates() {
            let rests = text.split(&mark).skip(1);
            names.extend(rests.filter_map(|rest| rest.split('"').next()).map(str::to_owned));
        }
        names
    };
    assert_eq!(quoted("include"), quoted("define"));
    assert!(quoted("define").len() >= 5);
}

#[test]
fn the_chart_is_of_this_version_and_runs_commands_of_the_program() {
    let chart = deployed("helm/pointbook/Chart.yaml");
    assert!(chart.contains(concat!("\nappVersion: ", env!("CARGO_PKG_VERSION"), "\n")));
    let (instances, migration) = (
        deployed("helm/pointbook/templates/deployment.yaml"),
        deployed("helm/pointbook/templates/migrate.yaml"),
    );
    assert!(instances.contains("args: [serve]\n"));
    expect_command(&["serve"]);
    assert!(
        migration.contains("            - migrate\n") && migration.contains("            - --service-role\n")
    );
    expect_command(&["migrate", "--service-role", "name"]);
}

#[test]
fn no_pod_runs_as_root_or_writes_to_its_image() {
    for name in ["deployment.yaml", "migrate.yaml"] {
        let text = deployed(&format!("helm/pointbook/templates/{name}"));
        for part in ["podSecurity", "containerSecurity"] {
            assert!(text.contains(&format!("include \"pointbook.{part}\"")), "{name}: {part}");
        }
        assert!(text.contains("automountServiceAccountToken: false"), "{name}");
    }
    let user = deployed("Dockerfile").lines().find_map(|line| line.strip_prefix("USER ").map(str::to_owned));
    let (user, group) = user.as_deref().and_then(|user| user.split_once(':')).unwrap();
    let names = deployed("helm/pointbook/templates/_names.tpl");
    assert!(names.contains(&format!("runAsUser: {user}\nrunAsGroup: {group}\n")));
}

#[test]
fn whoever_connects_to_the_database_can_have_its_authority() {
    for name in ["deployment.yaml", "migrate.yaml"] {
        let text = deployed(&format!("helm/pointbook/templates/{name}"));
        for part in ["caMount", "caVolume"] {
            assert!(text.contains(&format!("include \"pointbook.{part}\"")), "{name}: {part}");
        }
    }
    let parts = deployed("helm/pointbook/templates/_names.tpl");
    let value = |key: &str| parts.lines().find_map(|line| line.trim().strip_prefix(key)).unwrap().to_owned();
    let path = format!("{}/{}", value("mountPath: "), value("path: "));
    assert_eq!(value("- key: "), value("path: "));
    assert_eq!(value("readOnly: "), "true");
    for file in ["helm/pointbook/values.yaml", "README.md"] {
        assert!(deployed(file).contains(&format!("sslmode=verify-full&sslrootcert={path}")), "{file}");
    }
}

#[test]
fn the_notes_change_tenants_as_the_owner() {
    let (notes, parts) =
        (deployed("helm/pointbook/templates/NOTES.txt"), deployed("helm/pointbook/templates/_names.tpl"));
    assert!(notes.contains("--overrides='{{ include \"pointbook.commandPod\" . | fromYaml | toJson }}'"));
    let (_, pod) = parts.split_once("define \"pointbook.commandPod\"").unwrap();
    assert!(pod.contains("key: {{ .Values.database.ownerKey }}") && !pod.contains("serviceKey"), "{pod}");
    for part in ["podSecurity", "containerSecurity", "caMount", "caVolume"] {
        assert!(pod.contains(&format!("include \"pointbook.{part}\"")), "{part}");
    }
    // An override is merged with the container of the same name, which is that of the pod.
    assert!(notes.contains(" run pointbook-command ") && pod.contains("- name: pointbook-command\n"));
    let commands: Vec<&str> = notes.lines().filter_map(|line| line.strip_prefix("  pointbook ")).collect();
    // The output of the pod is in the container log, where a token must not be.
    assert!(commands.len() == 1 && commands[0].starts_with("tenant add "), "{commands:?}");
    expect_command(&commands[0].split(' ').collect::<Vec<_>>());
}

#[test]
fn the_notes_issue_tokens_in_an_instance() {
    let notes = deployed("helm/pointbook/templates/NOTES.txt");
    let (_, exec) = notes.split_once("exec deployment/{{ include \"pointbook.name\" . }} -- \\\n").unwrap();
    let command = exec.trim().strip_prefix("pointbook ").unwrap();
    assert!(command.starts_with("token issue "), "{command}");
    expect_command(&command.split(' ').collect::<Vec<_>>());
    // `exec` uses the environment of the instance, and Kubernetes finds the program by the PATH of the image.
    let instance = deployed("helm/pointbook/templates/deployment.yaml");
    assert!(instance.contains("key: {{ .Values.database.serviceKey }}"), "{instance}");
    assert!(deployed("Dockerfile").contains(" /usr/local/bin/pointbook\n"));
}

#[test]
fn only_the_ports_of_an_instance_are_reached() {
    let policy = deployed("helm/pointbook/templates/networkpolicy.yaml");
    let instance = deployed("helm/pointbook/templates/deployment.yaml");
    let ports: Vec<&str> = policy.lines().filter_map(|line| line.trim().strip_prefix("- port: ")).collect();
    assert_eq!(ports, ["http", "console", "metrics"]);
    for port in ports {
        assert!(instance.contains(&format!("- name: {port}\n              containerPort: ")), "{port}");
    }
    assert!(policy.contains("include \"pointbook.selector\" . | nindent 6"));
    // A policy that names who may send requests lets no one else open the console.
    assert!(policy.contains(".networkPolicy.consoleFrom | default .Values.networkPolicy.from "), "{policy}");
}

#[test]
fn the_console_has_a_service_that_only_the_cluster_reaches() {
    let services = deployed("helm/pointbook/templates/service.yaml");
    let (main, console) = services.split_once("\n---\n").unwrap();
    assert!(
        !main.contains("targetPort: console") && main.contains("type: {{ .Values.service.type }}"),
        "{main}"
    );
    assert!(main.ends_with("{{- if .Values.console.enabled }}"), "{main}");
    assert!(
        console.contains("  type: ClusterIP\n") && console.contains("targetPort: console\n"),
        "{console}"
    );
}

#[test]
fn metrics_are_reached_only_where_they_are_switched_on() {
    let service = deployed("helm/pointbook/templates/service.yaml");
    let (_, port) = service.split_once("{{- if .Values.metrics.enabled }}\n").unwrap();
    assert!(port.starts_with("    - name: metrics\n") && port.contains("\n      targetPort: metrics\n"));
    let monitor = deployed("helm/pointbook/templates/podmonitor.yaml");
    assert!(
        monitor.starts_with("{{- if and .Values.metrics.enabled .Values.metrics.podMonitor.enabled }}\n")
    );
    for line in [
        "\nkind: PodMonitor\n",
        "\n    - port: metrics\n      path: /metrics\n",
        "include \"pointbook.selector\" . | nindent 6",
        // The alerts use this job name, which is the value of the label in the selector.
        "\n  jobLabel: app.kubernetes.io/name\n",
    ] {
        assert!(monitor.contains(line), "{line}");
    }
    assert!(deployed("helm/pointbook/templates/_names.tpl").contains("app.kubernetes.io/name: pointbook\n"));
    let values = deployed("helm/pointbook/values.yaml");
    assert!(
        values.contains("\nmetrics:\n  enabled: false\n")
            && values.contains("  podMonitor:\n    enabled: false\n")
    );
}

#[test]
fn helm_takes_the_chart() {
    let chart = format!("{ROOT}/deploy/helm/pointbook");
    let all = "database.serviceRole=service,database.caSecretName=ca,ingress.enabled=true,ingress.hosts={a.example},console.enabled=true,console.url=https://console.example,metrics.enabled=true,metrics.podMonitor.enabled=true";
    for values in [&[][..], &["--set", all]] {
        let Some(linted) = run_where_installed("helm", &[&["lint", "--strict", &chart], values].concat())
        else {
            return;
        };
        expect_success(Some(linted));
        expect_success(run_where_installed("helm", &[&["template", "release", &chart], values].concat()));
    }
}
