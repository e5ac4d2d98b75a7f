//! A function takes other arguments now, and a call of it was not changed with it.

use review::facts::{CallSite, Definition, Facts, Signature};
use review::{Category, Priority};

use crate::facts::{DiffContext, DiffSink};
use crate::rule::{Check, Rule, Tests};

pub(crate) const RULE: Rule = Rule {
    id: "any/call-not-adapted",
    languages: &[],
    title: "Call not adapted to the changed function",
    why: "The change gives a function other parameters, and this call of it still passes what the old ones took. Where \
          no compiler looks, it fails when it runs, or each argument lands in another parameter.",
    fix: "Pass what the function takes now, or give the new parameter a default.",
    priority: Priority::P2,
    category: Category::ApiCompatibility,
    confidence: 0.6,
    tests: Tests::Include,
    check: Check::Diff { run },
    fires: &[
        "path: src/a.py\n-def area(width):\n+def area(width, height):\n     return width * height\n \n def show(box):\n+    log(box)\n     return area(box.width)\n^\n",
        "path: src/geometry.py\n-def area(width):\n+def area(width, height):\n     return width * height\npath: src/show.py\n from geometry import area\n def show(box):\n+    log(box)\n     return area(box.width)\n^\n",
        "path: src/a.js\n-export function area(width, height) {\n+export function area(height, width) {\n   return 2 * width + height;\n }\npath: src/b.js\n+import { area } from './a';\n export function show(box) {\n   return area(box.width, box.height);\n^\n }\n",
        "path: src/a.c\n-static int fill(char *to)\n+static int fill(char *to, size_t size)\n {\n \treturn 0;\n }\n@@ int main(void)\n \tchar to[9];\n+\tclear(to);\n \tfill(to);\n^\n",
    ],
    quiet: &[
        "path: src/a.py\n-def area(width):\n+def area(width, height=1):\n     return width * height\n \n def show(box):\n+    log(box)\n     return area(box.width)\n",
        "path: src/a.py\n-def area(width):\n+def area(width, height):\n     return width * height\n \n def show(box):\n-    return area(box.width)\n+    return area(box.width, box.height)\n",
        "path: src/a.py\n-def area(width):\n+def area(width, height):\n     return width * height\npath: src/b.py\n+log(1)\n other.area(3)\n",
        "path: src/a.js\n-function area(width) {\n+function area(width, height) {\n   return width * (height || 1);\n }\n+log(1);\n area(3);\n",
        "path: src/a.js\n-function area(width, height) {\n+function area(w, h) {\n   return w * h;\n }\n+log(1);\n area(3, 4);\n",
    ],
};

fn run(context: &DiffContext<'_>, sink: &mut DiffSink<'_>) {
    for (home, definition) in context.changed() {
        let (Some(before), Some(after)) = (&definition.before, &definition.after) else { continue };
        for (file, call) in context.calls_of(home, definition) {
            let fits_another =
                context.meant_by(file, call).any(|(_, other)| other != definition && accepts(other, call));
            let Some(reason) = misfit(home, before, after, call).filter(|_| !fits_another) else { continue };
            let found = sink.report(
                file,
                call.line,
                format!("`{}` {reason}, and this call was not changed with it.", place(home, file, definition)),
            );
            // Another function of the same name may stand outside of the diff.
            if ["Java", "C#", "Kotlin", "C"].contains(&home.family.as_str()) && !home.path.ends_with(".c") {
                found.priority(Priority::P3).confidence(0.35);
            }
        }
    }
}

/// The function's name, with its file if that is another one.
fn place(home: &Facts, file: &Facts, definition: &Definition) -> String {
    if home.file == file.file { definition.name.clone() } else { format!("{}` of `{}", definition.name, home.path) }
}

fn accepts(other: &Definition, call: &CallSite) -> bool {
    other.after.as_ref().is_some_and(|after| call.arguments.is_none_or(|count| after.takes(count)))
}

/// Why a call that fitted the function before does not fit it any more.
fn misfit(home: &Facts, before: &Signature, after: &Signature, call: &CallSite) -> Option<String> {
    let count = call.arguments?;
    if !before.takes(count) && home.family != "JavaScript" || call.adapted {
        return None;
    }
    // JavaScript takes any number of arguments, and many a parameter may be left out.
    let counts = home.family != "JavaScript" || home.path.ends_with(".ts") || home.path.ends_with(".tsx");
    if counts && before.takes(count) && !after.takes(count) {
        return Some(format!("took {} and now takes {}", amount(before), amount(after)));
    }
    let shifted = call.named == 0 && !call.added && is_shifted(before, after, count);
    shifted.then(|| "now takes its parameters in another order".to_owned())
}

/// Whether a parameter that the call passes by its place now stands in another one.
fn is_shifted(before: &Signature, after: &Signature, count: u8) -> bool {
    let passed = before.names.iter().take(usize::from(count)).enumerate();
    passed.into_iter().any(|(place, name)| {
        let now = after.names.iter().position(|own| own == name);
        now.is_some_and(|now| now != place && after.names.get(place).is_some_and(|other| other != name) && now < 40)
    }) && after.takes(count)
}

fn amount(signature: &Signature) -> String {
    let plural = |count: u8| if count == 1 { "argument" } else { "arguments" };
    match signature.most {
        None => format!("at least {} {}", signature.least, plural(signature.least)),
        Some(most) if most == signature.least => format!("{most} {}", plural(most)),
        Some(most) => format!("{} to {most} arguments", signature.least),
    }
}
