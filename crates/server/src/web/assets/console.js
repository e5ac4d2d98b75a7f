// Every page works without this script, which only saves steps.

/** Follows a sign-in link immediately, but not in a page that the browser preloads. */
function submitAtOnce(form) {
  const submit = () => form.requestSubmit();
  if (document.prerendering) document.addEventListener("prerenderingchange", submit, { once: true });
  else submit();
}

/** Prevents a form from being submitted twice. */
function sendOnce(form) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
  // The page may be restored from the browser's cache.
  window.addEventListener("pageshow", () => delete form.dataset.sent);
}

const find = (id) => document.getElementById(id);

/** Only for the service's HTML, in which every text is escaped. Nothing else becomes HTML here. */
const rendered = (globalThis.trustedTypes ?? { createPolicy: (_, rules) => rules }).createPolicy("hunkwise", {
  createHTML: (html) => html,
});

/** Scrolls an element to the top of the window, and moves the focus to it. */
function goTo(element) {
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: "start" });
}

function tell(problem) {
  const place = find("problem");
  place.replaceChildren();
  if (problem) {
    const title = document.createElement("strong");
    title.textContent = problem.status === 401 ? "Your session has ended. " : `${problem.title}. `;
    place.append(title, ...prose(problem.status === 401 ? "" : problem.detail ?? ""));
    if (problem.requestId) place.append(` (request ID ${problem.requestId})`);
    if (problem.status === 401) {
      const link = document.createElement("a");
      Object.assign(link, { href: "/sign-in", target: "_blank", rel: "noopener", textContent: "Sign in again" });
      place.append(" ", link, " in another tab, then press Review again. The diff is still here.");
    }
  }
  place.hidden = !problem;
  if (problem) goTo(place);
}

/** Calls `work` with each item, and yields to the browser at least every 50 ms. */
async function inSlices(items, work) {
  let start = performance.now();
  for (const item of items) {
    work(item);
    if (performance.now() - start < 50) continue;
    await new Promise((done) => setTimeout(done));
    start = performance.now();
  }
}

/** The server-sent events of a response. */
async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let parts = [""];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    // A large event arrives in many parts, which are joined only once it is complete.
    const isComplete = `${parts.at(-1).slice(-1)}${value}`.includes("\n\n");
    parts.push(value);
    if (!isComplete) continue;
    const blocks = parts.join("").split("\n\n");
    parts = [blocks.pop()];
    for (const block of blocks) {
      const lines = block.split("\n");
      const field = (name) => lines.filter((line) => line.startsWith(name)).map((line) => line.slice(name.length));
      const data = field("data: ").join("\n");
      if (data) yield { name: field("event: ")[0], data: JSON.parse(data) };
    }
  }
}

async function problemOf(response) {
  const problem = await response.json().catch(() => ({ title: "The service gave no answer", detail: "" }));
  return { status: response.status, ...problem };
}

/** Lists findings before the result arrives. */
const EARLY = 50;

/** A new element of this class with these contents. */
function made(name, className, ...contents) {
  const element = document.createElement(name);
  element.className = className;
  element.append(...contents);
  return element;
}

/** A sentence in which text between back ticks is code. */
const prose = (text) => text.split("`").map((part, at, parts) => (at % 2 && at + 1 < parts.length ? made("code", "", part) : part));

const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** A finding that arrived before the result. */
const rowOf = ({ priority, filePath, lineNumber, summary }) => made("li", `row ${priority}`,
  made("span", `badge ${priority}`, priority), made("span", "t", ...prose(summary)), made("span", "at", `${filePath}:${lineNumber}`));

/** Takes the form token of the current session, after the person signed in again in another tab. */
async function renewForm(form) {
  const page = await fetch(location.pathname, { headers: { accept: "text/html" } }).then((response) => response.text());
  const fresh = new DOMParser().parseFromString(rendered.createHTML(page), "text/html");
  const token = fresh.querySelector("#review [name=form_token]")?.value;
  if (token) form.elements.form_token.value = token;
  delete form.dataset.stale;
}

