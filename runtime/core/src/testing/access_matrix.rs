//! The matrix of who may call what.

use core::error::Error;
use core::fmt;

use crate::syntax::debug_text::debug_as_display;

/// Who may call what: a line for each route, and a column for each caller. `Display` writes it, in
/// columns.
///
/// A cell is `in`, or the status of the refusal. A route that is not asked has the text of its
/// requirement instead, as in the table of [routes](crate::routes).
#[derive(Clone, PartialEq, Eq)]
pub struct AccessMatrix {
    pub(super) callers: Vec<String>,
    pub(super) rows: Vec<Row>,
}

/// A route, with a text for each caller, or one for all.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) cells: Result<Vec<String>, String>,
}

impl AccessMatrix {
    /// Returns the routes for which the answers to two callers differ, with the columns of these
    /// two. For users of two tenants, these should be the routes of their objects only.
    ///
    /// # Errors
    ///
    /// Returns an error if no caller has one of the names.
    pub fn diff(&self, first: &str, second: &str) -> Result<Self, MatrixError> {
        let position = |name: &str| {
            let found = self.callers.iter().position(|caller| caller == name);
            found.ok_or_else(|| MatrixError(format!("there is no caller `{name}`")))
        };
        let positions = [position(first)?, position(second)?];
        let rows = self.rows.iter().filter_map(|row| {
            let cells = row.cells.as_ref().ok()?;
            let [first, second] = positions.map(|position| cells.get(position));
            (first != second).then(|| Row {
                cells: Ok([first, second].into_iter().flatten().cloned().collect()),
                ..row.clone()
            })
        });
        Ok(Self { callers: vec![first.to_owned(), second.to_owned()], rows: rows.collect() })
    }
}

/// One line for the names of the callers, and one for each route.
impl fmt::Display for AccessMatrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines =
            vec![["", ""].into_iter().chain(self.callers.iter().map(|name| &**name)).collect()];
        for Row { method, path, cells } in &self.rows {
            let cells = cells.as_ref().map_or_else(core::slice::from_ref, Vec::as_slice);
            let mut line = vec![&**method, &**path];
            line.extend(cells.iter().map(String::as_str));
            lines.push(line);
        }
        let columns = self.callers.len().saturating_add(2);
        let asked: Vec<&Vec<&str>> = lines.iter().filter(|line| line.len() == columns).collect();
        let widths = (0..columns).map(|column| {
            // The text of a route that is not asked is below all callers.
            let lines = if column < 2 { lines.iter().collect() } else { asked.clone() };
            let cells = lines.into_iter().filter_map(|line| line.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
        });
        let widths = Vec::from_iter(widths);
        for line in &lines {
            let cells = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
            writeln!(f, "{}", Vec::from_iter(cells).join("  ").trim_end())?;
        }
        Ok(())
    }
}

debug_as_display!(AccessMatrix);

/// The error of a matrix: it cannot be asked for as it is written, or a route was not answered by
/// what secures it. `Display` says for each route what to write.
#[derive(Clone, PartialEq, Eq)]
pub struct MatrixError(pub(super) String);

impl fmt::Display for MatrixError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for MatrixError {}

debug_as_display!(MatrixError);
