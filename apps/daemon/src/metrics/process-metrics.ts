import { Counter, collectDefaultMetrics, type Registry } from "prom-client";

/** A finer clock would wake an idle daemon more often. */
const LOOP_MS = 20;

/**
 * Adds the metrics of the process itself. From then on a timer measures the event loop, which costs as much as everything else that an idle daemon
 * does. Its processor time counts from the process's start.
 */
export function processMetrics(registry: Registry): void {
  const { user, system } = process.cpuUsage();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_MS });
  const before = {
    process_cpu_user_seconds_total: user,
    process_cpu_system_seconds_total: system,
    process_cpu_seconds_total: user + system,
  };
  for (const [name, us] of Object.entries(before)) {
    const counter = registry.getSingleMetric(name);
    if (counter instanceof Counter) counter.inc(us / 1e6);
  }
}
