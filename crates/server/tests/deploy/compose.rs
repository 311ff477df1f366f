//! The services of the compose file.

use super::commands::{expect_command, words};
use super::{ROOT, deployed};

/// Services that are instances of the program, by the names in the balancer's configuration.
const INSTANCES: [&str; 2] = ["one", "two"];

#[test]
fn every_command_is_one_of_the_program() {
    let file = deployed("compose.yaml");
    let commands: Vec<&str> = file.lines().filter_map(|line| line.trim().strip_prefix("command: ")).collect();
    assert_eq!(commands.len(), 2);
    for command in commands {
        expect_command(&words(command));
    }
}

#[test]
fn no_password_stands_in_the_file() {
    let file = deployed("compose.yaml");
    let secrets: Vec<&str> = file
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .filter(|line| line.contains("_PASSWORD") || line.contains("postgres://"))
        .collect();
    assert_eq!(secrets.len(), 4);
    for line in secrets {
        assert!(line.contains("${") && line.contains("_PASSWORD:?is not set}"), "{line}");
    }
}

#[test]
fn the_balancer_knows_every_instance_by_its_name() {
    let (file, balancer) = (deployed("compose.yaml"), deployed("haproxy.cfg"));
    for name in INSTANCES {
        assert!(file.contains(&format!("\n  {name}: *instance\n")), "{name}");
        assert!(balancer.contains(&format!("\n    server {name} {name}:8080\n")), "{name}");
    }
    assert_eq!(balancer.matches("\n    server ").count(), INSTANCES.len());
}

#[test]
fn only_this_machine_reaches_the_balancer_and_nothing_else() {
    let file = deployed("compose.yaml");
    let ports: Vec<&str> = file.lines().filter_map(|line| line.trim().strip_prefix("ports: ")).collect();
    assert_eq!(ports, ["[\"127.0.0.1:8080:8080\"]"]);
    assert!(deployed("haproxy.cfg").contains("\n    bind :8080\n"));
}

#[test]
fn no_container_has_a_capability() {
    let file = deployed("compose.yaml");
    // One for each image: all instances share theirs.
    let images = file.matches("\n    image: ").count() + file.matches("\n  image: ").count();
    assert_eq!(images, 3);
    for line in ["cap_drop: [ALL]", "security_opt: [\"no-new-privileges:true\"]"] {
        assert_eq!(file.matches(line).count(), images, "{line}");
    }
}

#[test]
fn every_file_that_is_mounted_is_there() {
    let file = deployed("compose.yaml");
    let mounted: Vec<&str> = file
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- ./"))
        .filter_map(|rest| rest.split(':').next())
        .collect();
    assert_eq!(mounted.len(), 2);
    for path in mounted {
        assert!(std::fs::exists(format!("{ROOT}/deploy/{path}")).unwrap(), "{path}");
    }
}

#[test]
fn the_role_that_is_made_is_the_one_that_is_granted_and_used() {
    let (file, script) = (deployed("compose.yaml"), deployed("service-role.sh"));
    let role = "pointbook_service";
    assert!(script.contains(&format!("\nCREATE ROLE {role} LOGIN PASSWORD :'password';\n")));
    assert!(file.contains(&format!("command: [migrate, --service-role, {role}]\n")));
    assert!(file.contains(&format!("postgres://{role}:${{SERVICE_PASSWORD:")));
}

#[test]
fn one_container_keeps_its_file_on_a_volume_and_is_for_this_machine_alone() {
    let (file, image) = (deployed("compose.sqlite.yaml"), deployed("Dockerfile"));
    let (_, folder) = file.split_once("volumes: [\"data:").unwrap();
    let folder = folder.split('"').next().unwrap();
    assert!(
        image.contains(&format!("\nVOLUME {folder}\n")) && image.contains(&format!("\nWORKDIR {folder}\n"))
    );
    for line in [
        "ports: [\"127.0.0.1:8080:8080\"]",
        "read_only: true",
        "cap_drop: [ALL]",
        "no-new-privileges:true",
        "\nvolumes:\n  data:\n",
    ] {
        assert!(file.contains(line), "{line}");
    }
    let typed = file.lines().find_map(|line| line.split_once(" exec pointbook pointbook ")).unwrap().1;
    expect_command(&typed.split(' ').collect::<Vec<_>>());
}
