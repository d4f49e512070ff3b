//! The report as a browser sees it: nothing overflows, nothing complains.

use std::{path::Path, process::Command};

use sverka::domain::language::Language;
use sverka::report::html::{self, Options};
use sverka::report::view::ResultView;

use crate::result;

/// Written into a copy of the page, never into the report: the widths as the layout has them.
const RULER: &str = "<script>const d=document.documentElement;const out=[];\
    for(const e of document.querySelectorAll('body *')){const r=e.getBoundingClientRect();\
    if(r.right>d.clientWidth+1&&!e.closest('.wide,.skip,.stack thead'))out.push(e.tagName+'.'+e.className);}\
    d.dataset.widths=d.scrollWidth+'/'+d.clientWidth+'/'+out.slice(0,5).join(' ');</script>";

/// Opens a page in headless Chromium at a width; gives the document and what was logged.
fn open(page: &Path, width: u32) -> (String, String) {
    let profile = tempfile::tempdir().unwrap();
    let ran = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--enable-logging=stderr", "--v=0", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("--window-size={width},2400"))
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap_or_else(|why| panic!("install the package `chromium` for this test: {why}"));
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&ran.stdout), text(&ran.stderr))
}

/// A report fits the width, whatever its texts, and the console stays silent.
///
/// Headless Chromium makes no window narrower than about 500 px, so the page is shown in a frame
/// of the wanted width; the frame reports the widths of what it holds.
fn check(language: Language, width: u32) {
    let view = ResultView::from(&result::rich());
    let report = html::render(&view, Options::new(language)).unwrap();
    // The report forbids scripts by its own policy, which the measured copy must lift.
    let copy = report
        .replace("default-src 'none'; style-src 'unsafe-inline'", "")
        .replace("</body>", &format!("{RULER}</body>"));
    let escaped = copy.replace('&', "&amp;").replace('"', "&quot;");
    let frame = format!(
        "<!doctype html><meta charset=utf-8><body style='margin:0'><iframe id=f srcdoc=\"{escaped}\" \
         style='border:0;width:{width}px;height:2000px'></iframe><script>f.onload=()=>{{\
         document.documentElement.dataset.seen=f.contentDocument.documentElement.dataset.widths}}\
         </script>"
    );
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("frame.html");
    std::fs::write(&page, frame).unwrap();
    let (document, log) = open(&page, width.max(600));
    let seen = document.split("data-seen=\"").nth(1).and_then(|it| it.split('"').next());
    let seen = seen.unwrap_or_else(|| panic!("nothing was measured: {log}"));
    let (scroll, rest) = seen.split_once('/').unwrap();
    assert_eq!(rest, format!("{scroll}/"), "{language:?}: client width and what sticks out");
    assert!(width - scroll.parse::<u32>().unwrap() <= 20, "{seen}: more than a scroll bar is lost");
    assert!(!log.contains("CONSOLE"), "{log}");
}

#[test]
fn a_report_never_overflows_a_wide_screen() {
    check(Language::English, 1280);
    check(Language::Russian, 1280);
}

#[test]
fn a_report_never_overflows_a_narrow_screen() {
    check(Language::English, 390);
    check(Language::Russian, 390);
}

#[test]
fn the_untouched_report_opens_without_a_console_message() {
    let view = ResultView::from(&result::rich());
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("report.html");
    std::fs::write(&page, html::render(&view, Options::new(Language::English)).unwrap()).unwrap();
    let (document, log) = open(&page, 1280);
    assert!(document.contains("<main>"), "{document}");
    assert!(!log.contains("CONSOLE"), "{log}");
}
