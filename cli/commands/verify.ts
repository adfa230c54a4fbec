/** `verify WHAT ..`: runs what stored numbers came from again, computes what was derived from them, and names each that is not the same. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LabError, toFailure } from '#contract/kit/errors.ts';
import { listed } from '#contract/kit/listed.ts';
import { type Checked, differencesText, type Outcome } from '#contract/run/verify.ts';
import type { Command, Context } from '../kit/context.ts';
import { CommandFailure, NotVerified, UsageError } from '../kit/failure.ts';
import { machine } from '../kit/machine.ts';
import { describeOptions, parseOptions } from '../kit/options.ts';
import { createOutput, type Output } from '../kit/output.ts';
import { CODE_OPTIONS, openGiven } from '../own/open.ts';
import { Replays } from '../verify/again.ts';
import { joinNotes, type Notes } from '../verify/notes.ts';
import { somePaperRuns } from '../verify/paper-look.ts';
import { verifyPaper } from '../verify/papers.ts';
import { readStored, type Stored } from '../verify/records.ts';
import type { StoredRun } from '../verify/stored.ts';

const OPTIONS = {
  seeds: { kind: 'count', value: 'N', min: 1, help: 'only the first N runs; without it all of them' },
  ...CODE_OPTIONS,
  json: { kind: 'flag', help: 'JSON lines: a line per run and sentence, then a summary of each' },
} as const;

interface Line {
  readonly of: string;
  readonly seed: number;
  readonly stored: string | null;
  readonly checked: Checked;
}

interface Found {
  readonly lines: readonly Line[];
  readonly notes: Notes;
  /** What was compared of the runs beside hash and numbers. */
  readonly kinds: readonly string[];
  /** Runs that were left out on request. */
  readonly left: number;
}

const kindsOf = (runs: readonly StoredRun[]): readonly string[] => [
  ...(runs.some(({ curves }) => curves !== null) ? ['curves'] : []),
  ...(runs.some(({ policies }) => policies.length > 0) ? ['policies'] : []),
  ...(runs.some(({ states }) => states.length > 0) ? ['states'] : []),
];

async function ofRuns(stored: Stored, most: number | undefined, replays: Replays): Promise<Found> {
  const runs = stored.runs.slice(0, most);
  await replays.run(runs);
  const lines = runs.map((run): Line => ({ of: run.of, seed: run.seed, stored: run.parameterHash, checked: replays.compare(run) }));
  const after = runs.length < stored.runs.length ? undefined : stored.after?.(runs.map((run) => replays.of(run)?.outcome ?? null));
  return {
    lines,
    notes: joinNotes([stored.notes, ...(after === undefined ? [] : [after])]),
    kinds: kindsOf(runs),
    left: stored.runs.length - runs.length,
  };
}

function lineText({ of, seed, stored, checked: { outcome, differences, why } }: Line): string {
  const where = `${of}, seed ${seed}`;
  const what = differences.length === 0 ? '' : `: ${differencesText(differences)}`;
  if (outcome === 'same') return `${where}: same, ${stored ?? 'as far as it has come'}`;
  if (outcome === 'close') return `${where}: within tolerance (${why})`;
  return outcome === 'differs' ? `${where}: differs${what}` : `${where}: not verified: ${why}${what}`;
}

const count = (lines: readonly Line[], outcome: Outcome): number => lines.filter(({ checked }) => checked.outcome === outcome).length;

