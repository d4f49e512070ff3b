//! Brings back what belongs to something left: who explains an operation must see all of it.
//!
//! Rows belong together when they share an intent or a key, exactly or after a named repair, and
//! when they were removed together. What is left is closed under that: the closure is the same in
//! whatever order it is found, so it is found in waves, each a search of the removed rows for the
//! names of what the wave before brought back. A chain of names that is longer than the waves
//! allowed is followed through an index instead. At last come the possible originals of repeats.

mod chain;

use rayon::iter::{IntoParallelIterator, ParallelExtend, ParallelIterator};

use crate::config::RuleField;
use crate::frames::{Cut, Rows, SideFrame, Token, index};
use crate::matching::cancel::{
    Limits, Work,
    names::Names,
    pairs::Pairs,
    repeats::{Alike, repeated},
};

/// Brings back every pair that must not have been removed.
pub(super) fn bring_back(
    sides: [&SideFrame; 2],
    alike: &Alike,
    limits: Limits,
    pairs: &mut Pairs,
    work: &mut Work,
) {
    part_apart(sides, pairs);
    let wave = first_wave(sides, pairs);
    close(sides, limits, pairs, work, wave);
    let twins = alike.twins(sides[0], pairs);
    let back = part_all(pairs, twins.into_iter().map(|row| (0, row)));
    if !back.is_empty() {
        let wave = names_of(sides, &back);
        close(sides, limits, pairs, work, wave);
    }
}

/// Brings back everything that is linked to the names of a wave.
fn close(
    sides: [&SideFrame; 2],
    limits: Limits,
    pairs: &mut Pairs,
    work: &mut Work,
    mut wave: Vec<Names>,
) {
    for number in 1.. {
        work.waves += 1;
        let reached = reached(sides, pairs, &wave);
        if reached.is_empty() {
            return;
        }
        let back = part_all(pairs, reached);
        if number >= limits.waves {
            return chain::follow(sides, pairs, back);
        }
        wave = names_of(sides, &back);
    }
}

/// Rows that never cancel, and planted rows that met a real one.
fn part_apart(sides: [&SideFrame; 2], pairs: &mut Pairs) {
    for (side, frame) in sides.into_iter().enumerate() {
        for row in &frame.rows().apart {
            pairs.part(side, index(*row));
        }
    }
    for (side, frame) in sides.into_iter().enumerate() {
        for row in (0..frame.len()).filter(|row| frame.is_planted(*row)) {
            if pairs.partner(side, row).is_some_and(|it| !sides[1 - side].is_planted(it)) {
                pairs.part(side, row);
            }
        }
    }
}

/// The names of everything left, of evidence, of what corrections take back, and of intents that
/// our side posted more than once.
fn first_wave(sides: [&SideFrame; 2], pairs: &Pairs) -> Vec<Names> {
    let mut wave = no_names(sides);
    for (side, frame) in sides.into_iter().enumerate() {
        for (link, token) in &frame.rows().named {
            wave[*link].add(*token);
        }
        for row in (0..frame.len()).filter(|row| !pairs.is_paired(side, *row)) {
            add_row(&mut wave, frame.rows(), row);
        }
    }
    let rows = sides[0].rows();
    for (at, link) in sides[0].layout().links.iter().enumerate() {
        if link.field == RuleField::Intent {
            let folds = (0..rows.len()).map(|row| rows.tokens[at].fold(row));
            for fold in repeated(folds.filter(|it| *it != 0).collect()) {
                wave[at].add(Token { fold, cuts: [Cut::None; 2] });
            }
        }
    }
    wave
}

fn no_names(sides: [&SideFrame; 2]) -> Vec<Names> {
    sides[0].layout().links.iter().map(|_| Names::default()).collect()
}

fn names_of(sides: [&SideFrame; 2], rows: &[(usize, usize)]) -> Vec<Names> {
    let mut wave = no_names(sides);
    for (side, row) in rows {
        add_row(&mut wave, sides[*side].rows(), *row);
    }
    wave
}

fn add_row(wave: &mut [Names], rows: &Rows, row: usize) {
    for (names, tokens) in wave.iter_mut().zip(&rows.tokens) {
        if let Some(token) = tokens.get(row) {
            names.add(token);
        }
    }
}

/// The removed rows that share a name of the wave, with their sides.
fn reached(sides: [&SideFrame; 2], pairs: &Pairs, wave: &[Names]) -> Vec<(usize, usize)> {
    let mut reached = Vec::new();
    for (side, frame) in sides.into_iter().enumerate() {
        let tokens = &frame.rows().tokens;
        let meets = |row: usize| {
            let mut links = wave.iter().zip(tokens);
            links.any(|(names, it)| it.get(row).is_some_and(|token| names.meet(token)))
        };
        let rows = (0..frame.len()).into_par_iter();
        let removed = rows.filter(|row| pairs.is_paired(side, *row) && meets(*row));
        reached.par_extend(removed.map(|row| (side, row)));
    }
    reached
}

/// Parts the pairs of these rows; the rows of both sides that are left by it.
fn part_all(
    pairs: &mut Pairs,
    rows: impl IntoIterator<Item = (usize, usize)>,
) -> Vec<(usize, usize)> {
    let mut back = Vec::new();
    for (side, row) in rows {
        if let Some(partner) = pairs.part(side, row) {
            back.extend([(side, row), (1 - side, partner)]);
        }
    }
    back
}
