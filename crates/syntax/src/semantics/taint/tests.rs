//! Data flow in each language.

use super::{Kind, flow, string_build};
use crate::tree::testing::each;

/// The parts of the request that reach a sink.
fn reach(language: &str, kind: Kind, code: &str) -> Vec<String> {
    each(language, code, |node| {
        flow(node, kind).map(|(_, source)| source.text().to_owned())
    })
}

fn python(body: &str) -> Vec<String> {
    reach("Python", Kind::CommandLine, body)
}

#[test]
fn a_value_flows_through_assignments() {
    assert_eq!(
        python("a = request.args['x']\nb = a\nos.system(b)"),
        ["request.args"]
    );
    assert_eq!(
        python("a, b = request.args['x'], 1\nos.system(a)"),
        ["request.args"]
    );
    assert!(
        python("a, b = request.args['x'], 'ls'\nos.system(b)").is_empty(),
        "each value goes to its own variable"
    );
    assert!(
        python("a = request.args['x']\na = 'ls'\nos.system(a)").is_empty(),
        "the last setting counts"
    );
    assert!(
        python("os.system(a)\na = request.args['x']").is_empty(),
        "what comes later does not"
    );
}

#[test]
fn a_conditional_assignment_keeps_the_earlier_value() {
    assert_eq!(
        python("a = request.args['x']\nif quick:\n    a = 'ls'\nos.system(a)"),
        ["request.args"]
    );
    assert_eq!(
        python("a = 'ls'\nif slow:\n    a = request.args['x']\nos.system(a)"),
        ["request.args"]
    );
}

#[test]
fn a_value_flows_into_the_collection_it_is_added_to() {
    assert_eq!(
        python("a = 'ls '\na += request.args['x']\nos.system(a)"),
        ["request.args"]
    );
    assert_eq!(
        python("a = ['ls']\na.append(request.args['x'])\nos.system(' '.join(a))"),
        ["request.args"]
    );
    assert_eq!(
        python("a = {}\na['x'] = request.args['x']\nos.system(a['x'])"),
        ["request.args"]
    );
}

#[test]
fn a_value_flows_through_built_strings() {
    assert_eq!(
        python("os.system('ls ' + request.args['x'])"),
        ["request.args"]
    );
    assert_eq!(
        python("os.system('ls %s' % request.args['x'])"),
        ["request.args"]
    );
    assert_eq!(
        python("os.system('ls {}'.format(request.args['x']))"),
        ["request.args"]
    );
    assert_eq!(
        python("os.system(f\"ls {request.args['x']}\")"),
        ["request.args"]
    );
    assert_eq!(
        python("os.system('ls' if a else request.args['x'])"),
        ["request.args"]
    );
}

#[test]
fn a_value_flows_through_collections_and_loops() {
    assert_eq!(
        python("for a in request.form.getlist('x'):\n    os.system(a)"),
        ["request.form"]
    );
    assert_eq!(
        python("a = [request.args['x'], 1]\nos.system(a[0])"),
        ["request.args"]
    );
    assert_eq!(
        python("a = {'k': request.args['x']}\nos.system(a['k'])"),
        ["request.args"]
    );
}

#[test]
fn a_value_does_not_flow_through_unknown_calls() {
    assert!(python("os.system(choose(request.args['x']))").is_empty());
    assert!(python("os.system(str(len(request.args['x'])))").is_empty());
    assert!(python("os.system('ls' if request.args['x'] else 'pwd')").is_empty());
    assert!(python("os.system(str(request.args['x'] == 'a'))").is_empty());
}

#[test]
fn a_sanitized_value_is_harmless_only_for_that_purpose() {
    assert!(python("os.system('ls ' + shlex.quote(request.args['x']))").is_empty());
    assert!(python("a = int(request.args['x'])\nos.system('ls %s' % a)").is_empty());
    let replaced = "request.args['x'].replace('\\n', '')";
    assert_eq!(python(&format!("os.system({replaced})")), ["request.args"]);
    assert!(reach("Python", Kind::Log, &format!("logger.info({replaced})")).is_empty());
}

