import type { DoctorCheckId } from "./doctor-checks.js";

/** What a check found. */
export interface Finding {
  /** What was checked, in a word or two. */
  readonly name: string;
  readonly status: "ok" | "warn" | "fail" | "skip";
  readonly message: string;
  readonly hint: string | null;
}

export interface Examination<F extends Finding = Finding> {
  readonly id: DoctorCheckId;
  /** None when there is nothing to say. May throw: that is a finding, too. */
  look(): Promise<readonly F[]>;
}

export interface ExamineOptions {
  /** Timeout of each, in ms. */
  readonly deadlineMs: number;
}

/** All at the same time; findings in the order of the checks. One that fails or hangs is a failed check, and holds up no other. */
export async function examine<F extends Finding>(
  checks: readonly Examination<F>[],
  { deadlineMs }: ExamineOptions,
): Promise<readonly ((F | Finding) & { readonly id: DoctorCheckId })[]> {
  const looks = checks.map(async (check) => (await lookWithin(check, deadlineMs)).map((finding) => ({ id: check.id, ...finding })));
  return (await Promise.all(looks)).flat();
}

async function lookWithin<F extends Finding>({ id, look }: Examination<F>, deadlineMs: number): Promise<readonly (F | Finding)[]> {
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
