import type { DoctorCheckId } from "./doctor-checks.js";

/** The result of a check. */
export interface Finding {
  /** What was checked, in a word or two. */
  readonly name: string;
  readonly status: "ok" | "warn" | "fail" | "skip";
  readonly message: string;
  readonly hint: string | null;
}

/** Runs a check. Empty if there is nothing to report; an error counts as a finding. */
export type Examination<F extends Finding = Finding> = () => Promise<readonly F[]>;

export interface ExamineOptions {
  /** Timeout of each, in ms. */
  readonly deadlineMs: number;
}

/** Runs all checks in parallel; findings are in the order of the checks. One that fails or hangs is a failed check, and does not delay the others. */
export async function examine<F extends Finding>(
  checks: Readonly<Partial<Record<DoctorCheckId, Examination<F>>>>,
  { deadlineMs }: ExamineOptions,
): Promise<readonly ((F | Finding) & { readonly id: DoctorCheckId })[]> {
  // The parameter has no other keys.
  const rows = Object.entries(checks) as [DoctorCheckId, Examination<F>][];
  const found = rows.map(async ([id, look]) => (await withinDeadline(look, { id, deadlineMs })).map((finding) => ({ id, ...finding })));
  return (await Promise.all(found)).flat();
}

async function withinDeadline<F extends Finding>(
  look: Examination<F>,
  { id, deadlineMs }: ExamineOptions & { readonly id: DoctorCheckId },
): Promise<readonly (F | Finding)[]> {
  const failed = (message: string): Finding => ({ name: id, status: "fail", message, hint: null });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly Finding[]>((resolve) => {
    timer = setTimeout(() => resolve([failed(`no answer within ${deadlineMs / 1000} s`)]), deadlineMs);
  });
  try {
    return await Promise.race([look(), late]);
  } catch (error) {
    return [failed(`it could not be checked: ${error instanceof Error ? error.message : String(error)}`)];
  } finally {
    clearTimeout(timer);
  }
}
