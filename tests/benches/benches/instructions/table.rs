//! The tables: contenders, cases and costs.

use std::fmt;

use doorward_benches::{Contender, Named};

use crate::callgrind::{self, Cost};

/// A table that is not measured yet.
pub(crate) struct Table {
    title: &'static str,
    contenders: Vec<&'static str>,
    cases: Vec<&'static str>,
    /// The work of each cell, row by row.
    works: Vec<Box<dyn Fn()>>,
}

impl Table {
    pub(crate) fn new<I: 'static, const C: usize>(
        title: &'static str,
        contenders: &'static [Contender<I>; C],
        inputs: impl IntoIterator<Item = Named<I>>,
    ) -> Self {
        let (cases, inputs): (_, Vec<_>) = inputs.into_iter().unzip();
        let inputs: &'static [I] = inputs.leak();
        let works = contenders.iter().flat_map(|contender| {
            inputs
                .iter()
                .map(move |input| Box::new(move || (contender.run)(input)) as Box<dyn Fn()>)
        });
        Self {
            title,
            contenders: contenders.iter().map(|contender| contender.name).collect(),
            cases,
            works: works.collect(),
        }
    }
}

/// A measured table.
pub(crate) struct Measured {
    pub(crate) title: &'static str,
    contenders: Vec<&'static str>,
    cases: Vec<&'static str>,
    costs: Vec<Cost>,
}

/// Measures all tables in one process of this name.
pub(crate) fn measure<const N: usize>(name: &str, tables: [Table; N]) -> [Measured; N] {
    let works: Vec<_> = tables.iter().flat_map(|table| &table.works).map(|work| &**work).collect();
    let mut costs = callgrind::measure(name, &works).into_iter();
    tables.map(|table| Measured {
        title: table.title,
        costs: costs.by_ref().take(table.works.len()).collect(),
        contenders: table.contenders,
        cases: table.cases,
    })
}

impl Measured {
    /// Returns the cost of a case for a contender.
    pub(crate) fn cost(&self, contender: &str, case: &str) -> Cost {
        let row = self.contenders.iter().position(|name| *name == contender);
        let column = self.cases.iter().position(|name| *name == case);
        let (Some(row), Some(column)) = (row, column) else {
            panic!("{} has no {contender} or no {case}", self.title);
        };
        self.costs[row * self.cases.len() + column]
    }

    pub(crate) fn cases(&self) -> &[&'static str] {
        &self.cases
    }
}

/// Writes instructions and allocations as a Markdown table.
impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| {} (instructions, allocations) | {} |", self.title, self.cases.join(" | "))?;
        writeln!(f, "|---|{}", "--:|".repeat(self.cases.len()))?;
        for (contender, costs) in self.contenders.iter().zip(self.costs.chunks(self.cases.len())) {
            write!(f, "| {contender} |")?;
            for cost in costs {
                write!(f, " {}, {} |", cost.instructions, cost.allocations)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
