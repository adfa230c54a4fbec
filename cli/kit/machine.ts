/** What stands beside every measured number: the machine, the commit and how busy the machine was. */
import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg, release, type } from 'node:os';

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly os: string;
  readonly runtime: string;
}

export function machine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    os: `${type()} ${release()}`,
    runtime: `Node ${process.versions.node}, V8 ${process.versions.v8}`,
  };
}

function git(project: string, ...args: string[]): string | null {
  try {
    return execFileSync('git', args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null; // an archive without history
  }
}

/** Short commit; "+" at the end when sources differ from it, "unknown" outside a repository. */
export function commit(project: string): string {
  const head = git(project, 'rev-parse', '--short=12', 'HEAD');
  if (head === null) return 'unknown';
  const changed = git(project, 'status', '--porcelain', '--', 'src', 'cli', 'workers', 'bench', 'package-lock.json');
  return changed ? `${head}+` : head;
}

/** Load average over one minute: above the number of cores a timing means little. */
export function load(): number {
  return Math.round((loadavg()[0] ?? 0) * 100) / 100;
}
