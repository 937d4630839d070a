import type { PermissionOption as Offered, RequestPermissionRequest, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import { TmpmError } from "@tmpm/core";
import { chooseOption, type GivenAnswer } from "../conversation/choose-option.js";
import type { ConversationEvent } from "../conversation/event.js";
import type { PermissionRequest } from "../conversation/request.js";
import { cutText, MOST_TITLE } from "../transcript/bounds.js";
import { commandIn } from "./event-of-update.js";

const GRANTS = { allow_once: "once", allow_always: "always", reject_once: "no", reject_always: "never" } as const;

/** The request, with our own id: agents may ask twice for the same tool call. */
function permissionOf({ toolCall, options }: RequestPermissionRequest, id: string): PermissionRequest {
  const { rawInput, title, kind, locations, toolCallId } = toolCall;
  const subject = commandIn(rawInput) ?? (title || locations?.[0]?.path || toolCallId);
  return { id, tool: kind ?? null, subject: cutText(subject, MOST_TITLE), options: options.map(optionOf) };
}

function optionOf({ optionId, name, kind }: Offered): PermissionRequest["options"][number] {
  return { id: optionId, label: name, grants: GRANTS[kind] };
}

export interface Answering {
  readonly request: string;
  readonly answer: GivenAnswer;
}

/** The agent's permission requests, each until it is answered or withdrawn. None is answered automatically. */
export interface Permissions {
  ask(asked: { readonly params: RequestPermissionRequest; readonly signal: AbortSignal }): Promise<RequestPermissionResponse>;
  /** Once. @throws DECISION_GONE, INVALID_ARGUMENT */
  answer(answering: Answering): { readonly label: string };
  withdrawAll(): void;
}

interface Waiting {
  readonly request: PermissionRequest;
  readonly settle: (response: RequestPermissionResponse) => void;
}

export function permissions({
  newId,
  report,
}: {
  readonly newId: () => string;
  readonly report: (event: ConversationEvent) => void;
}): Permissions {
  const open = new Map<string, Waiting>();

  function withdraw(id: string): void {
    const waiting = open.get(id);
    if (waiting === undefined) return;
    open.delete(id);
    waiting.settle({ outcome: { outcome: "cancelled" } });
    report({ type: "answered", request: id, label: null });
  }

  return {
    ask({ params, signal }) {
      const request = permissionOf(params, newId());
      return new Promise((settle) => {
        open.set(request.id, { request, settle });
        report({ type: "asked", request });
        signal.addEventListener("abort", () => withdraw(request.id), { once: true });
      });
    },
    answer({ request: id, answer }) {
      const waiting = open.get(id);
      if (waiting === undefined) throw new TmpmError("DECISION_GONE", "that question is no longer pending");
      const { id: optionId, label } = chooseOption(waiting.request, answer);
      open.delete(id);
      waiting.settle({ outcome: { outcome: "selected", optionId } });
      report({ type: "answered", request: id, label });
      return { label };
    },
    withdrawAll() {
      for (const id of [...open.keys()]) withdraw(id);
    },
  };
}
