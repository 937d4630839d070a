import { computed, signal } from "@preact/signals";
import type { WhoamiAnswer } from "@tmpm/api";

/** This browser's login: unknown until the daemon's first answer about it, and then logged in or, once its cookie is invalid, logged out. */
export type Login =
  | { readonly kind: "unknown" }
  | { readonly kind: "logged_in"; readonly who: WhoamiAnswer }
  | { readonly kind: "logged_out" };

export const login = signal<Login>({ kind: "unknown" });

/** This browser's identity at the daemon; null unless it is logged in. */
export const me = computed(() => (login.value.kind === "logged_in" ? login.value.who : null));

/** Whether it may change sessions: a read-only browser gets no buttons. */
export const mayChange = computed(() => me.value !== null && me.value.scope !== "observer");

/** An answer that arrives after the logout changes nothing. */
export function noteLoggedIn(who: WhoamiAnswer): void {
  if (login.value.kind !== "logged_out") login.value = { kind: "logged_in", who };
}

/** Permanent, until a reload: another login is another page. */
export function noteLoggedOut(): void {
  login.value = { kind: "logged_out" };
}
