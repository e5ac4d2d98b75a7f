//! C#: ASP.NET and ASP.NET Core.

use super::row::{Row, all, at, of, with};
use crate::semantics::taint::kind::Kind::{
    Code, Command, CommandLine, Deserialise, Format, Html, Ldap, Log, Path, Pattern, Redirect, Sql,
    Template, Url, Xml, Xpath,
};

pub(super) static ROW: Row = Row {
    languages: &["C#"],
    sources: "Request.QueryString Request.Query Request.Form Request.Headers Request.Cookies Request.Params \
        Request.Path Request.Url Request.RawUrl Request.Body Request.InputStream Request.ServerVariables \
        Request.UserAgent Request.UrlReferrer Request ctx.Request Request.Item Request.RouteValues Request.PathInfo \
        Request.FilePath Request.PathAndQuery Request.GetDisplayUrl() Request.ReadFormAsync() Request.BinaryRead() \
        Request.Unvalidated Page.Request.QueryString HttpContext.Request.Query RouteData.Values Request.Files \
        *TextBox.Text *Textbox.Text",
    extra_sources: &[
        (
            "the command line",
            &[Command, Code, Sql, Deserialise],
            "Console.ReadLine() Console.In.ReadLine()",
        ),
        (
            "an archive",
            &[Path],
            "entry.FullName zipEntry.FullName entry.Key entry.Name",
        ),
    ],
    requests: &[("HttpRequest", "Request"), ("HttpContext", "ctx")],
    source_annotations: &[
        "[FromQuery", "[FromBody", "[FromRoute", "[FromForm", "[FromHeader",
    ],
    actions: &["Controller", "[Http", "[Route"],
    propagators: "ToString Format Concat Trim ToLower ToUpper Replace Substring Split Combine Join UrlDecode HtmlDecode \
        GetString GetBytes Append StringBuilder Uri FirstOrDefault First AppendFormat FromBase64String GetFullPath \
        Insert ToLowerInvariant TrimEnd TrimStart Get Last LastOrDefault Single SingleOrDefault ElementAt ToArray \
        ToList ToCharArray ToUpperInvariant PadLeft Decode UnescapeDataString Normalize Interpolate Create \
        FromUriString ReadToEnd ReadToEndAsync StreamReader MemoryStream AppendLine Remove GetValues \
        Uri.UnescapeDataString AsSpan Encode StringReader XmlTextReader",
    sanitizers: &[
        (
            &[],
            "Parse ToInt32 ToInt64 TryParse ToBoolean ToDateTime GetHashCode IsNullOrEmpty Guid",
        ),
        (
            &[Html],
            "HtmlEncode HtmlAttributeEncode Encode UrlEncode JavaScriptStringEncode",
        ),
        (&[Path], "GetFileName GetFileNameWithoutExtension"),
        (&[Url, Redirect], "UrlEncode EscapeDataString Action"),
        (&[Pattern], "Escape"),
        (&[Log], "Replace UrlEncode HtmlEncode"),
        (&[Ldap], "LdapFilterEncode LdapDistinguishedNameEncode"),
        (&[Path], "GetInvalidFileNameChars GetRandomFileName"),
        (&[Redirect], "IsLocalUrl LocalRedirect"),
        (&[Sql], "QuoteIdentifier"),
    ],
    sinks: &[
        at(
            Sql,
            "SqlCommand SqlDataAdapter MySqlCommand NpgsqlCommand SQLiteCommand SqliteCommand OracleCommand \
            OleDbCommand OdbcCommand .ExecuteSqlCommand .ExecuteSqlRaw .FromSqlRaw .FromSql .SqlQuery \
            .CreateSQLQuery .ExecuteSqlRawAsync .ExecuteSqlCommandAsync MySqlDataAdapter",
            0,
        ),
        at(Code, "CSharpScript.EvaluateAsync CSharpScript.RunAsync", 0),
        at(
            Path,
            "File.ReadAllText File.WriteAllText File.Open File.OpenRead File.Delete File.ReadAllBytes \
            File.Create FileStream StreamReader StreamWriter PhysicalFile File.AppendAllText File.Copy File.Exists \
            Directory.Delete FileInfo",
            0,
        ),
        at(
            Url,
            ".GetAsync .GetStringAsync WebRequest.Create .DownloadString .DownloadData HttpWebRequest.Create \
            .PostAsync",
            0,
        ),
        at(Url, "HttpRequestMessage", 1),
        at(
            Redirect,
            "Redirect Response.Redirect RedirectPermanent ctx.Response.Redirect",
            0,
        ),
        at(
            Html,
            "Response.Write Html.Raw HtmlString ctx.Response.Write Response.WriteAsync MvcHtmlString.Create",
            0,
        ),
        all(
            Log,
            "logger.LogInformation _logger.LogInformation _logger.LogWarning _logger.LogError logger.Warn \
            logger.Info logger.Error logger.LogWarning logger.LogError",
        ),
        at(
            Xpath,
            ".SelectNodes .SelectSingleNode XPathExpression.Compile .Compile .Evaluate",
            0,
        ),
        at(Ldap, "DirectorySearcher DirectoryEntry", 0),
        at(Pattern, "Regex", 0),
        at(Pattern, "Regex.Match Regex.IsMatch Regex.Replace", 1),
        at(Deserialise, ".Deserialize", 0),
        at(
            Sql,
            "SqlCeCommand DB2Command MySqlCommand .ExecuteSqlInterpolatedRaw .ExecuteQuery .ExecuteCommand \
            .ExecuteStoreQuery .ExecuteStoreCommand .CreateQuery .CreateSqlQuery .SqlQueryRaw EntityCommand \
            OracleDataAdapter NpgsqlDataAdapter SQLiteDataAdapter .FromSqlRaw",
            0,
        ),
        of(
            Sql,
            "connection conn db _db _connection _context.Database cnn",
            "Query QueryAsync QueryFirst \
            QueryFirstOrDefault QuerySingle Execute ExecuteAsync ExecuteScalar ExecuteReader QueryFirstAsync \
            QuerySingleAsync QueryMultiple ExecuteScalarAsync QueryFirstOrDefaultAsync",
            0,
        ),
        of(
            Sql,
            "SqlHelper MySqlHelper",
            "ExecuteDataset ExecuteNonQuery ExecuteReader ExecuteScalar",
            2,
        ),
        at(
            Code,
            "CSharpScript.Create CSharpScript.EvaluateAsync .CompileAssemblyFromSource .Eval .ExecuteStatement \
            Assembly.LoadFrom Assembly.Load Assembly.LoadFile Type.GetType",
            0,
        ),
        at(Code, ".CompileAssemblyFromSource", 1),
        at(
            Template,
            "Razor.Parse Engine.Razor.RunCompile .RunCompile Template.Parse",
            0,
        ),
        of(
            Path,
            "File System.IO.File",
            "ReadAllLines ReadLines WriteAllBytes WriteAllLines AppendText OpenText OpenWrite \
            Move CreateText ReadAllTextAsync ReadAllBytesAsync WriteAllTextAsync AppendAllLines SetAttributes",
            0,
        ),
        of(Path, "File", "Copy Move", 1),
        of(
            Path,
            "Directory",
            "GetFiles GetDirectories CreateDirectory EnumerateFiles Move",
            0,
        ),
        at(
            Path,
            "DirectoryInfo ZipFile.OpenRead ZipFile.ExtractToDirectory XmlTextReader Server.MapPath \
            .WriteFile .TransmitFile .SaveAs XDocument.Load PhysicalFileResult VirtualFileResult .ExtractToFile",
            0,
        ),
        of(
            Url,
            "client httpClient _httpClient _client http webClient wc",
            "GetAsync GetStringAsync GetStreamAsync \
            GetByteArrayAsync PostAsync PutAsync DeleteAsync SendAsync PatchAsync DownloadString DownloadFile OpenRead \
            UploadString DownloadDataTaskAsync DownloadStringTaskAsync GetFromJsonAsync",
            0,
        ),
        at(
            Url,
            "RestClient RestRequest WebRequest.CreateHttp TcpClient .Connect .BaseAddress FtpWebRequest.Create \
            System.Net.WebRequest.Create WebSocket.ConnectAsync",
            0,
        ),
        at(
            Redirect,
            "RedirectResult RedirectPreserveMethod Results.Redirect \
            Response.RedirectPermanent RedirectResult.RedirectResult Server.Transfer",
            0,
        ),
        with(Redirect, ".AddHeader .AppendHeader .Add", 1, "ocation"),
        at(
            Html,
            "HtmlString MarkupString .WriteLiteral writer.Write writer.WriteLine Response.BinaryWrite \
            htmlWriter.Write output.Write ContentResult .WriteAsync .AppendHtml .SetHtmlContent \
            .RegisterStartupScript LiteralControl",
            0,
        ),
        of(
            Log,
            "logger _logger log _log Log Logger ILogger",
            "LogInformation LogWarning LogError LogDebug LogTrace \
            LogCritical Info Warn Error Debug Fatal Information Warning Trace",
            0,
        ),
        of(
            Xpath,
            "navigator nav doc xmlDoc document",
            "Select SelectNodes SelectSingleNode Evaluate Compile \
            XPathSelectElement XPathSelectElements",
            0,
        ),
        of(Pattern, "Regex", "Matches Split", 1),
        at(Pattern, "System.Text.RegularExpressions.Regex", 0),
        at(Deserialise, ".UnsafeDeserialize .ReadObject", 0),
        at(Xml, ".LoadXml .Load XmlTextReader XDocument.Parse", 0),
        with(
            Redirect,
            "Headers.Append Headers.Add Headers.SetCommaSeparatedValues Headers.AppendCommaSeparatedValues",
            1,
            "ocation",
        ),
        at(Html, "html.Raw Html.Raw", 0),
        of(Format, "String string Console", "Format WriteLine Write", 0),
        at(Format, ".AppendFormat", 0),
    ],
    fields: &[
        (Sql, ".CommandText"),
        (Redirect, ".RedirectLocation .RedirectUri"),
        (Url, ".BaseAddress .RequestUri"),
        (Html, ".InnerHtml .Text"),
        (Ldap, ".Filter"),
        (CommandLine, ".Arguments"),
        (Command, ".FileName"),
    ],
    sink_nodes: &[],
    harmless_types: "StringBuilder StringWriter MemoryStream",
};
