//! A method takes other parameters now, and the method of the same name in another class does not.

use review::facts::{Definition, Facts, Signature};
use review::{Category, Priority};

use crate::facts::{DiffContext, DiffSink};
use crate::rule::{Check, Rule, Tests};

pub(crate) const RULE: Rule = Rule {
    id: "any/override-not-adapted",
    languages: &["Python", "JavaScript", "TypeScript", "TSX", "PHP", "Ruby", "Java", "C++"],
    title: "Method changed, its counterpart in another class was not",
    why: "Two classes of this diff had a method of one name that took the same parameters: one overrides the other, or both \
          fill the same role. The change gave one of them other parameters, so a call that fits one no longer fits the \
          other; where no compiler looks, that fails when it runs.",
    fix: "Give both the same parameters, or rename the one that is something else.",
    priority: Priority::P2,
    category: Category::ApiCompatibility,
    confidence: 0.5,
    tests: Tests::Skip,
    check: Check::Diff { run },
    fires: &[
        "path: src/shape.py\n class Shape:\n-    def area_of(self, box):\n+    def area_of(self, box, unit):\n         raise NotImplementedError\npath: src/circle.py\n class Circle(Shape):\n     def area_of(self, box):\n^\n+        log(box)\n         return box.width\n",
    ],
    quiet: &[
        "path: src/shape.py\n class Shape:\n-    def area_of(self, box):\n+    def area_of(self, box, unit):\n         raise NotImplementedError\npath: src/circle.py\n class Circle(Shape):\n-    def area_of(self, box):\n+    def area_of(self, box, unit):\n         return box.width\n",
        "path: src/shape.py\n class Shape:\n-    def area_of(self, box):\n+    def area_of(self, box, unit=1):\n         raise NotImplementedError\npath: src/circle.py\n class Circle(Shape):\n     def area_of(self, box):\n+        log(box)\n         return box.width\n",
        "path: src/shape.py\n class Shape:\n-    def area_of(self, box):\n+    def area_of(self, shape):\n         raise NotImplementedError\npath: src/circle.py\n class Circle(Shape):\n     def area_of(self, box):\n+        log(box)\n         return box.width\n",
    ],
};

fn run(context: &DiffContext<'_>, sink: &mut DiffSink<'_>) {
    for (home, changed) in context.changed().filter(|(_, definition)| definition.is_member) {
        let (Some(before), Some(after)) = (&changed.before, &changed.after) else { continue };
        // A call that fitted both must not fit this one any more.
        let still_fits = before.most.is_none_or(|count| after.takes(count));
        if still_fits || before.names.is_empty() {
            continue;
        }
        for file in context.files().iter().filter(|file| file.family == home.family && file.file != home.file) {
            for other in file.definitions.iter().filter(|other| is_left(changed, before, other)) {
                sink.report(file, other.line, summary(home, changed, after));
            }
        }
    }
}

fn takes_the_same(one: &Signature, other: &Signature) -> bool {
    (one.least, one.most) == (other.least, other.most)
}

/// Whether a method is the counterpart of a changed one and takes what that took before.
fn is_left(changed: &Definition, before: &Signature, other: &Definition) -> bool {
    let same = |signature: &Option<Signature>| {
        signature.as_ref().is_some_and(|own| own.names == before.names && takes_the_same(own, before))
    };
    other.is_member && other.name == changed.name && same(&other.before) && same(&other.after)
}

fn summary(home: &Facts, changed: &Definition, after: &Signature) -> String {
    let count = after.names.len();
    let plural = if count == 1 { "parameter" } else { "parameters" };
    format!("`{}` of `{}` has {count} {plural} now; this one was left as it was.", changed.name, home.path)
}
