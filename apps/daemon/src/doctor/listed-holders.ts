import { isTmpmError } from "@tmpm/core";
import { type FoundHolder, listHolders } from "@tmpm/holder";

export interface ListedHolders {
  readonly found: readonly FoundHolder[];
  /** The folders of holders that cannot be read, with the reason; they do not hide the others. */
  readonly unreadable: readonly { readonly base: string; readonly reason: string }[];
}

/** The holders in the folders of holders. */
export async function listedHolders(bases: readonly string[]): Promise<ListedHolders> {
  const looked = await Promise.all(bases.map(holdersIn));
  return { found: looked.flatMap(({ found }) => found), unreadable: looked.flatMap(({ unreadable }) => unreadable) };
}

async function holdersIn(base: string): Promise<ListedHolders> {
  try {
    return { found: await listHolders(base), unreadable: [] };
  } catch (error) {
    if (!isTmpmError(error)) throw error;
    return { found: [], unreadable: [{ base, reason: error.message }] };
  }
}
