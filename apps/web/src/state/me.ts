import { computed, signal } from "@preact/signals";
import type { WhoamiAnswer } from "@tmpm/api";

/** This browser's identity at the daemon; null until known. */
export const me = signal<WhoamiAnswer | null>(null);

/** Whether it may change sessions: a read-only browser gets no buttons. */
export const mayChange = computed(() => me.value !== null && me.value.scope !== "observer");
