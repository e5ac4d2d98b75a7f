//! PHP: the superglobals, Laravel, Symfony and WordPress.

use super::row::{Row, all, at, of, with};
use crate::semantics::taint::kind::Kind::{
    Code, Command, CommandLine, Deserialise, Format, Html, Ldap, Log, Path, Pattern, Redirect, Sql,
    Template, Url, Xml, Xpath,
};

pub(super) static ROW: Row = Row {
    languages: &["PHP"],
    sources: "$_GET $_POST $_REQUEST $_COOKIE $_FILES $_SERVER $request.input() $request.get() $request.query() \
        $request.post() $request.all() $request.query.get() $request.request.get() $this.request.getData() \
        $this.input.get() $this.input.post() Input.get() filter_input() $request.cookie() $request.header() \
        $request.json() $request.getContent() $request.query.all() $request.request.all() $request.cookies.get() \
        $request.headers.get() $request.getQueryParams() $request.getParsedBody() $request.getQuery() \
        $request.getPost() $request.getParam() $request.getParams() $request.getBody() $request.server() \
        $request.route() $request.file() $request.only() $this.request.getQuery() \
        $this.request.getPost() $this.request.query() $this.request.getParam() $this.getRequest().getParam() \
        $this.input.cookie() Request.input() Request.get() Request.all() Input.all() Input.post() request() \
        $app.request.get() getallheaders() apache_request_headers() $HTTP_RAW_POST_DATA $HTTP_GET_VARS \
        $HTTP_POST_VARS",
    extra_sources: &[
        (
            "the command line",
            &[Command, Code, Sql, Deserialise],
            "$argv",
        ),
        (
            "an archive",
            &[Path],
            "$zip.getNameIndex() zip_entry_name()",
        ),
    ],
    requests: &[("Request", "$request")],
    source_annotations: &[],
    actions: &[],
    propagators: "trim strtolower strtoupper sprintf implode join explode str_replace substr urldecode rawurldecode \
        base64_decode stripslashes ltrim rtrim strval vsprintf array_merge html_entity_decode nl2br ucfirst strrev \
        json_decode get array_map file_get_contents strip_tags preg_replace reset current end array_values \
        substr_replace ucwords lcfirst mb_substr mb_strtolower mb_strtoupper str_ireplace str_pad str_repeat \
        preg_split parse_str http_build_query wordwrap chunk_split array_pop array_shift \
        array_slice array_filter array_keys gzuncompress hex2bin chr utf8_decode utf8_encode iconv \
        mb_convert_encoding compact array_key_first stripcslashes print dirname pathinfo parse_url all only",
    sanitizers: &[
        (
            &[],
            "intval floatval boolval count strlen is_numeric md5 sha1 hash in_array isset empty crc32",
        ),
        (
            &[Html],
            "htmlspecialchars htmlentities strip_tags urlencode json_encode rawurlencode e esc_html esc_attr \
            esc_url purify h sanitize_text_field wp_kses filter_input",
        ),
        (
            &[Sql],
            "mysqli_real_escape_string real_escape_string quote pg_escape_string prepare \
            mysql_real_escape_string esc_sql addslashes escape pg_escape_literal pg_escape_identifier \
            sqlite_escape_string",
        ),
        (&[Command], "escapeshellarg escapeshellcmd"),
        (&[Path], "basename realpath"),
        (
            &[Url, Redirect],
            "urlencode rawurlencode http_build_query route",
        ),
        (&[Pattern], "preg_quote"),
        (&[Ldap], "ldap_escape"),
        (&[Log], "str_replace"),
    ],
    sinks: &[
        at(
            Sql,
            "mysqli_query pg_query mysqli_multi_query mysqli_real_query sqlsrv_query pg_send_query db2_exec \
            odbc_exec",
            1,
        ),
        at(
            Sql,
            "mysql_query pg_query sqlite_query .query .exec .prepare DB.select DB.raw .whereRaw .get_results \
            .get_var DB.statement .executeQuery .get_row .selectRaw .orderByRaw DB.unprepared .multi_query \
            .createQuery .createNativeQuery mssql_query",
            0,
        ),
        at(Code, "eval assert call_user_func call_user_func_array", 0),
        at(Code, "create_function", 1),
        at(Template, ".createTemplate .renderString", 0),
        at(
            Path,
            "file_get_contents fopen readfile file_put_contents unlink file rmdir mkdir copy rename opendir \
            scandir show_source highlight_file",
            0,
        ),
        at(Path, "move_uploaded_file", 1),
        at(Url, "curl_init fsockopen get_headers", 0),
        with(Url, "curl_setopt", 2, "CURLOPT_URL"),
        at(Redirect, "header redirect .redirect", 0),
        all(Html, "printf"),
        at(Html, "print_r", 0),
        at(Html, "vprintf", 1),
        all(Log, "error_log syslog"),
        at(Xpath, ".xpath .query", 0),
        at(Ldap, "ldap_search", 2),
        at(Pattern, "preg_match preg_replace", 0),
        at(Deserialise, "unserialize", 0),
        of(
            Sql,
            "DB DB.connection()",
            "insert update delete unprepared selectOne scalar",
            0,
        ),
        of(
            Sql,
            "$connection $this.connection $this.db $db $this.database $database $conn $this.conn DB.connection()",
            "select selectOne insert update delete statement affectingStatement unprepared cursor scalar",
            0,
        ),
        of(Sql, "$wpdb", "query get_results get_col prepare", 0),
        at(
            Sql,
            ".havingRaw .groupByRaw .orWhereRaw .fromRaw .queryExec .arrayQuery .rawQuery .executeStatement \
            .fetchAll .fetchAssoc .fetchOne .executeUpdate .createNativeQuery oci_parse .unbufferedQuery \
            sqlite_exec mysql_unbuffered_query",
            0,
        ),
        at(
            Sql,
            "oci_parse odbc_prepare ibase_query pg_prepare pg_execute sqlite_query mysqli_prepare",
            1,
        ),
        at(
            Code,
            "register_shutdown_function forward_static_call \
            func_overload",
            0,
        ),
        of(
            Path, "Storage File Storage.disk()", "get put delete download exists", 0,
        ),
        at(
            Path,
            "parse_ini_file simplexml_load_file file_exists is_file filesize readlink symlink touch chmod \
            chown glob dir ftp_get imagecreatefromjpeg imagecreatefrompng ziparchive.open .download response.file \
            SplFileObject .sendFile copy finfo_file fpassthru tempnam",
            0,
        ),
        at(Path, "copy rename", 1),
        of(
            Url,
            "Http $client $this.client $http Http.withHeaders()",
            "get post put delete head patch request",
            0,
        ),
        at(Url, "$client.request $this.client.request $http.request", 1),
        at(
            Url,
            "curl_init pfsockopen stream_socket_client SoapClient \
            wp_remote_get wp_remote_post",
            0,
        ),
        at(
            Redirect,
            "wp_redirect RedirectResponse $this.redirect Redirect.to Redirect.away redirect.to \
            .redirectToUrl",
            0,
        ),
        at(
            Html,
            "Response HtmlString .write .setContent .setBody $response.getBody().write",
            0,
        ),
        of(
            Log,
            "Log $logger $this.logger logger() $log",
            "info error warning debug notice critical alert emergency \
            log",
            0,
        ),
        at(
            Deserialise,
            "yaml_parse igbinary_unserialize wddx_deserialize",
            0,
        ),
        at(Ldap, "ldap_list ldap_read", 2),
        at(Ldap, "ldap_search ldap_list ldap_read ldap_bind", 1),
        at(Xpath, ".evaluate .queryXpath", 0),
        at(
            Pattern,
            "preg_match_all preg_split preg_replace_callback preg_grep mb_ereg ereg",
            0,
        ),
        at(
            Template,
            "Twig_Environment.createTemplate Blade.render Blade.compileString",
            0,
        ),
        with(
            Xml,
            "simplexml_load_string .loadXML simplexml_load_file .load",
            0,
            "LIBXML_NOENT",
        ),
        with(
            Xml,
            "simplexml_load_string .loadXML SimpleXMLElement",
            0,
            "LIBXML_DTDLOAD",
        ),
        at(Format, "printf sprintf vsprintf vprintf", 0),
        at(Format, "fprintf vfprintf", 1),
    ],
    fields: &[],
    sink_nodes: &[
        (Html, &["echo_statement", "print_intrinsic"]),
        (
            Path,
            &[
                "include_expression", "include_once_expression", "require_expression",
                "require_once_expression",
            ],
        ),
        (CommandLine, &["shell_command_expression"]),
    ],
    harmless_types: "",
};