/** Writes what was found; returns the outcome of all of it. */
function report(word: string, { lines, notes, kinds, left }: Found, output: Output): Outcome {
  for (const line of lines) {
    output.text(lineText(line));
    const { of, seed, stored, checked } = line;
    output.record({ type: 'verified', of, seed, stored, same: checked.outcome === 'same', ...checked });
  }
  for (const kind of ['wrong', 'open'] as const)
    for (const text of notes[kind]) {
      output.text(kind === 'wrong' ? text : `Not verified: ${text}`);
      output.record({ type: kind, text });
    }
  const [same, close] = [count(lines, 'same'), count(lines, 'close')];
  const [differ, open] = [count(lines, 'differs'), count(lines, 'unverified')];
  const tail = close === 0 ? '' : ` ${close} more within tolerance.`;
  if (lines.length > 0)
    output.text(`${same} of ${lines.length} runs are the same: ${listed(['hash', 'numbers', ...kinds])}, bit for bit.${tail}`);
  if (left > 0) output.text(`${left} more runs were left out (--seeds).`);
  if (notes.aside.length > 0) output.text(`Not computed again: ${listed(notes.aside)}.`);
  const result: Outcome = differ > 0 || notes.wrong.length > 0 ? 'differs' : open > 0 || notes.open.length > 0 ? 'unverified' : 'same';
  output.record({
    type: 'summary',
    of: word,
    outcome: result,
    runs: lines.length,
    same,
    close,
    differ,
    unverified: open,
    wrong: notes.wrong,
    open: notes.open,
    aside: notes.aside,
  });
  return result;
}

/** The sentence that the command ends with, by how it came out. */
function closing(word: string, { lines, notes }: Found, outcome: Outcome): string {
  const [differ, open] = [count(lines, 'differs'), count(lines, 'unverified')];
  if (differ > 0) return `${word}: ${differ} of ${lines.length} runs differ.`;
  if (outcome === 'differs')
    return `${word}: no run differs, but something beside them is not what they give (${notes.wrong.length} of it).`;
  return `${word}: nothing is wrong, and not all could be verified (${open} runs, ${notes.open.length} other things).`;
}

export const verify: Command = {
  usage: 'verify FILE|FOLDER|LINK .. [--seeds N] [--env-file FILE] [--algo-file FILE]',
  summary: 'Runs what stored numbers came from again, computes what was derived from them, and names what is not the same.',
  help: `Exit code 0: all is as it was stored; 1: something is not; 3: nothing is wrong, and something could not be verified here.\n\n${describeOptions(OPTIONS)}`,
  async run(args, context: Omit<Context, 'output'>) {
    const { options, rest } = parseOptions(args, OPTIONS);
    if (rest.length === 0)
      throw new UsageError('Verify what? A folder of train --out or of a sweep, a project file, a result file, or a link.');
    const output = createOutput(options.json);
    await openGiven(options, context);
    const root = mkdtempSync(join(tmpdir(), 'rl-verify-'));
    const replays = new Replays(join(root, 'runs'), output.progress);
    const room = {
      cache: join(root, 'papers'),
      project: context.project,
      progress: output.progress,
      threads: machine().cores,
      made: new Map(),
    };
    mkdirSync(room.cache);
    const look = async (word: string): Promise<Found> => {
      const stored = await readStored(word, context);
      if ('runs' in stored) return ofRuns(stored, options.seeds, replays);
      if (options.seeds !== undefined) return ofRuns(somePaperRuns(stored.paper, word, context.project), options.seeds, replays);
      const { runs, notes } = await verifyPaper(stored.paper, word, room);
      const lines = runs.map(({ of, seed, parameterHash, checked }) => ({ of, seed, stored: parameterHash, checked }));
      return { lines, notes, kinds: ['curves'], left: 0 };
    };
    const said: string[] = [];
    let worst: Outcome | 'broken' = 'same';
    try {
      for (const word of rest) {
        try {
          const found = await look(word);
          const outcome = report(word, found, output);
          if (outcome === 'same') continue;
          said.push(closing(word, found, outcome));
          if (worst !== 'broken' && worst !== 'differs') worst = outcome;
        } catch (error) {
          // One of several that cannot be read does not keep the others from being verified.
          if (rest.length === 1 || !(error instanceof UsageError || error instanceof LabError)) throw error;
          worst = 'broken';
          said.push(`${word}: ${error.message}`);
          output.record({ type: 'summary', of: word, outcome: 'broken', failure: toFailure(error) });
        }
      }
    } finally {
      await replays.close();
      rmSync(root, { recursive: true, force: true });
    }
    if (worst === 'broken') throw new UsageError(said.join('\n'));
    if (worst === 'differs') throw new CommandFailure(said.join('\n'));
    if (worst === 'unverified') throw new NotVerified(said.join('\n'));
  },
};
