//! Java: servlets, Spring, JAX-RS, JDBC, and the usual HTTP clients.

use super::row::{Row, Sinks, all, at, of, with};
use crate::semantics::taint::kind::Kind::{
    Code, Deserialise, Format, Html, Ldap, Log, NoSql, Path, Pattern, Redirect, Sql, Template, Url,
    Xml, Xpath,
};

pub(super) static ROW: Row = Row {
    languages: &["Java"],
    sources: ".getParameter() .getParameterValues() .getParameterMap() .getParameterNames() .getHeader() \
        .getHeaders() .getHeaderNames() .getQueryString() .getCookies() .getRequestURI() .getRequestURL() \
        .getPathInfo() request.getInputStream() request.getReader() req.getInputStream() req.getReader() \
        req.getPart() request.getPart() .getPart() .getParts() .getServletPath() \
        .getRequestHeader() .getQueryParams() .getPathParameters() .getQueryStringParameters() .getFormParam() \
        .formParam() .queryParam() .pathParam() .queryParams() .getOriginalFilename() .getSubmittedFileName() \
        socket.getInputStream() sock.getInputStream() .getRemoteUser() .getPathParameter() \
        exchange.getRequestBody() exchange.getRequestURI() uriInfo.getQueryParameters() ctx.queryParam() \
        .getMultipart()",
    extra_sources: &[(
        "an archive",
        &[Path],
        "entry.getName() zipEntry.getName() ze.getName() tarEntry.getName() archiveEntry.getName() jarEntry.getName()",
    )],
    requests: &[],
    source_annotations: &[
        "@RequestParam", "@PathVariable", "@RequestBody", "@RequestHeader", "@CookieValue",
        "@QueryParam", "@PathParam", "@FormParam", "@HeaderParam", "@CookieParam", "@MatrixParam",
        "@RequestPart", "@ModelAttribute", "@MessageMapping", "@Header(",
    ],
    actions: &["Mapping", "@GET", "@POST", "@PUT", "@DELETE", "@Path("],
    propagators: "String valueOf toString concat format trim toLowerCase toUpperCase substring replace replaceAll split \
        append decode getBytes StringBuilder StringBuffer File get of resolve asList join URL URI create getValue \
        nextElement formatted strip readLine BufferedReader InputStreamReader Paths requireNonNull ofNullable \
        orElse iterator next decodeBase64 encodeBase64 insert HttpHost HttpGet HttpPost toURL toURI LdapName Rdn \
        StringReader ByteArrayInputStream InputSource StreamSource toCharArray copyOf copyOfRange toByteArray \
        getDecoder encode decodeBuffer Scanner nextLine StringTokenizer nextToken elements first getFirst \
        getOrDefault add put entrySet getKey keySet values stream collect map filter findFirst unmodifiableList \
        emptyIfNull defaultString defaultIfBlank stripToNull trimToNull normalize toAbsolutePath toPath toFile \
        getPath toRealPath ObjectInputStream DataInputStream BufferedInputStream InputStreamSource \
        ByteArrayResource Input getBody getContent build newInstance fromUriString toUri fromHttpUrl buildAndExpand \
        expand getInputStream getReader readAllBytes toUriString uri Yaml JsonReader HessianInput SAXSource \
        StAXSource DOMSource createXMLStreamReader",
    sanitizers: &[
        (
            &[],
            "parseInt parseLong parseDouble parseBoolean fromString hashCode length equals isEmpty contains \
            matches size",
        ),
        (
            &[Html],
            "encodeForHTML htmlEscape escapeHtml escapeHtml4 encodeForHTMLAttribute forHtml clean escapeHtml3 \
            htmlSpecialChars",
        ),
        (&[Path], "getName normalize"),
        (&[Url, Redirect], "encode"),
        (&[Ldap], "encodeForLDAP encodeForDN filterEncode"),
        (&[Xpath], "encodeForXPath"),
        (&[Pattern], "quote"),
        (&[Log], "replaceAll replace"),
        (
            &[Html],
            "encodeForJavaScript encodeForCSS encodeForURL forHtmlContent forHtmlAttribute forJavaScript \
            escapeHTML escapeXml escapeXml10 escapeXml11 escapeEcmaScript escapeJavaScript sanitize encode \
            encodeForHtml stripXss",
        ),
        (&[Sql], "encodeForSQL quoteIdentifier"),
        (
            &[Path],
            "getBaseName cleanPath sanitizeFileName getFileName",
        ),
        (&[Ldap], "nameEncode encodeFilterValue ldapEncode"),
    ],
    sinks: &[
        at(
            Sql,
            ".executeQuery .executeUpdate .execute .prepareStatement .prepareCall .addBatch \
            .executeLargeUpdate .createQuery .createNativeQuery .createSQLQuery .queryForObject .queryForList \
            .queryForMap .queryForRowSet .batchUpdate jdbcTemplate.query jdbcTemplate.update .queryForInt \
            .queryForLong .nativeSQL",
            0,
        ),
        at(Code, ".eval .parseExpression", 0),
        at(
            Path,
            "File java.io.File FileInputStream FileOutputStream FileReader FileWriter Paths.get Path.of \
            java.io.FileInputStream java.io.FileOutputStream RandomAccessFile java.nio.file.Paths.get",
            0,
        ),
        at(Path, "File", 1),
        at(
            Url,
            "URL java.net.URL .getForObject .getForEntity .postForObject URI.create HttpGet HttpPost HttpPut \
            HttpDelete HttpHead HttpOptions HttpPatch HttpTrace HttpHost RequestBuilder.get RequestBuilder.post \
            RequestBuilder.put RequestBuilder.delete RequestBuilder.head RequestBuilder.options \
            RequestBuilder.patch RequestBuilder.trace ClassicRequestBuilder.get ClassicRequestBuilder.post \
            ClassicRequestBuilder.put ClassicRequestBuilder.delete ClassicRequestBuilder.head \
            ClassicRequestBuilder.options ClassicRequestBuilder.patch ClassicRequestBuilder.trace \
            SimpleRequestBuilder.get SimpleRequestBuilder.post SimpleRequestBuilder.put SimpleRequestBuilder.delete \
            SimpleRequestBuilder.head SimpleRequestBuilder.options SimpleRequestBuilder.patch \
            SimpleRequestBuilder.trace SimpleHttpRequests.get SimpleHttpRequests.post SimpleHttpRequests.put \
            SimpleHttpRequests.delete SimpleHttpRequests.head SimpleHttpRequests.options SimpleHttpRequests.patch \
            SimpleHttpRequests.trace BasicHttpRequests.get BasicHttpRequests.post BasicHttpRequests.put \
            BasicHttpRequests.delete BasicHttpRequests.head BasicHttpRequests.options BasicHttpRequests.patch \
            BasicHttpRequests.trace ClassicHttpRequests.get ClassicHttpRequests.post ClassicHttpRequests.put \
            ClassicHttpRequests.delete ClassicHttpRequests.head ClassicHttpRequests.options \
            ClassicHttpRequests.patch ClassicHttpRequests.trace Request.get Request.post Request.put Request.delete \
            Request.head Request.options Request.patch Request.trace restTemplate.exchange restTemplate.execute \
            restTemplate.put restTemplate.delete restTemplate.postForEntity restTemplate.postForLocation \
            restTemplate.patchForObject restTemplate.optionsForAllow restTemplate.headForHeaders .setUri .setURI \
            HttpRequest.newBuilder Jsoup.connect client.execute Unirest.get Unirest.post",
            0,
        ),
        at(
            Url,
            "BasicHttpRequest BasicClassicHttpRequest BasicHttpEntityEnclosingRequest SimpleHttpRequest \
            SimpleHttpRequest.create SimpleHttpRequests.create ClassicHttpRequests.create BasicHttpRequests.create \
            Request.create",
            1,
        ),
        // The value of a placeholder for the host chooses the host.
        Sinks {
            needs: "://{",
            ..all(
                Url,
                ".getForObject .getForEntity .postForObject .postForEntity .postForLocation .patchForObject \
                .optionsForAllow .headForHeaders restTemplate.exchange restTemplate.execute restTemplate.put \
                restTemplate.delete",
            )
        },
        at(Redirect, ".sendRedirect ModelAndView RedirectView", 0),
        at(
            Html,
            ".getWriter().print .getWriter().println .getWriter().write .getWriter().format out.println \
            out.print writer.println writer.write",
            0,
        ),
        all(Html, ".getWriter().printf"),
        all(
            Log,
            "logger.info log.info logger.error log.error logger.warn log.warn logger.debug log.debug \
            LOGGER.info LOGGER.error LOGGER.warn",
        ),
        of(
            Xpath, "xpath xPath xp newXPath", "evaluate evaluateExpression compile", 0,
        ),
        at(Ldap, ".search", 1),
        at(Ldap, ".search", 0),
        at(Pattern, "Pattern.compile .matches", 0),
        at(Deserialise, "ObjectInputStream .fromXML XMLDecoder", 0),
        at(
            Sql,
            ".createQuery .createNamedQuery .sqlRestriction .sqlQuery .query .update .queryForStream .executeBatch \
            PreparedStatementCreatorFactory .prepare .sql .rawQuery .execSQL .rawQueryWithFactory .compileStatement \
            .newQuery .nativeQuery .setSql .executeLargeBatch",
            0,
        ),
        of(
            Sql, "Criteria TorquePeer peer", "executeQuery executeStatement doSelect", 0,
        ),
        at(
            Code,
            "Ognl.getValue Ognl.setValue Ognl.parseExpression MVEL.eval MVEL.executeExpression .evaluateExpression \
            GroovyShell.evaluate .createValueExpression .createMethodExpression .createScript \
            .createExpression ELProcessor.eval .findValue .setValue .parseClass MVEL.compileExpression \
            .compileExpression",
            0,
        ),
        at(Code, ".createValueExpression .createMethodExpression", 1),
        of(
            Code,
            "shell groovyShell engine scriptEngine GroovyShell() interpreter jexl",
            "evaluate run parse source \
            eval createExpression createScript",
            0,
        ),
        at(Code, "Class.forName .loadClass", 0),
        at(
            Template,
            "Velocity.evaluate velocity.evaluate .mergeTemplate Template .createTemplate \
            .compileInline .getLiteralTemplate",
            0,
        ),
        of(
            Template,
            "template engine templateEngine freemarker thymeleaf",
            "process",
            0,
        ),
        at(Template, "Velocity.evaluate Template", 3),
        of(
            Path,
            "Files",
            "readAllBytes readAllLines readString newInputStream newOutputStream newBufferedReader \
            newBufferedWriter delete deleteIfExists lines write writeString copy move list walk createFile \
            createDirectory createDirectories size exists",
            0,
        ),
        of(Path, "Files", "copy move", 1),
        at(
            Path,
            "PrintWriter .getResourceAsStream .getResource FileSystemResource UrlResource ClassPathResource \
            ZipFile JarFile FileSystems.getPath .getRealPath .transferTo .getRequestDispatcher",
            0,
        ),
        at(Path, "java.io.File", 1),
        of(
            Url,
            "webClient client http restClient WebClient",
            "create uri baseUrl target url",
            0,
        ),
        of(
            Url, "RequestEntity", "get post put delete head options patch", 0,
        ),
        of(Url, "RequestEntity", "method", 1),
        at(
            Url,
            "URI java.net.URI Request.Builder .url HttpUriRequestBase .newHttpRequest InetSocketAddress Socket \
            ConfigurableHttpRequest .setHttpHost .openConnection .target HttpRequest.newBuilder",
            0,
        ),
        at(
            Url,
            "HttpUriRequestBase .newHttpRequest RequestEntity ConfigurableHttpRequest",
            1,
        ),
        with(Redirect, ".setHeader .addHeader", 1, "ocation"),
        at(
            Redirect,
            "Response.seeOther Response.temporaryRedirect .location .setLocation",
            0,
        ),
        of(
            Html,
            "out writer pw printWriter response.getOutputStream() response.getWriter()",
            "print println write \
            append format printf",
            0,
        ),
        at(
            Html,
            ".getOutputStream().write .getOutputStream().print .getOutputStream().println .getWriter().append",
            0,
        ),
        all(Html, ".getWriter().format"),
        of(
            Log,
            "logger log LOGGER LOG",
            "info error warn debug trace severe warning fine",
            0,
        ),
        of(
            Log, "logger log LOGGER LOG", "info error warn debug trace", 1,
        ),
        of(
            Xpath,
            "xpath xPath XPath xpathExpr navigator path",
            "compile evaluate evaluateExpression \
            selectNodes selectSingleNode",
            0,
        ),
        at(
            Xpath,
            ".selectNodes .selectSingleNode .evaluateExpression",
            0,
        ),
        of(
            Ldap,
            "ctx context dirContext ldapTemplate",
            "search lookup list listBindings find findOne \
            searchForObject authenticate searchForContext",
            0,
        ),
        of(
            Ldap, "ctx context dirContext ldapTemplate", "search searchForObject authenticate", 1,
        ),
        of(Ldap, "dirContext ctx context", "lookup", 0),
        at(Pattern, ".replaceAll .replaceFirst .split", 0),
        at(Pattern, "Pattern.matches", 0),
        at(
            Deserialise,
            "Yaml.load yaml.load .loadAs .loadAll kryo.readObject .readClassAndObject JSON.parseObject \
            JSON.parse .jsonToJava JsonReader.jsonToJava HessianInput Hessian2Input BurlapInput \
            ObjectMapper.enableDefaultTyping xstream.fromXML XmlDecoder SerializationUtils.deserialize Input \
            JYamlConfig.load yamlConfig.load serializer.fromJSON",
            0,
        ),
        at(
            NoSql,
            "BasicDBObject.parse Document.parse .addCriteria .where",
            0,
        ),
        at(
            Code,
            ".newTransformer .newTemplates .newTransformerHandler xsltCompiler.compile compiler.compile",
            0,
        ),
        all(
            Ldap,
            ".asyncSearch .searchForEntry .searchForContext SearchRequest Filter.create .findOne \
            Filter.createNOTFilter LdapNameBuilder.newInstance",
        ),
        of(Ldap, "c connection conn ldap ldapConnection", "search", 1),
        of(Ldap, "c connection conn ldap ldapConnection", "search", 7),
        at(
            Xml,
            ".parse .build .read .unmarshal .transform .createXMLStreamReader .createXMLEventReader .newXMLFilter \
            .newSchema .validate .provide .format",
            0,
        ),
        at(Xml, ".evaluate .read .validate", 1),
        at(Template, "Template freemarker.template.Template", 1),
        of(
            Pattern,
            "RegExUtils StringUtils",
            "removeAll removeFirst removePattern replaceAll replaceFirst replacePattern",
            1,
        ),
        at(Code, ".parseRaw Ognl.compileExpression .parseExpression", 0),
        at(Format, "String.format .printf", 0),
        at(Format, "String.format", 1),
        at(Code, ".evaluateString .compileString", 1),
        of(
            Code,
            "interpreter PythonInterpreter pythonInterpreter jshell groovyShell nashorn",
            "exec eval evaluate",
            0,
        ),
        at(
            Code,
            "InitialContext.doLookup .buildConstraintViolationWithTemplate",
            0,
        ),
    ],
    fields: &[],
    sink_nodes: &[],
    harmless_types: "StringBuilder StringBuffer StringWriter ByteArrayOutputStream",
};
