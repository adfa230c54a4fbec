/**
 * How long this thread has computed. On a busy machine a run takes several times as long by the clock on the wall as it does alone; what it costs
 * is the same.
 */
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

type ThreadUsage = () => { readonly user: number; readonly system: number };

/** Ticks of Linux in /proc, whatever its own clock: 100 a second. */
const TICK_MS = 10;

/** Processor time of the calling thread in ms, on Node 24 by its own count, on older ones by the kernel's; elsewhere the time that passes. */
export function threadMs(): number {
  const usage = (process as unknown as { threadCpuUsage?: ThreadUsage }).threadCpuUsage;
  if (usage !== undefined) {
    const { user, system } = usage.call(process);
    return (user + system) / 1000;
  }
  if (process.platform !== 'linux') return performance.now();
  // behind the name, which stands in brackets and may hold blanks: the state and ten numbers, then user and system ticks (proc(5))
  const fields = readFileSync('/proc/thread-self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return TICK_MS * (Number(fields[11]) + Number(fields[12]));
}
