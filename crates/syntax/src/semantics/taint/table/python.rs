//! Python: Flask, Django, FastAPI, aiohttp, Tornado, Pyramid, and the libraries that they use.

use super::row::{Row, Sinks, all, at, named, of, with};
use crate::semantics::taint::kind::Kind::{
    Code, Command, Deserialise, Html, Ldap, Log, NoSql, Path, Pattern, Redirect, Sql, Template,
    Url, Xml, Xpath,
};

pub(super) static ROW: Row = Row {
    languages: &["Python"],
    sources: "request.args request.form request.values request.json request.cookies request.headers request.data \
        request.files request.GET request.POST request.META request.COOKIES request.FILES request.body \
        request.query_params request.path_params request.match_info request.params request.matchdict request.query \
        request.query_string request.view_args request.stream request.url request.full_path request.path \
        request.get_json() request.get_data() request.post() request.text() self.get_argument() \
        self.get_query_argument() self.get_body_argument() self.get_arguments() self.get_cookie() self.path \
        self.rfile.read() event.queryStringParameters request.query.get() request.forms request.rel_url \
        request.query_arguments request.body_arguments request.arguments request.content request.auth request.uri \
        request.host request.environ request.stream.read() request.media request.read() request.json() \
        request.form() request.body() self.get_body_arguments() self.get_query_arguments() self.get_secure_cookie() \
        self.request.body self.rfile.readline() request.content_params bottle.request.query cherrypy.request.params \
        web.input() cgi.FieldStorage() form.getvalue() event.body event.pathParameters event.headers \
        websocket.receive_text() websocket.recv() st.text_input()",
    extra_sources: &[
        (
            "the command line",
            &[Command, Code, Sql, Deserialise],
            "sys.argv input() raw_input()",
        ),
        (
            "an archive",
            &[Path],
            "member.filename info.filename zinfo.filename entry.filename tarinfo.name member.name",
        ),
    ],
    requests: &[
        ("req", "request"),
        ("HttpRequest", "request"),
        (": Request", "request"),
    ],
    source_annotations: &[
        ".route(", ".get(", ".post(", ".put(", ".delete(", ".patch(", ".websocket(", ".api_route(",
        ".head(", ".expose", "@get(", "@post(", "@route(",
    ],
    actions: &[],
    propagators: "str bytes format join replace strip lstrip rstrip lower upper decode encode split get unquote \
        unquote_plus b64decode loads list dict tuple text Path fspath normpath abspath expanduser urljoin StringIO \
        BytesIO title capitalize sorted next iter cast dedent format_map literal_column Markup getlist pop PurePath \
        realpath urlparse parse_qs parse_qsl read readlines readline splitlines expandvars as_posix removeprefix \
        removesuffix ljust zfill translate casefold json getvalue first compile select_from HttpResponse SafeString \
        mark_safe quote_plus with_name joinpath safe_load load from_iterable map filter enumerate zip reversed copy \
        deepcopy TextClause",
    sanitizers: &[
        (
            &[],
            "int float bool len UUID uuid4 isinstance hash sha256 md5 hexdigest Decimal isdigit",
        ),
        (&[Command], "quote list2cmdline"),
        (
            &[Path],
            "secure_filename safe_join basename quote get_valid_filename",
        ),
        (
            &[Html],
            "escape clean bleach conditional_escape format_html jsonify dumps quote quote_plus urlencode \
            striptags render_template",
        ),
        (&[Sql], "escape_string quote_ident Identifier Literal"),
        (
            &[Url, Redirect],
            "url_for reverse quote quote_plus urlencode url_has_allowed_host_and_scheme",
        ),
        (&[Pattern], "escape"),
        (&[Ldap], "escape_filter_chars escape_dn_chars escape_rdn"),
        (&[Log], "replace repr"),
        (&[NoSql], "str int ObjectId literal_eval"),
        (&[Deserialise, Code], "literal_eval"),
        (&[Xpath], "escape"),
    ],
    sinks: &[
        at(
            Sql,
            ".execute .executemany .executescript .raw RawSQL .read_sql .read_sql_query .fetchval .fetchrow \
            .run_sync sqlalchemy.text text .mogrify",
            0,
        ),
        at(NoSql, ".find .find_one .delete_one .delete_many", 0),
        at(
            Code,
            "eval exec compile __import__ importlib.import_module import_module .runsource .runcode",
            0,
        ),
        at(
            Template,
            "render_template_string Template jinja2.Template .from_string",
            0,
        ),
        at(
            Path,
            "open io.open os.open codecs.open os.remove os.unlink os.rmdir os.makedirs os.mkdir os.listdir \
            os.rename shutil.rmtree shutil.copy shutil.copyfile shutil.move send_file flask.send_file \
            send_from_directory FileResponse aiofiles.open zipfile.ZipFile os.chmod tarfile.open os.stat",
            0,
        ),
        at(
            Url,
            "requests.get requests.post requests.put requests.delete requests.patch requests.head \
            requests.options httpx.get httpx.post urlopen urllib.request.urlopen urllib.urlopen urllib2.urlopen \
            urllib.request.Request urllib.request.urlretrieve session.get session.post HTTPConnection \
            HTTPSConnection http.client.HTTPConnection http.client.HTTPSConnection httplib.HTTPSConnection",
            0,
        ),
        at(Url, "requests.request aiohttp.request", 1),
        at(
            Redirect,
            "redirect flask.redirect HttpResponseRedirect RedirectResponse HttpResponsePermanentRedirect \
            self.redirect web.HTTPFound HTTPFound",
            0,
        ),
        named(Redirect, "HTTPFound redirect", "location"),
        at(
            Html,
            "HttpResponse django.http.HttpResponse make_response flask.make_response HTMLResponse Markup \
            flask.Markup mark_safe self.write HttpResponseBadRequest Response flask.Response",
            0,
        ),
        all(
            Log,
            "logging.info logging.warning logging.error logging.debug logger.info logger.warning logger.error \
            logger.debug app.logger.info",
        ),
        at(Xpath, ".xpath etree.XPath .findtext libxml2.xpathEval", 0),
        at(Ldap, ".search_s .search_ext_s .search_st", 2),
        with(Ldap, ".search", 1, "="),
        of(
            Ldap,
            "conn connection ldap_connection ldap_conn ldap srv",
            "search",
            1,
        ),
        at(Ldap, ".search_s", 0),
        named(Ldap, ".search", "search_filter"),
        named(Ldap, ".search", "search_base"),
        at(
            Pattern,
            "re.compile re.search re.match re.findall re.sub re.fullmatch",
            0,
        ),
        at(
            Deserialise,
            "pickle.loads pickle.load cPickle.loads _pickle.loads yaml.load yaml.unsafe_load \
            marshal.loads shelve.open jsonpickle.decode dill.loads",
            0,
        ),
        at(
            Sql,
            ".executequery .query .sql .fetch .prepare .from_statement .order_by_raw TextClause .TextClause \
            sqlalchemy.sql.text sql.text expression.text db.text .copy_expert",
            0,
        ),
        at(
            Code,
            "code.interact .run_code .push types.CodeType execfile runpy.run_path timeit.timeit \
            _xxsubinterpreters.run_string \
            support.run_in_subinterp",
            0,
        ),
        at(
            Template,
            "mako.template.Template env.from_string Environment.from_string django.template.Template \
            engines.from_string Mako.Template Templite",
            0,
        ),
        of(
            Path,
            "os shutil",
            "replace symlink link scandir walk chown truncate copytree copy2 utime removedirs",
            0,
        ),
        of(Path, "os.path", "getsize", 0),
        of(Path, "shutil", "move copy copyfile copytree copy2", 1),
        at(Path, "os.rename os.replace", 1),
        at(
            Path,
            ".read_text .write_text .read_bytes .write_bytes web.FileResponse static_file np.load numpy.load \
            pandas.read_csv pd.read_csv tempfile.mkdtemp",
            0,
        ),
        at(Url, "urllib3.request httpx.request", 1),
        of(
            Url,
            "httpx httpx.AsyncClient client http_client",
            "put delete patch head options stream",
            0,
        ),
        of(
            Url,
            "session aiohttp.ClientSession",
            "put delete patch head options ws_connect",
            0,
        ),
        at(
            Url,
            "wget.download urllib.urlretrieve urlretrieve feedparser.parse socket.create_connection \
            websocket.create_connection",
            0,
        ),
        at(
            Redirect,
            "web.seeother web.found web.HTTPSeeOther HTTPSeeOther HTTPTemporaryRedirect \
            HTTPMovedPermanently shortcuts.redirect bottle.redirect HTTPPermanentRedirect",
            0,
        ),
        at(
            Html,
            "HttpResponseNotFound HttpResponseForbidden HttpResponseServerError format_html SafeString \
            SafeText",
            0,
        ),
        named(Html, "Response", "body"),
        Sinks {
            needs: "text/html",
            ..named(Html, "web.Response", "body")
        },
        named(Html, "Response", "text"),
        // Without a content type, aiohttp sends plain text.
        Sinks {
            needs: "text/html",
            ..named(Html, "web.Response", "text")
        },
        of(
            Log,
            "logging logger log LOG LOGGER self.logger app.logger current_app.logger",
            "critical exception",
            0,
        ),
        of(
            Log,
            "log LOG LOGGER self.logger app.logger current_app.logger _logger",
            "info warning error debug warn",
            0,
        ),
        at(
            Xpath,
            "etree.ETXPath .iterfind .findall XPathEvaluator etree.XPathEvaluator",
            0,
        ),
        at(Ldap, ".search_ext .search_ext_s .search_st", 2),
        of(
            Ldap,
            "conn connection ldap_connection ldap_conn ldap srv",
            "search",
            0,
        ),
        of(Pattern, "re regex", "subn split finditer", 0),
        of(
            Deserialise,
            "pickle cPickle _pickle dill cloudpickle joblib pandas pd torch shelve",
            "Unpickler \
            read_pickle load",
            0,
        ),
        at(
            Deserialise,
            "yaml.load_all yaml.full_load yaml.unsafe_load_all marshal.load jsonpickle.loads pickle.Unpickler \
            ruamel.yaml.load",
            0,
        ),
        at(
            NoSql,
            ".find_one_and_update .find_one_and_delete .update_one .update_many .count_documents .aggregate \
            .find_one_or_404",
            0,
        ),
        of(
            Xml,
            "etree ET ElementTree lxml.etree objectify",
            "parse fromstring XML XMLID iterparse",
            0,
        ),
        of(
            Xml,
            "sax xml.sax minidom pulldom expatbuilder",
            "parse parseString",
            0,
        ),
        at(Sql, ".having .group_by .order_by .distinct .extra", 0),
        named(Sql, ".extra", "where"),
        named(Sql, ".extra", "select"),
    ],
    fields: &[],
    sink_nodes: &[],
    harmless_types: "",
};
