//! The names that a language or its usual environments define: built-in functions, types, globals of browsers, of Node and of test
//! frameworks. A name that only some environments have counts as defined.

/// Whether a name is defined without any definition in a file. The lists are sorted.
pub fn is_builtin(language: &str, name: &str) -> bool {
    let names = match language {
        "Python" => PYTHON,
        "JavaScript" | "TypeScript" | "TSX" => SCRIPT,
        "Rust" => RUST,
        "Go" => GO,
        _ => return false,
    };
    names.binary_search(&name).is_ok()
}

/// Whether Python 3 has no built-in function or type of this name any more.
#[must_use]
pub fn is_of_python_2(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "StandardError", "apply", "basestring", "buffer", "cmp", "coerce", "execfile", "file",
        "intern", "long", "raw_input", "reduce", "unichr", "unicode", "xrange",
    ];
    NAMES.contains(&name)
}

/// Whether a name is a property of a browser's window that code seldom means: if a variable of that name loses its definition, its
/// uses become wrong.
pub(crate) fn is_easily_confused(name: &str) -> bool {
    CONFUSING.contains(&name)
}

const CONFUSING: &[&str] = &[
    "close", "closed", "confirm", "context", "event", "external", "find", "focus", "frames",
    "history", "length", "load", "location", "name", "open", "opener", "origin", "parent",
    "pending", "print", "registration", "run", "screen", "scroll", "self", "status", "stop", "top",
];

/// Built-in names of Python 3, those of Python 2 that code still tests for, and those of notebooks.
#[rustfmt::skip]
const PYTHON: &[&str] = &[
    "ArithmeticError", "AssertionError", "AttributeError", "BaseException", "BaseExceptionGroup", "BlockingIOError",
    "BrokenPipeError", "BufferError", "BytesWarning", "ChildProcessError", "ConnectionAbortedError",
    "ConnectionError", "ConnectionRefusedError", "ConnectionResetError", "DeprecationWarning", "EOFError", "Ellipsis",
    "EncodingWarning", "EnvironmentError", "Exception", "ExceptionGroup", "False", "FileExistsError",
    "FileNotFoundError", "FloatingPointError", "FutureWarning", "GeneratorExit", "IOError", "ImportError",
    "ImportWarning", "IndentationError", "IndexError", "InterruptedError", "IsADirectoryError", "KeyError",
    "KeyboardInterrupt", "LookupError", "MemoryError", "ModuleNotFoundError", "NameError", "None",
    "NotADirectoryError", "NotImplemented", "NotImplementedError", "OSError", "OverflowError",
    "PendingDeprecationWarning", "PermissionError", "ProcessLookupError", "PythonFinalizationError", "RecursionError",
    "ReferenceError", "ResourceWarning", "RuntimeError", "RuntimeWarning", "StandardError", "StopAsyncIteration",
    "StopIteration", "SyntaxError", "SyntaxWarning", "SystemError", "SystemExit", "TabError", "TimeoutError", "True",
    "TypeError", "UnboundLocalError", "UnicodeDecodeError", "UnicodeEncodeError", "UnicodeError",
    "UnicodeTranslateError", "UnicodeWarning", "UserWarning", "ValueError", "Warning", "WindowsError",
    "ZeroDivisionError", "_", "__annotations__", "__build_class__", "__builtins__", "__cached__", "__class__",
    "__debug__", "__dict__", "__doc__", "__file__", "__import__", "__loader__", "__module__", "__name__",
    "__package__", "__path__", "__qualname__", "__spec__", "abs", "aiter", "all", "anext", "any", "apply", "ascii",
    "basestring", "bin", "bool", "breakpoint", "buffer", "bytearray", "bytes", "callable", "chr", "classmethod",
    "cmp", "coerce", "compile", "complex", "copyright", "credits", "delattr", "dict", "dir", "display", "divmod",
    "enumerate", "eval", "exec", "execfile", "exit", "file", "filter", "float", "format", "frozenset", "get_ipython",
    "getattr", "globals", "hasattr", "hash", "help", "hex", "id", "input", "int", "intern", "isinstance",
    "issubclass", "iter", "len", "license", "list", "locals", "long", "map", "max", "memoryview", "min", "next",
    "object", "oct", "open", "ord", "pow", "print", "property", "quit", "range", "raw_input", "reduce", "reload",
    "repr", "reveal_locals", "reveal_type", "reversed", "round", "set", "setattr", "slice", "sorted", "staticmethod",
    "str", "sum", "super", "tuple", "type", "unichr", "unicode", "vars", "xrange", "zip",
];

