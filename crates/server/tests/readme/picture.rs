//! The picture of the README shows real output.

use super::document::Block;
use super::expectation::mismatch;
use super::session::Session;
use super::tour::shell_is_there;

const PICTURE: &str = include_str!("../../../../docs/demo.svg");

/// A command of the picture and its output.
#[derive(Default)]
struct Scene {
    commands: String,
    language: &'static str,
    shown: String,
}

#[test]
fn picture_shows_the_real_output() {
    if !shell_is_there() {
        return;
    }
    let mut session = Session::start();
    let scenes = scenes();
    assert_eq!(scenes.len(), 2);
    for Scene { commands, language, shown } in &scenes {
        // Empty lines are gaps in the picture.
        let printed = session.run(commands).replace("\n\n", "\n");
        let expected = Block { section: "", language, line: 0, text: shown, follows: true };
        let wrong = mismatch(&expected, &printed);
        assert!(wrong.is_none(), "docs/demo.svg: {}", wrong.unwrap_or_default());
    }
}

fn scenes() -> Vec<Scene> {
    let mut scenes: Vec<Scene> = Vec::new();
    for (class, text) in PICTURE.lines().filter_map(text_element) {
        match (class, text.strip_prefix("$ ")) {
            ("in", Some(command)) => scenes.push(Scene { commands: command.to_owned(), ..Scene::default() }),
            ("in", None) => scenes.last_mut().unwrap().commands.extend(["\n", &text]),
            ("out" | "json", _) => {
                let scene = scenes.last_mut().unwrap();
                scene.language = if class == "json" { "json" } else { "text" };
                scene.shown.extend([&text, "\n"]);
            }
            _ => {}
        }
    }
    scenes
}

/// The class and the content of a line with a text element.
fn text_element(line: &str) -> Option<(&str, String)> {
    let (attributes, rest) = line.trim().strip_prefix("<text class=\"")?.split_once('>')?;
    let (class, _) = attributes.split_once('"')?;
    let text = rest.strip_suffix("</text>")?;
    Some((class, text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")))
}