/** Submits the form, shows the progress of the review, and then its result. */
async function review(form, button) {
  if (form.dataset.busy) return;
  form.dataset.busy = "yes";
  const stop = new AbortController();
  const [progress, status, running, bar, early] = ["progress", "status", "running", "bar", "early"].map(find);
  const buttons = form.querySelectorAll("button");
  if (form.dataset.stale) await renewForm(form).catch(() => {});
  const body = new FormData(form);
  if (button?.name) body.append(button.name, button.value);
  tell(null);
  status.textContent = "Sending the diff…";
  running.hidden = false;
  bar.removeAttribute("value");
  early.replaceChildren();
  progress.hidden = false;
  buttons.forEach((one) => (one.disabled = true));
  find("stop").onclick = () => stop.abort();
  goTo(progress);
  let result, problem;
  try {
    const contextFiles = button?.name === "sample" ? [] : belowTop(await chosenContext, await changedPaths());
    if (contextFiles.length) body.append("context", new Blob([JSON.stringify({ contextFiles })]));
    const headers = { accept: "text/event-stream" };
    const response = await fetch(form.action, { method: "POST", body, headers, signal: stop.signal });
    if (!response.ok) throw await problemOf(response);
    result = await resultOf(response, (data) => {
      // Some of them will be merged.
      status.textContent = `${data.chunksDone} of ${counted(data.chunksTotal, "part")} reviewed, about ${counted(data.findings, "finding")} so far`;
      Object.assign(bar, { max: data.chunksTotal || 1, value: data.chunksDone });
    }, ({ findings }) => early.replaceChildren(...findings.slice(0, EARLY).map(rowOf)));
  } catch (error) {
    if (stop.signal.aborted) problem = { title: "Stopped", detail: "The review was cancelled and does not count." };
    else if (error instanceof Error) problem = { title: "The service cannot be reached", detail: "Check the network, then try again." };
    else problem = error;
  }
  // What is known stays, even if the review did not end.
  const isPartial = problem && early.childElementCount > 0;
  progress.hidden = !isPartial;
  running.hidden = true;
  if (isPartial) status.textContent = `Findings of the rules only, because the review did not end${early.childElementCount < EARLY ? "" : ` (the first ${EARLY})`}`;
  buttons.forEach((one) => (one.disabled = false));
  delete form.dataset.busy;
  if (problem?.status === 401) form.dataset.stale = "yes";
  if (problem) tell(problem);
  else show(result);
}

/** The result at the end of a stream of events. */
async function resultOf(response, onProgress, onFindings) {
  for await (const { name, data } of events(response)) {
    if (name === "error") throw data;
    if (name === "review") return parsed(data);
    if (name === "progress") onProgress(data);
    if (name === "findings") onFindings(data);
  }
  throw { title: "The answer broke off", detail: "Try again." };
}

/** Characters of a result that are parsed in one slice. */
const SLICE = 1 << 16;

function* slicesOf(html) {
  yield "<!doctype html><body>";
  for (let at = 0; at < html.length;) {
    const end = html.indexOf("\n", at + SLICE) + 1 || html.length;
    yield html.slice(at, end);
    at = end;
  }
}

/** Parses a result in slices, in a separate document: parsing a large one in one go would block the page. */
async function parsed(html) {
  const page = document.implementation.createHTMLDocument("");
  await inSlices(slicesOf(html), (slice) => page.write(rendered.createHTML(slice)));
  page.close();
  return page.body.firstElementChild;
}

function show(result) {
  find("result")?.remove();
  document.querySelector("main > h1")?.remove();
  const again = find("again");
  useResult(result);
  again.before(result);
  again.open = false;
  again.firstElementChild.hidden = false;
  find("result-title").focus({ preventScroll: true });
  result.scrollIntoView();
}

/** Adds the lines of a folded file to the page when it is opened. */
function showOnDemand(file, shown) {
  const [, ...lines] = file.children;
  lines.forEach((one) => one.remove());
  file.addEventListener("toggle", () => {
    file.append(...lines);
    shown(file);
  }, { once: true });
}

/** Repeats unchanged lines on the other side in the side-by-side view. */
function pair(file) {
  for (const line of file.querySelectorAll(".same > .s")) {
    if (line.childElementCount === 3) line.append(line.lastElementChild.cloneNode(true));
  }
}

