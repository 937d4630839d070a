/** Why a text with one of these beginnings is not typed: the agent takes it for a command of its own. */
export function commandBeginnings(title: string, beginnings: readonly string[]): (typed: string) => string | null {
  return (typed) => {
    const beginning = beginnings.find((each) => typed.trimStart().startsWith(each));
    return beginning === undefined ? null : `${title} takes a text that begins with ${beginning} for a command`;
  };
}
