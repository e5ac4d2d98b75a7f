//! JavaScript and TypeScript: Express, Koa, Fastify, Nest and the browser.

use super::row::{Row, all, at, of, with};
use crate::semantics::taint::kind::Kind::{
    Code, Command, Deserialise, Format, Html, Ldap, Log, NoSql, Path, Pattern, Redirect, Sql,
    Template, Url, Xml, Xpath,
};

pub(super) static ROW: Row = Row {
    languages: &["JavaScript", "TypeScript", "TSX"],
    sources: "req.query req.params req.body req.headers req.cookies req.url req.originalUrl req.path req.files \
        req.signedCookies req.hostname req.param() req.get() req.header() req.rawBody request.query request.params \
        request.body request.headers request.cookies request.url request.originalUrl request.payload \
        request.param() request.nextUrl ctx.query ctx.params ctx.request.body ctx.request.query ctx.request.url \
        ctx.querystring event.body event.queryStringParameters event.pathParameters location.hash location.search \
        location.href window.location document.location document.URL document.documentURI document.referrer \
        window.name document.cookie location.pathname req.query() event.data req.file req.socket.remoteAddress \
        request.files request.rawBody request.file ctx.request.header ctx.header ctx.headers ctx.cookies.get() \
        ctx.get() ctx.request.headers ctx.request.files ctx.request.path ctx.path ctx.originalUrl ctx.url \
        context.params context.query event.headers event.path event.multiValueQueryStringParameters \
        searchParams.get() req.nextUrl request.json() request.formData() request.text() req.json() req.text() \
        useParams() useSearchParams() router.query this.request.body this.ctx.query this.ctx.params \
        this.ctx.request.body $route.query $route.params document.baseURI window.location.hash \
        e.data",
    extra_sources: &[
        (
            "what the user pastes or drops",
            &[Code, Html],
            "dataTransfer.getData() clipboardData.getData()",
        ),
        (
            "the command line",
            &[Command, Code, Sql, Deserialise],
            "process.argv",
        ),
        (
            "an archive",
            &[Path],
            "entry.fileName entry.entryName zipEntry.fileName header.name entry.path",
        ),
    ],
    requests: &[
        ("Request", "req"),
        ("IncomingMessage", "req"),
        ("FastifyRequest", "req"),
    ],
    source_annotations: &["@Query(", "@Param(", "@Body(", "@Headers(", "@Req("],
    actions: &[],
    propagators: "String toString trim toLowerCase toUpperCase slice substr substring concat join replace split \
        decodeURIComponent decodeURI unescape parse resolve normalize format get from URL URLSearchParams atob \
        stringify Object assign push match raw padStart querystring inspect valueOf pop shift map filter literal \
        exec parseUrl parseQuery decode repeat padEnd trimStart trimEnd trimEnd replaceAll at flat flatMap reverse \
        sort unshift entries values keys fromEntries Buffer toJSON cloneDeep merge extend template render \
        sanitizeUrl posix relative dirname extname realpathSync getAll parseQs getParam param red green blue yellow \
        cyan underline bold stripAnsi wrapAnsi sliceAnsi highlight",
    sanitizers: &[
        (
            &[],
            "parseInt parseFloat Number Boolean ObjectId isNaN has includes test createHash hash digest BigInt",
        ),
        (
            &[Path],
            "basename sanitize sanitizeFilename encodeURIComponent",
        ),
        (
            &[Html],
            "escape escapeHtml escapeHTML sanitize encodeURIComponent encodeURI encode sanitizeHtml purify \
            htmlEncode json he escapeExpression stringify",
        ),
        (&[Sql], "escape escapeId format"),
        (&[Url, Redirect], "encodeURIComponent encodeURI stringify"),
        (
            &[Pattern],
            "escapeRegExp escapeStringRegexp escape quote escapeRegex",
        ),
        (
            &[Command],
            "quote escape shellescape escapeShell escapeShellArg",
        ),
        (&[NoSql], "String toString sanitize trim"),
        (&[Log], "replace stringify encodeURIComponent"),
    ],
    sinks: &[
        at(
            Sql,
            ".query .execute .raw .$queryRawUnsafe .$executeRawUnsafe .prepare sequelize.literal \
            Sequelize.literal db.all db.run db.get db.each db.exec knex.raw .any .one .none .many .oneOrNone \
            .manyOrNone .whereRaw .orderByRaw .havingRaw .fromRaw .joinRaw .queryRaw",
            0,
        ),
        at(
            NoSql,
            ".find .findOne .findOneAndUpdate .findOneAndDelete .findOneAndRemove .deleteOne .deleteMany \
            .updateOne .updateMany .countDocuments .where .aggregate .count .update .remove .findOneAndReplace \
            .replaceOne",
            0,
        ),
        at(NoSql, ".distinct", 1),
        at(
            Code,
            "eval setTimeout setInterval vm.runInNewContext vm.runInThisContext vm.runInContext vm.Script \
            vm.compileFunction require .runInContext window.eval vm.run $.globalEval .executeJavaScript safeEval \
            sandbox.run",
            0,
        ),
        all(Code, "Function"),
        at(
            Template,
            "pug.compile pug.render ejs.render ejs.compile Handlebars.compile handlebars.compile \
            _.template nunjucks.renderString mustache.render dot.template jade.compile jade.render lodash.template",
            0,
        ),
        at(
            Path,
            "fs.readFile fs.readFileSync fs.writeFile fs.writeFileSync fs.createReadStream \
            fs.createWriteStream fs.unlink fs.unlinkSync fs.readdir fs.readdirSync fs.stat fs.statSync fs.open \
            fs.openSync fs.existsSync fs.exists fs.appendFile fs.appendFileSync fs.rm fs.rmSync fs.rmdir \
            fs.promises.readFile fsp.readFile readFile readFileSync writeFile fs.access fs.mkdir fs.mkdirSync \
            res.sendFile res.sendfile res.download createReadStream fs.rename fs.copyFile response.sendFile \
            fs.lstat fs.lstatSync fs.realpath fs.realpathSync",
            0,
        ),
        at(
            Url,
            "fetch axios axios.get axios.post axios.put axios.request axios.delete axios.head axios.patch \
            http.get https.get http.request https.request request request.get request.post got got.get got.post \
            needle.get superagent.get page.goto superagent.post undici.request undici.fetch http2.connect \
            net.connect ky ky.get needle.post",
            0,
        ),
        at(Url, "needle", 1),
        at(
            Redirect,
            "res.redirect res.location reply.redirect ctx.redirect response.redirect \
            NextResponse.redirect location.replace location.assign window.open window.location.replace \
            window.location.assign",
            0,
        ),
        at(
            Redirect,
            ".href .src .action .formaction .formAction res.redirect",
            1,
        ),
        with(
            Redirect,
            ".href .src .action .formaction .formAction res.setHeader res.header",
            1,
            "ocation",
        ),
        at(
            Html,
            "res.send res.write res.end document.write document.writeln .html response.send response.write \
            response.end $ jQuery $.parseHTML .createContextualFragment .bypassSecurityTrustHtml",
            0,
        ),
        at(Html, ".insertAdjacentHTML", 1),
        all(
            Log,
            "console.log console.error console.warn console.info logger.info logger.error logger.warn \
            log.info console.debug logger.debug log.error",
        ),
        at(
            Xpath,
            "xpath.select xpath.parse xpath.evaluate xpath.select1 document.evaluate",
            0,
        ),
        at(Ldap, "client.search", 1),
        at(Pattern, "RegExp", 0),
        at(
            Deserialise,
            "unserialize serialize.unserialize yaml.unsafeLoad serializer.deserialize \
            nodeSerialize.unserialize",
            0,
        ),
        at(
            Sql,
            ".multi .tx .task .map .result .queryAsync .executeSql .runSync .getAsync .allAsync sql.unsafe \
            prisma.$queryRaw .simpleQuery .createQueryBuilder .whereRaw .groupByRaw .andWhereRaw .orWhereRaw .havingRaw \
            .orderByRaw .joinRaw .fromRaw",
            0,
        ),
        at(
            Sql,
            ".where .andWhere .orWhere .having .andHaving .orHaving",
            0,
        ),
        of(NoSql, "Model db collection", "findById", 0),
        at(
            NoSql,
            ".findOneAndDelete .findByIdAndUpdate .bulkWrite .exists .estimatedDocumentCount .find .mapReduce \
            .insertOne",
            0,
        ),
        at(
            Code,
            "vm.SourceTextModule new.Function .execScript .setImmediate execScript vm2.run VMScript \
            importScripts self.importScripts",
            0,
        ),
        at(
            Template,
            "Hogan.compile hogan.compile .renderString twig.twig liquid.parseAndRender eta.renderString \
            eta.render squirrelly.render doT.template swig.render swig.compile Mustache.render whiskers.render \
            template.compile velocity.render",
            0,
        ),
        of(
            Path,
            "fs fsp fse fsPromises fs.promises promises",
            "readFile writeFile appendFile unlink readdir stat open \
            rm rmdir mkdir access rename copyFile lstat realpath createReadStream createWriteStream writeFileSync \
            truncate chmod chown readlink symlink outputFile remove ensureDir readJson writeJson accessSync \
            renameSync copyFileSync chmodSync rmdirSync",
            0,
        ),
        of(
            Path,
            "fs fsp fse fs.promises",
            "rename copyFile renameSync copyFileSync",
            1,
        ),
        at(
            Path,
            "rimraf rimraf.sync readdir unlink unlinkSync readdirSync createWriteStream writeFileSync \
            response.download res.render",
            0,
        ),
        of(
            Path,
            "rimraf",
            "native manual windows posix moveRemove nativeSync manualSync windowsSync posixSync moveRemoveSync",
            0,
        ),
        of(
            Url,
            "http https request got needle superagent axios undici ky urllib client phin bent",
            "get post put \
            delete head patch options request del stream",
            0,
        ),
        at(
            Url,
            "new.WebSocket WebSocket ws EventSource navigator.sendBeacon nodeFetch node_fetch JSDOM.fromURL \
            urllib.request Page.navigate .goto XMLHttpRequest.open page.setContent net.createConnection",
            0,
        ),
        at(Url, "xhr.open .open", 1),
        at(
            Redirect,
            "Response.redirect ctx.response.redirect context.redirect h.redirect router.push router.replace \
            history.push history.replace navigate res.redirect window.navigate location.assign self.location.replace \
            redirect",
            0,
        ),
        at(
            Redirect,
            ".href .src .action .formaction .formAction response.redirect",
            1,
        ),
        with(
            Redirect,
            ".href .src .action .formaction .formAction res.writeHead",
            1,
            "ocation",
        ),
        with(
            Redirect,
            ".href .src .action .formaction .formAction response.setHeader",
            1,
            "ocation",
        ),
        of(Html, "$ jQuery", "parseHTML", 0),
        at(
            Html,
            ".append .prepend .after .before .replaceWith .wrap .appendTo .prependTo .insertBefore .wrapAll \
            .bypassSecurityTrustScript .bypassSecurityTrustUrl .bypassSecurityTrustResourceUrl .setInnerHTMLUnsafe \
            .setOuterHTMLUnsafe setInnerHTML range.createContextualFragment .setHTMLUnsafe ReactDOMServer.render \
            reply.send h.response",
            0,
        ),
        of(
            Log,
            "console logger log winston pino bunyan req.log request.log ctx.log app.log fastify.log",
            "log info \
            error warn debug trace fatal verbose http",
            0,
        ),
        at(Pattern, "new.RegExp", 0),
        at(Ldap, "ldapClient.search ldap.search", 1),
        at(Ldap, "client.search", 0),
        at(
            Deserialise,
            "jsyaml.load yaml.load v8.deserialize node-serialize.unserialize cryo.parse \
            funcster.deepDeserialize",
            0,
        ),
        with(
            Xml,
            ".parseXml .parseXmlString .parseXmlAsync",
            0,
            "noent:true",
        ),
        at(
            Sql,
            "ExecuteStatementCommand ExecuteSqlCommand StartQueryExecutionCommand CreateNamedQueryCommand \
            UpdateNamedQueryCommand SelectObjectContentCommand BatchExecuteStatementCommand ExecuteTransactionCommand",
            0,
        ),
        at(Code, "Worker SharedWorker serviceWorker.register", 0),
        with(
            Redirect,
            ".href .src .action .formaction .formAction .setAttribute",
            1,
            "href",
        ),
        with(
            Redirect,
            ".href .src .action .formaction .formAction .setAttribute",
            1,
            "src",
        ),
        with(
            Redirect,
            ".href .src .action .formaction .formAction .attr .prop",
            1,
            "href",
        ),
        with(
            Redirect,
            ".href .src .action .formaction .formAction .attr .prop",
            1,
            "src",
        ),
        with(
            Redirect,
            ".href .src .action .formaction .formAction .setAttribute",
            1,
            "action",
        ),
        at(Format, "util.format sprintf printf vsprintf util.log", 0),
    ],
    fields: &[
        (Html, "ctx.body this.body"),
        (Html, ".innerHTML .outerHTML .srcdoc"),
        (
            Redirect,
            ".href .src .action .formaction .formAction window.location location.href document.location self.location top.location",
        ),
    ],
    sink_nodes: &[],
    harmless_types: "Headers FormData URLSearchParams Map Set WeakMap WeakSet Array RegExp",
};