/// Globals of ECMAScript, browsers, workers, Node and test frameworks, and of libraries that scripts load as globals.
#[rustfmt::skip]
const SCRIPT: &[&str] = &[
    "$", "AbortController", "AbortSignal", "ActiveXObject", "AggregateError", "Animation", "AnimationEvent", "App",
    "Array", "ArrayBuffer", "AsyncDisposableStack", "Atomics", "Attr", "Audio", "AudioBuffer", "AudioContext",
    "AudioWorkletNode", "AudioWorkletProcessor", "Backbone", "BeforeUnloadEvent", "BigInt", "BigInt64Array",
    "BigUint64Array", "Blob", "BlobEvent", "Boolean", "BroadcastChannel", "Buffer", "Bun",
    "ByteLengthQueuingStrategy", "CSS", "CSSRule", "CSSStyleDeclaration", "CSSStyleRule", "CSSStyleSheet", "Cache",
    "CanvasRenderingContext2D", "CharacterData", "ClipboardEvent", "ClipboardItem", "CloseEvent", "Comment",
    "Component", "CompositionEvent", "CompressionStream", "CountQueuingStrategy", "Crypto", "CryptoKey",
    "CustomEvent", "Cypress", "DOMException", "DOMMatrix", "DOMParser", "DOMPoint", "DOMRect", "DOMRectReadOnly",
    "DOMStringMap", "DOMTokenList", "DataTransfer", "DataView", "Date", "DecompressionStream", "Deno",
    "DeviceMotionEvent", "DeviceOrientationEvent", "DisposableStack", "Document", "DocumentFragment", "DragEvent",
    "Element", "Ember", "Error", "ErrorEvent", "EvalError", "Event", "EventSource", "EventTarget", "Ext",
    "EyeDropper", "File", "FileList", "FileReader", "FileReaderSync", "FileSystemDirectoryHandle",
    "FileSystemFileHandle", "FileSystemHandle", "FinalizationRegistry", "Float16Array", "Float32Array",
    "Float64Array", "FocusEvent", "FontFace", "FormData", "Function", "GM_getValue", "GM_setValue", "Gamepad",
    "Geolocation", "GeolocationPosition", "HTMLAnchorElement", "HTMLAudioElement", "HTMLButtonElement",
    "HTMLCanvasElement", "HTMLCollection", "HTMLDivElement", "HTMLDocument", "HTMLElement", "HTMLFormElement",
    "HTMLIFrameElement", "HTMLImageElement", "HTMLInputElement", "HTMLLabelElement", "HTMLLinkElement",
    "HTMLMediaElement", "HTMLMetaElement", "HTMLOptionElement", "HTMLRewriter", "HTMLScriptElement",
    "HTMLSelectElement", "HTMLStyleElement", "HTMLTableElement", "HTMLTemplateElement", "HTMLTextAreaElement",
    "HTMLVideoElement", "HashChangeEvent", "Headers", "History", "IDBDatabase", "IDBKeyRange", "IDBRequest", "Image",
    "ImageBitmap", "ImageCapture", "ImageData", "Infinity", "InputEvent", "Int16Array", "Int32Array", "Int8Array",
    "IntersectionObserver", "IntersectionObserverEntry", "Intl", "Iterator", "JSON", "JSX", "Java", "KVNamespace",
    "KeyboardEvent", "LaunchParams", "Location", "Map", "Math", "MathJax", "MediaQueryList", "MediaRecorder",
    "MediaSource", "MediaStream", "MediaStreamTrack", "MessageChannel", "MessageEvent", "MessagePort", "Meteor",
    "MouseEvent", "MutationObserver", "MutationRecord", "NaN", "NamedNodeMap", "Navigator", "Node", "NodeFilter",
    "NodeIterator", "NodeJS", "NodeList", "Notification", "NotificationEvent", "Number", "Object",
    "OfflineAudioContext", "OffscreenCanvas", "Option", "Page", "PageTransitionEvent", "Path2D", "Performance",
    "PerformanceEntry", "PerformanceMark", "PerformanceMeasure", "PerformanceObserver",
    "PerformanceObserverEntryList", "PerformanceResourceTiming", "PermissionStatus", "Permissions",
    "PictureInPictureWindow", "Plugin", "PointerEvent", "Polymer", "PopStateEvent", "Prism", "ProcessingInstruction",
    "ProgressEvent", "Promise", "PromiseRejectionEvent", "Proxy", "PushManager", "QUnit", "RTCIceCandidate",
    "RTCPeerConnection", "RTCSessionDescription", "RadioNodeList", "Range", "RangeError", "React",
    "ReadableByteStreamController", "ReadableStream", "ReadableStreamBYOBReader", "ReadableStreamBYOBRequest",
    "ReadableStreamDefaultController", "ReadableStreamDefaultReader", "ReferenceError", "Reflect", "RegExp",
    "RemotePlayback", "ReportingObserver", "Request", "ResizeObserver", "ResizeObserverEntry", "Response",
    "SVGElement", "SVGPathElement", "SVGSVGElement", "Screen", "SecurityPolicyViolationEvent", "Selection",
    "ServiceWorker", "ServiceWorkerRegistration", "Set", "ShadowRoot", "SharedArrayBuffer", "SharedStorage",
    "SharedWorker", "SourceBuffer", "SpeechRecognition", "SpeechSynthesisUtterance", "StaticRange", "Storage",
    "StorageEvent", "String", "Stripe", "StyleSheet", "StyleSheetList", "SubmitEvent", "SubtleCrypto",
    "SuppressedError", "Symbol", "SyntaxError", "TaskController", "Temporal", "Text", "TextDecoder",
    "TextDecoderStream", "TextEncoder", "TextEncoderStream", "TextMetrics", "TextTrack", "TimeRanges", "Touch",
    "TouchEvent", "TouchList", "TransformStream", "TransformStreamDefaultController", "TransitionEvent", "TreeWalker",
    "TrustedHTML", "TypeError", "UIEvent", "URIError", "URL", "URLPattern", "URLSearchParams", "Uint16Array",
    "Uint32Array", "Uint8Array", "Uint8ClampedArray", "VTTCue", "ValidityState", "VideoFrame", "ViewTransition",
    "Vue", "WScript", "WeakMap", "WeakRef", "WeakSet", "WebAssembly", "WebGL2RenderingContext",
    "WebGLRenderingContext", "WebSocket", "WebSocketPair", "WebTransport", "WheelEvent", "Window", "Worker",
    "Worklet", "WritableStream", "WritableStreamDefaultController", "WritableStreamDefaultWriter", "XMLDocument",
    "XMLHttpRequest", "XMLSerializer", "XPathEvaluator", "XPathResult", "XSLTProcessor", "YUI", "_", "__dirname",
    "__filename", "addEventListener", "after", "afterAll", "afterEach", "alert", "angular", "arguments", "assert",
    "assertType", "async_hooks", "atob", "auto", "await", "before", "beforeAll", "beforeEach", "browser", "btoa", "buffer",
    "caches", "cancelAnimationFrame", "cancelIdleCallback", "captureEvents", "chai", "child_process", "chrome",
    "clearImmediate", "clearInterval", "clearTimeout", "clients", "close", "closed", "cluster", "computed", "confirm",
    "console", "constants", "context", "cookieStore", "createError", "createImageBitmap", "crypto", "customElements",
    "cy", "d3", "dataLayer", "decodeURI", "decodeURIComponent", "define", "defineEmits", "defineEventHandler",
    "defineExpose", "defineModel", "defineNuxtConfig", "defineNuxtPlugin", "defineOptions", "definePageMeta",
    "defineProps", "defineSlots", "describe", "devicePixelRatio", "dgram", "diagnostics_channel", "dispatchEvent",
    "dns", "document", "dojo", "domain", "encodeURI", "encodeURIComponent", "escape", "eval", "event", "events",
    "expect", "expectTypeOf", "exports", "external", "fail", "fbq", "fdescribe", "fetch", "firebase", "fit", "focus",
    "frameElement", "frames", "fs", "ga", "gapi", "getApp", "getComputedStyle", "getCurrentPages", "getSelection",
    "global", "globalThis", "goog", "google", "grecaptcha", "gtag", "history", "hljs", "http", "http2", "https",
    "importScripts", "indexedDB", "innerHeight", "innerWidth", "inspector", "isFinite", "isNaN", "isSecureContext",
    "it", "jQuery", "jasmine", "java", "jest", "ko", "length", "load", "loadfile", "localStorage", "location",
    "locationbar", "matchMedia", "menubar", "mocha", "module", "moment", "moveBy", "moveTo", "my", "name",
    "navigateTo", "navigation", "navigator", "net", "nextTick", "onMounted", "onerror", "onload", "onmessage",
    "onunhandledrejection", "open", "opener", "origin", "os", "outerHeight", "outerWidth", "pageXOffset",
    "pageYOffset", "parent", "parseFloat", "parseInt", "path", "paypal", "pending", "perf_hooks", "performance",
    "personalbar", "postMessage", "print", "process", "prompt", "punycode", "querystring", "queueMicrotask", "quit",
    "reactive", "readline", "ref", "registerProcessor", "registration", "removeEventListener", "repl", "reportError",
    "requestAnimationFrame", "requestIdleCallback", "require", "requirejs", "resizeBy", "resizeTo", "run", "safari",
    "scheduler", "screen", "screenLeft", "screenTop", "screenX", "screenY", "scroll", "scrollBy", "scrollTo",
    "scrollX", "scrollY", "scrollbars", "self", "serviceWorker", "sessionStorage", "setImmediate", "setInterval",
    "setTimeout", "setup", "should", "showDirectoryPicker", "showOpenFilePicker", "showSaveFilePicker", "sinon",
    "skipWaiting", "specify", "speechSynthesis", "spyOn", "status", "statusbar", "stop", "stream", "string_decoder",
    "structuredClone", "suite", "suiteSetup", "suiteTeardown", "swan", "sys", "teardown", "test", "timers", "tls",
    "toolbar", "top", "trace_events", "trustedTypes", "tt", "tty", "undefined", "unescape", "uni", "unsafeWindow",
    "url", "useAsyncData", "useFetch", "useHead", "useNuxtApp", "useRoute", "useRouter", "useRuntimeConfig",
    "useState", "util", "v8", "vi", "visualViewport", "vitest", "vm", "waitFor", "wasi", "watch", "window",
    "withDefaults", "workbox", "worker_threads", "wx", "xdescribe", "xit", "xtest", "zlib",
];