/** Puts a text on the clipboard, and says so on the button. */
async function copy(button, text) {
  const label = button.dataset.label ??= button.textContent;
  const isCopied = await navigator.clipboard.writeText(text).then(() => true, () => false);
  button.textContent = isCopied ? "Copied" : "The browser did not allow it";
  find("copied-fix")?.replaceChildren(isCopied ? "Copied." : "");
  setTimeout(() => (button.textContent = label), 2000);
}

/** The lines that a finding suggests. */
const suggested = (change) => [...change.querySelectorAll(".a > code")].map((line) => line.textContent.replace(/^\n$/, "")).join("\n");

/** The result in Markdown, from its download. */
async function summaryOf(result) {
  const [, content] = result.querySelector("[download='review.md']").href.split(";base64,");
  return new TextDecoder().decode(Uint8Array.from(atob(content), (byte) => byte.charCodeAt(0)));
}

/** Filters, navigation between findings, copying, and the side-by-side view. */
function useResult(result) {
  const part = (id) => result.querySelector(`#${id}`);
  const [position, split, search, keys] = ["position", "split", "search", "keys"].map(part);
  const files = [...result.querySelectorAll(".file")];
  // In the order of the list, in which they are numbered.
  const findings = [...result.querySelectorAll(".list a.row")].map((row) => ({
    row,
    element: part(row.hash.slice(1)),
    priority: row.querySelector(".badge").textContent,
  }));
  // In the order of the page.
  const below = [...result.querySelectorAll(".finding")];
  const of = new Map(findings.map((finding) => [finding.element, finding]));
  let shown = findings;
  let current = null;
  const tellPosition = () => {
    const at = shown.indexOf(current);
    position?.replaceChildren(at < 0 ? counted(shown.length, "finding") : `${at + 1} of ${shown.length}`);
  };
  // Computed from the filters and not from styles, which the browser has not computed for elements out of view.
  const filter = () => {
    const only = new Set([...result.querySelectorAll(".chip :checked")].map((box) => box.value));
    const words = (search?.value ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    const matches = ({ row, element }) => {
      const text = words.length ? `${row.textContent} ${element.textContent}`.toLowerCase() : "";
      return words.every((word) => text.includes(word));
    };
    for (const finding of findings) finding.row.hidden = finding.element.hidden = !matches(finding);
    for (const group of result.querySelectorAll(".group")) {
      group.hidden = !group.querySelector(".row:not([hidden])");
      if (words.length) group.open = true;
    }
    shown = findings.filter(({ row, priority }) => !row.hidden && (!only.size || only.has(priority)));
    tellPosition();
  };
  /** Shows a finding and marks its row. */
  const visit = (finding) => {
    current?.row.removeAttribute("aria-current");
    current = finding;
    const { row, element } = finding;
    row.setAttribute("aria-current", "true");
    const group = row.closest("details");
    if (group) group.open = true;
    const file = element.closest("details.file");
    if (file) file.open = true;
    element.open = true;
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "center" });
    const list = part("list");
    const [inner, outer] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
    if (list.scrollHeight > list.clientHeight && (inner.top < outer.top + 44 || inner.bottom > outer.bottom)) list.scrollTop += inner.top - outer.top - outer.height / 2;
    tellPosition();
  };
  const isSeen = (element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  };
  /** The next finding from the place that the reader scrolled to; `undefined` if that is where the last step led. */
  const fromHere = (by) => {
    const area = result.querySelector(".files").getBoundingClientRect();
    if (current ? isSeen(current.element) : area.top > -innerHeight / 2) return undefined;
    const here = document.elementFromPoint(area.left + area.width / 2, innerHeight / 2)?.closest(".l, .finding, .file");
    if (!here) return undefined;
    // Which findings follow is known by halving, without a look at elements out of view.
    let [low, high] = [0, below.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (here.compareDocumentPosition(below[middle]) & Node.DOCUMENT_POSITION_FOLLOWING) high = middle;
      else low = middle + 1;
    }
    const allowed = new Set(shown);
    const candidates = by > 0 ? below.slice(low) : below.slice(0, low).reverse();
    return candidates.map((element) => of.get(element)).find((finding) => allowed.has(finding));
  };
  const step = (by) => {
    if (!shown.length) return;
    const at = shown.indexOf(current);
    const next = at < 0 ? (by > 0 ? 0 : shown.length - 1) : (at + by + shown.length) % shown.length;
    visit(fromHere(by) ?? shown[next]);
  };
  const copyFix = (finding) => {
    const button = finding?.element.querySelector("[data-fix]");
    if (button) copy(button, suggested(button.closest(".change")));
  };
  const turn = () => {
    const on = result.classList.toggle("split");
    split.setAttribute("aria-pressed", on);
    if (on) inSlices(files, pair);
  };
  result.querySelectorAll("[data-script]").forEach((one) => (one.hidden = false));
  result.addEventListener("click", (event) => {
    const [button, row] = [event.target.closest("button"), event.target.closest(".list a.row")];
    if (button?.dataset.step) step(Number(button.dataset.step));
    else if (button?.matches("[data-fix]")) copyFix({ element: button.closest(".finding") });
    else if (button?.matches("[data-summary]")) summaryOf(result).then((text) => copy(button, text));
    else if (row) {
      event.preventDefault();
      visit(findings.find((finding) => finding.row === row));
    } else if (event.target.closest("[data-again]")) find("again").open = true;
  });
  part("filters")?.addEventListener("change", filter);
  search?.addEventListener("input", filter);
  if (split) split.onclick = turn;
  result.querySelectorAll(".file:not([open])").forEach((file) => showOnDemand(file, (opened) => {
    if (result.classList.contains("split")) pair(opened);
  }));
  document.onkeydown = (event) => {
    const typing = event.target.closest("input:not([type=checkbox], [type=radio]), textarea, select, dialog");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = { j: () => step(1), k: () => step(-1), c: () => copyFix(current), s: () => split?.click(), "?": () => keys?.showModal() }[event.key];
    act?.();
    if (event.key === "/" && search) {
      event.preventDefault();
      search.focus();
    }
  };
  filter();
}

