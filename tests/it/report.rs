//! What the report says in HTML, in JSON and on the terminal.

use serde_json::Value;
use sverka::domain::language::Language;
use sverka::report::html::{self, Options};
use sverka::report::view::ResultView;
use sverka::report::{json, print};

use crate::result;

fn render(view: &ResultView, language: Language) -> String {
    html::render(view, Options::new(language)).unwrap()
}

/// For looking at: `SVERKA_REPORT_OUT=folder` keeps what the tests render.
fn keep(name: &str, text: &str) {
    if let Some(folder) = std::env::var_os("SVERKA_REPORT_OUT") {
        std::fs::write(std::path::Path::new(&folder).join(name), text).unwrap();
    }
}

#[test]
fn x() {
    let view = ResultView::from(&result::rich());
    for language in Language::ALL {
        let tag = language.tag();
        keep(&format!("rich-{tag}.html"), &render(&view, language));
        keep(
            &format!("rich-{tag}.txt"),
            &print::verdict(&view, language, Some("out/report.html")).unwrap(),
        );
        keep(&format!("clear-{tag}.html"), &render(&ResultView::from(&result::clear()), language));
    }
    keep("rich.json", &json::to_string(&view).unwrap());
}
