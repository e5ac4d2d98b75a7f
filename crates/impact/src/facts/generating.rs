//! Annotations with which a library generates members that the code does not show.

/// By language. Those of Java are Lombok's.
const GENERATING: &[(&str, &[&str])] = &[
    (
        "Java",
        &[
            "@Data", "@Getter", "@Setter", "@Value", "@Builder", "@SuperBuilder", "@With",
            "@Wither", "@Accessors", "@Delegate", "@ExtensionMethod",
        ],
    ),
    ("Kotlin", &["@Parcelize", "@Serializable"]),
];

/// The annotations of a language that generate members.
pub(super) fn generating(language: &str) -> &'static [&'static str] {
    let rows = GENERATING.iter();
    let mut own = rows.filter(|(name, _)| *name == language);
    own.next().map_or(&[], |(_, annotations)| annotations)
}
