import type { Correlation } from "./record.js";

/** What of a session's issue and pull request is set; what is not named stays. */
export interface Correlating {
  readonly issue_id?: string | null | undefined;
  readonly claimed_pr_number?: number | null | undefined;
}

/** The correlation after its issue or pull request was set. It knows issues by number alone, so one of a tracker with other ids is none. */
export function correlated(correlation: Correlation, { issue_id, claimed_pr_number }: Correlating): Correlation {
  return {
    ...correlation,
    ...(issue_id === undefined ? {} : { issue_id: issueNumber(issue_id) }),
    ...(claimed_pr_number === undefined ? {} : { pr_id: claimed_pr_number }),
  };
}

function issueNumber(issue_id: string | null): number | null {
  const digits = /^#?(\d{1,15})$/.exec(issue_id ?? "")?.[1];
  return digits === undefined ? null : Number(digits);
}
