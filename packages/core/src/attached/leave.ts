/** Resets every mode that a program may have set in the attached terminal, and restores the previous screen. */
export const LEAVE =
  "\u001b[!p\u001b[?1000l\u001b[?1002l\u001b[?1003l\u001b[?1004l\u001b[?1005l\u001b[?1006l\u001b[?1015l\u001b[?1016l\u001b[?2004l\u001b[?1l\u001b>\u001b[r\u001b[0m\u001b[?25h\u001b[?1049l";
