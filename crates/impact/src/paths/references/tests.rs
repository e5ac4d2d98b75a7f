use std::collections::HashSet;

use super::{Gone, Remaining, references};

fn found(from: &str, text: &str, old: &str, rest: &[&str]) -> Vec<u32> {
    let gone = [Gone {
        file: 0,
        old,
        new: None,
    }];
    let remaining = Remaining(rest.iter().copied().collect::<HashSet<_>>());
    references(from, text, &gone, &remaining)
        .into_iter()
        .map(|(_, line)| line)
        .collect()
}

#[test]
fn a_reference_is_resolved_in_the_way_of_its_language() {
    for (from, text, old) in [
        (
            "templates/front/details.html", "{% include \"front/down.html\" %}",
            "templates/front/down.html",
        ),
        (
            "hc/views.py",
            "x = get_template(\n    \"front/down.html\")",
            "templates/front/down.html",
        ),
        (
            "app/A.php", "return view('shop.cart');", "resources/views/shop/cart.blade.php",
        ),
        (
            "resources/views/a.blade.php", "@include('shop.cart')",
            "resources/views/shop/cart.blade.php",
        ),
        (
            "app/views/cart/show.html.erb", "<%= render 'item' %>", "app/views/cart/_item.html.erb",
        ),
        (
            "app/views/a/b.html.erb", "<%= render partial: \"shared/x\" %>",
            "app/views/shared/_x.html.erb",
        ),
        (
            "app/controllers/cart_controller.rb", "render 'special'",
            "app/views/cart/special.html.erb",
        ),
        ("src/a/B.vue", "import C from './C.vue'", "src/a/C.vue"),
        (
            "src/a/B.vue", "import useCart from '@/lib/cart'", "src/lib/cart.ts",
        ),
        (
            "src/a.ts", "import '../src/side-effect'", "src/side-effect.js",
        ),
        (
            "src/a.js", "const x = await import('./pages/Cart')", "src/pages/Cart/index.jsx",
        ),
        ("src/a.js", "jest.mock('./cart')", "src/cart.js"),
        (
            "www/index.html", "<script src=\"js/app.js\"></script>", "www/js/app.js",
        ),
        ("a/b/c.py", "from a.mod import x", "a/mod.py"),
        ("a/b/c.py", "from .. import mod", "a/mod.py"),
        ("a/b/c.py", "import a.mod as m", "a/mod.py"),
        ("src/a.c", "#include \"util.h\"", "src/util.h"),
        ("lib/a.rb", "require_relative 'b/cart'", "lib/b/cart.rb"),
        (
            "inc/a.php", "require __DIR__ . '/cart.php';", "inc/cart.php",
        ),
        ("styles/a.scss", "@import 'cart';", "styles/_cart.scss"),
        (
            "routes/a.js", "res.render('cart/show')", "views/cart/show.ejs",
        ),
        (
            "Pages/Index.cshtml", "<partial name=\"_Cart\" />", "Pages/Shared/_Cart.cshtml",
        ),
        (
            ".github/workflows/a.yml", "run: python scripts/check.py --all", "scripts/check.py",
        ),
    ] {
        assert_eq!(found(from, text, old, &[]).len(), 1, "{from}: {text}");
    }
}

#[test]
fn other_files_packages_and_names_of_another_file_are_no_reference() {
    for (from, text, old, rest) in [
        (
            "a.html",
            "{% include \"front/down.html\" %}",
            "x/front/down.html",
            &["y/front/down.html"][..],
        ),
        (
            "src/a.ts",
            "import x from './cart'",
            "src/cart.js",
            &["src/cart.ts"],
        ),
        (
            "src/a.ts",
            "import x from './cart'",
            "src/cart.js",
            &["src/cart/index.ts"],
        ),
        ("src/a.ts", "import x from './cart'", "lib/cart.js", &[]),
        ("src/a.ts", "import x from 'cart'", "src/cart.js", &[]),
        (
            "src/a.ts",
            "import x from '@acme/cart'",
            "packages/acme/cart.js",
            &[],
        ),
        ("a/c.py", "import json", "a/json.py", &[]),
        (
            "a/c.py",
            "try:\n    from a import mod\nexcept ImportError:\n    mod = None",
            "a/mod.py",
            &[],
        ),
        (
            "a/c.py",
            "from a import mod",
            "a/mod.py",
            &["a/mod/__init__.py"],
        ),
        ("src/a.c", "#include \"util.h\"", "lib/util.h", &[]),
        ("a.js", "show('cart')", "cart.js", &[]),
        ("a.js", "// import './cart'", "cart.js", &[]),
    ] {
        assert!(found(from, text, old, rest).is_empty(), "{from}: {text}");
    }
}
