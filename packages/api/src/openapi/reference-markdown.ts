import type { OpenApi } from "./document.js";
import { type FieldOutline, type RouteOutline, routesOf, type ShapeOutline, shapesOf } from "./outline.js";

/** The reference of every route and shape, as a Markdown page. */
export function referenceMarkdown(document: OpenApi): string {
  const routes = routesOf(document);
  return `${[
    "# The routes of the API",
    "Generated from the contracts; edit those. [api.md](api.md) covers requests and what all routes share.",
    table(
      ["route", "", "scope", "what it does"],
      routes.map(({ name, method, path, scope, summary }) => [`[${name}](#${anchor(name)})`, `\`${method} ${path}\``, scope, summary]),
    ),
    ...routes.flatMap(route),
    "# Shapes",
    ...shapesOf(document).flatMap(shape),
  ].join("\n\n")}\n`;
}

function route(each: RouteOutline): readonly string[] {
  const { name, method, path, summary, description, scope, fields, command, status, answer, stream, codes } = each;
  return [
    `## ${name}`,
    `\`${method} ${path}\` · ${scope}`,
    `${summary}.${description === null ? "" : ` ${description}`}`,
    `\`\`\`sh\n${command}\n\`\`\``,
    ...(fields.length === 0 ? [] : [fieldTable(fields)]),
    `Answers ${status} with \`${answer}\`.${stream === null ? "" : ` ${stream}`}`,
    `Fails with ${codes.map((code) => `\`${code}\``).join(", ")}.`,
  ];
}

function shape({ name, type, fields }: ShapeOutline): readonly string[] {
  return [`## ${name}`, fields.length === 0 ? `\`${type}\`` : fieldTable(fields)];
}

function fieldTable(fields: readonly FieldOutline[]): string {
  const where = fields.some((field) => field.where !== "answer");
  return table(
    ["field", ...(where ? ["in"] : []), "type", ""],
    fields.map((field) => [
      `\`${field.name}\`${field.required ? "" : "?"}`,
      ...(where ? [field.where] : []),
      `\`${field.type}\``,
      field.description,
    ]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function anchor(name: string): string {
  return name.toLowerCase();
}
