import { computed, signal } from "@preact/signals";
import type { WhoamiAnswer } from "@tmpm/api";

/** This browser's login: unknown until the daemon's first answer about it, and then signed in or, once its cookie is invalid, signed out. */
export type Login =
  | { readonly kind: "unknown" }
  | { readonly kind: "signed_in"; readonly who: WhoamiAnswer }
  | { readonly kind: "signed_out" };

export const login = signal<Login>({ kind: "unknown" });

/** This browser's identity at the daemon; null unless it is signed in. */
export const me = computed(() => (login.value.kind === "signed_in" ? login.value.who : null));

/** Whether it may change sessions: a read-only browser gets no buttons. */
export const mayChange = computed(() => me.value !== null && me.value.scope !== "observer");

/** An answer that arrives after the logout changes nothing. */
export function noteSignedIn(who: WhoamiAnswer): void {
  if (login.value.kind !== "signed_out") login.value = { kind: "signed_in", who };
}

/** Permanent, until a reload: another login is another page. */
export function noteSignedOut(): void {
  login.value = { kind: "signed_out" };
}
