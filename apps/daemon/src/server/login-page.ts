import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LOGIN_PAGE_PATHS } from "../guard/authenticate.js";
import type { Guard } from "../guard/guard.js";
import { pageHeaders } from "../guard/headers.js";

export interface LoginPageOptions {
  readonly guard: Pick<Guard, "permit">;
  /** The target of a logged-in browser, relative to the page's folder. */
  readonly next: "docs" | "./";
}

/**
 * The login page of `tmpm web` and `tmpm token login`, its script and its style: exchanges the code after the address's `#`, which no server sees, or one that
 * is typed, for the browser's cookie. Open to all TCP clients. All addresses are relative: a proxy may serve it below a path.
 */
export function loginPage(app: FastifyInstance, { guard, next }: LoginPageOptions): (reply: FastifyReply) => FastifyReply {
  const observed = { onRequest: async ({ raw }: FastifyRequest) => void (await guard.permit(raw, { scope: "anyone" })) };
  const [page, script, style] = LOGIN_PAGE_PATHS;
  const headers = pageHeaders(null);
  const send = (reply: FastifyReply, type: string, text: string) =>
    reply.headers({ ...headers, "content-type": `${type}; charset=utf-8` }).send(text);
  app.get(page, observed, async (_, reply) => send(reply, "text/html", PAGE));
  app.get(script, observed, async (_, reply) => send(reply, "text/javascript", SCRIPT.replaceAll("NEXT", JSON.stringify(next))));
  app.get(style, observed, async (_, reply) => send(reply, "text/css", STYLE));
  return (reply) => send(reply, "text/html", PAGE);
}

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="login.css">
<title>tmpm: log in</title>
</head>
<body>
<main>
<h1>tmpm</h1>
<p role="status" id="said">Logging in…</p>
<form id="form" hidden>
<label for="code">Code</label>
<input id="code" name="code" autocomplete="off" autocapitalize="off" spellcheck="false" required maxlength="100">
<button>Log in</button>
</form>
<noscript><p>Logging in needs JavaScript.</p></noscript>
</main>
<script src="login.js"></script>
</body>
</html>
`;

const STYLE = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 26rem; margin: 0 auto; padding: 15vh 1.5rem 2rem; }
h1 { font-size: 1.25rem; letter-spacing: 0.02em; }
form { display: grid; gap: 0.5rem; margin-top: 1.5rem; }
form[hidden] { display: none; }
input, button { font: inherit; min-height: 2.75rem; padding: 0 0.75rem; border: 1px solid GrayText; border-radius: 0.375rem; }
input { font-family: ui-monospace, monospace; min-width: 0; }
button { font-weight: 600; }
`;

/** The code is removed from the address at once, so that it does not stay in the history. */
const SCRIPT = `"use strict";
const said = document.getElementById("said");
const form = document.getElementById("form");
const field = document.getElementById("code");
const again = "Type \`tmpm web\` in a terminal and open the address that it prints, or type the code that follows its #.";
/** A fragment is a code, or a place on the page, which begins with a slash. */
const isPlace = location.hash.startsWith("#/");
const given = isPlace ? "" : location.hash.slice(1);
const next = NEXT + (isPlace ? location.hash : "");
history.replaceState(null, "", location.pathname);

function ask(text) {
  said.textContent = text + " " + again;
  form.hidden = false;
}

/** For the list of devices; the browser's own description may be wrong. */
function device(agent) {
  const find = (names) => names.find(([part]) => agent.includes(part))?.[1];
  const browser = find([["Firefox/", "Firefox"], ["Edg/", "Edge"], ["OPR/", "Opera"], ["Chrome/", "Chrome"], ["Safari/", "Safari"]]);
  const system = find([["Android", "Android"], ["iPhone", "iPhone"], ["iPad", "iPad"], ["Mac OS X", "Mac"], ["Windows", "Windows"], ["Linux", "Linux"]]);
  return (browser ?? "browser") + (system === undefined ? "" : " on " + system);
}

async function logIn(code) {
  const answer = await fetch("v1/login", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code, device: device(navigator.userAgent) }),
  });
  if (answer.ok) return goOn();
  const { error } = await answer.json();
  ask("Not logged in: " + error.message + ".");
}

function enter(code) {
  logIn(code).catch(() => ask("The daemon does not answer."));
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const code = field.value.trim();
  field.value = "";
  enter(code.slice(code.indexOf("#") + 1));
});

/** Not by navigation, which loads nothing where only the fragment differs. */
function goOn() {
  history.replaceState(null, "", next);
  location.reload();
}

/** A logged-in browser that followed a link continues. */
async function look() {
  const answer = await fetch("v1/web");
  if (answer.ok) return goOn();
  ask("Log in to see your sessions.");
}

if (given !== "") enter(given);
else look().catch(() => ask("The daemon does not answer."));
`;
