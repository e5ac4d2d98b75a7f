// Each page works without this: it only saves steps.

/** A link that signs in is followed at once, but not by a page that the browser loads in advance. */
function submitAtOnce(form) {
  const submit = () => form.requestSubmit();
  if (document.prerendering) document.addEventListener("prerenderingchange", submit, { once: true });
  else submit();
}

/** A form that was sent is not sent again. */
function sendOnce(form) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
  // The page may come back from the browser's cache.
  window.addEventListener("pageshow", () => delete form.dataset.sent);
}

const find = (id) => document.getElementById(id);

/** What the service rendered is HTML in which every text is escaped; nothing else becomes HTML here. */
const rendered = (globalThis.trustedTypes ?? { createPolicy: (_, rules) => rules }).createPolicy("hunkwise", {
  createHTML: (html) => html,
});

function tell(problem) {
  const place = find("problem");
  place.replaceChildren();
  if (problem) {
    const title = document.createElement("strong");
    title.textContent = `${problem.title}. `;
    place.append(title, problem.detail ?? "");
    if (problem.requestId) place.append(` Request ID ${problem.requestId}`);
    if (problem.status === 401) {
      const link = document.createElement("a");
      Object.assign(link, { href: "/sign-in", target: "_blank", rel: "noopener", textContent: "Sign in again" });
      place.append(" ", link, " in another tab, then load this page again. The diff is still here to be copied.");
    }
  }
  place.hidden = !problem;
}

/** The server-sent events of an answer. */
async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    for (let end; (end = text.indexOf("\n\n")) >= 0; text = text.slice(end + 2)) {
      const lines = text.slice(0, end).split("\n");
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

/** Sends the form, shows how far the review is, and then its result. */
async function review(form, button) {
  if (form.dataset.busy) return;
  form.dataset.busy = "yes";
  const stop = new AbortController();
  const [progress, status, bar] = [find("progress"), find("status"), find("bar")];
  const buttons = form.querySelectorAll("button");
  tell(null);
  status.textContent = "Sending the diff…";
  bar.removeAttribute("value");
  progress.hidden = false;
  buttons.forEach((one) => (one.disabled = true));
  find("stop").onclick = () => stop.abort();
  try {
    const body = new FormData(form);
    if (button?.name) body.append(button.name, button.value);
    const headers = { accept: "text/event-stream" };
    const response = await fetch(form.action, { method: "POST", body, headers, signal: stop.signal });
    if (!response.ok) throw await problemOf(response);
    for await (const { name, data } of events(response)) {
      if (name === "error") throw data;
      if (name === "review") return show(data);
      status.textContent = `${data.chunksDone} of ${data.chunksTotal} parts reviewed, ${data.findings} findings so far`;
      Object.assign(bar, { max: data.chunksTotal || 1, value: data.chunksDone });
    }
    throw { title: "The answer broke off", detail: "Try again." };
  } catch (problem) {
    if (stop.signal.aborted) tell({ title: "Stopped", detail: "The review was cancelled and does not count." });
    else if (problem instanceof Error) tell({ title: "The service cannot be reached", detail: "Check the network, then try again." });
    else tell(problem);
  } finally {
    progress.hidden = true;
    buttons.forEach((one) => (one.disabled = false));
    delete form.dataset.busy;
  }
}

function show(html) {
  const page = new DOMParser().parseFromString(rendered.createHTML(html), "text/html");
  const result = document.importNode(page.body.firstElementChild, true);
  find("result")?.remove();
  const again = find("again");
  again.before(result);
  again.open = false;
  again.firstElementChild.hidden = false;
  useResult(result);
  result.focus();
}

/** The lines of a large file become a part of the page when it is opened. */
function showOnDemand(file, shown) {
  const [, ...lines] = file.children;
  lines.forEach((one) => one.remove());
  file.addEventListener("toggle", () => {
    file.append(...lines);
    shown(file);
  }, { once: true });
}

/** Side by side, an unchanged line stands on both sides. */
function pair(part) {
  for (const line of part.querySelectorAll(".same > .s")) {
    if (line.childElementCount === 3) line.append(line.lastElementChild.cloneNode(true));
  }
}

/** Filters, steps from finding to finding, and the view side by side. */
function useResult(result) {
  const filters = find("filters");
  const [only, position, split] = [find("only"), find("position"), find("split")];
  const files = [...result.querySelectorAll(".file")];
  let current = null;
  const shown = () => [...result.querySelectorAll(".finding")].filter((one) => {
    const file = one.closest(".file");
    return !file?.hidden && getComputedStyle(one).display !== "none";
  });
  const count = () => {
    const list = shown();
    const at = list.indexOf(current);
    position.textContent = at < 0 ? `${list.length} findings shown` : `${at + 1} of ${list.length}`;
  };
  const step = (by) => {
    const list = shown();
    if (!list.length) return;
    const at = list.indexOf(current);
    current = list[at < 0 ? (by > 0 ? 0 : list.length - 1) : (at + by + list.length) % list.length];
    const file = current.closest("details.file");
    if (file) file.open = true;
    current.focus({ preventScroll: true });
    current.scrollIntoView({ block: "center" });
    count();
  };
  result.querySelectorAll("[data-script]").forEach((one) => (one.hidden = false));
  result.querySelectorAll("[data-step]").forEach((one) => (one.onclick = () => step(Number(one.dataset.step))));
  filters?.addEventListener("change", count);
  only.onchange = () => {
    for (const file of files) file.hidden = only.value !== "" && file.id !== only.value;
    count();
  };
  split.onclick = () => {
    const on = result.classList.toggle("split");
    split.setAttribute("aria-pressed", on);
    if (on) pair(result);
  };
  result.querySelectorAll(".file:not([open])").forEach((file) => showOnDemand(file, (opened) => {
    if (result.classList.contains("split")) pair(opened);
  }));
  document.onkeydown = (event) => {
    const typing = event.target.closest("input, textarea, select");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "j") step(1);
    if (event.key === "k") step(-1);
  };
  count();
}

/** A file that is dropped becomes text that can be read before it is sent. */
function takeDrops(area) {
  area.ondragover = (event) => {
    event.preventDefault();
    area.classList.add("over");
  };
  area.ondragleave = () => area.classList.remove("over");
  area.ondrop = async (event) => {
    const [file] = event.dataTransfer.files;
    area.classList.remove("over");
    if (!file) return;
    event.preventDefault();
    const text = await file.text();
    const binary = text.includes("\0");
    tell(binary ? { title: "The file is binary", detail: "Drop a diff or a patch." } : null);
    if (!binary) area.value = text;
  };
}

function useForm(form) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    review(form, event.submitter);
  });
  find("diff").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  takeDrops(find("diff"));
}

/** Copies a text that is shown. Where the browser does not let it, the text is selected, to be copied by hand. */
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
// The demo's link leads to its sample, once.
if (location.hash === "#sample") {
  history.replaceState(null, "", location.pathname);
  document.querySelector("button[name=sample]")?.click();
}
