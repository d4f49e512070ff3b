//! Dates and moments: by the form that the profile declares, else by ISO 8601 only.

use std::ops::RangeInclusive;

use chrono::format::{self, Item, Parsed, StrftimeItems};
use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, NaiveTime, TimeZone, Utc};
use chrono_tz::Tz;

use crate::config::Source;

/// The years in which money is booked here. A day of any other is a slip: a year of two digits read
/// as four, a nought too many, a sheet's first day.
const YEARS: RangeInclusive<i32> = 1900..=2200;

/// Whether money may be booked on a day, or at a moment of it.
pub(super) fn is_credible(day: &impl Datelike) -> bool {
    YEARS.contains(&day.year())
}

/// A form of dates as it is expected: within the years of [`is_credible`].
pub(super) fn credible(form: &str) -> String {
    format!("{form}, of the years {} to {}", YEARS.start(), YEARS.end())
}

/// How a source writes dates and moments.
#[derive(Debug)]
pub(super) struct Dates {
    date: Option<Form>,
    datetime: Option<Form>,
    /// The zone of moments that state none.
    zone_written: Tz,
    /// The zone in which a moment falls on a day.
    zone_booked: Tz,
}

/// A declared form, made ready once.
#[derive(Debug)]
struct Form {
    text: String,
    items: Vec<Item<'static>>,
    /// Where year, month and day stand, if all parts have a fixed width.
    fixed: Option<Fixed>,
}

/// Offsets of a date of fixed width, and its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fixed {
    year: usize,
    month: usize,
    day: usize,
    length: usize,
    /// Byte that stands between the parts, if any.
    between: Option<u8>,
}

const ISO: Fixed = Fixed { year: 0, month: 5, day: 8, length: 10, between: Some(b'-') };

impl Dates {
    /// The forms of a source, read in a reconciliation's zone.
    pub(super) fn new(source: &Source, timezone: Tz) -> Result<Self, String> {
        let form = |text: &Option<String>| text.as_deref().map(Form::new).transpose();
        Ok(Self {
            date: form(&source.date)?,
            datetime: form(&source.datetime)?,
            zone_written: source.timezone.unwrap_or(timezone),
            zone_booked: timezone,
        })
    }

    /// What it expects, as half a sentence.
    pub(super) fn expected(&self) -> String {
        credible(&match (&self.date, &self.datetime) {
            (Some(date), Some(datetime)) => {
                format!("a date as `{}` or `{}`", date.text, datetime.text)
            }
            (Some(form), None) | (None, Some(form)) => format!("a date as `{}`", form.text),
            (None, None) => "a date as `2026-01-31`, or a declared `date` form".to_owned(),
        })
    }

    /// The day that a text names, a moment's being its day in the reconciliation's zone.
    pub(super) fn day(&self, text: &str) -> Option<NaiveDate> {
        self.day_written(text).filter(is_credible)
    }

    fn day_written(&self, text: &str) -> Option<NaiveDate> {
        if self.date.is_none() && self.datetime.is_none() {
            return ISO.read(text.as_bytes()).or_else(|| {
                let moment = self.iso_moment(text)?;
                Some(moment.with_timezone(&self.zone_booked).date_naive())
            });
        }
        [&self.date, &self.datetime].into_iter().flatten().find_map(|form| {
            let fixed = form.fixed.and_then(|fixed| fixed.read(text.as_bytes()));
            fixed.or_else(|| self.day_by(form, text))
        })
    }

    /// The moment that a text names. Of the hour that occurs twice in autumn, the first is meant.
    pub(super) fn moment(&self, text: &str) -> Option<DateTime<Utc>> {
        self.moment_written(text).filter(is_credible)
    }

    fn moment_written(&self, text: &str) -> Option<DateTime<Utc>> {
        match (&self.datetime, &self.date) {
            (Some(form), _) => self.moment_of(&form.parse(text)?),
            (None, Some(form)) if form.has_time() => self.moment_of(&form.parse(text)?),
            (None, _) => self.iso_moment(text),
        }
    }

