import { type Answer, hasCode, isTmpmError, shortageOf } from "@tmpm/core";

/** The result of one look at a holder, as one of three answers. @throws errors that are faults of tmpm */
export async function answered<T>(look: () => Promise<T>): Promise<Answer<T>> {
  try {
    return { kind: "present", value: await look() };
  } catch (error) {
    if (hasCode(error, "PANE_GONE", "PANE_FOREIGN")) return { kind: "absent", reason: error.message };
    const known = isTmpmError(error) ? error : shortageOf(error);
    if (known === null) throw error;
    return { kind: "unknown", error: known };
  }
}
