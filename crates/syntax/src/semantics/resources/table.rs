//! The functions that open, use and close resources, by language.

use crate::tree::{Call, Node};

/// A function that opens a resource.
pub(super) struct Opener {
    /// Its whole name, or after `*` the end of its name.
    name: &'static str,
    /// The numbers of its arguments.
    arguments: (usize, usize),
}

/// The functions of a language that open, use and close resources.
pub(super) struct Row {
    languages: &'static [&'static str],
    pub(super) openers: &'static [Opener],
    /// Methods and functions that close it.
    closers: &'static [&'static str],
    /// Functions that use it and give it back.
    borrowers: &'static [&'static str],
    /// Of these, the ones whose result reads from it later.
    pub(super) views: &'static [&'static str],
    /// The ends of the names of classes that read or write through it, and close it with themselves.
    wrappers: &'static [&'static str],
    /// Members that are a part of it.
    pub(super) parts: &'static [&'static str],
    /// Methods whose results are plain values, although their names say otherwise.
    pub(super) reads: &'static [&'static str],
    /// A plain assignment declares a local variable.
    pub(super) declares_by_assignment: bool,
}

const fn any(name: &'static str) -> Opener {
    with(name, 0, usize::MAX)
}

const fn with(name: &'static str, least: usize, most: usize) -> Opener {
    Opener {
        name,
        arguments: (least, most),
    }
}

const PYTHON: Row = Row {
    languages: &["Python"],
    openers: &[
        any("open"),
        any("io.open"),
        any("codecs.open"),
        any("gzip.open"),
        any("bz2.open"),
        any("lzma.open"),
        any("tarfile.open"),
        any("zipfile.ZipFile"),
        any("ZipFile"),
        any("socket.socket"),
        any("socket.create_connection"),
        any("sqlite3.connect"),
        any("psycopg2.connect"),
        any("psycopg.connect"),
        any("pymysql.connect"),
        any("MySQLdb.connect"),
        any("urllib.request.urlopen"),
        any("urlopen"),
        any("os.fdopen"),
        any("tempfile.NamedTemporaryFile"),
        any("tempfile.TemporaryFile"),
        any("smtplib.SMTP"),
        any("smtplib.SMTP_SSL"),
        any("ftplib.FTP"),
        any("shelve.open"),
        any("aiohttp.ClientSession"),
    ],
    closers: &[
        "close", "aclose", "shutdown", "quit", "detach", "__exit__", "terminate", "release",
    ],
    borrowers: &[
        "json.load", "json.dump", "pickle.load", "pickle.dump", "yaml.safe_load", "yaml.load",
        "yaml.dump", "yaml.safe_dump", "csv.reader", "csv.DictReader", "csv.writer",
        "csv.DictWriter", "tomllib.load", "shutil.copyfileobj", "print", "len", "str", "list",
        "next", "enumerate", "isinstance", "sorted", "set", "tuple", "sum", "max", "min", "any",
        "all", "bool", "repr",
    ],
    views: &[
        "csv.reader", "csv.DictReader", "csv.writer", "csv.DictWriter", "enumerate",
    ],
    wrappers: &[],
    parts: &[],
    reads: &[],
    declares_by_assignment: true,
};

