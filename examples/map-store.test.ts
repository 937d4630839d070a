/** Tests a custom store with the contract suite of tmpm's stores, with a new store for each case. */
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
