import { basename, extname } from "node:path";

const IMAGE = /@((?:\\.|[^\s\\])+?\.(?:png|jpe?g|gif|webp|svg|bmp))\b/giu;

/** Characters of a name without its extension that Gemini CLI 0.61.0 shows. */
const NAME = 10;

/** In the input, an image's short name replaces the path that mentions it. */
export function geminiDrawn(text: string): string {
  return text.replace(IMAGE, (_, path: string) => {
    const file = basename(path.replace(/\\(.)/gu, "$1"));
    const extension = extname(file);
    const name = basename(file, extension);
    return `[Image ${name.length > NAME ? `...${name.slice(-NAME)}` : name}${extension}]`;
  });
}
