/** What each tier of tests runs, what may be left out of a push, and what a report of Playwright says about tests that were retried. */
import { spawnSync } from 'node:child_process';

const CHECKS = ['format', 'types', 'imports', 'structure', 'unused'];

/**
 * Stages of a tier in the order in which they run, and which end-to-end tests. `push`: a few minutes, the roads that most visits take; `all`: what
 * CI runs; `night`: what is too long for every push.
 */
export const TIERS = {
  push: { stages: [...CHECKS, 'unit', 'build', 'budget', 'e2e'], e2e: ['--grep', '@road'] },
  all: { stages: [...CHECKS, 'unit', 'claims', 'build', 'budget', 'e2e', 'fuzz'], e2e: ['--grep-invert', '@night'] },
  night: {
    stages: ['unit', 'claims', 'build', 'e2e', 'fuzz', 'soak', 'bands', 'promises', 'hashes', 'firefox'],
    e2e: ['--grep', '@night'],
  },
};

/** Stages that say nothing new after a change that no page and no test of it reads. */
const OF_THE_PAGE = ['build', 'budget', 'e2e'];

/** What neither the page nor its end-to-end tests read. Everything else may reach them: cli/ and bench/results/ too, which the build reads. */
const BESIDE_THE_PAGE = [
  /^(docs|bench(?!\/results\/)|docker|examples|python)\//,
  /^[^/]+\.(md|cff)$/,
  /\.test\.tsx?$/,
  /^(tools\/(fuzz|lint)\/|\.ci\/)/,
  /^LICENSE$/,
];

/** Stages of a push that these changed files ask for. No file: what has changed is not known, so all of them. */
export function stagesOfPush(paths) {
  const beside = paths.length > 0 && paths.every((path) => BESIDE_THE_PAGE.some((pattern) => pattern.test(path)));
  return TIERS.push.stages.filter((stage) => !beside || !OF_THE_PAGE.includes(stage));
}

/** Files that differ from the branch that a push would go to, those that git does not know yet included; [] where that is not known. */
export function changedPaths(git = (...args) => spawnSync('git', args, { encoding: 'utf8' })) {
  const lines = (...args) => {
    const { status, stdout } = git(...args);
    return status === 0 ? stdout.split('\n').filter((line) => line !== '') : null;
  };
  for (const branch of ['@{upstream}', 'origin/HEAD', 'origin/main']) {
    const [base] = lines('merge-base', 'HEAD', branch) ?? [];
    if (base === undefined) continue;
    const changed = lines('diff', '--name-only', '--no-renames', base);
    const unknown = lines('ls-files', '--others', '--exclude-standard');
    return changed === null || unknown === null ? [] : [...new Set([...changed, ...unknown])];
  }
  return [];
}

/** The share of end-to-end tests that may pass on their second try only. */
export const MOST_RETRIED = 0.01;

/** Names of the tests in a report of Playwright that failed first and then passed. */
export function retriedTests({ suites = [] }) {
  const of = ({ file, specs = [], suites: inner = [] }) => [
    ...specs.filter(({ tests }) => tests.some(({ status }) => status === 'flaky')).map(({ title, line }) => `${file}:${line} ${title}`),
    ...inner.flatMap((suite) => of({ file, ...suite })),
  ];
  return suites.flatMap(of);
}

/** Whether a record may be written: of a whole tier in which nothing failed. Answers why not, or null. */
export function recordProblem({ failed, stages, tier }) {
  if (failed > 0) return 'Nothing is recorded: durations are those of the last green run, and something failed.';
  const missing = TIERS[tier].stages.filter((stage) => !(stage in stages));
  return missing.length > 0 ? `Nothing is recorded: ${missing.join(', ')} did not run.` : null;
}
