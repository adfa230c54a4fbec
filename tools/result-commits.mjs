/**
 * A result names the commit that ran it. A rebase renames commits, and then the commit that a result names cannot be checked out.
 * `npm run commits` lists such names, `npm run commits -- --write` replaces each by what the rebase made of it, which has the same author, time of
 * writing and subject, or, where that commit is not known here, by the commit that brought the result.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NAMED = /"commit": *"([^"]*)"/g;

function git(project, ...args) {
  return execFileSync('git', args, { cwd: project, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Is the project's whole history here? Not in an archive nor in a shallow clone: nothing can be said about commits there. */
export function hasHistory(project) {
  try {
    git(project, 'ls-files', '--error-unmatch', 'package.json');
    return git(project, 'rev-parse', '--is-shallow-repository').trim() === 'false';
  } catch {
    return false;
  }
}

/** Names of commits in committed JSON files that are not in the history of HEAD, each with the files that name it. */
export function lostCommits(project) {
  const history = new Set();
  for (const hash of git(project, 'log', '--format=%H').split('\n')) history.add(hash.slice(0, 12));
  const lost = new Map();
  for (const file of git(project, 'grep', '-l', '"commit": *"', '--', '*.json').trim().split('\n')) {
    for (const [, names] of readFileSync(join(project, file), 'utf8').matchAll(NAMED)) {
      for (const [name] of names.matchAll(/[0-9a-f]{12}/g)) {
        if (!history.has(name)) lost.set(name, (lost.get(name) ?? new Set()).add(file));
      }
    }
  }
  return [...lost].map(([name, files]) => ({ name, files: [...files] }));
}

const WHO_WHEN_WHAT = '%an %at %s';

/** The commit of the history that a rebase made of it; null: there is none, or the lost one is not known here. */
function rebased(project, { name }) {
  let written;
  try {
    written = git(project, 'log', '-1', `--format=${WHO_WHEN_WHAT}`, name, '--').trim();
  } catch {
    return null; // no such commit in this clone
  }
  const same = git(project, 'log', `--format=%H ${WHO_WHEN_WHAT}`)
    .split('\n')
    .filter((line) => line.slice(41) === written);
  return same.length === 1 ? same[0].slice(0, 12) : null;
}

/** The commit of the history that first named it in one of these files; null: none did yet. */
function broughtBy(project, { name, files }) {
  return git(project, 'log', '--reverse', '--format=%H', '-S', name, '--', ...files).slice(0, 12) || null;
}

/** Replaces each lost name, in all committed files; answers the pairs. */
export function replaceLost(project) {
  return lostCommits(project).map((lost) => {
    const commit = rebased(project, lost) ?? broughtBy(project, lost);
    if (commit === null) return { ...lost, commit };
    for (const file of git(project, 'grep', '-l', '-F', lost.name).trim().split('\n')) {
      const path = join(project, file);
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(lost.name, commit));
    }
    return { ...lost, commit };
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const project = join(dirname(fileURLToPath(import.meta.url)), '..');
  const found = process.argv.includes('--write') ? replaceLost(project) : lostCommits(project);
  for (const { name, files, commit } of found) console.log(`${name}${commit ? ` -> ${commit}` : ''}: ${files.join(', ')}`);
}
