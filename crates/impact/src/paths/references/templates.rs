//! Names of templates and partials as frameworks resolve them.

use super::reference::Reference;
use crate::keys::extension;
use crate::paths::modules::{folder, join, last, root_of};

const LARAVEL: &[&str] = &[
    "view(", "@include(", "@extends(", "@component(", "@each(", "View::make(", "->markdown(",
    "markdown:", "view:", "loadView(",
];
const RAILS: &[&str] = &["render", "render(", "partial:", "template:", ":partial =>"];
const RAZOR: &[&str] = &[
    "partial name=", "Partial(", "PartialAsync(", "Layout =", "View(",
];

impl Reference<'_> {
    /// The name of a template or partial without its extension.
    pub(super) fn is_template(&self) -> bool {
        match extension(self.from) {
            "php" if self.follows(LARAVEL) => {
                let path = format!("views/{}", self.text.replace('.', "/"));
                let files = [format!("{path}.blade.php"), format!("{path}.php")];
                self.is_one_of(&files)
            }
            "rb" | "erb" | "haml" | "slim" | "jbuilder" if self.follows(RAILS) => {
                self.is_rails_template()
            }
            "js" | "ts" if self.lead.ends_with(".render(") => {
                let files = ["ejs", "hbs", "pug", "handlebars", "njk"]
                    .map(|own| format!("views/{}.{own}", self.text));
                self.is_one_of(&files)
            }
            "cshtml" | "razor" | "cs" if self.follows(RAZOR) => {
                let name = self.text.trim_end_matches(".cshtml");
                let own = format!("{}.cshtml", join(folder(self.from), name));
                let files = [format!("Shared/{name}.cshtml"), own];
                !name.contains('/') && self.is_one_of(&files)
            }
            _ => false,
        }
    }

    fn is_one_of(&self, files: &[String]) -> bool {
        files.iter().any(|file| root_of(self.old, file).is_some())
            && !files.iter().any(|file| self.remaining.has_end(file))
    }

    fn is_rails_template(&self) -> bool {
        let Some((_, home)) = self.from.split_once("app/") else {
            return false;
        };
        let own = folder(home);
        let own = own.strip_prefix("views/").map(str::to_owned).or_else(|| {
            let controller = home
                .strip_prefix("controllers/")?
                .strip_suffix("_controller.rb")?;
            Some(controller.to_owned())
        });
        let path = if self.text.contains('/') {
            self.text.trim_start_matches('/').to_owned()
        } else if let Some(own) = own {
            join(&own, self.text)
        } else {
            return false;
        };
        let names = [last(&path).to_owned(), format!("_{}", last(&path))];
        let names = names.map(|name| format!("app/views/{}.", join(folder(&path), &name)));
        let is_one = |file: &str| {
            names.iter().any(|name| {
                let at = file.find(name.as_str());
                at.is_some_and(|at| {
                    at == 0 || file.get(..at).is_some_and(|before| before.ends_with('/'))
                })
            })
        };
        is_one(self.old) && !self.remaining.has_any(is_one)
    }
}
