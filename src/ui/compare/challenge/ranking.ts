/** Attempts that were pasted into a challenge, each proved once, the best first. Kept in this browser, where it allows it. */
import { create } from 'zustand';
import { type Proof, prove } from '#client/compare/challenge.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { readJson } from '#contract/kit/json.ts';
import { type Attempt, attemptsIn, type Challenge, decodeAttempt, markOf } from '#contract/link/challenge.ts';

/** Attempts of one challenge. */
const MOST = 200;

export interface Entry {
  readonly code: string;
  readonly attempt: Attempt;
  /** null: it is being played or trained again. */
  readonly proof: Proof | null;
}

interface Ranking {
  readonly of: number;
  readonly entries: readonly Entry[];
}

export const useRanking = create<Ranking>(() => ({ of: 0, entries: [] }));

const keyOf = (mark: number): string => `rl-workbench:challenge:${mark}`;

/** What was kept of a challenge is there again, to be proved anew. */
export function openRanking(challenge: Challenge): void {
  const of = markOf(challenge);
  if (useRanking.getState().of === of) return;
  useRanking.setState({ of, entries: [] });
  try {
    const kept = readJson(localStorage.getItem(keyOf(of)) ?? '""');
    if (typeof kept === 'string') add(kept, challenge);
  } catch {
    // Blocked, or not what this page wrote: the ranking begins empty.
  }
}

export interface Added {
  readonly added: number;
  readonly known: number;
  readonly refused: readonly string[];
}

/** Takes the attempts in a text and has them proved, one after the other. */
export function add(text: string, challenge: Challenge): Added {
  const { codes, others } = attemptsIn(text);
  const { entries } = useRanking.getState();
  const fresh: Entry[] = [];
  const refused: string[] = codes.length === 0 && others > 0 ? [''] : [];
  let known = 0;
  for (const code of codes) {
    if (entries.some((entry) => entry.code === code)) known++;
    else if (entries.length + fresh.length < MOST)
      try {
        fresh.push({ code, attempt: decodeAttempt(code), proof: null });
      } catch (error) {
        refused.push(toFailure(error).message);
      }
  }
  useRanking.setState({ entries: [...entries, ...fresh] });
  keep();
  void proveAll(fresh, challenge);
  return { added: fresh.length, known, refused };
}

async function proveAll(fresh: readonly Entry[], challenge: Challenge): Promise<void> {
  const of = markOf(challenge);
  for (const { code, attempt } of fresh) {
    const proof = await prove(challenge, attempt);
    if (useRanking.getState().of !== of) return;
    useRanking.setState(({ entries }) => ({ entries: entries.map((entry) => (entry.code === code ? { ...entry, proof } : entry)) }));
  }
}

export function leaveOut(code: string): void {
  useRanking.setState(({ entries }) => ({ entries: entries.filter((entry) => entry.code !== code) }));
  keep();
}

function keep(): void {
  const { of, entries } = useRanking.getState();
  try {
    localStorage.setItem(keyOf(of), JSON.stringify(entries.map(({ code }) => code).join(' ')));
  } catch {
    // Blocked or full: the ranking lasts for this visit.
  }
}

/** Proved ones by score, the best first; then those that are being proved; then those that are not what they say. */
export function ranked(entries: readonly Entry[]): readonly Entry[] {
  const class_ = ({ proof }: Entry): number => (proof === null ? 1 : proof.state === 'holds' ? 0 : 2);
  return entries.toSorted((a, b) => class_(a) - class_(b) || b.attempt.score - a.attempt.score);
}