/// The prelude of Rust in every edition, its primitive types, and words that are keywords only in some places.
#[rustfmt::skip]
const RUST: &[&str] = &[
    "AsMut", "AsRef", "AsyncFn", "AsyncFnMut", "AsyncFnOnce", "Box", "Clone", "Copy", "Debug", "Default",
    "DoubleEndedIterator", "Drop", "Eq", "Err", "ExactSizeIterator", "Extend", "Fn", "FnMut", "FnOnce", "From",
    "FromIterator", "Future", "Hash", "Into", "IntoFuture", "IntoIterator", "Iterator", "None", "Ok", "Option", "Ord",
    "PartialEq", "PartialOrd", "Result", "Self", "Send", "Sized", "Some", "String", "Sync", "ToOwned", "ToString",
    "TryFrom", "TryInto", "Unpin", "Vec", "_", "align_of", "align_of_val", "alloc", "async", "auto", "await", "bool",
    "char", "const", "core", "crate", "default", "derive", "drop", "dyn", "f128", "f16", "f32", "f64", "gen", "i128",
    "i16", "i32", "i64", "i8", "isize", "macro_rules", "raw", "safe", "self", "size_of", "size_of_val", "static",
    "std", "str", "super", "test", "try", "u128", "u16", "u32", "u64", "u8", "union", "usize", "yield",
];

/// The predeclared functions of Go.
#[rustfmt::skip]
const GO: &[&str] = &[
    "append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make", "max", "min", "new", "panic",
    "print", "println", "real", "recover",
];

#[cfg(test)]
mod tests {
    use super::{GO, PYTHON, RUST, SCRIPT, is_builtin};

    #[test]
    fn the_lists_are_sorted() {
        assert!(
            [PYTHON, SCRIPT, RUST, GO]
                .iter()
                .all(|names| names.is_sorted())
        );
        assert!(
            is_builtin("Python", "len")
                && is_builtin("TSX", "setTimeout")
                && !is_builtin("Java", "len")
        );
    }
}