#[test]
fn a_checked_value_is_harmless() {
    assert!(
        python("a = request.args['x']\nif a not in ALLOWED:\n    abort(400)\nos.system(a)")
            .is_empty()
    );
    assert!(python("a = request.args['x']\nif is_valid(a):\n    os.system(a)").is_empty());
    assert!(python("a = request.args['x']\nif a == 'ls':\n    os.system(a)").is_empty());
    assert_eq!(
        python("a = request.args['x']\nif a:\n    os.system(a)"),
        ["request.args"],
        "there is no test in that"
    );
}

#[test]
fn a_parameter_filled_by_the_framework_is_a_source() {
    let route = |name: &str| {
        python(&format!(
            "@app.route('/<x>')\ndef run({name}):\n    os.system({name})"
        ))
    };
    assert_eq!(route("x"), ["x"]);
    assert!(route("db").is_empty());
    assert!(python("def run(x):\n    os.system(x)").is_empty());
    let java = "class A { void a(@RequestParam String x, String y) { rt.exec(x); rt.exec(y); } }";
    assert_eq!(reach("Java", Kind::CommandLine, java), ["x"]);
}

#[test]
fn each_language_has_its_sources_and_sinks() {
    let cases = [
        (
            "JavaScript",
            Kind::CommandLine,
            "const { name } = req.query;\nexec(`ls ${name}`);",
            "req.query",
        ),
        (
            "TypeScript",
            Kind::Path,
            "const p: string = req.params.p;\nfs.readFile(p, done);",
            "req.params",
        ),
        (
            "TSX",
            Kind::Html,
            "box.innerHTML = location.hash;",
            "location.hash",
        ),
        (
            "Java",
            Kind::Path,
            "class A { void a() { String n = request.getParameter(\"n\"); new File(n); } }",
            "request.getParameter(\"n\")",
        ),
        (
            "Go",
            Kind::Url,
            "package a\nfunc f() {\n\tu := r.FormValue(\"u\")\n\thttp.Get(u)\n}",
            "r.FormValue(\"u\")",
        ),
        (
            "C#",
            Kind::Redirect,
            "class A { void B() { var u = Request.Query[\"u\"]; Redirect(u); } }",
            "Request.Query",
        ),
        (
            "PHP",
            Kind::CommandLine,
            "<?php\n$a = $_GET['a'];\nsystem(\"ls $a\");",
            "$_GET",
        ),
        (
            "Ruby",
            Kind::CommandLine,
            "a = params[:a]\nsystem(\"ls #{a}\")",
            "params",
        ),
    ];
    for (language, kind, code, source) in cases {
        assert_eq!(reach(language, kind, code), [source], "{language}: {code}");
    }
}

#[test]
fn only_the_start_of_a_url_chooses_the_host() {
    let url = |code: &str| reach("JavaScript", Kind::Url, code);
    assert_eq!(url("fetch(req.query.u + '/a')"), ["req.query"]);
    assert_eq!(url("fetch(`https://${req.query.host}/a`)"), ["req.query"]);
    assert_eq!(url("fetch('https://' + req.query.host)"), ["req.query"]);
    assert!(url("fetch('https://a.example/' + req.query.u)").is_empty());
    assert!(url("fetch(`https://a.example/${req.query.u}`)").is_empty());
    assert!(url("fetch(`${BASE}/${req.query.u}`)").is_empty());
    assert!(url("fetch(location.origin + '/a')").is_empty());
}

#[test]
fn a_built_string_is_found_with_its_variable_part() {
    let pieces = |code: &str| -> Vec<(String, String)> {
        each("Python", code, |node| {
            let value = super::sinks(node, Kind::Sql).into_iter().next()?;
            string_build(value, Kind::Sql)
                .map(|built| (built.piece.text().to_owned(), built.text.text().to_owned()))
        })
    };
    let pair = |piece: &str, text: &str| vec![(piece.to_owned(), text.to_owned())];
    assert_eq!(
        pieces("q = 'a ' + name\nc.execute(q)"),
        pair("name", "'a '")
    );
    assert_eq!(pieces("c.execute('a %s' % name)"), pair("name", "'a %s'"));
    assert_eq!(
        pieces("c.execute('a {}'.format(name))"),
        pair("name", "'a {}'")
    );
    assert_eq!(
        pieces("q = 'a'\nq += ' b' + name\nc.execute(q)"),
        pair("name", "' b'")
    );
    assert!(pieces("q = 'a ' + LIMIT\nc.execute(q)").is_empty());
    assert!(pieces("c.execute(name)").is_empty());
}

