/** What stands beside every measured number: the machine, the commit and how busy the machine was. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, type } from 'node:os';
import { join } from 'node:path';

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

/** Which code runs: a hash over the bundle, so that two states of the sources are distinguished even between commits. */
export async function codeHash(bundle: (name: 'cli') => Promise<string>): Promise<string> {
  const folder = await bundle('cli');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.mjs'));
  const hash = createHash('sha256');
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(folder, file)));
  return hash.digest('hex').slice(0, 12);
}
