// The search of the API reference. Without it each page still lists all operations.

const MOST = 12;
const form = document.querySelector(".search");
const input = form.querySelector("#search");
const found = form.querySelector("#found");
let index;
let chosen = -1;

/** The index: kind, title, description and address of each entry. It is fetched on first use. */
function load() {
  index ??= fetch(form.dataset.index).then((response) => (response.ok ? response.json() : []));
  return index;
}

/** How well an entry fits a word: 0 for not at all. */
function fit([kind, title, about], word) {
  const name = title.toLowerCase();
  if (name === word) return 8;
  if (name.startsWith(word)) return kind === "operation" ? 6 : 5;
  if (name.includes(word)) return kind === "operation" ? 4 : 3;
  return about.toLowerCase().includes(word) ? 1 : 0;
}

function search(entries, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const fits = entries.map((entry) => {
    const each = words.map((word) => fit(entry, word));
    return { entry, weight: each.includes(0) ? 0 : each.reduce((sum, one) => sum + one, 0) };
  });
  const matches = fits.filter(({ weight }) => weight > 0).sort((one, other) => other.weight - one.weight);
  return matches.slice(0, MOST).map(({ entry }) => entry);
}

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function item([kind, title, about, page], at) {
  const text = [kind, title, about].map((part, place) =>
    element("span", { className: place === 1 ? "name" : "fine", textContent: part }),
  );
  const link = element("a", { href: page, tabIndex: -1 }, ...text);
  return element("li", { id: `found-${at}`, role: "option", ariaSelected: "false" }, link);
}

function show(entries) {
  const asked = input.value.trim() !== "";
  found.replaceChildren(...entries.map(item));
  if (asked && entries.length === 0) found.append(element("li", { className: "nothing fine", textContent: "Nothing found." }));
  found.hidden = !asked;
  input.ariaExpanded = String(asked);
  choose(entries.length > 0 ? 0 : -1);
}

function choose(at) {
  const options = found.querySelectorAll("[role=option]");
  options[chosen]?.setAttribute("aria-selected", "false");
  chosen = options.length === 0 ? -1 : (at + options.length) % options.length;
  options[chosen]?.setAttribute("aria-selected", "true");
  options[chosen]?.scrollIntoView({ block: "nearest" });
  if (chosen < 0) input.removeAttribute("aria-activedescendant");
  else input.setAttribute("aria-activedescendant", `found-${chosen}`);
}

async function update() {
  const text = input.value;
  const entries = await load();
  if (text === input.value) show(search(entries, text));
}

function close() {
  found.hidden = true;
  input.ariaExpanded = "false";
}

const KEYS = {
  ArrowDown: () => choose(chosen + 1),
  ArrowUp: () => choose(chosen - 1),
  Escape: close,
};

form.hidden = false;
input.addEventListener("focus", load, { once: true });
input.addEventListener("input", update);
input.addEventListener("keydown", (event) => {
  if (!KEYS[event.key] || found.hidden) return;
  event.preventDefault();
  KEYS[event.key]();
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  found.querySelector("[aria-selected=true] a")?.click();
});
found.addEventListener("click", close);
form.addEventListener("focusout", (event) => {
  if (!form.contains(event.relatedTarget)) close();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.closest("input, textarea")) return;
  event.preventDefault();
  input.focus();
});

/** Unfolds the object around a linked field, and redirects an operation's old address in the list of all to its page. */
function follow() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  const link = location.pathname === "/docs" && target?.matches(".operations li") && target.querySelector("a");
  if (link) location.replace(link.href);
  else target?.scrollIntoView();
}
addEventListener("hashchange", follow);
follow();