/** Larger files are sent without being shown, because a text box is slow with this much text. */
const SHOWN_BYTES = 1 << 20;

/** Shows a chosen or dropped file as text before it is sent. A file that a text box would change is sent unchanged. */
function useFiles(area, input) {
  const chosen = find("chosen");
  const note = (text) => {
    chosen.textContent = text;
    chosen.hidden = !text;
  };
  const take = async (files) => {
    const [file] = files;
    if (!file) return note("");
    const isLarge = file.size > SHOWN_BYTES;
    const text = await (isLarge ? file.slice(0, SHOWN_BYTES) : file).text();
    if (text.includes("\0")) {
      input.value = "";
      note("");
      return tell({ title: "The file is binary", detail: "Choose a diff or a patch." });
    }
    tell(null);
    // A text box changes line ends, and can only contain Unicode.
    if (isLarge || /[\r\ufffd]/.test(text)) {
      input.files = files;
      area.value = "";
      return note(`The file ${file.name} will be reviewed. It is not shown because ${isLarge ? "it is large" : "a text box would change it"}.`);
    }
    area.value = text;
    input.value = "";
    note("");
  };
  input.onchange = () => take(input.files);
  area.addEventListener("input", () => {
    if (!input.value) return;
    note(`The file ${input.files[0].name} will not be reviewed: the text is reviewed instead.`);
    input.value = "";
  });
  area.ondragover = (event) => {
    event.preventDefault();
    area.classList.add("over");
  };
  area.ondragleave = () => area.classList.remove("over");
  area.ondrop = (event) => {
    const { files } = event.dataTransfer;
    area.classList.remove("over");
    if (!files.length) return;
    event.preventDefault();
    take(files);
  };
  // The browser may have kept the choice across a reload of the page.
  take(input.files);
}

/** The text files of the chosen folder or archive. */
let chosenContext = Promise.resolve([]);

/** Larger files are left out: hardly any of them is written by people. */
const CONTEXT_FILE_BYTES = 1 << 18;
/** Maximum size of an archive, unpacked. */
const ARCHIVE_BYTES = 1 << 26;
/** Folders that are not part of a repository. */
const FOREIGN = /(^|\/)(\.git|\.hg|\.svn|node_modules|__pycache__|\.venv)\//;

