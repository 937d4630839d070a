import * as z from "zod";

const Colour = z.string().regex(/^#[0-9A-F]{6}$/, "not a colour of the form #RRGGBB");

/** The colours that distinguish sessions of one repository from others (swimmers 1.3). */
export const RepoTheme = z.looseObject({
  body: Colour,
  outline: Colour,
  accent: Colour,
  shirt: Colour,
  sprite: z.enum(["fish", "balls", "jelly"]).optional().catch(undefined),
});
export type RepoTheme = z.infer<typeof RepoTheme>;

/** The theme of a repository's root path: stable for a path, with four different colours. Nothing is written to the repository. */
export function themeFromPath(root: string): RepoTheme {
  const hue = hash(root) % 360;
  return {
    body: colour({ hue, saturation: 62, lightness: 58 }),
    outline: colour({ hue, saturation: 55, lightness: 22 }),
    accent: colour({ hue: hue + 150, saturation: 70, lightness: 62 }),
    shirt: colour({ hue: hue + 210, saturation: 48, lightness: 44 }),
  };
}

/** FNV-1a over UTF-16 units. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return value;
}

function colour({ hue, saturation, lightness }: { hue: number; saturation: number; lightness: number }): string {
  const chroma = (saturation / 100) * Math.min(lightness / 100, 1 - lightness / 100);
  const channel = (offset: number) => {
    const position = (offset + hue / 30) % 12;
    const level = lightness / 100 - chroma * Math.max(-1, Math.min(position - 3, 9 - position, 1));
    return Math.round(level * 255)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`.toUpperCase();
}
