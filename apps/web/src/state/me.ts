import { computed, signal } from "@preact/signals";
import type { WhoamiAnswer } from "@tmpm/api";

/** Who this browser is to the daemon; null until that is known. */
export const me = signal<WhoamiAnswer | null>(null);

/** Whether it may change sessions: one that may only watch sees nothing to press. */
export const mayChange = computed(() => me.value !== null && me.value.scope !== "observer");
