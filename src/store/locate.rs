//! Which files a source's path stands for.

use std::{
    fs,
    path::{Path, PathBuf},
};

use chrono::NaiveDate;

use crate::store::{StoreError, disk};

/// The files that a path of the configuration stands for on a day, in order of their names.
/// `{date}` is the day; `*` in the last part is any text. A folder that is not there holds none.
pub fn locate(folder: &Path, path: &Path, day: NaiveDate) -> Result<Vec<PathBuf>, StoreError> {
    let path = folder.join(path.to_string_lossy().replace("{date}", &day.to_string()));
    let (Some(parent), Some(pattern)) = (path.parent(), path.file_name()) else {
        return Ok(Vec::new());
    };
    let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
    let pattern = pattern.to_string_lossy();
    if !pattern.contains('*') {
        if path.is_dir() {
            return Err(StoreError::Folder(path));
        }
        return Ok(path.is_file().then_some(path).into_iter().collect());
    }
    if !parent.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for file in fs::read_dir(parent).map_err(disk("list", parent))? {
        let file = file.map_err(disk("list", parent))?.path();
        let name = file.file_name().map(|it| it.to_string_lossy().into_owned());
        if file.is_file() && name.is_some_and(|it| fits(&it, &pattern)) {
            found.push(file);
        }
    }
    found.sort();
    Ok(found)
}

/// Whether a name fits a pattern in which `*` is any text.
fn fits(name: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or("");
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, pattern: &str, expected: bool) {
        assert_eq!(fits(name, pattern), expected, "`{name}` and `{pattern}`");
    }

    #[test]
    fn a_star_is_any_text() {
        check("a.xml", "*.xml", true);
        check("a.xml.bak", "*.xml", false);
        check("camt-2026-11-30-1.xml", "camt-2026-11-30*.xml", true);
        check("camt.xml", "camt*camt.xml", false);
        check("a-b-c", "a*b*c", true);
        check("ab", "a*b*c", false);
    }

    #[test]
    fn a_folder_where_a_file_is_expected_is_no_absent_file() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("2026-11-30")).unwrap();
        let day = NaiveDate::from_ymd_opt(2026, 11, 30).unwrap();
        let at = |path: &str| locate(folder.path(), Path::new(path), day);
        let told = at("{date}").unwrap_err().to_string();
        assert!(told.ends_with("2026-11-30` is a folder, and a file is expected"), "{told}");
        assert_eq!(at("{date}.csv").unwrap(), Vec::<PathBuf>::new());
    }
}