const GO: Row = Row {
    languages: &["Go"],
    openers: &[
        any("os.Open"),
        any("os.Create"),
        any("os.OpenFile"),
        any("os.CreateTemp"),
        any("ioutil.TempFile"),
        any("http.Get"),
        any("http.Post"),
        any("http.PostForm"),
        any("http.Head"),
        any("http.DefaultClient.Do"),
        any("http.DefaultClient.Get"),
        any("net.Dial"),
        any("net.DialTimeout"),
        any("net.Listen"),
        any("tls.Dial"),
        any("zip.OpenReader"),
        any("gzip.NewReader"),
        // Clients of other protocols use the same names with other arguments.
        with("*client.Do", 1, 1),
        with("*client.Get", 1, 1),
        with("*client.Post", 3, 3),
        with("*Client.Do", 1, 1),
        with("*Client.Get", 1, 1),
        with("*Client.Post", 3, 3),
        with("*RoundTrip", 1, 1),
        any("*db.Query"),
        any("*db.QueryContext"),
        any("*DB.Query"),
        any("*DB.QueryContext"),
        any("*tx.Query"),
        any("*tx.QueryContext"),
        any("*stmt.Query"),
        any("*stmt.QueryContext"),
        any("*conn.QueryContext"),
    ],
    closers: &["Close", "Shutdown", "CloseWithError"],
    borrowers: &[
        "io.ReadAll", "ioutil.ReadAll", "io.Copy", "io.CopyN", "io.ReadFull", "io.LimitReader",
        "json.NewDecoder", "json.NewEncoder", "xml.NewDecoder", "bufio.NewScanner",
        "bufio.NewReader", "bufio.NewWriter", "csv.NewReader", "csv.NewWriter", "fmt.Fprintf",
        "fmt.Fprintln", "fmt.Fprint", "fmt.Fscan", "fmt.Fscanf", "io.WriteString", "binary.Read",
        "binary.Write", "yaml.NewDecoder", "yaml.NewEncoder", "gob.NewDecoder", "len",
    ],
    views: &[
        "json.NewDecoder", "json.NewEncoder", "xml.NewDecoder", "bufio.NewScanner",
        "bufio.NewReader", "bufio.NewWriter", "csv.NewReader", "csv.NewWriter", "io.LimitReader",
        "yaml.NewDecoder", "yaml.NewEncoder", "gob.NewDecoder",
    ],
    wrappers: &[],
    parts: &["Body"],
    reads: &[],
    declares_by_assignment: false,
};

const JAVA: Row = Row {
    languages: &["Java", "Kotlin"],
    openers: &[
        with("FileInputStream", 1, 2),
        with("FileOutputStream", 1, 3),
        with("FileReader", 1, 3),
        with("FileWriter", 1, 3),
        any("RandomAccessFile"),
        with("Socket", 1, 4),
        with("ServerSocket", 0, 3),
        any("DatagramSocket"),
        any("MulticastSocket"),
        with("ZipFile", 1, 3),
        with("JarFile", 1, 4),
        any("URLClassLoader"),
        any("Files.newInputStream"),
        any("Files.newOutputStream"),
        any("Files.newBufferedReader"),
        any("Files.newBufferedWriter"),
        any("Files.newByteChannel"),
        any("Files.newDirectoryStream"),
        any("Files.lines"),
        any("Files.list"),
        any("Files.walk"),
        any("Files.find"),
        any("FileChannel.open"),
        any("DriverManager.getConnection"),
        any("*ataSource.getConnection"),
        any("*.createStatement"),
        any("*.prepareStatement"),
        any("*.prepareCall"),
        any("*.openStream"),
        any("*.bufferedReader"),
        any("*.bufferedWriter"),
        any("*.printWriter"),
        with("*.inputStream", 0, 0),
        with("*.outputStream", 0, 0),
    ],
    closers: &[
        "close", "closeQuietly", "use", "disconnect", "shutdown", "useLines", "onClose",
        "closeOnCompletion",
    ],
    borrowers: &[
        "println", "print", "requireNonNull", "Objects.requireNonNull",
    ],
    views: &[],
    wrappers: &["Stream", "Reader", "Writer", "Scanner"],
    parts: &[],
    reads: &[
        "getLong", "getInt", "getString", "getFilePointer", "getPort", "getLocalPort",
        "getInetAddress", "getEntry", "getUpdateCount", "getFD", "toString", "getAutoCommit",
        "getName", "getMetaData",
    ],
    declares_by_assignment: false,
};

const CSHARP: Row = Row {
    languages: &["C#"],
    openers: &[
        any("FileStream"),
        with("StreamReader", 1, 6),
        with("StreamWriter", 1, 6),
        any("TcpClient"),
        any("UdpClient"),
        any("WebClient"),
        any("SqlConnection"),
        any("NpgsqlConnection"),
        any("MySqlConnection"),
        any("SqliteConnection"),
        any("FileSystemWatcher"),
        any("Socket"),
        any("SerialPort"),
        any("*File.Open"),
        any("*File.OpenRead"),
        any("*File.OpenWrite"),
        any("*File.OpenText"),
        any("*File.Create"),
        any("*File.CreateText"),
        any("*File.AppendText"),
        any("*Image.FromFile"),
        any("*ZipFile.Open"),
        any("*ZipFile.OpenRead"),
    ],
    closers: &["Dispose", "Close", "DisposeAsync", "CloseAsync"],
    borrowers: &["ArgumentNullException.ThrowIfNull"],
    views: &[],
    wrappers: &[
        "StreamReader", "StreamWriter", "BinaryReader", "BinaryWriter", "BufferedStream",
        "GZipStream", "CryptoStream",
    ],
    parts: &[],
    reads: &[],
    declares_by_assignment: false,
};

