//! Rules that report the same defect.

use lint::scan;
use lint::testing::files;
use syntax::parse::Limits;

use crate::overlaps::OVERLAPS;
use crate::{built_in, catalog};

/// The rules that report something in a change of a Python file.
fn rules(diff: &str) -> Vec<String> {
    let text = format!("path: src/a.py\n{diff}");
    let rule = built_in().find("any/security-option-off").unwrap();
    let file = files(rule, &text).changed.remove(0);
    let report = scan(&file, built_in(), &Limits::default());
    report
        .candidates
        .iter()
        .filter_map(|found| found.rule_id().map(str::to_owned))
        .collect()
}

#[test]
fn a_defect_is_reported_once() {
    let switched = "-answer = requests.get(url, verify=True, timeout=3)\n+answer = requests.get(url, verify=False, timeout=3)\n";
    assert_eq!(rules(switched), ["python/certificate-check-off"]);
    let elsewhere =
        " def load(page):\n-    page.verify = True\n+    page.verify = False\n     return page\n";
    assert_eq!(
        rules(elsewhere),
        ["any/security-option-off"],
        "no other rule says it"
    );
    let two = "+import requests\n+url = input()\n+a = requests.get(url, verify=False, timeout=3)\n+b = requests.get(url, verify=False, timeout=3)\n";
    assert_eq!(rules(two), ["python/certificate-check-off"; 2]);
}

#[test]
fn one_cause_is_one_finding() {
    let unwrapped = " def forward(url):\n-    if url and is_safe(url):\n+    if url:\n         return redirect(url)\n     return redirect('/')\n";
    assert_eq!(rules(unwrapped).len(), 1, "{:?}", rules(unwrapped));
    let unused = " from flask_login import login_required\n from app import app\n \n-@login_required\n @app.route('/orders')\n def orders():\n     return render(all_orders())\n";
    assert_eq!(rules(unused), ["any/authorization-removed"]);
    let twice = "+def check(kind):\n+    return 'a' is 'b'\n";
    assert_eq!(rules(twice).len(), 1, "{:?}", rules(twice));
    let two = "+def load(path, text):\n+    open(path).read(); yaml.load(text, yaml.Loader); eval(text)\n";
    assert!(rules(two).len() > 1, "different causes on one line");
}

#[test]
fn the_rules_of_a_defect_exist() {
    for name in OVERLAPS.same_defect.iter().copied().flatten() {
        assert!(
            catalog()
                .ids()
                .any(|id| id.rsplit('/').next() == Some(*name)),
            "{name}"
        );
    }
}

#[test]
fn general_and_specific_rules_exist() {
    for id in OVERLAPS.specific.iter().chain(OVERLAPS.general) {
        assert!(catalog().ids().any(|known| known == *id), "{id}");
    }
}
