import type { LoginCodeAnswer, WebAnswer } from "@tmpm/api";
import { command } from "../command.js";
import { qrCode } from "../render/qr-code.js";
import { usageError } from "../usage-error.js";

const PORTS = 65_535;

interface Opened {
  readonly kind: "opened";
  readonly web: WebAnswer;
  readonly login: LoginCodeAnswer;
  /** Whether a browser was started. */
  readonly browser: boolean;
}

type Result = Opened | { readonly kind: "closed"; readonly web: WebAnswer };

export const web = command({
  name: "web",
  summary: "Dashboard in a browser, on this machine and on your phone",
  more: `Opens a port on loopback unless one is open, prints an address that logs one browser in (valid once, for a minute) with its QR code, and opens a browser
where there is one. The port stays open until --stop. For other devices, tunnels and reverse proxies see docs/web.md.

  tmpm web
  tmpm web --no-open --port 8080
  tmpm web --stop`,
  args: {},
  options: {
    stop: { takes: "flag", summary: "Close the port and end its connections" },
    noOpen: { takes: "flag", summary: "Only print the address and the QR code" },
    port: { takes: "count", label: "PORT", summary: "Listen on this port (default: that of the last time, or 7777)" },
  },
  async run({ stop, noOpen, port }, context): Promise<Result> {
    if (stop && (noOpen || port !== undefined)) throw usageError("--stop goes with no other option", "See `tmpm web --help`.");
    if (port !== undefined && (port < 1 || port > PORTS)) throw usageError(`not a port: ${port}`, `Use a number from 1 to ${PORTS}.`);
    const client = context.client();
    if (stop) return { kind: "closed", web: await client.closeWeb() };
    const opened = await client.openWeb(port === undefined ? {} : { port });
    const { openBrowser } = await import("../open-browser.js");
    const browser = !noOpen && !context.json && (await openBrowser(context, async () => (await client.createLoginCode({})).url));
    return { kind: "opened", web: opened, login: await client.createLoginCode({}), browser };
  },
  render(result, view) {
    if (result.kind === "closed") return "browsers cannot reach the daemon any more";
    const { login } = result;
    return [login.url, ...qrCode(login.url, view)].join("\n");
  },
  verbatim: (result) => result.kind === "opened",
  json(result) {
    if (result.kind === "closed") return JSON.stringify(result.web);
    const { web, login } = result;
    return JSON.stringify({ ...web, login: { url: login.url, scope: login.scope, expires_at: login.expires_at } });
  },
  notes(result) {
    if (result.kind === "closed") return [];
    return [
      ...(result.browser
        ? ["opened in your browser; the address above logs in one more"]
        : ["the address logs in one browser, once, within a minute"]),
      ...(result.web.page ? [] : ["this daemon was built without the dashboard; the browser shows the API's documentation"]),
      ...(isLoopback(result.login.url) ? ["it is good on this machine; how a phone gets there: docs/web.md"] : []),
      ...(result.web.by === "web" ? ["close the port again with `tmpm web --stop`"] : []),
    ];
  },
});

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname.startsWith("127.");
}
