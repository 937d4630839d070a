import type { HealthAnswer } from "@tmpm/api";
import type { ServiceAnswer } from "../service/service-answer.js";
import { serviceLine } from "./health.js";

export type ServiceResult =
  /** The planned installation. */
  | { readonly kind: "file"; readonly file: string; readonly text: string }
  | { readonly kind: "installed"; readonly service: ServiceAnswer; readonly health: HealthAnswer }
  /** `file` is null if no service was installed. */
  | { readonly kind: "uninstalled"; readonly file: string | null };

export function renderService(result: ServiceResult): string {
  switch (result.kind) {
    case "file":
      return result.text.trimEnd();
    case "installed":
      return installed(result.service, result.health);
    case "uninstalled":
      if (result.file === null) return "no service is installed";
      return `${result.file} was removed, and the daemon has stopped; the next command starts one in the background. Sessions keep running.`;
  }
}

/** The note next to a printed file. */
export function serviceNotes(result: ServiceResult): readonly string[] {
  return result.kind === "file" ? [`this is what \`tmpm daemon install\` writes to ${result.file}`] : [];
}

export function jsonService(result: ServiceResult): string {
  switch (result.kind) {
    case "file":
      return JSON.stringify({ file: result.file, text: result.text });
    case "installed":
      return JSON.stringify({ service: result.service, health: result.health });
    case "uninstalled":
      return JSON.stringify({ file: result.file });
  }
}

function installed(service: ServiceAnswer, { pid }: HealthAnswer): string {
  const runs = `The daemon runs as pid ${pid}.`;
  if (service.manager !== "none") return `${service.file}\n${serviceLine(service)}\n${runs}`;
  return `No service was installed: ${service.message}.\n${runs} It was started in the background, and starts again with the first command that needs it.`;
}