    fn day_by(&self, form: &Form, text: &str) -> Option<NaiveDate> {
        let parsed = form.parse(text)?;
        if !form.has_time() {
            return parsed.to_naive_date().ok();
        }
        Some(self.moment_of(&parsed)?.with_timezone(&self.zone_booked).date_naive())
    }

    fn moment_of(&self, parsed: &Parsed) -> Option<DateTime<Utc>> {
        if parsed.offset().is_some() {
            return parsed.to_datetime().ok().map(|it| it.to_utc());
        }
        let at = parsed.to_naive_date().ok()?.and_time(parsed.to_naive_time().ok()?);
        self.local(at)
    }

    fn iso_moment(&self, text: &str) -> Option<DateTime<Utc>> {
        if let Ok(stated) = DateTime::parse_from_rfc3339(text) {
            return Some(stated.to_utc());
        }
        let day = ISO.read(text.as_bytes().get(..10)?)?;
        let time = text.get(10..)?.strip_prefix(['T', ' '])?;
        let forms = ["%H:%M:%S%.f", "%H:%M"];
        let time = forms.iter().find_map(|form| NaiveTime::parse_from_str(time, form).ok())?;
        self.local(day.and_time(time))
    }

    fn local(&self, at: NaiveDateTime) -> Option<DateTime<Utc>> {
        self.zone_written.from_local_datetime(&at).earliest().map(|it| it.to_utc())
    }
}

impl Form {
    fn new(text: &str) -> Result<Self, String> {
        let items = StrftimeItems::new(text).parse_to_owned();
        let items = items.map_err(|_| format!("`{text}` is no form of a date"))?;
        let form = Self { text: text.to_owned(), items, fixed: Fixed::of(text) };
        // A form that cannot read what it wrote lacks year, month or day.
        let probe = NaiveDate::from_ymd_opt(2026, 11, 30)
            .and_then(|day| day.and_hms_opt(13, 14, 15))
            .ok_or("no probe")?;
        let mut written = String::new();
        let wrote = std::fmt::Write::write_fmt(
            &mut written,
            format_args!("{}", probe.and_utc().format_with_items(form.items.iter())),
        );
        let read = wrote.ok().and_then(|()| form.parse(&written));
        let day = read.and_then(|it| it.to_naive_date().ok());
        if day != Some(probe.date()) {
            return Err(format!("`{text}` does not tell year, month and day"));
        }
        Ok(form)
    }

    fn parse(&self, text: &str) -> Option<Parsed> {
        let mut parsed = Parsed::new();
        format::parse(&mut parsed, text, self.items.iter()).ok()?;
        Some(parsed)
    }

    /// Whether it tells hours, so that it names a moment.
    fn has_time(&self) -> bool {
        ["%H", "%I", "%k", "%l", "%T", "%R", "%X", "%r", "%c", "%s", "%+"]
            .iter()
            .any(|it| self.text.contains(it))
    }
}

impl Fixed {
    /// The places in a form of `%Y`, `%m`, `%d` and at most one separator; `None` for any other.
    fn of(text: &str) -> Option<Self> {
        let (mut year, mut month, mut day) = (None, None, None);
        let (mut length, mut between) = (0, None);
        let mut bytes = text.bytes();
        while let Some(byte) = bytes.next() {
            if byte != b'%' {
                if !byte.is_ascii() || between.is_some_and(|it| it != byte) {
                    return None;
                }
                between = Some(byte);
                length += 1;
                continue;
            }
            let (part, width) = match bytes.next()? {
                b'Y' => (&mut year, 4),
                b'm' => (&mut month, 2),
                b'd' => (&mut day, 2),
                _ => return None,
            };
            if part.replace(length).is_some() {
                return None;
            }
            length += width;
        }
        let separators = if between.is_some() { 2 } else { 0 };
        (length == 8 + separators).then_some(Self {
            year: year?,
            month: month?,
            day: day?,
            length,
            between,
        })
    }

