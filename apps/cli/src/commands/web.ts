import type { DeviceAnswer, DeviceList, LoginCodeAnswer, PushAnswer, WebAnswer } from "@tmpm/api";
import { isLoopback } from "@tmpm/api/local";
import { command } from "../command.js";
import { NO_VALUES } from "../completion/completions.js";
import type { Context } from "../context.js";
import { usageError } from "../parse/usage-error.js";
import { answerOf, objectOf, TEXT } from "../printed.js";
import { qrCode } from "../render/qr-code.js";
import { renderDevices, renderPush } from "../render/web.js";

const PORTS = 65_535;
const ACTIONS = ["open", "devices", "push"] as const;
const PARTS = ["ls", "revoke", "test"] as const;
/** Push services may respond slowly. */
const TEST_MS = 60_000;

type Result =
  | { readonly kind: "opened"; readonly web: WebAnswer; readonly login: LoginCodeAnswer; readonly browser: boolean }
  | { readonly kind: "closed"; readonly web: WebAnswer }
  | { readonly kind: "devices"; readonly list: DeviceList }
  | { readonly kind: "revoked"; readonly device: DeviceAnswer }
  | { readonly kind: "push"; readonly push: PushAnswer };

/** The code in `url` is for a browser only. */
const OPENED = { allOf: [answerOf("web"), objectOf({ login: objectOf({ url: TEXT, scope: TEXT, expires_at: TEXT }) })] };

export const web = command({
  name: "web",
  group: "Set up tmpm",
  summary: "Dashboard in a browser, on this machine and on your phone",
  more: `Opens a loopback port unless one is open, prints a login address (single use, valid for a minute) with its QR code, and opens a browser
if available. The port stays open until --stop. For other devices, tunnels and reverse proxies see docs/web.md.

  tmpm web
  tmpm web --no-open --port 8080
  tmpm web --stop
  tmpm web devices                       browsers that have logged in
  tmpm web devices revoke firefox-on-linux-3f09c1
  tmpm web push                          notifications to browsers, and their outcomes
  tmpm web push test`,
  args: {
    action: { takes: "optional", label: "ACTION", summary: "open (default), devices or push", choices: ACTIONS },
    part: { takes: "optional", label: "PART", summary: "devices: ls (default) or revoke; push: ls (default) or test", choices: PARTS },
    device: {
      takes: "optional",
      label: "DEVICE",
      summary: "devices revoke: device name or id",
      completes: ([action, part]) => (action === "devices" && part === "revoke" ? { kind: "devices" } : NO_VALUES),
    },
  },
  options: {
    stop: { takes: "flag", summary: "Close the port and end its connections" },
    noOpen: { takes: "flag", summary: "Only print the address and the QR code" },
    port: { takes: "count", label: "PORT", summary: "Listen on this port (default: the last one used, or 7777)" },
  },
  printed: { forms: [OPENED, answerOf("web"), answerOf("devices"), answerOf("revokeDevice"), answerOf("push"), answerOf("testPush")] },
  async run({ action = "open", part, device, stop, noOpen, port }, context): Promise<Result> {
    const client = context.client();
    if (action !== "open" && (stop || noOpen || port !== undefined))
      throw usageError(`${action} does not accept options`, "See `tmpm web --help`.");
    if ((part === "revoke") !== (device !== undefined))
      throw usageError(part === "revoke" ? "the device is missing" : `unexpected argument: ${device}`, "See `tmpm web --help`.");
    switch (action) {
      case "open":
        if (part !== undefined) throw usageError(`unexpected argument: ${part}`, "See `tmpm web --help`.");
        return openOrClose({ stop, noOpen, port }, context);
      case "devices":
        if (part === "test") throw usageError("test applies to push only", "Try `tmpm web push test`.");
        if (part === "revoke") return { kind: "revoked", device: await client.revokeDevice({ device: device ?? "" }) };
        return { kind: "devices", list: await client.devices() };
      case "push":
        if (part === "revoke") throw usageError("revoke applies to devices only", "Try `tmpm web devices revoke DEVICE`.");
        return { kind: "push", push: part === "test" ? await client.testPush({}, { timeoutMs: TEST_MS }) : await client.push() };
    }
  },
  render(result, view) {
    switch (result.kind) {
      case "opened":
        return [result.login.url, ...qrCode(result.login.url, view)].join("\n");
      case "closed":
        return "browsers can no longer reach the daemon";
      case "devices":
        return renderDevices(result.list, view);
      case "revoked":
        return `${result.device.name} is logged out`;
      case "push":
        return renderPush(result.push, view);
    }
  },
  verbatim: (result) => result.kind === "opened",
  json(result) {
    switch (result.kind) {
      case "opened": {
        const { url, scope, expires_at } = result.login;
        return JSON.stringify({ ...result.web, login: { url, scope, expires_at } });
      }
      case "closed":
        return JSON.stringify(result.web);
      case "devices":
        return JSON.stringify(result.list);
      case "revoked":
        return JSON.stringify(result.device);
      case "push":
        return JSON.stringify(result.push);
    }
  },
  notes(result) {
    switch (result.kind) {
      case "opened":
        return notesOfOpened(result);
      case "devices":
        return result.list.devices.length === 0 ? ["no browser has logged in; `tmpm web` prints an address for one"] : [];
      case "push":
        return result.push.subscriptions.length === 0
          ? ["notifications are not enabled on any device; enable them in the page's settings on that device"]
          : [];
      default:
        return [];
    }
  },
});

interface Wanted {
  readonly stop: boolean;
  readonly noOpen: boolean;
  readonly port: number | undefined;
}

async function openOrClose({ stop, noOpen, port }: Wanted, context: Context): Promise<Result> {
  if (stop && (noOpen || port !== undefined)) throw usageError("--stop cannot be combined with other options", "See `tmpm web --help`.");
  if (port !== undefined && (port < 1 || port > PORTS)) throw usageError(`not a port: ${port}`, `Use a number from 1 to ${PORTS}.`);
  const client = context.client();
  if (stop) return { kind: "closed", web: await client.closeWeb() };
  const opened = await client.openWeb(port === undefined ? {} : { port });
  const { openBrowser } = await import("../terminal/open-browser.js");
  const browser = !noOpen && !context.json && (await openBrowser(context, async () => (await client.createLoginCode({})).url));
  return { kind: "opened", web: opened, login: await client.createLoginCode({}), browser };
}

function notesOfOpened({ web: opened, login, browser }: Extract<Result, { kind: "opened" }>): readonly string[] {
  return [
    browser ? "opening in your browser; otherwise open the address above" : "the address logs in one browser, once, within a minute",
    ...(opened.page ? [] : ["this daemon was built without the dashboard; the browser shows the API's documentation"]),
    ...(isLoopback(new URL(login.url).hostname) ? ["it works on this machine; docs/web.md explains access from a phone"] : []),
    ...(opened.by === "web" ? ["close the port again with `tmpm web --stop`"] : []),
  ];
}