/** The bytes of a stream; `null` if there are more than `most`. */
async function bytesOf(stream, most) {
  const reader = stream.getReader();
  const parts = [];
  for (let size = 0; ;) {
    const { value, done } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    size += value.length;
    parts.push(value);
    if (size <= most) continue;
    await reader.cancel();
    return null;
  }
}

const unpacked = (blob, format) => blob.stream().pipeThrough(new DecompressionStream(format));
const tooLargeArchive = (name) => ({
  title: "The archive is too large",
  detail: `${name} has more than ${ARCHIVE_BYTES >> 20} MiB. Choose an archive of fewer folders.`,
});

/** The files of a zip archive, which lists them at its end. */
async function filesOfZip(archive) {
  if (archive.size > ARCHIVE_BYTES) throw tooLargeArchive(archive.name);
  const view = new DataView(await archive.arrayBuffer());
  const [short, long] = [(at) => view.getUint16(at, true), (at) => view.getUint32(at, true)];
  let end = view.byteLength - 22;
  while (long(end) !== 0x06054b50) end -= 1;
  const files = [];
  let at = long(end + 16);
  for (let left = short(end + 10); left; left -= 1) {
    if (long(at) !== 0x02014b50) throw new RangeError();
    const [flags, method, packed, size, start] = [short(at + 8), short(at + 10), long(at + 20), long(at + 24), long(at + 42)];
    const path = new TextDecoder().decode(new Uint8Array(view.buffer, at + 46, short(at + 28)));
    const isLink = (long(at + 38) >>> 28) === 10;
    at += 46 + short(at + 28) + short(at + 30) + short(at + 32);
    if (path.endsWith("/") || isLink || flags & 1) continue;
    const read = () => {
      const data = start + 30 + short(start + 26) + short(start + 28);
      const blob = new Blob([new Uint8Array(view.buffer, data, packed)]);
      return bytesOf(method ? unpacked(blob, "deflate-raw") : blob.stream(), CONTEXT_FILE_BYTES);
    };
    files.push({ path, size, read });
  }
  return files;
}

/** The files of a tar archive, in which each follows its header. */
async function filesOfTar(archive) {
  const isPacked = /gz$/i.test(archive.name);
  const bytes = await bytesOf(isPacked ? unpacked(archive, "gzip") : archive.stream(), ARCHIVE_BYTES);
  if (!bytes) throw tooLargeArchive(archive.name);
  const text = (from, length) => new TextDecoder().decode(bytes.subarray(from, from + length)).split("\0")[0];
  const files = [];
  let longPath = null;
  for (let at = 0; at + 512 <= bytes.length;) {
    const [name, type, size] = [text(at, 100), text(at + 156, 1), parseInt(text(at + 124, 12), 8) || 0];
    const prefix = text(at + 257, 5) === "ustar" ? text(at + 345, 155) : "";
    const data = at + 512;
    at = data + Math.ceil(size / 512) * 512;
    if (type === "L") longPath = text(data, size);
    else if (type === "x") longPath = /^\d+ path=(.*)$/m.exec(text(data, size))?.[1] ?? longPath;
    else if (type !== "g") {
      const path = longPath ?? (prefix ? `${prefix}/${name}` : name);
      if (path && (type === "0" || type === "")) files.push({ path, size, read: async () => bytes.subarray(data, data + size) });
      longPath = null;
    }
  }
  return files;
}

