import type { DeviceList, PushAnswer } from "@tmpm/api";
import type { View } from "../context.js";
import { fromNow } from "./age.js";
import { oneLine } from "./one-line.js";
import { table } from "./table.js";

const DEVICE_HEAD = ["DEVICE", "SCOPE", "CREATED", "LAST SEEN", "EXPIRES", "NOTIFIED"];

/** The browsers that have logged in. */
export function renderDevices({ devices }: DeviceList, view: View): string {
  if (devices.length === 0) return "";
  const when = (at: string | null) => (at === null ? "never" : fromNow(at, view.now));
  const rows = devices.map(({ name, scope, created_at, last_seen_at, expires_at, push }) => [
    ...[name, scope, when(created_at), when(last_seen_at), when(expires_at)],
    push ? "yes" : "no",
  ]);
  return table({ head: DEVICE_HEAD, rows, spare: [1, 4] }, view);
}

const PUSH_HEAD = ["WHEN", "DEVICE", "OUTCOME", "TITLE", "REASON"];

/** The outcome of each notification, newest first. */
export function renderPush({ ledger }: PushAnswer, view: View): string {
  if (ledger.length === 0) return "";
  const rows = ledger.map(({ at, device, outcome, title, reason }) => [
    ...[fromNow(at, view.now), device, outcome, oneLine(title)],
    reason === null ? "" : oneLine(reason),
  ]);
  return table({ head: PUSH_HEAD, rows, spare: [] }, view);
}
