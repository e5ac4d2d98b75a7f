//! Go: net/http, gin, echo, chi and gorilla.

use super::row::{Row, all, at, of, with};
use crate::semantics::taint::kind::Kind::{
    Code, Command, Deserialise, Format, Html, Ldap, Log, Path, Pattern, Redirect, Sql, Template,
    Url, Xpath,
};

pub(super) static ROW: Row = Row {
    languages: &["Go"],
    sources: "r.URL req.URL request.URL r.Form r.PostForm req.Form r.Header req.Header r.Body req.Body request.Body \
        r.Host r.RequestURI .FormValue() .PostFormValue() .FormFile() .Cookie() c.Query() c.Param() c.PostForm() \
        ctx.Query() ctx.Param() mux.Vars() c.QueryParam() c.FormValue() r.PathValue() chi.URLParam() r.Referer() \
        r.UserAgent() c.DefaultQuery() c.GetHeader() ctx.FormValue() r.TransferEncoding r.Trailer r.MultipartForm \
        r.Cookies() r.FormFile() c.QueryArray() c.Params() c.Cookies() c.FormFile() c.GetQuery() c.GetPostForm() \
        c.Request c.GetRawData() c.Body() c.BodyRaw() c.QueryParams() c.FormParams() c.ParamValues() c.Get() \
        c.Queries() c.Request().URL c.Cookie() ctx.URLParam() ctx.PostValue() ctx.Params().Get()  \
        chi.URLParamFromCtx() httprouter.ParamsFromContext() ps.ByName() params.ByName() c.PathParam() c.Ctx.Input \
        c.GetString() c.Input() this.GetString() req.URL.Query()",
    extra_sources: &[
        (
            "the command line",
            &[Command, Code, Sql, Deserialise],
            "os.Args flag.Arg() flag.Args()",
        ),
        (
            "an archive",
            &[Path],
            "header.Name hdr.Name zf.Name zipFile.Name f.Name",
        ),
    ],
    requests: &[
        ("http.Request", "r"),
        ("gin.Context", "c"),
        ("echo.Context", "c"),
        ("fiber.Ctx", "c"),
    ],
    source_annotations: &[],
    actions: &[],
    propagators: "Sprintf Sprint Sprintln Join TrimSpace Trim TrimPrefix TrimSuffix ToLower ToUpper Replace ReplaceAll \
        Split string Clean ReadAll QueryUnescape PathUnescape Get String NewReader append byte Repeat Parse \
        NewRequest Fields Query Unquote ByteString Bytes Appendf Append NewBufferString NewBuffer NewReplacer \
        TrimLeft TrimRight TrimFunc SplitN EscapedPath Hostname Port RequestURI Values DecodeString Title \
        ToValidUTF8 Builder Base64 FromSlash ToSlash Abs Unescape UnescapeString Errorf Text JoinPath \
        ResolveReference Scan ReadString",
    sanitizers: &[
        (
            &[],
            "Atoi ParseInt ParseBool ParseFloat ParseUint len MustParse",
        ),
        (
            &[Html],
            "EscapeString HTMLEscapeString JSEscapeString QueryEscape Sanitize",
        ),
        (&[Path], "Base EscapeString"),
        (&[Url, Redirect], "QueryEscape PathEscape"),
        (&[Pattern], "QuoteMeta"),
        (&[Command], "Quote"),
        (&[Sql], "QuoteIdentifier QuoteLiteral"),
        (&[Log], "Replace ReplaceAll Quote"),
        (&[Ldap], "EscapeFilter"),
        (&[Html], "HTMLEscaper EscapeHTML SanitizeBytes"),
        (&[Ldap], "EscapeDN"),
    ],
    sinks: &[
        at(
            Sql,
            ".Query .QueryRow .Exec .Raw .Prepare db.Where db.Order .MustExec",
            0,
        ),
        at(
            Sql,
            ".QueryContext .QueryRowContext .ExecContext .PrepareContext .Select .Get",
            1,
        ),
        at(
            Path,
            "os.Open os.ReadFile os.OpenFile os.Create os.Remove os.RemoveAll ioutil.ReadFile \
            ioutil.WriteFile os.WriteFile os.Mkdir os.MkdirAll ioutil.ReadDir",
            0,
        ),
        at(Path, "http.ServeFile", 2),
        at(
            Url,
            "http.Get http.Post http.Head http.PostForm client.Get client.Post",
            0,
        ),
        at(Url, "http.NewRequest", 1),
        at(Url, "http.NewRequestWithContext", 2),
        at(Redirect, "http.Redirect", 2),
        at(Redirect, "c.Redirect", 1),
        at(Html, "template.HTML template.JS template.URL w.Write", 0),
        all(Html, "fmt.Fprintf fmt.Fprint fmt.Fprintln"),
        at(Html, "io.WriteString", 1),
        all(
            Log,
            "log.Printf log.Println log.Print logger.Info log.Fatalf logger.Printf",
        ),
        at(Xpath, "xpath.Compile", 0),
        at(Xpath, "xmlquery.Find", 1),
        at(Ldap, "ldap.NewSearchRequest", 6),
        at(
            Pattern,
            "regexp.Compile regexp.MustCompile regexp.MatchString",
            0,
        ),
        of(
            Sql,
            "db tx conn gorm",
            "Raw Exec Where Order Select Group Having Joins Not Or Find First Last Table Pluck",
            0,
        ),
        at(
            Sql,
            ".QueryxContext .GetContext .SelectContext .NamedExecContext .QueryRowxContext .MustExecContext",
            1,
        ),
        at(
            Sql,
            ".Queryx .QueryRowx .NamedExec .NamedQuery .Preparex sq.Expr squirrel.Expr .SQL .QueryString \
            .NewQuery .Statement",
            0,
        ),
        at(
            Sql,
            "conn.Query conn.Exec conn.QueryRow pool.Query pool.Exec pool.QueryRow tx.Query tx.Exec",
            1,
        ),
        at(
            Path,
            "os.Stat os.Lstat os.ReadDir os.Chmod os.Chown os.Readlink os.Rename os.Symlink os.Truncate \
            ioutil.TempFile ioutil.TempDir filepath.Walk filepath.WalkDir c.File c.Attachment c.SendFile ctx.File \
            c.FileAttachment os.Chdir filepath.Glob http.Dir os.MkdirTemp",
            0,
        ),
        at(Path, "c.SaveUploadedFile os.Rename c.SaveFile c.Inline", 1),
        of(
            Url,
            "http client c httpClient http.DefaultClient resty req",
            "Get Post Head PostForm",
            0,
        ),
        at(
            Url,
            "net.Dial net.DialTimeout tls.Dial websocket.Dial grpc.Dial gorequest.Get .DialContext",
            1,
        ),
        at(
            Url,
            "grpc.Dial gorequest.New().Get websocket.Dial rpc.Dial",
            0,
        ),
        at(Redirect, "ctx.Redirect c.RedirectTo", 0),
        of(Redirect, "c ctx", "Redirect", 0),
        with(Redirect, ".Set .Add", 1, "ocation"),
        at(
            Html,
            "template.HTMLAttr template.CSS template.JSStr template.Srcset c.HTML c.HTMLBlob ctx.HTML",
            1,
        ),
        at(
            Html,
            "template.HTMLAttr template.CSS template.JSStr .WriteString rw.Write writer.Write resp.Write",
            0,
        ),
        of(
            Log,
            "log logger logrus slog zap glog klog sugar logger.Sugar()",
            "Infof Warn Warnf Errorf Debug Debugf Panic \
            Panicf Fatal Fatalln Infow Warning Warningf Error",
            0,
        ),
        at(
            Template,
            "*emplate.New().Parse *emplate.New().Funcs().Parse *emplate.New().Delims().Parse *emplate.New().Option().Parse \
            tmpl.Parse tpl.Parse templ.Parse",
            0,
        ),
        at(Xpath, "xpath.MustCompile htmlquery.Find xpath.Select", 0),
        at(
            Xpath,
            "htmlquery.Find htmlquery.FindOne xmlquery.FindOne xmlquery.QueryAll",
            1,
        ),
        of(
            Pattern,
            "regexp",
            "Match MatchReader MustCompilePOSIX CompilePOSIX",
            0,
        ),
        of(Format, "fmt log", "Printf Sprintf Errorf Fatalf", 0),
        at(Format, "fmt.Fprintf", 1),
    ],
    fields: &[],
    sink_nodes: &[],
    harmless_types: "strings.Builder *strings.Builder bytes.Buffer *bytes.Buffer regexp.Regexp *regexp.Regexp",
};