#[test]
fn a_variable_assigned_from_itself_ends_the_search() {
    assert!(python("a = a + b\nb = b + a\nos.system(a)").is_empty());
}

#[test]
fn a_check_counts_only_if_it_guards_the_use() {
    let code = |use_it: &str| format!("a = request.args['x']\nif not is_valid(a):\n{use_it}");
    assert_eq!(
        python(&code("    os.system(a)")),
        ["request.args"],
        "in the branch for bad values"
    );
    assert_eq!(
        python(&code("    log(a)\nos.system(a)")),
        ["request.args"],
        "nothing stops it"
    );
    assert!(python(&code("    raise ValueError(a)\nos.system(a)")).is_empty());
    assert!(python(&code("    a = 'ls'\nos.system(a)")).is_empty());
    assert!(
        python("a = request.args['x']\nensure_valid(a)\nos.system(a)").is_empty(),
        "it throws"
    );
}

#[test]
fn a_value_flows_into_a_function_of_the_same_text_and_out_of_it() {
    let into = "def run(cmd):\n    os.system(cmd)\ndef view():\n    run(request.args['x'])";
    assert_eq!(python(into), ["request.args"]);
    let out = "def name():\n    return request.args['x']\ndef view():\n    os.system(name())";
    assert_eq!(python(out), ["request.args"]);
    assert!(python("def run(cmd):\n    os.system(cmd)\ndef view():\n    run('ls')").is_empty());
}

#[test]
fn a_value_flows_into_the_elements_passed_to_a_function() {
    assert_eq!(
        python("[os.system(a) for a in request.args.getlist('x')]"),
        ["request.args"]
    );
    let each = "req.files.forEach((file) => { exec('ls ' + file.name); });";
    assert_eq!(reach("JavaScript", Kind::CommandLine, each), ["req.files"]);
}

#[test]
fn a_request_is_recognized_by_its_type() {
    let go =
        "package a\nfunc f(w http.ResponseWriter, in *http.Request) {\n\thttp.Get(in.URL.Path)\n}";
    assert_eq!(reach("Go", Kind::Url, go), ["in.URL"]);
    let other = "package a\nfunc f(in *Config) {\n\thttp.Get(in.URL.Path)\n}";
    assert!(reach("Go", Kind::Url, other).is_empty());
}

#[test]
fn the_command_line_is_a_source_only_for_commands() {
    assert_eq!(python("os.system('ls ' + sys.argv[1])"), ["sys.argv"]);
    assert!(reach("Python", Kind::Path, "open(sys.argv[1])").is_empty());
}

#[test]
fn the_name_of_an_archive_entry_is_an_external_path() {
    let java = "class A { void a(ZipEntry entry) { new File(folder, entry.getName()); } }";
    assert_eq!(reach("Java", Kind::Path, java), ["entry.getName()"]);
}

#[test]
fn string_parameters_of_an_action_are_filled_from_the_request() {
    let action = |head: &str| {
        let code = format!(
            "class HomeController {{ {head} B(string u, Db db) {{ Redirect(u); Redirect(db); }} }}"
        );
        reach("C#", Kind::Redirect, &code)
    };
    assert_eq!(action("public IActionResult"), ["u"]);
    assert!(action("private IActionResult").is_empty());
}

#[test]
fn a_class_may_be_named_with_its_package() {
    let java = "class A { void a() { new java.io.File(request.getParameter(\"n\")); } }";
    assert_eq!(
        reach("Java", Kind::Path, java),
        ["request.getParameter(\"n\")"]
    );
}

/// The parts that reach the file system in the body of a Java method, where `param` is data from a request.
fn java(body: &str) -> Vec<String> {
    let code = format!(
        "class A {{\n void run(HttpServletRequest r) {{\n String param = r.getParameter(\"p\");\n{body}\n }}\n}}"
    );
    reach("Java", Kind::Path, &code)
}

