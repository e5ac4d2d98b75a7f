//! The names that a language or its usual environments define: built-in functions, types, globals of browsers, of Node and of test
//! frameworks. A name that only some environments have counts as defined.

/// Whether a name is defined without any definition in a file. The lists are sorted.
pub(crate) fn is_builtin(language: &str, name: &str) -> bool {
    let names = match language {
        "Python" => PYTHON,
        "JavaScript" | "TypeScript" | "TSX" => SCRIPT,
        _ => return false,
    };
    names.binary_search(&name).is_ok()
}

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
    "$", "AbortController", "AbortSignal", "ActiveXObject", "AggregateError", "App", "Array", "ArrayBuffer",
    "AsyncDisposableStack", "Atomics", "Audio", "Backbone", "BigInt", "BigInt64Array", "BigUint64Array", "Blob",
    "Boolean", "BroadcastChannel", "Buffer", "Bun", "CSS", "CSSStyleSheet", "Cache", "CanvasRenderingContext2D",
    "ClipboardItem", "CloseEvent", "Component", "CompressionStream", "Crypto", "CryptoKey", "CustomEvent", "Cypress",
    "DOMException", "DOMMatrix", "DOMParser", "DOMPoint", "DOMRect", "DataTransfer", "DataView", "Date",
    "DecompressionStream", "Deno", "DisposableStack", "Document", "DocumentFragment", "DragEvent", "Element", "Ember",
    "Error", "ErrorEvent", "EvalError", "Event", "EventSource", "EventTarget", "Ext", "File", "FileList",
    "FileReader", "FinalizationRegistry", "Float16Array", "Float32Array", "Float64Array", "FocusEvent", "FontFace",
    "FormData", "Function", "GM_getValue", "GM_setValue", "HTMLElement", "HTMLRewriter", "Headers", "History",
    "Image", "ImageBitmap", "ImageData", "Infinity", "InputEvent", "Int16Array", "Int32Array", "Int8Array",
    "IntersectionObserver", "Intl", "Iterator", "JSON", "JSX", "Java", "KVNamespace", "KeyboardEvent", "Location",
    "Map", "Math", "MathJax", "MediaQueryList", "MediaRecorder", "MediaSource", "MediaStream", "MessageChannel",
    "MessageEvent", "MessagePort", "Meteor", "MouseEvent", "MutationObserver", "NaN", "Navigator", "Node",
    "NodeFilter", "NodeJS", "NodeList", "Notification", "Number", "Object", "OffscreenCanvas", "Option", "Page",
    "Path2D", "Performance", "PerformanceEntry", "PerformanceObserver", "PointerEvent", "Polymer", "PopStateEvent",
    "Prism", "ProgressEvent", "Promise", "PromiseRejectionEvent", "Proxy", "QUnit", "RTCPeerConnection", "Range",
    "RangeError", "React", "ReadableStream", "ReferenceError", "Reflect", "RegExp", "Request", "ResizeObserver",
    "Response", "Screen", "Selection", "SharedArrayBuffer", "SharedWorker", "Storage", "StorageEvent", "String",
    "Stripe", "StyleSheet", "SubmitEvent", "SubtleCrypto", "SuppressedError", "Symbol", "SyntaxError", "Text",
    "TextDecoder", "TextDecoderStream", "TextEncoder", "TextEncoderStream", "TextMetrics", "TouchEvent",
    "TransformStream", "TreeWalker", "TypeError", "UIEvent", "URIError", "URL", "URLSearchParams", "Uint16Array",
    "Uint32Array", "Uint8Array", "Uint8ClampedArray", "ViewTransition", "Vue", "WScript", "WeakMap", "WeakRef",
    "WeakSet", "WebAssembly", "WebSocket", "WebSocketPair", "WheelEvent", "Window", "Worker", "Worklet",
    "WritableStream", "XMLDocument", "XMLHttpRequest", "XMLSerializer", "XPathResult", "YUI", "_", "__dirname",
    "__filename", "addEventListener", "after", "afterAll", "afterEach", "alert", "angular", "arguments", "assert",
    "assertType", "atob", "auto", "before", "beforeAll", "beforeEach", "browser", "btoa", "caches",
    "cancelAnimationFrame", "cancelIdleCallback", "chai", "chrome", "clearImmediate", "clearInterval", "clearTimeout",
    "clients", "close", "closed", "computed", "confirm", "console", "context", "cookieStore", "createError",
    "createImageBitmap", "crypto", "customElements", "cy", "d3", "dataLayer", "decodeURI", "decodeURIComponent",
    "define", "defineEmits", "defineEventHandler", "defineExpose", "defineModel", "defineNuxtConfig",
    "defineNuxtPlugin", "defineOptions", "definePageMeta", "defineProps", "defineSlots", "describe", "dispatchEvent",
    "document", "dojo", "encodeURI", "encodeURIComponent", "escape", "event", "expect", "expectTypeOf", "exports",
    "fail", "fbq", "fdescribe", "fetch", "firebase", "fit", "focus", "frames", "ga", "gapi", "getApp",
    "getComputedStyle", "getCurrentPages", "getSelection", "global", "globalThis", "goog", "google", "grecaptcha",
    "gtag", "history", "hljs", "importScripts", "indexedDB", "innerHeight", "innerWidth", "isFinite", "isNaN",
    "isSecureContext", "it", "jQuery", "jasmine", "java", "jest", "ko", "length", "load", "loadfile", "localStorage",
    "location", "matchMedia", "mocha", "module", "moment", "my", "name", "navigateTo", "navigation", "navigator",
    "nextTick", "onMounted", "open", "opener", "origin", "outerHeight", "outerWidth", "parent", "parseFloat",
    "parseInt", "paypal", "pending", "performance", "postMessage", "print", "process", "prompt", "queueMicrotask",
    "quit", "reactive", "ref", "registration", "removeEventListener", "reportError", "requestAnimationFrame",
    "requestIdleCallback", "require", "requirejs", "run", "safari", "scheduler", "screen", "scroll", "scrollBy",
    "scrollTo", "self", "serviceWorker", "sessionStorage", "setImmediate", "setInterval", "setTimeout", "setup",
    "should", "sinon", "skipWaiting", "specify", "speechSynthesis", "spyOn", "stop", "structuredClone", "suite",
    "suiteSetup", "suiteTeardown", "swan", "teardown", "test", "top", "tt", "undefined", "unescape", "uni",
    "unsafeWindow", "useAsyncData", "useFetch", "useHead", "useNuxtApp", "useRoute", "useRouter", "useRuntimeConfig",
    "useState", "vi", "visualViewport", "vitest", "waitFor", "watch", "window", "withDefaults", "workbox", "wx",
    "xdescribe", "xit", "xtest",
];

#[cfg(test)]
mod tests {
    use super::{PYTHON, SCRIPT, is_builtin};

    #[test]
    fn the_lists_are_sorted() {
        assert!(PYTHON.is_sorted() && SCRIPT.is_sorted());
        assert!(is_builtin("Python", "len") && is_builtin("TSX", "setTimeout") && !is_builtin("Java", "len"));
    }
}
