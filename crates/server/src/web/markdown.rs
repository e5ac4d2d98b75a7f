//! Markdown descriptions as HTML.

use pulldown_cmark::{Event, Options, Parser};

/// Renders the text as HTML. Tags in it are escaped. Blocks of code can be scrolled with keys.
pub(crate) fn html(text: &str) -> String {
    let events = Parser::new_ext(text, Options::ENABLE_TABLES).map(|event| match event {
        Event::Html(tag) | Event::InlineHtml(tag) => Event::Text(tag),
        event => event,
    });
    let mut html = String::with_capacity(2 * text.len());
    pulldown_cmark::html::push_html(&mut html, events);
    html.replace("<pre>", "<pre tabindex=\"0\">")
}

#[cfg(test)]
mod tests {
    use super::html;

    #[test]
    fn tags_are_escaped() {
        assert_eq!(
            html("`a` <b>b</b>"),
            "<p><code>a</code> &lt;b&gt;b&lt;/b&gt;</p>\n"
        );
        assert_eq!(
            html("```\n<pre>\n```\n"),
            "<pre tabindex=\"0\"><code>&lt;pre&gt;\n</code></pre>\n"
        );
        assert_eq!(html("<script>x</script>"), "&lt;script&gt;x&lt;/script&gt;");
    }
}
