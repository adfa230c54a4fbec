/** The Python of tests that compare with it: RL_TEST_PYTHON, else `python3`. */
import { execFileSync } from 'node:child_process';

const NAMED = process.env.RL_TEST_PYTHON ?? 'python3';

/** The interpreter itself: what stands on the path may be a script that looks for it at every start, which takes longer than Python does. */
function interpreter(): string | null {
  try {
    return execFileSync(NAMED, ['-c', 'import sys; print(sys.executable)'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null; // named by the tests that are skipped
  }
}
const found = interpreter();

export const hasPython = found !== null;
export const PYTHON = found ?? NAMED;

/** Whether all of these modules are installed there. */
export function hasModules(...names: readonly string[]): boolean {
  if (!hasPython) return false;
  try {
    execFileSync(PYTHON, ['-c', `import ${names.join(', ')}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
