//! A function with changed parameters, and a call to it that was not adapted.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use impact::{Signature, counted_calls, shown_path};
use lint::{CallShape, Check, Definition, DiffSink, Facts, Namesakes, Rule, Tests};
use review::{Category, Priority};

pub(crate) const RULE: Rule = Rule {
    id: "any/call-not-adapted",
    languages: &[],
    title: "Call not adapted to a changed signature",
    why: "The change alters the parameters of a function, and this call still passes the old arguments. Without a \
          compiler to check it, the call fails at run time, or each argument ends up in the wrong parameter.",
    fix: "Pass the arguments that the function requires now, or add a default value to the new parameter.",
    references: &["CWE-628"],
    priority: Priority::P1,
    category: Category::ApiCompatibility,
    tests: Tests::Include,
    check: Check::Diff { run },
    positive: &[
        r#"
path: src/a.py
-def area(width):
+def area(width, height):
^
     return width * height
 
 def show(box):
+    log(box)
     return area(box.width)
"#,
        r#"
path: src/a.py
-def area(width):
+def area(width, height):
     return width * height
 
 def show(box):
-    log(box)
+    log(area(box.width))
^
"#,
        r#"
path: src/geometry.py
-def area(width):
+def area(width, height):
^
     return width * height
path: src/show.py
 from geometry import area
 def show(box):
+    log(box)
     return area(box.width)
"#,
        r#"
path: src/a.js
-export function area(width, height) {
+export function area(height, width) {
^
   return 2 * width + height;
 }
path: src/b.js
+import { area } from './a';
 export function show(box) {
   return area(box.width, box.height);
 }
"#,
        r#"
path: src/a.c
-static int fill(char *to)
+static int fill(char *to, size_t size)
^
 {
 	return 0;
 }
@@ int main(void)
 	char to[9];
+	clear(to);
 	fill(to);
"#,
    ],
    negative: &[
        r#"
path: src/a.py
-def area(width):
+def area(width, height=1):
     return width * height
 
 def show(box):
+    log(box)
     return area(box.width)
"#,
        r#"
path: src/a.py
-def area(width):
+def area(width, height):
     return width * height
 
 def show(box):
-    return area(box.width)
+    return area(box.width, box.height)
"#,
        r#"
path: src/a.py
-def area(width):
+def area(width, height):
     return width * height
path: src/b.py
+log(1)
 other.area(3)
"#,
        r#"
path: src/a.js
-function area(width) {
+function area(width, height) {
   return width * (height || 1);
 }
+log(1);
 area(3);
"#,
        r#"
path: src/a.js
-function area(width, height) {
+function area(w, h) {
   return w * h;
 }
+log(1);
 area(3, 4);
"#,
    ],
};

fn run(names: &Namesakes<'_>, sink: &mut DiffSink<'_>) {
    let takers = Takers::new(names);
    let mut changed = names.meant(|definition| definition.after.is_some());
    let mut unchanged = BTreeMap::new();
    for (file, call) in names.calls() {
        let misfits = |home: &Facts, definition: &Definition, passed: CallShape| {
            let fits_another = passed
                .arguments
                .is_some_and(|count| takers.another_takes(definition, count));
            !fits_another && misfit(home, definition, passed).is_some()
        };
        let Some((home, definition)) = changed.find(file, call, misfits) else {
            continue;
        };
        let Some(reason) = misfit(home, definition, CallShape::from(*call)) else {
            continue;
        };
        if call.added {
            let place = place(home, file, definition);
            let summary = format!("`{place}` {reason}, but this call was not adapted.");
            let found = sink.report(file, call.line, summary);
            if may_be_overloaded(home) {
                found.priority(Priority::P3);
            }
        } else {
            let key = (home.file, definition.line);
            let own = unchanged
                .entry(key)
                .or_insert_with(|| (home, definition, reason, BTreeSet::new()));
            own.3.insert((file.path.as_str(), call.line));
        }
    }
    for (home, definition, reason, calls) in unchanged.into_values() {
        let (name, left) = (&definition.name, counted_calls(calls.len()));
        let summary = format!("`{name}` {reason}, but {left} not adapted");
        let found = sink.report_definition(home, definition, &summary, &calls);
        if may_be_overloaded(home) {
            found.priority(Priority::P3);
        }
    }
}

/// Whether another function with the same name may exist outside the diff.
fn may_be_overloaded(home: &Facts) -> bool {
    ["Java", "C#", "Kotlin", "C"].contains(&home.family.as_str()) && !home.path.ends_with(".c")
}

/// The function's name, with its file if that is a different one.
fn place(home: &Facts, file: &Facts, definition: &Definition) -> String {
    if home.file == file.file {
        definition.name.clone()
    } else {
        format!("{}` of `{}", definition.name, shown_path(&home.path))
    }
}

/// How many functions with a name now take a certain number of arguments.
struct Takers<'a> {
    by_count: Vec<usize>,
    /// Identical functions count as one: if a call does not fit one of them, it does not fit its copy.
    copies: HashMap<&'a Definition, usize>,
}

impl<'a> Takers<'a> {
    fn new(names: &Namesakes<'a>) -> Self {
        let mut own = Self {
            by_count: vec![0; usize::from(u8::MAX) + 1],
            copies: HashMap::new(),
        };
        // The starts and ends of ranges of counts, summed up below.
        let mut edges = vec![(0, 0); own.by_count.len()];
        for (_, definition) in names.definitions() {
            *own.copies.entry(definition).or_default() += 1;
            let Some(after) = &definition.after else {
                continue;
            };
            let last = after.max_args.unwrap_or(u8::MAX);
            if after.min_args <= last
                && let Some((begins, _)) = edges.get_mut(usize::from(after.min_args))
            {
                *begins += 1;
                edges
                    .get_mut(usize::from(last))
                    .into_iter()
                    .for_each(|(_, ends)| *ends += 1);
            }
        }
        let mut open = 0;
        for (count, (begins, ends)) in own.by_count.iter_mut().zip(edges) {
            open += begins;
            *count = open;
            open -= ends;
        }
        own
    }

    /// Whether another function with the name takes this number of arguments.
    fn another_takes(&self, definition: &Definition, count: u8) -> bool {
        let takes = definition
            .after
            .as_ref()
            .is_some_and(|after| after.takes(count));
        let copies = if takes {
            self.copies.get(definition).copied().unwrap_or_default()
        } else {
            0
        };
        self.by_count
            .get(usize::from(count))
            .is_some_and(|all| *all > copies)
    }
}

/// Why a call that matched the function before no longer does.
fn misfit(home: &Facts, definition: &Definition, call: CallShape) -> Option<String> {
    let (before, after) = (definition.before.as_ref()?, definition.after.as_ref()?);
    let count = call.arguments?;
    if !before.takes(count) && home.family != "JavaScript" || call.adapted {
        return None;
    }
    // JavaScript accepts any number of arguments, and many parameters are optional.
    let counts =
        home.family != "JavaScript" || home.path.ends_with(".ts") || home.path.ends_with(".tsx");
    if counts && before.takes(count) && !after.takes(count) {
        return Some(format!(
            "took {} before and now takes {}",
            amount(before),
            amount(after)
        ));
    }
    let shifted = !call.by_name && !call.added && is_shifted(before, after, count);
    shifted.then(|| "now takes its parameters in another order".to_owned())
}

/// Whether a parameter that the call passes by position is now in another position.
fn is_shifted(before: &Signature, after: &Signature, count: u8) -> bool {
    let passed = before.names.iter().take(usize::from(count)).enumerate();
    passed.into_iter().any(|(place, name)| {
        let now = after.names.iter().position(|own| own == name);
        now.is_some_and(|now| {
            now != place && after.names.get(place).is_some_and(|other| other != name) && now < 40
        })
    }) && after.takes(count)
}

fn amount(signature: &Signature) -> String {
    let plural = |count: u8| if count == 1 { "argument" } else { "arguments" };
    match signature.max_args {
        None => format!(
            "at least {} {}",
            signature.min_args,
            plural(signature.min_args)
        ),
        Some(most) if most == signature.min_args => format!("{most} {}", plural(most)),
        Some(most) => format!("{} to {most} arguments", signature.min_args),
    }
}
