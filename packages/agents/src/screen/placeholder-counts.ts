/** The counts in agents' paste placeholders (Claude Code 2.1.197 and 2.1.332, Codex 0.171.0, Gemini CLI 0.61.0, OpenCode 1.18.33). */
type Counts = (placeholder: string, text: string) => boolean;

export const claudeCounts: Counts = (placeholder, text) => {
  const feeds = lines(text) - 1;
  return feeds === 0 ? !placeholder.includes("+") : placeholder.includes(`+${feeds} lines`);
};

export const codexCounts: Counts = (placeholder, text) => placeholder.includes(` ${[...text].length} chars`);

export const geminiCounts: Counts = (placeholder, text) =>
  placeholder.includes(placeholder.includes(" lines") ? ` ${lines(text)} lines` : ` ${text.length} chars`);

export const opencodeCounts: Counts = (placeholder, text) => placeholder.includes(`~${lines(text.trim())} lines`);

function lines(text: string): number {
  return text.split("\n").length;
}
