//! Prints what finding a token and reading a form cost, in instructions and allocations, beside what its peers take.

mod callgrind;

use callgrind::{Work, measure};
use tollgate_benches::{bearer, form};

fn main() {
    let bi = bearer::inputs();
    let fi: Vec<_> = bearer::ALL.iter().map(|_| ()).collect();
    let _ = fi;
    let forms: Vec<Vec<form::Input>> = form::ALL
        .iter()
        .map(|_| form::inputs().into_iter().chain(form::ordinary()).collect())
        .collect();
    let mut names = vec![];
    let mut works: Vec<Box<dyn Fn()>> = vec![];
    for c in &bearer::ALL {
        for i in &bi {
            names.push((c.name, i.name));
            works.push(Box::new(move || (c.run)(i)));
        }
    }
    for (c, is) in form::ALL.iter().zip(&forms) {
        for i in is {
            names.push((c.name, i.name));
            works.push(Box::new(move || (c.run)(i)));
        }
    }
    fn nothing(_: &bearer::Input) {}
    let n = tollgate_benches::Contender::<bearer::Input> {
        name: "x",
        run: nothing,
    };
    let i0 = &bi[0];
    let empty = Box::new(move || (n.run)(i0));
    works.insert(0, empty);
    names.insert(0, ("nothing", "x"));
    let refs: Vec<Work<'_>> = works.iter().map(|w| &**w as Work<'_>).collect();
    for ((c, i), cost) in names.iter().zip(measure(&refs)) {
        println!(
            "{c:40} {i:25} {:8} {:3}",
            cost.instructions, cost.allocations
        );
    }
}
