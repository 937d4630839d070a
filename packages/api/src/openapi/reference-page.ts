import type { OpenApi } from "./document.js";
import { type FieldOutline, type RouteOutline, routesOf, type ShapeOutline, shapesOf } from "./outline.js";

/** The same reference as one HTML page: without scripts or external resources, with one inline style that carries the nonce of its policy. */
export function referencePage(document: OpenApi, { nonce }: { readonly nonce: string }): string {
  const routes = routesOf(document);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>tmpm ${text(document.info.version)}: API</title>
<style nonce="${text(nonce)}">${STYLE}</style>
</head>
<body>
<header><h1>The API of tmpm ${text(document.info.version)}</h1>
<p>For programs: <a href="/openapi.json">openapi.json</a>.</p>
${document.info.description
  .split("\n\n")
  .map((paragraph) => `<p>${words(paragraph)}</p>`)
  .join("\n")}
</header>
<nav><h2>Routes</h2><ul>
${routes.map(({ name, method, path }) => `<li><a href="#${text(name)}">${text(name)}</a> <code>${text(`${method} ${path}`)}</code></li>`).join("\n")}
</ul></nav>
<main>
${routes.map(route).join("\n")}
<h2>Shapes</h2>
${shapesOf(document).map(shape).join("\n")}
</main>
</body>
</html>
`;
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
code, pre { font-family: ui-monospace, monospace; font-size: 0.875em }
p, li, td { overflow-wrap: anywhere }
pre { padding: 0.75rem; overflow-x: auto; border: 1px solid #8884 }
table { border-collapse: collapse; width: 100% }
td, th { text-align: left; vertical-align: top; padding: 0.25rem 0.5rem; border-bottom: 1px solid #8884 }
section { margin: 2.5rem 0 }
nav ul { columns: 20rem; list-style: none; padding: 0 }
`;

function route(each: RouteOutline): string {
  const { name, method, path, summary, description, scope, fields, command, status, answer, stream, codes } = each;
  return `<section id="${text(name)}"><h3>${text(name)}</h3>
<p><code>${text(`${method} ${path}`)}</code> · ${text(scope)}</p>
<p>${words(`${summary}.${description === null ? "" : ` ${description}`}`)}</p>
<pre>${text(command)}</pre>
${fieldTable(fields)}
<p>Answers ${text(status)} with <code>${text(answer)}</code>. ${stream === null ? "" : words(stream)}</p>
<p>Fails with ${codes.map((code) => `<code>${text(code)}</code>`).join(", ")}.</p></section>`;
}

function shape({ name, type, fields }: ShapeOutline): string {
  const said = fields.length === 0 ? `<p><code>${text(type)}</code></p>` : fieldTable(fields);
  return `<section id="shape-${text(name)}"><h3>${text(name)}</h3>${said}</section>`;
}

function fieldTable(fields: readonly FieldOutline[]): string {
  if (fields.length === 0) return "";
  const rows = fields.map(
    ({ name, where, type, required, description }) =>
      `<tr><td><code>${text(name)}</code>${required ? "" : "?"}</td><td>${where === "answer" ? "" : where}</td><td><code>${text(type)}</code></td><td>${words(description)}</td></tr>`,
  );
  return `<table>${rows.join("")}</table>`;
}

/** Text with its code spans marked up. */
function words(markdown: string): string {
  return text(markdown).replace(/`([^`]+)`/g, "<code>$1</code>");
}

function text(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
