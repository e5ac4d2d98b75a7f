// Shows /openapi.json: operations by tag, their parameters, bodies and answers, then the schemas.
// Text goes into the page as text only, so nothing in the document can act.

/** Makes an element with attributes and children; strings become text. */
function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null));
  return element;
}

/** `code` in backticks; everything else as it is. */
function inline(text) {
  return text.split(/(`[^`]+`)/).map((part) => (/^`.+`$/.test(part) ? el("code", {}, part.slice(1, -1)) : part));
}

/** The little Markdown that the document uses: headings, tables, paragraphs. */
function prose(text = "") {
  return text.split(/\n\n+/).filter(Boolean).map((block) => {
    if (block.startsWith("## ")) return el("h2", {}, block.slice(3));
    if (block.startsWith("|")) {
      const [head, , ...rows] = block.trim().split("\n").map((row) => row.split("|").slice(1, -1).map((cell) => cell.trim()));
      return table(head, rows.map((row) => row.map(inline)));
    }
    return el("p", {}, inline(block));
  });
}

/** Roles are written out because a narrow screen shows the rows as blocks, and browsers then forget what they are. */
function table(head, rows) {
  const cells = (row) => row.map((cell, i) => el("td", { role: "cell", "data-column": head[i] }, cell));
  return el("div", { class: head.length > 2 ? "table many" : "table" }, el("table", { role: "table" },
    el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, head.map((cell) => el("th", { role: "columnheader", scope: "col" }, cell)))),
    el("tbody", { role: "rowgroup" }, rows.map((row) => el("tr", { role: "row" }, cells(row))))));
}

const refName = (ref) => ref.split("/").pop();
const slug = (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, "-");

/** A schema in a few words, with links to the named ones. */
function typeOf(schema) {
  if (!schema) return ["anything"];
  if (schema.$ref) return [el("a", { href: `#schema-${slug(refName(schema.$ref))}` }, refName(schema.$ref))];
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return choices.flatMap((choice, i) => [...(i ? [" or "] : []), ...typeOf(choice)]);
  if (schema.allOf) return schema.allOf.flatMap((part, i) => [...(i ? [" and "] : []), ...typeOf(part)]);
  if (schema.enum) return schema.enum.flatMap((value, i) => [...(i ? [", "] : []), el("code", {}, JSON.stringify(value))]);
  const names = [schema.type ?? "anything"].flat();
  const shown = names.map((name) => (name === "array" ? ["list of ", ...typeOf(schema.items)] : [schema.format && name !== "null" ? `${name} (${schema.format})` : name]));
  return shown.flatMap((part, i) => [...(i ? [" or "] : []), ...part]);
}

/** What a schema allows beside its type. */
function bounds(schema = {}) {
  const named = { minLength: "min. length", maxLength: "max. length", minimum: "min.", maximum: "max." };
  return Object.entries(named).filter(([key]) => schema[key] !== undefined).map(([key, name]) => `${name} ${schema[key]}`).join(", ");
}

function properties(schema) {
  const parts = schema.allOf ?? [schema];
  return parts.flatMap((part) => {
    if (part.$ref) return [[["all of ", ...typeOf(part)], "", ""]];
    return Object.entries(part.properties ?? {}).map(([name, property]) => [
      [el("code", {}, name), (part.required ?? []).includes(name) ? "" : el("span", { class: "soft" }, " (optional)")],
      [el("span", {}, typeOf(property)), el("div", { class: "soft" }, bounds(property))],
      prose(property.description),
    ]);
  });
}

function example(schema) {
  const shown = schema?.example ?? schema?.examples?.[0];
  return shown === undefined ? undefined : el("pre", {}, JSON.stringify(shown, null, 2));
}

function content(contents = {}) {
  return Object.entries(contents).map(([type, media]) => el("p", {}, el("code", {}, type), ": ", typeOf(media.schema)));
}

function operation(path, method, item, securedByDefault) {
  const secured = (item.security ?? securedByDefault ?? []).some((requirement) => Object.keys(requirement).length > 0);
  const parameters = (item.parameters ?? []).map((parameter) => [
    [el("code", {}, parameter.name), parameter.required ? "" : el("span", { class: "soft" }, " (optional)")],
    parameter.in, [el("span", {}, typeOf(parameter.schema)), el("div", { class: "soft" }, bounds(parameter.schema))], prose(parameter.description),
  ]);
  const responses = Object.entries(item.responses ?? {}).map(([status, response]) => [
    el("span", { class: status < "400" ? "status" : "status bad" }, status), prose(response.description), content(response.content),
  ]);
  return el("section", { class: "operation", id: slug(item.operationId) },
    el("h3", {}, item.summary ?? item.operationId),
    el("div", { class: "path" }, el("span", { class: `method ${method}` }, method.toUpperCase()), path),
    prose(item.description),
    el("p", { class: "soft" }, secured ? "Needs a bearer token." : "Needs no token."),
    parameters.length ? [el("h4", {}, "Parameters"), table(["name", "in", "type", ""], parameters)] : undefined,
    item.requestBody ? [el("h4", {}, "Body"), content(item.requestBody.content)] : undefined,
    el("h4", {}, "Answers"), table(["status", "when", "body"], responses));
}

function schema(name, value) {
  const rows = properties(value);
  return el("section", { class: "schema", id: `schema-${slug(name)}` }, el("h3", {}, name), prose(value.description),
    rows.length ? table(["property", "type", ""], rows) : el("p", {}, typeOf(value)), example(value));
}

function operations(api) {
  const methods = ["get", "post", "put", "patch", "delete"];
  return Object.entries(api.paths).flatMap(([path, item]) =>
    methods.filter((method) => item[method]).map((method) => ({ path, method, item: item[method] })));
}

function render(api) {
  const all = operations(api);
  const main = document.getElementById("content");
  const contents = document.getElementById("contents");
  main.replaceChildren(el("h1", {}, `${api.info.title} API `, el("small", { class: "soft" }, api.info.version)), ...prose(api.info.description));
  for (const tag of api.tags ?? []) {
    const own = all.filter(({ item }) => (item.tags ?? []).includes(tag.name));
    main.append(el("h2", {}, tag.name), ...prose(tag.description), ...own.map(({ path, method, item }) => operation(path, method, item, api.security)));
    contents.append(el("h2", {}, tag.name), el("ul", {}, own.map(({ item }) => el("li", {}, el("a", { href: `#${slug(item.operationId)}` }, item.summary ?? item.operationId)))));
  }
  const schemas = Object.entries(api.components?.schemas ?? {});
  main.append(el("h2", {}, "Schemas"), ...schemas.map(([name, value]) => schema(name, value)));
  contents.append(el("h2", {}, "Schemas"), el("ul", {}, schemas.map(([name]) => el("li", {}, el("a", { href: `#schema-${slug(name)}` }, name)))));
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

try {
  const response = await fetch("/openapi.json");
  if (!response.ok) throw new Error(`status ${response.status}`);
  render(await response.json());
} catch (error) {
  const said = el("p", { class: "failed", role: "alert" }, `The document could not be shown: ${error.message}`);
  document.getElementById("state")?.remove();
  document.getElementById("content").append(said);
}
