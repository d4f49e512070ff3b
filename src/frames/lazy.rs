//! A column that takes no memory until something is stated in it.

/// Values by row, where the default says that a row states none. Rows before the first stated value
/// and behind the last one are not held.
#[derive(Debug, Clone)]
pub(crate) struct Lazy<T> {
    /// How many rows come before those that are held.
    before: usize,
    values: Vec<T>,
}

impl<T> Default for Lazy<T> {
    fn default() -> Self {
        Self { before: 0, values: Vec::new() }
    }
}

impl<T: Copy + Default + PartialEq> Lazy<T> {
    /// Sets the value of a row; rows come in ascending order.
    pub(crate) fn set(&mut self, row: usize, value: T) {
        if value != T::default() {
            self.hold_to(row);
            self.values.push(value);
        }
    }

    /// The value of a row.
    pub(crate) fn get(&self, row: usize) -> T {
        let held = row.checked_sub(self.before).and_then(|at| self.values.get(at));
        held.copied().unwrap_or_default()
    }

    /// The rows that are held with their values, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, T)> {
        (self.before..).zip(self.values.iter().copied())
    }

    /// How many rows it holds: all from the first that states something to the last.
    pub(crate) fn held(&self) -> usize {
        self.values.len()
    }

    /// Makes room for so many rows, in a column that is held at all.
    pub(crate) fn reserve(&mut self, rows: usize) {
        if !self.values.is_empty() {
            let held = self.before + self.values.len();
            self.values.reserve_exact(rows.saturating_sub(held));
        }
    }

    /// Adds the rows of another column behind `rows` rows of this one.
    pub(crate) fn append(&mut self, rows: usize, other: Self) {
        if !other.values.is_empty() {
            self.hold_to(rows + other.before);
            self.values.extend(other.values);
        }
    }

    /// Holds every row up to one that comes next.
    fn hold_to(&mut self, row: usize) {
        if self.values.is_empty() {
            self.before = row;
        } else {
            self.values.resize(row - self.before, T::default());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(column: &Lazy<u64>, expected: &[u64]) {
        let found: Vec<_> = (0..expected.len()).map(|row| column.get(row)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_column_is_held_only_from_its_first_stated_value_to_its_last() {
        let mut column = Lazy::default();
        column.set(0, 0);
        column.set(1, 0);
        assert_eq!(column.held(), 0);
        column.set(2, 7);
        column.set(3, 0);
        check(&column, &[0, 0, 7, 0, 0]);
        assert_eq!(column.held(), 1);
        column.set(4, 8);
        check(&column, &[0, 0, 7, 0, 8, 0]);
        assert_eq!(column.held(), 3);
        assert_eq!(column.iter().collect::<Vec<_>>(), [(2, 7), (3, 0), (4, 8)]);
    }

    #[test]
    fn an_appended_column_begins_behind_all_rows_of_the_first() {
        let (mut one, mut other) = (Lazy::default(), Lazy::default());
        one.set(0, 5);
        other.set(1, 9);
        one.append(3, other);
        check(&one, &[5, 0, 0, 0, 9, 0]);
        one.append(6, Lazy::default());
        check(&one, &[5, 0, 0, 0, 9, 0]);
        let mut none = Lazy::default();
        none.append(2, one);
        check(&none, &[0, 0, 5, 0, 0, 0, 9]);
        assert_eq!(none.held(), 5);
    }
}