/** The text of a file, unless it is binary or too large. */
async function textOf({ path, size, read }) {
  if (size > CONTEXT_FILE_BYTES || FOREIGN.test(path)) return null;
  const bytes = await read();
  if (!bytes || bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The paths of the change that is to be reviewed. */
async function changedPaths() {
  const [file] = find("patch").files;
  const diff = file ? await file.slice(0, SHOWN_BYTES).text() : find("diff").value;
  return [...diff.matchAll(/^(?:---|\+\+\+) (?:[ab]\/)?(.+)$/gm)].map(([, path]) => path);
}

/** The files with paths that begin below the folder that contains all of them, unless the change names this folder. */
function belowTop(files, changed) {
  const top = `${files[0]?.path.split("/")[0]}/`;
  const isNamed = (path) => path.startsWith(top);
  if (!files.every(({ path }) => isNamed(path)) || changed.some(isNamed)) return files;
  return files.map(({ path, content }) => ({ path: path.slice(top.length), content }));
}

/** The text files of a folder or an archive, up to the limits. */
async function contextOf(name, files, limits) {
  const context = [];
  let bytes = 0;
  for (const file of files) {
    const path = file.path.replace(/^\.\//, "");
    const content = await textOf(file);
    if (content === null) continue;
    bytes += new Blob([path, content]).size;
    context.push({ path, content });
    const isMany = context.length > limits.files;
    if (!isMany && bytes <= limits.bytes) continue;
    const detail = `${name} has more than ${isMany ? `${limits.files} text files` : `${limits.bytes >> 20} MiB of text`}, and no more can be sent. ` +
      "Choose the folder that the change depends on, or an archive of it, such as from “git archive -o context.zip HEAD src”.";
    throw { title: "The context is too large", detail };
  }
  return { context, bytes, left: files.length - context.length };
}

/** Reads the chosen folder or archive. */
function useContext(area) {
  const [folder, archive, chosen] = ["folder", "archive", "context-chosen"].map(find);
  const limits = { files: Number(area.dataset.files), bytes: Number(area.dataset.bytes) };
  const note = (text) => {
    chosen.textContent = text;
    chosen.hidden = !text;
  };
  const read = async (name, list) => {
    try {
      const { context, bytes, left } = await contextOf(name, await list(), limits);
      const size = bytes < 1000 ? `${bytes} bytes` : `${Math.round(bytes / 1000)} kB`;
      const others = left ? ` Left out: ${left} ${left === 1 ? "file" : "files"} (binary, larger than ${CONTEXT_FILE_BYTES >> 10} KiB, or in a folder such as .git or node_modules).` : "";
      note(`${context.length} text ${context.length === 1 ? "file" : "files"} of ${name} (${size}) will be sent.${others}`);
      return context;
    } catch (problem) {
      folder.value = archive.value = "";
      note("");
      tell(problem.title ? problem : { title: "The archive cannot be read", detail: `${name} is damaged, or not a .zip, .tar or .tar.gz archive.` });
      return [];
    }
  };
  const take = (input, other, list) => {
    input.onchange = () => {
      const [first] = input.files;
      tell(null);
      if (first) other.value = "";
      note(first ? "Reading…" : "");
      chosenContext = first ? read(first.webkitRelativePath.split("/")[0] || first.name, () => list(input.files)) : Promise.resolve([]);
    };
    // The browser may have kept the choice across a reload of the page.
    if (input.files.length) input.onchange();
  };
  take(folder, archive, async (files) =>
    [...files].map((file) => ({ path: file.webkitRelativePath, size: file.size, read: async () => new Uint8Array(await file.arrayBuffer()) })));
  take(archive, folder, ([file]) => (/\.zip$/i.test(file.name) ? filesOfZip(file) : filesOfTar(file)));
  area.hidden = false;
}

function useForm(form) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    review(form, event.submitter);
  });
  find("diff").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  useFiles(find("diff"), find("patch"));
  if (find("context")) useContext(find("context"));
}

/** Copies a displayed text. If the browser does not allow that, the text is selected, so that it can be copied by hand. */
function useCopy(button) {
  const text = find(button.dataset.copy);
  button.hidden = false;
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(text.textContent);
      find("copied").textContent = "Copied.";
    } catch {
      getSelection().selectAllChildren(text);
      find("copied").textContent = "Selected: copy it with Ctrl+C.";
    }
  };
}

document.querySelectorAll("[data-copy]").forEach(useCopy);
document.querySelectorAll("form[method=post]:not(#review)").forEach(sendOnce);
document.querySelectorAll("form[data-submit]").forEach(submitAtOnce);
if (find("review")) useForm(find("review"));
if (find("result")) useResult(find("result"));
// The demo's link opens the sample once.
if (location.hash === "#sample") {
  history.replaceState(null, "", location.pathname);
  document.querySelector("button[name=sample]")?.click();
}
