//! A method whose parameters changed while those of its namesake in another class did not.

use std::collections::HashMap;

use review::{Category, Priority};

use crate::facts::{Definition, Facts, Namesakes, Signature};
use crate::rule::{Check, DiffSink, Rule, Tests, shown_path};

pub(crate) const RULE: Rule = Rule {
    id: "any/override-not-adapted",
    languages: &["Python", "JavaScript", "TypeScript", "TSX", "PHP", "Ruby", "Java", "C++"],
    title: "Method signature changed without its counterpart",
    why: "Two classes of this diff had a method with the same name and parameters: one overrides the other, or both \
          play the same role. Only one of them has new parameters, so a call that fits one no longer fits the other; \
          in a language without a compiler, that fails at run time.",
    fix: "Give both methods the same parameters, or rename the one with another purpose.",
    references: &[],
    priority: Priority::P2,
    category: Category::ApiCompatibility,
    tests: Tests::Skip,
    check: Check::Diff { run },
    positive: &[
        "path: src/shape.py\n class Shape:\n-    def area_of(self, box):\n+    def area_of(self, box, unit):\n         raise NotImplementedError\npath: src/circle.py\n class Circle(Shape):\n     def area_of(self, box):\n^\n+        log(box)\n         return box.width\n",
    ],
    negative: &[
        "path: src/shape.py\n class Shape:\n-    def area_of(self, box):\n+    def area_of(self, box, unit):\n         raise NotImplementedError\npath: src/circle.py\n class Circle(Shape):\n-    def area_of(self, box):\n+    def area_of(self, box, unit):\n         return box.width\n",
        "path: src/shape.py\n class Shape:\n-    def area_of(self, box):\n+    def area_of(self, box, unit=1):\n         raise NotImplementedError\npath: src/circle.py\n class Circle(Shape):\n     def area_of(self, box):\n+        log(box)\n         return box.width\n",
        "path: src/shape.py\n class Shape:\n-    def area_of(self, box):\n+    def area_of(self, shape):\n         raise NotImplementedError\npath: src/circle.py\n class Circle(Shape):\n     def area_of(self, box):\n+        log(box)\n         return box.width\n",
    ],
};

fn run(names: &Namesakes<'_>, sink: &mut DiffSink<'_>) {
    // By their parameters before the change: the first that changed, and the first of another file.
    let mut changed: HashMap<Shape<'_>, Vec<(&Facts, &Definition, &Signature)>> = HashMap::new();
    for (home, definition) in names.changed().filter(|(_, definition)| definition.is_member) {
        let (Some(before), Some(after)) = (&definition.before, &definition.after) else { continue };
        // A call that fitted both must no longer fit this one.
        let still_fits = before.max_args.is_none_or(|count| after.takes(count));
        let of_shape = changed.entry(shape(before)).or_default();
        let is_new = of_shape.len() < 2 && of_shape.iter().all(|(known, ..)| known.file != home.file);
        if !still_fits && !before.names.is_empty() && is_new {
            of_shape.push((home, definition, after));
        }
    }
    for (file, other) in names.definitions().iter().filter(|(_, other)| other.is_member) {
        let (Some(before), Some(after)) = (&other.before, &other.after) else { continue };
        let counterparts = changed.get(&shape(before)).filter(|_| shape(before) == shape(after));
        let elsewhere = counterparts.into_iter().flatten().find(|(home, ..)| home.file != file.file);
        if let Some((home, definition, now)) = elsewhere {
            sink.report(file, other.line, summary(home, definition, now));
        }
    }
}

/// The parameters of a method.
type Shape<'a> = (&'a [u64], u8, Option<u8>);

fn shape(of: &Signature) -> Shape<'_> {
    (&of.names, of.min_args, of.max_args)
}

fn summary(home: &Facts, changed: &Definition, after: &Signature) -> String {
    let count = after.names.len();
    let plural = if count == 1 { "parameter" } else { "parameters" };
    format!("`{}` in `{}` now has {count} {plural}, but this one is unchanged.", changed.name, shown_path(&home.path))
}