    fn read(self, text: &[u8]) -> Option<NaiveDate> {
        if text.len() != self.length {
            return None;
        }
        let digits = |at: usize, width: usize| {
            text.get(at..at + width)?.iter().try_fold(0_u32, |number, byte| {
                byte.is_ascii_digit().then(|| number * 10 + u32::from(byte - b'0'))
            })
        };
        let separators = text.iter().filter(|byte| !byte.is_ascii_digit());
        if !separators.eq(self.between.iter().chain(&self.between)) {
            return None;
        }
        let year = i32::try_from(digits(self.year, 4)?).ok()?;
        NaiveDate::from_ymd_opt(year, digits(self.month, 2)?, digits(self.day, 2)?)
    }
}

#[cfg(test)]
mod tests {
    use crate::config::Format;

    use super::*;

    /// The day in Moscow, for a source of these forms.
    fn check(date: &str, datetime: &str, text: &str, expected: &str) {
        let given = |it: &str| (!it.is_empty()).then(|| it.to_owned());
        let mut source = Source::new(Format::Csv);
        (source.date, source.datetime) = (given(date), given(datetime));
        source.timezone = Some(Tz::UTC);
        let dates = Dates::new(&source, Tz::Europe__Moscow).unwrap();
        let found = dates.day(text).map_or("refused".to_owned(), |it| it.to_string());
        assert_eq!(found, expected, "`{text}` by `{date}` or `{datetime}`");
    }

    #[test]
    fn without_a_declared_form_only_iso_8601_is_read() {
        check("", "", "2026-01-31", "2026-01-31");
        check("", "", "2026-01-31T10:00:00Z", "2026-01-31");
        check("", "", "31.01.2026", "refused");
        check("", "", "2026-02-30", "refused");
        check("", "", "2026-1-31", "refused");
        check("", "", "", "refused");
        check("", "", "2026-01-31 x", "refused");
    }

    #[test]
    fn a_declared_form_is_read() {
        check("%d.%m.%Y", "", "31.01.2026", "2026-01-31");
        check("%d.%m.%Y", "", "1.2.2026", "2026-02-01");
        check("%d.%m.%Y", "", "2026-01-31", "refused");
        check("%Y%m%d", "", "20260131", "2026-01-31");
        check("%m/%d/%Y", "", "01/31/2026", "2026-01-31");
        check("%d.%m.%y", "", "31.01.26", "2026-01-31");
        check("%d %b %Y", "", "31 Jan 2026", "2026-01-31");
        check("%d.%m.%Y", "%d.%m.%Y %H:%M", "31.01.2026 10:00", "2026-01-31");
    }

    #[test]
    fn a_year_in_which_nobody_books_is_refused() {
        check("%d.%m.%Y", "", "30.11.26", "refused");
        check("%d.%m.%Y", "", "30.11.0026", "refused");
        check("%Y-%m-%d", "", "+12026-11-30", "refused");
        check("", "", "1899-12-30", "refused");
        check("", "", "1900-01-01", "1900-01-01");
        check("", "", "2200-12-31", "2200-12-31");
        check("", "", "2201-01-01", "refused");
        check("", "", "0026-11-30T10:00:00Z", "refused");
        check("", "%d.%m.%Y %H:%M", "30.11.26 10:00", "refused");
    }

    #[test]
    fn a_moment_falls_on_the_day_of_the_reconciliation() {
        check("", "", "2026-01-31T22:30:00Z", "2026-02-01");
        check("", "", "2026-01-31T22:30:00+03:00", "2026-01-31");
        check("", "", "2026-01-31 22:30", "2026-02-01");
        check("", "%d.%m.%Y %H:%M:%S", "31.01.2026 22:30:00", "2026-02-01");
        check("", "%d.%m.%Y %H:%M:%S %z", "31.01.2026 23:30:00 +0500", "2026-01-31");
    }

    #[test]
    fn a_form_that_tells_no_day_is_refused() {
        for form in ["%H:%M", "%Q", "%Y-%m", "date"] {
            let mut source = Source::new(Format::Csv);
            source.date = Some(form.to_owned());
            assert!(Dates::new(&source, Tz::UTC).is_err(), "{form}");
        }
    }
}
