//! Random services, whose blocks require random scopes, and what each method requires by a simple
//! model: the scopes of the block, of the attributes and of the parameters, or nothing.

use std::fmt::Write as _;

use crate::random::Random;

const BLOCKS: usize = 200;
const SCOPES: [&str; 5] = ["a", "b", "c", "d", "e"];

/// Returns the blocks, a function that calls each method, and the model of each.
pub(crate) fn generate(random: &mut Random) -> Result<String, std::fmt::Error> {
    let (mut items, mut calls) = (String::new(), String::new());
    let (mut tables, mut models) = (String::new(), String::new());
    for block in 0..BLOCKS {
        let of_block = (random.below(3) == 0).then(|| scopes(random));
        let attribute = of_block.as_ref().map_or(String::new(), |scopes| requirement(scopes));
        let (mut declared, mut methods) = (String::new(), String::new());
        for method in 0..=random.below(3) {
            let request = "request: Request<()>";
            writeln!(
                declared,
                "    async fn get_{method}(&self, {request}) -> Result<Response<()>, Status>;"
            )?;
            let (mut required, mut attributes) = (of_block.clone(), String::new());
            let (mut parameters, mut body) = (request.to_owned(), String::new());
            let mut require = |scopes: &[&'static str]| {
                let required = required.get_or_insert_default();
                for scope in scopes {
                    if !required.contains(scope) {
                        required.push(scope);
                    }
                }
            };
            let kind = random.below(5);
            if kind == 0 {
                required = None;
                attributes += "    #[public(reason = \"anyone may\")]\n";
            } else {
                if kind % 2 == 1 {
                    let scopes = scopes(random);
                    writeln!(attributes, "    #[security({})]", requirement(&scopes))?;
                    require(&scopes);
                }
                if kind >= 3 || kind == 2 && of_block.is_none() {
                    let scopes = scopes(random);
                    write!(parameters, ", #[security({})] caller: Caller", requirement(&scopes))?;
                    body += "assert!(!caller.0.is_empty()); ";
                    require(&scopes);
                }
                if random.below(4) == 0 {
                    parameters = format!("_live: Live, {parameters}");
                }
            }
            write!(
                methods,
                "{attributes}    async fn get_{method}(&self, {parameters}) -> Result<Response<()>, Status> \
                 {{\n        {body}Ok(Response::new(request.into_inner()))\n    }}\n"
            )?;
            writeln!(calls, "        ({block}, {method}) => B{block}.get_{method}(call).await,")?;
            writeln!(models, "    ({block}, {method}, {required:?}),")?;
        }
        writeln!(
            items,
            "#[tonic::async_trait]\ntrait T{block} {{\n{declared}}}\nstruct B{block};\n\
             #[secured({attribute})]\n#[tonic::async_trait]\nimpl T{block} for B{block} {{\n{methods}}}"
        )?;
        writeln!(tables, "        B{block}::t{block}_routes(\"{block}\"),")?;
    }
    Ok(format!(
        "{items}\nasync fn called(method: (usize, usize), call: Request<()>) -> Result<Response<()>, Status> {{\n    \
         match method {{\n{calls}        _ => unreachable!(),\n    }}\n}}\n\
         fn tables() -> Vec<Routes> {{\n    vec![\n{tables}    ]\n}}\n\
         const MODEL: &[(usize, usize, Option<&[&str]>)] = &[\n{}];\n",
        models.replace("Some([", "Some(&[")
    ))
}

/// Returns one to three scopes.
fn scopes(random: &mut Random) -> Vec<&'static str> {
    let count = random.below(3);
    let mut scopes = Vec::new();
    for _ in 0..=count {
        let scope = SCOPES[random.below(SCOPES.len())];
        if !scopes.contains(&scope) {
            scopes.push(scope);
        }
    }
    scopes
}

fn requirement(scopes: &[&str]) -> String {
    let scopes = Vec::from_iter(scopes.iter().map(|scope| format!("\"{scope}\"")));
    format!("caller, scopes({})", scopes.join(", "))
}
