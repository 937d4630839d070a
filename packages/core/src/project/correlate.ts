import type { Correlation } from "../session/record.js";

/** A change of a session's issue and pull request; omitted fields stay. */
export interface CorrelationChange {
  readonly issue_id?: string | null | undefined;
  readonly claimed_pr_number?: number | null | undefined;
}

/** The correlation after its issue or pull request was set. It has numeric issues only, so an issue with another id is null. */
export function correlated(correlation: Correlation, { issue_id, claimed_pr_number }: CorrelationChange): Correlation {
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
