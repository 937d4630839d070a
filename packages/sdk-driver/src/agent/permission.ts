import type { PermissionOption as Offered, RequestPermissionRequest } from "@agentclientprotocol/sdk";
import type { PermissionRequest } from "../conversation/request.js";
import { cutText, MOST_TITLE } from "../transcript/bounds.js";
import { commandIn } from "./event-of-update.js";

const GRANTS = { allow_once: "once", allow_always: "always", reject_once: "no", reject_always: "never" } as const;

/** The request, with our own id: agents may ask twice for the same tool call. */
export function permissionOf({ toolCall, options }: RequestPermissionRequest, id: string): PermissionRequest {
  const { rawInput, title, kind, locations, toolCallId } = toolCall;
  const subject = commandIn(rawInput) ?? (title || locations?.[0]?.path || toolCallId);
  return { id, tool: kind ?? null, subject: cutText(subject, MOST_TITLE), options: options.map(optionOf) };
}

function optionOf({ optionId, name, kind }: Offered): PermissionRequest["options"][number] {
  return { id: optionId, label: name, grants: GRANTS[kind] };
}