#[test]
fn assignments_in_a_branch_never_taken_are_ignored() {
    let found = ["r.getParameter(\"p\")"];
    let opened = |before: &str| java(&format!("{before}\n new File(bar);"));
    assert_eq!(
        opened("String bar; int n = 86; if (7 * 42 - n > 300) bar = \"x\"; else bar = param;"),
        found
    );
    assert!(
        opened("String bar; int n = 86; if (7 * 42 - n > 200) bar = \"x\"; else bar = param;")
            .is_empty()
    );
    assert!(opened("int n = 106; String bar = 7 * 18 + n > 200 ? \"x\" : param;").is_empty());
    assert_eq!(
        opened("int n = 106; n = next(); String bar = 7 * 18 + n > 200 ? \"x\" : param;"),
        found
    );
    assert!(
        opened("String bar = param; if (true) { bar = \"x\"; }").is_empty(),
        "a branch that is always taken"
    );
}

#[test]
fn assignments_in_a_case_never_chosen_are_ignored() {
    let chosen = |place: u32, end: &str| {
        java(&format!(
            "String bar; String all = \"ABC\"; char c = all.charAt({place});
             switch (c) {{ case 'A': bar = param; {end} case 'D': case 'B': bar = \"x\"; break; default: bar = \"y\"; break; }}
             new File(bar);"
        ))
    };
    assert_eq!(chosen(0, "break;").len(), 1);
    assert!(chosen(1, "break;").is_empty() && chosen(2, "break;").is_empty());
}

#[test]
fn elements_of_a_collection_are_tracked_by_position() {
    let list = |place: u32| {
        java(&format!(
            "List<String> all = new ArrayList<>(); all.add(\"x\"); all.add(param); all.add(\"y\"); all.remove(0);
             new File(all.get({place}));"
        ))
    };
    assert_eq!((list(0).len(), list(1).len()), (1, 0));
    let map = |key: &str| {
        java(&format!(
            "Map<String, Object> all = new HashMap<>(); all.put(\"a\", \"x\"); all.put(\"b\", param);
             String bar = (String) all.get(\"{key}\"); new File(bar);"
        ))
    };
    assert_eq!((map("a").len(), map("b").len()), (0, 1));
    let passed_on =
        "List<String> all = new ArrayList<>(); all.add(param); fill(all); new File(all.get(1));";
    assert_eq!(
        java(passed_on).len(),
        1,
        "others may have put something in between"
    );
}

#[test]
fn a_url_without_a_host_stays_on_the_same_host() {
    let sent = |test: &str| {
        let code = format!("to = request.args['to']\nif {test}:\n    redirect(to)");
        reach("Python", Kind::Redirect, &code).len()
    };
    assert_eq!(
        (
            sent("not urlparse(to).netloc"),
            sent("urlparse(to).netloc == ''")
        ),
        (0, 0)
    );
    assert_eq!(
        (sent("urlparse(to).netloc"), sent("urlparse(to).path")),
        (1, 1)
    );
}

#[test]
fn a_function_of_the_project_is_not_taken_for_a_library_function() {
    let commands = |imports: &str| {
        let code = format!("{imports}\nexec($_GET['x']);\n");
        reach("PHP", Kind::CommandLine, &code)
    };
    assert_eq!(commands("namespace A;"), ["$_GET"]);
    assert_eq!(commands("use function Safe\\exec;"), ["$_GET"]);
    assert!(commands("use function Other\\exec;").is_empty());
    assert!(commands("namespace A; function exec($text) { return $text; }").is_empty());
}

#[test]
fn go_packages_are_identified_by_path() {
    let code = |import: &str, body: &str| {
        format!("package a\n\nimport {import}\n\nfunc run(r *http.Request) {{\n\t{body}\n}}\n")
    };
    let runs = |import: &str, body: &str| reach("Go", Kind::Path, &code(import, body)).len();
    assert_eq!(runs("\"os\"", "os.Remove(r.FormValue(\"name\"))"), 1);
    assert_eq!(
        runs("system \"os\"", "system.Remove(r.FormValue(\"name\"))"),
        1
    );
    assert_eq!(runs("\"shop/os\"", "os.Remove(r.FormValue(\"name\"))"), 0);
    assert_eq!(
        runs(
            "\"fmt\"",
            "os := orders()\n\tos.Remove(r.FormValue(\"name\"))"
        ),
        0
    );
}
