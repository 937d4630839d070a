/** The tmux program under test: `TMPM_TEST_TMUX`, by path or name, else the one in `PATH`. */
export const TMUX = process.env.TMPM_TEST_TMUX ?? "tmux";
