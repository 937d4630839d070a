/** Proving a store of one's own: the suite that every store of tmpm passes, on a fresh store for each case. */
import { sessionStoreContract } from "@tmpm/store/contract";
import { test } from "vitest";
import { mapStore, type Place } from "./map-store.js";

sessionStoreContract({
  test,
  supports: ["another"],
  open: async () => {
    const place: Place = { sessions: new Map(), listeners: new Set() };
    const store = mapStore(place);
    return { store, another: () => mapStore(place), dispose: () => store.close() };
  },
});
