//! One element of the file with everything in it, small and flat.

use std::{iter, ops::Range};

/// The most elements that one record may hold.
pub(super) const NODE_LIMIT: usize = 4_000_000;

/// A tree of elements in the order of the file. Its memory is used again for the next record.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    open: Vec<usize>,
    text: String,
    pending: String,
}

/// An element: its texts lie in one buffer, and everything up to `end` lies inside it.
#[derive(Debug)]
struct Node {
    name: Span,
    text: Span,
    currency: Span,
    end: u32,
}

#[derive(Debug, Clone, Copy)]
struct Span(u32, u32);

impl Span {
    fn range(self) -> Range<usize> {
        wide(self.0)..wide(self.1)
    }
}

/// Records are far below 4 GiB, see the limits of [`super::walk`].
fn small(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

fn wide(at: u32) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

impl Tree {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.open.clear();
        self.text.clear();
        self.pending.clear();
    }

    /// How many elements it holds.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Opens an element inside the one that is open.
    pub(super) fn open(&mut self, name: &str, currency: &str) {
        self.pending.clear();
        let name = self.keep(name);
        let currency = self.keep(currency);
        self.open.push(self.nodes.len());
        self.nodes.push(Node { name, text: Span(0, 0), currency, end: 0 });
    }

    /// Adds text to the open element.
    pub(super) fn push(&mut self, text: &str) {
        self.pending.push_str(text);
    }

    /// Closes the open element; whether it was the outermost one. Text between elements has no
    /// meaning in ISO 20022 and is left out.
    pub(super) fn close(&mut self) -> bool {
        let Some(at) = self.open.pop() else { return true };
        let is_leaf = at + 1 == self.nodes.len();
        let pending = std::mem::take(&mut self.pending);
        let text = self.keep(if is_leaf { pending.trim() } else { "" });
        self.pending = pending;
        self.pending.clear();
        let end = small(self.nodes.len());
        self.nodes[at].text = text;
        self.nodes[at].end = end;
        self.open.is_empty()
    }

    /// The outermost element.
    pub(super) fn root(&self) -> Element<'_> {
        Element { tree: self, at: 0 }
    }

    fn keep(&mut self, text: &str) -> Span {
        let start = small(self.text.len());
        self.text.push_str(text);
        Span(start, small(self.text.len()))
    }
}

/// An element of a [`Tree`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Element<'t> {
    tree: &'t Tree,
    at: usize,
}

impl<'t> Element<'t> {
    /// Its name without prefix.
    pub(super) fn name(self) -> &'t str {
        &self.tree.text[self.node().name.range()]
    }

    /// Its text without the blanks around it.
    pub(super) fn text(self) -> &'t str {
        &self.tree.text[self.node().text.range()]
    }

    /// Its attribute `Ccy`, blank if it has none.
    pub(super) fn currency(self) -> &'t str {
        &self.tree.text[self.node().currency.range()]
    }

    /// The elements directly inside it.
    pub(super) fn children(self) -> impl Iterator<Item = Element<'t>> {
        let end = wide(self.node().end);
        let first = (self.at + 1 < end).then_some(self.at + 1);
        iter::successors(first, move |at| {
            let next = wide(self.tree.nodes[*at].end);
            (next < end).then_some(next)
        })
        .map(move |at| Element { tree: self.tree, at })
    }

    /// The elements of a name directly inside it.
    pub(super) fn all(self, name: &str) -> impl Iterator<Item = Element<'t>> {
        self.children().filter(move |it| it.name() == name)
    }

    /// The first element on a path of names: `BookgDt/Dt`.
    pub(super) fn at(self, path: &str) -> Option<Element<'t>> {
        path.split('/').try_fold(self, |it, name| it.all(name).next())
    }

    /// The text of the first element on a path, blank if there is none.
    pub(super) fn text_at(self, path: &str) -> &'t str {
        self.at(path).map_or("", Element::text)
    }

    fn node(self) -> &'t Node {
        &self.tree.nodes[self.at]
    }
}