const C: Row = Row {
    languages: &["C", "C++"],
    openers: &[
        any("fopen"),
        any("opendir"),
        any("popen"),
        any("fdopen"),
        any("tmpfile"),
        with("open", 2, 3),
        with("socket", 3, 3),
        with("malloc", 1, 1),
        with("calloc", 2, 2),
        with("strdup", 1, 1),
        with("strndup", 2, 2),
    ],
    closers: &[],
    borrowers: &[
        "fgetc", "fgets", "fread", "fwrite", "fprintf", "fscanf", "fputs", "fputc", "fseek",
        "ftell", "rewind", "feof", "ferror", "getc", "putc", "readdir", "fflush", "getline",
        "vfprintf", "fileno", "read", "write", "pread", "pwrite", "fstat", "lseek", "ftruncate",
        "fsync", "recv", "send", "connect", "bind", "listen", "setsockopt", "getsockopt", "memcpy",
        "memmove", "memset", "memcmp", "strcpy", "strncpy", "strcat", "strncat", "strlen",
        "strcmp", "strncmp", "snprintf", "sprintf", "printf", "puts", "atoi", "strtol", "strtoul",
        "sizeof", "perror", "assert",
    ],
    views: &[],
    wrappers: &[],
    parts: &[],
    reads: &[],
    declares_by_assignment: false,
};

const SCRIPT: Row = Row {
    languages: &["JavaScript", "TypeScript", "TSX"],
    openers: &[
        any("fs.openSync"),
        any("openSync"),
        any("fs.promises.open"),
        any("fsPromises.open"),
        with("*pool.connect", 0, 0),
        with("*Pool.connect", 0, 0),
        with("*pool.getConnection", 0, 0),
        with("*Pool.getConnection", 0, 0),
        any("puppeteer.launch"),
        any("chromium.launch"),
    ],
    closers: &[
        "close", "closeSync", "release", "end", "destroy", "dispose", "disconnect",
    ],
    borrowers: &[
        "fs.readSync", "fs.writeSync", "fs.fstatSync", "fs.ftruncateSync", "readSync", "writeSync",
        "fstatSync",
    ],
    views: &[],
    wrappers: &[],
    parts: &[],
    reads: &[],
    declares_by_assignment: false,
};

const RUBY: Row = Row {
    languages: &["Ruby"],
    openers: &[
        any("File.open"),
        any("File.new"),
        any("TCPSocket.new"),
        any("TCPSocket.open"),
        any("UNIXSocket.new"),
        any("IO.popen"),
        any("Zip::File.open"),
    ],
    closers: &["close", "close_write", "unlink", "close!"],
    borrowers: &[
        "JSON.load", "YAML.load", "YAML.safe_load", "CSV.new", "CSV.parse", "Marshal.load", "puts",
        "p",
    ],
    views: &["CSV.new"],
    wrappers: &[],
    parts: &[],
    reads: &[],
    declares_by_assignment: true,
};

const ROWS: &[Row] = &[PYTHON, GO, JAVA, CSHARP, C, SCRIPT, RUBY];

impl Row {
    pub(super) fn of(node: Node<'_>) -> Option<&'static Self> {
        let language = node.tree().grammar().name();
        ROWS.iter().find(|row| row.languages.contains(&language))
    }

    /// Whether a method or a function of this name closes a resource.
    pub(super) fn closes(&self, name: &str) -> bool {
        self.closers.contains(&name)
    }

    pub(super) fn borrows(&self, call: &Call<'_>) -> bool {
        self.borrowers.contains(&call.callee)
    }

    /// Whether a call makes an object that closes its first argument with itself.
    pub(super) fn wraps(&self, call: &Call<'_>) -> bool {
        call.name.starts_with(char::is_uppercase)
            && self.wrappers.iter().any(|end| call.name.ends_with(end))
    }
}

impl Opener {
    pub(super) fn matches(&self, call: &Call<'_>) -> bool {
        let (least, most) = self.arguments;
        let count = call.arguments.len();
        let is_named = match self.name.strip_prefix('*') {
            Some(end) => call.callee.ends_with(end),
            None => {
                let before = call.callee.strip_suffix(self.name);
                before.is_some_and(|before| {
                    before.is_empty() || self.name.contains('.') && before.ends_with('.')
                })
            }
        };
        is_named && (least..=most).contains(&count)
    }
}
