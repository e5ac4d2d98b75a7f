//! Kotlin: Ktor, Spring, JAX-RS, JDBC, Exposed, Android's SQLite, and the usual HTTP clients.

use super::row::{Row, at, of, with};
use crate::semantics::taint::kind::Kind::{
    Code, Html, Path, Pattern, Redirect, Sql, Template, Url,
};

pub(super) static ROW: Row = Row {
    languages: &["Kotlin"],
    sources: "call.parameters call.request.queryParameters call.request.rawQueryParameters call.request.headers \
        call.request.cookies call.request.uri call.request.path() call.request.queryString() call.request.header() \
        call.request.userAgent() call.receive() call.receiveText() call.receiveNullable() call.receiveParameters() \
        call.receiveStream() call.pathParameters call.queryParameters .originalFileName .originalFilename \
        part.value .getParameter() .getParameterValues() .getParameterMap() .getHeader() .getHeaders() \
        .getQueryString() .getCookies() .getRequestURI() .getRequestURL() .getPathInfo() .queryString .queryParam() \
        .pathParam() .formParam() .pathVariable() .getOriginalFilename() .getSubmittedFileName() \
        .submittedFileName ctx.queryParam() ctx.pathParam() ctx.formParam() ctx.body() ctx.header() ctx.cookie() \
        request.queryParams() request.params() request.cookies request.inputStream request.reader \
        uriInfo.queryParameters uriInfo.pathParameters",
    extra_sources: &[(
        "an archive",
        &[Path],
        "entry.name zipEntry.name ze.name tarEntry.name archiveEntry.name",
    )],
    requests: &[
        ("ApplicationCall", "call"),
        ("HttpServletRequest", "request"),
    ],
    source_annotations: &[
        "@RequestParam", "@PathVariable", "@RequestBody", "@RequestHeader", "@CookieValue",
        "@QueryParam", "@PathParam", "@FormParam", "@HeaderParam", "@CookieParam", "@RequestPart",
        "@ModelAttribute",
    ],
    actions: &["Mapping", "@GET", "@POST", "@PUT", "@DELETE", "@Path("],
    propagators: "String toString format trim trimIndent trimMargin lowercase uppercase toLowerCase toUpperCase substring \
        substringAfter substringBefore substringAfterLast substringBeforeLast replace split plus removePrefix \
        removeSuffix decode toByteArray decodeToString StringBuilder File Path get getAll getOrFail getOrNull getOrDefault \
        of resolve listOf arrayOf joinToString URL URI create orEmpty ifEmpty ifBlank requireNotNull checkNotNull let \
        also run first firstOrNull single last toList map filter readText readLine padStart padEnd toUri toURI toPath \
        Paths buildString append",
    sanitizers: &[
        (
            &[],
            "toInt toIntOrNull toLong toLongOrNull toShort toDouble toDoubleOrNull toFloat toBoolean \
            toBooleanStrictOrNull toBigDecimal toBigInteger toUUID fromString parseInt parseLong valueOf hashCode \
            length isEmpty isBlank matches contains equals size count indexOf",
        ),
        (
            &[Html],
            "escapeHTML escapeHtml htmlEscape escapeHtml4 forHtml encodeForHTML clean escapeIfNeeded",
        ),
        (
            &[Path],
            "name nameWithoutExtension extension fileName getName getFileName normalize cleanPath getBaseName \
            combineSafe canonicalPath",
        ),
        (
            &[Url, Redirect],
            "encode encodeURLParameter encodeURLPath encodeURLQueryComponent",
        ),
        (&[Pattern], "quote escape"),
    ],
    sinks: &[
        at(
            Sql,
            "exec .exec .executeQuery .executeUpdate .execute .prepareStatement .prepareCall .addBatch .createQuery \
            .createNativeQuery .createSQLQuery .queryForObject .queryForList .queryForMap .batchUpdate .rawQuery \
            .execSQL .nativeSQL .createStatement",
            0,
        ),
        of(
            Sql,
            "jdbcTemplate jdbc template handle jdbi db client databaseClient",
            "query update sql",
            0,
        ),
        at(Sql, "SimpleSQLiteQuery", 0),
        at(Code, ".eval .parseExpression", 0),
        at(Template, "Template .evaluate .processTemplate", 0),
        at(
            Path,
            "File java.io.File FileInputStream FileOutputStream FileReader FileWriter RandomAccessFile Paths.get \
            Path.of Path java.nio.file.Paths.get",
            0,
        ),
        at(Path, "File java.io.File Paths.get Path.of", 1),
        of(
            Path,
            "uploadDir uploads dir directory folder baseDir root rootDir storage",
            "resolve",
            0,
        ),
        at(
            Url,
            "URL java.net.URL URI.create .getForObject .getForEntity .postForObject HttpGet HttpPost HttpPut HttpDelete \
            Jsoup.connect",
            0,
        ),
        of(
            Url, "client httpClient http", "get post put delete patch request", 0,
        ),
        at(
            Redirect,
            ".respondRedirect respondRedirect .sendRedirect RedirectView",
            0,
        ),
        with(Html, ".respondText respondText", 0, "Text.Html"),
        at(Pattern, "Regex Pattern.compile", 0),
    ],
    fields: &[],
    sink_nodes: &[],
    harmless_types: "StringBuilder StringBuffer StringWriter ByteArrayOutputStream",
};
