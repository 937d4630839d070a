/** The parts of the terminal library that the dashboard uses. */
export {
  type Component,
  Editor,
  Input,
  parseKey,
  StdinBuffer,
  type Terminal,
  TUI,
  truncateToWidth,
  visibleWidth,
} from "@mariozechner/pi-tui";
