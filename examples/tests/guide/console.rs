//! A `console` block of a page: commands, each with what it prints.

use std::fs;
use std::path::Path;
use std::process::Command;

/// What cuts the output of one command off from that of the next.
const END: &str = "\u{1e}\n";

pub(crate) struct Console {
    commands: Vec<(String, String)>,
}

impl Console {
    /// Reads the blocks of a page of the guide.
    pub(crate) fn of_page(page: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/docs");
        let text = fs::read_to_string(folder.join(page)).unwrap();
        let blocks = text.split("```console\n").skip(1);
        let mut commands: Vec<(String, String)> = Vec::new();
        for line in blocks.flat_map(|block| block.split("```").next().unwrap().lines()) {
            if let Some(command) = line.strip_prefix("$ ") {
                commands.push((command.to_owned(), String::new()));
            } else {
                let (_, output) = commands.last_mut().expect("a block begins with a command");
                output.push_str(line);
                output.push('\n');
            }
        }
        assert!(!commands.is_empty(), "{page} checks nothing");
        Self { commands }
    }

    /// Checks that `cargo run` prints nothing but this table.
    pub(crate) fn prints_table(&self, table: &str) {
        let runs = self.commands.iter().filter(|(command, _)| command.ends_with("cargo run"));
        for (command, output) in runs.filter(|(_, output)| !output.is_empty()) {
            assert_eq!(output, table, "{command}");
        }
    }

    /// Runs what is not cargo's in one shell, with these addresses of the service and the issuer.
    pub(crate) fn answers(&self, service: &str, issuer: &str) {
        let of_shell = || self.commands.iter().filter(|(command, _)| !command.contains("cargo "));
        let mut script = String::new();
        for (command, _) in of_shell() {
            script.push_str(&format!("{command}\nprintf '\\036\\n'\n"));
        }
        script = script.replace("http://127.0.0.1:8000", service);
        script = script.replace("http://127.0.0.1:9000", issuer);
        let shell = Command::new("sh").args(["-c", &script]).output().unwrap();
        let printed = String::from_utf8(shell.stdout).unwrap().replace('\r', "");
        let printed = Vec::from_iter(printed.split_terminator(END));
        assert_eq!(printed.len(), of_shell().count(), "{script}\n{printed:#?}");
        for ((command, expected), printed) in of_shell().zip(printed) {
            assert!(is_like(expected, printed), "$ {command}\n{printed}\nand not\n{expected}");
        }
    }
}

/// Compares lines, where `…` stands for any text.
fn is_like(expected: &str, printed: &str) -> bool {
    let mut parts = expected.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = printed.strip_prefix(first) else {
        return false;
    };
    let Some(last) = parts.next_back() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(last)
}
