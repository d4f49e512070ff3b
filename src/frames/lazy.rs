//! A column that takes no memory until something is stated in it.

/// Values by row, where the default says that a row states none. Rows behind the last stated
/// value are not held.
#[derive(Debug, Clone)]
pub(crate) struct Lazy<T> {
    values: Vec<T>,
}

impl<T> Default for Lazy<T> {
    fn default() -> Self {
        Self { values: Vec::new() }
    }
}

impl<T: Copy + Default + PartialEq> Lazy<T> {
    /// Sets the value of a row; rows come in ascending order.
    pub(crate) fn set(&mut self, row: usize, value: T) {
        if value != T::default() {
            self.values.resize(row, T::default());
            self.values.push(value);
        }
    }

    /// The value of a row.
    pub(crate) fn get(&self, row: usize) -> T {
        self.values.get(row).copied().unwrap_or_default()
    }

    /// The values of the rows that are held, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = T> {
        self.values.iter().copied()
    }

    /// How many rows it holds: all up to the last that states something.
    pub(crate) fn held(&self) -> usize {
        self.values.len()
    }

    /// Makes room for so many rows, in a column that is held at all.
    pub(crate) fn reserve(&mut self, rows: usize) {
        if !self.values.is_empty() {
            self.values.reserve_exact(rows.saturating_sub(self.values.len()));
        }
    }

    /// Adds the rows of another column behind `rows` rows of this one.
    pub(crate) fn append(&mut self, rows: usize, other: Self) {
        if !other.values.is_empty() {
            self.values.resize(rows, T::default());
            self.values.extend(other.values);
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
    fn a_column_is_held_only_up_to_its_last_stated_value() {
        let mut column = Lazy::default();
        column.set(0, 0);
        column.set(1, 0);
        assert_eq!(column.held(), 0);
        column.set(2, 7);
        column.set(3, 0);
        check(&column, &[0, 0, 7, 0, 0]);
        assert_eq!(column.values.len(), 3);
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
    }
}
