import type { FastifyInstance, FastifyRequest } from "fastify";
import { LOGIN_PAGE_PATHS } from "./guard/authenticate.js";
import type { Guard } from "./guard/guard.js";
import { pageHeaders } from "./guard/headers.js";

/** The page that `tmpm token login` names, and its script: exchanges the code behind the address's `#`, which no server sees, for the browser's cookie. Open to whoever comes by TCP. */
export function loginPage(app: FastifyInstance, { guard }: { readonly guard: Pick<Guard, "permit"> }): void {
  const observed = { onRequest: async ({ raw }: FastifyRequest) => void (await guard.permit(raw, { scope: "anyone" })) };
  const [page, script] = LOGIN_PAGE_PATHS;
  const headers = pageHeaders(null);
  app.get(page, observed, async (_, reply) => reply.headers({ ...headers, "content-type": "text/html; charset=utf-8" }).send(PAGE));
  app.get(script, observed, async (_, reply) =>
    reply.headers({ ...headers, "content-type": "text/javascript; charset=utf-8" }).send(SCRIPT),
  );
}

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>tmpm: log in</title>
</head>
<body>
<h1>tmpm</h1>
<p role="status" id="said">Logging in…</p>
<noscript><p>Logging in needs JavaScript.</p></noscript>
<script src="/login.js"></script>
</body>
</html>
`;

/** The code leaves the address at once, so that it stays in no history. */
const SCRIPT = `"use strict";
const say = (text) => { document.getElementById("said").textContent = text; };
const again = "Type \`tmpm token login\` in a terminal and open the address that it prints.";
const code = location.hash.slice(1);
history.replaceState(null, "", location.pathname);

async function logIn() {
  const answer = await fetch("/v1/login", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  if (answer.ok) return location.replace("/docs");
  const { error } = await answer.json();
  say("Not logged in: " + error.message + ". " + again);
}

if (code === "") say("There is no code in this address. " + again);
else logIn().catch(() => say("The daemon does not answer. " + again));
`;
