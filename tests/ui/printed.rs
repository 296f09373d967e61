//! The compiler's output for programs that do not compile.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The errors of a program: as the compiler shows them, and in short.
#[derive(Default)]
pub(crate) struct Printed {
    pub(crate) rendered: String,
    pub(crate) short: String,
}

/// Returns the errors of each program in `examples` of a package.
pub(crate) fn printed(package: &str) -> BTreeMap<String, Printed> {
    fs::copy("../../Cargo.lock", Path::new(package).join("Cargo.lock")).unwrap();
    let output = Command::new(env!("CARGO"))
        .args(["check", "--quiet", "--examples", "--keep-going"])
        .args(["--message-format", "json", "--target-dir"])
        .arg(env!("CARGO_TARGET_TMPDIR"))
        // Long types are not shortened.
        .env("RUSTFLAGS", "--verbose")
        // An incremental build prints some errors twice.
        .env("CARGO_INCREMENTAL", "0")
        .current_dir(package)
        .output()
        .unwrap();
    let mut programs = BTreeMap::<_, Printed>::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let message = &line["message"];
        // The last ones of a program have no place, and count the others.
        if line["target"]["kind"][0] != "example" || message["spans"] == Value::Array(Vec::new()) {
            continue;
        }
        let name = text(&line["target"]["name"]);
        let program = programs.entry(name.to_owned()).or_default();
        program.rendered += text(&message["rendered"]);
        write(&mut program.short, message, &format!("examples/{name}.rs"));
    }
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!programs.is_empty(), "{error}");
    programs
}

/// Writes a message in short: its place, what it says, and what it says of other places.
fn write(short: &mut String, message: &Value, file: &str) {
    let spans = spans(message, file);
    let place = spans.iter().find(|span| span.is_primary);
    let place = place.map_or("", |span| &span.place);
    let code = match &message["code"]["code"] {
        Value::String(code) => format!("[{code}]"),
        _ => String::new(),
    };
    let (level, sentence) = (text(&message["level"]), text(&message["message"]));
    writeln!(short, "{place} {level}{code}: {sentence}").unwrap();
    for span in spans.iter().filter(|span| !span.label.is_empty()) {
        let place = if span.place == place { "" } else { &span.place };
        writeln!(short, "  {}", format!("{place} {}", span.label).trim()).unwrap();
    }
    for child in message["children"].as_array().unwrap() {
        let (level, sentence) = (text(&child["level"]), text(&child["message"]));
        // They change with each item of the program.
        if sentence.starts_with("the following other types implement trait") {
            continue;
        }
        writeln!(short, "  {level}: {}", sentence.replace('\n', "\n  ")).unwrap();
        let spans = self::spans(child, file).into_iter();
        for span in spans.filter(|span| !span.label.starts_with("required by")) {
            writeln!(short, "    {}", format!("{} {}", span.place, span.label).trim()).unwrap();
        }
    }
}

/// A place that a message points at.
struct Span {
    /// The line, and the first and the last column. Of another crate, the file.
    place: String,
    /// What the message says of it, or what to write there.
    label: String,
    is_primary: bool,
}

fn spans(message: &Value, file: &str) -> Vec<Span> {
    let spans = message["spans"].as_array().unwrap().iter();
    let spans = spans.map(|span| Span {
        place: place(span, file),
        label: match &span["suggested_replacement"] {
            Value::String(code) => format!("`{}`", code.trim()),
            _ => span["label"].as_str().unwrap_or_default().to_owned(),
        },
        is_primary: span["is_primary"] == true,
    });
    spans.collect()
}

/// What a macro of another crate writes is at the place of its call.
fn place(span: &Value, file: &str) -> String {
    let path = text(&span["file_name"]);
    if path == file {
        let [line, column] = ["line_start", "column_start"].map(|name| &span[name]);
        return match &span["line_end"] {
            end if end == line => format!("{line}:{column}-{}", span["column_end"]),
            end => format!("{line}:{column}-{end}:{}", span["column_end"]),
        };
    }
    match &span["expansion"]["span"] {
        Value::Null => {
            let (folder, file) = path.rsplit_once("/src/").unwrap_or(("", path));
            let name = folder.rsplit('/').next().unwrap_or_default();
            // A folder of the registry has the version too.
            let name = name.trim_end_matches(|it: char| it == '.' || it.is_ascii_digit());
            format!("{}/{file}", name.trim_end_matches('-'))
        }
        call => place(call, file),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
