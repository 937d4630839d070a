import type { RequestPermissionRequest, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import { TmpmError } from "@tmpm/core";
import { chooseOption, type GivenAnswer } from "../conversation/choose-option.js";
import type { ConversationEvent } from "../conversation/event.js";
import type { PermissionRequest } from "../conversation/request.js";
import { permissionOf } from "./permission.js";

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
