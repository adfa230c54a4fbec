/** The codes that a class handed in: kept on this machine, by lesson and class, until they are deleted. */

import { create } from 'zustand';
import { toFailure } from '#contract/kit/errors.ts';
import { readJson } from '#contract/kit/json.ts';
import { decodeCode, encodeCode, spelled } from '#contract/link/code.ts';
import type { Lesson } from '#lessons/define.ts';
import { decodeResult, type PupilResult } from '#lessons/result.ts';
import { t, tn } from '#text/text.ts';
import { said } from '../failures.ts';

/** Codes that a page holds. */
const MOST = 300;
/** Characters of a paste that are looked at. */
const LONGEST_PASTE = 300_000;

export interface Entry {
  /** The code, as text: names the entry. */
  readonly code: string;
  readonly result: PupilResult;
}

interface EntriesState {
  readonly key: string;
  readonly entries: readonly Entry[];
  /** Opens a class: what was collected before comes back. */
  readonly open: (lesson: Lesson, word: string) => void;
  /** Takes all codes in a text. Answers what it did, in words. */
  readonly add: (text: string, lesson: Lesson) => string;
  readonly remove: (code: string) => void;
  readonly clear: () => void;
}

const keyOf = (lesson: Lesson, word: string): string => `rl-workbench:class:${lesson.id}:${lesson.version}:${word}`;
const BEGINNING = /RL\d{1,3}:/i;

/** Two results of one seat at one step. */
export const sameSeat = ({ result: a }: Entry, { result: b }: Entry): boolean => a.seat !== 0 && a.seat === b.seat && a.step === b.step;

interface Found {
  readonly entry: Entry | null;
  /** The text, or its beginning, and what is wrong with it. */
  readonly why: string;
}

/** Everything in a text that begins like a code, whatever stands before and after it on its line. */
function codesIn(text: string, lesson: Lesson): readonly Found[] {
  return text
    .slice(0, LONGEST_PASTE)
    .split(/[\r\n\t]+/)
    .flatMap((line) => {
      const found: Found[] = [];
      for (let rest = line; found.length < MOST; ) {
        const at = rest.search(BEGINNING);
        if (at < 0) break;
        rest = rest.slice(at);
        try {
          // Written anew, so that one result has one text.
          const code = spelled(encodeCode(decodeCode(rest)));
          found.push(read(code, lesson));
          rest = rest.slice(code.length);
        } catch (error) {
          found.push(refused(rest, error));
          rest = rest.slice(4);
        }
      }
      return found;
    });
}

function read(code: string, lesson: Lesson): Found {
  try {
    return { entry: { code, result: decodeResult(code, [lesson]) }, why: '' };
  } catch (error) {
    return refused(code, error);
  }
}

const refused = (code: string, error: unknown): Found => ({ entry: null, why: `${code.slice(0, 12)}…: ${said(toFailure(error))}` });

/** `taken`: seats of the results that are new. `again`: how many of them are of a seat that has handed in before. */
function addedText(taken: readonly number[], again: number): string {
  if (taken.length === 0) return t('Nothing new.');
  const seats = taken.map((seat) => (seat === 0 ? t('no seat') : t('seat {n}', { n: seat }))).join(', ');
  const added = tn('{n} result added', '{n} results added', taken.length);
  const which = taken.length <= 3 ? t('{added} ({seats})', { added, seats }) : added;
  return again === 0
    ? which
    : t('{added}, {n} of them of a seat that has handed in before: the newest true one counts.', { added: which, n: again });
}

export const useEntries = create<EntriesState>((set, get) => {
  const keep = (entries: readonly Entry[]): void => {
    set({ entries });
    try {
      if (entries.length === 0) localStorage.removeItem(get().key);
      else localStorage.setItem(get().key, JSON.stringify(entries.map(({ code }) => code)));
    } catch {
      // Storage is blocked: the codes last for this visit.
    }
  };
  return {
    key: '',
    entries: [],
    open: (lesson, word) => {
      const key = keyOf(lesson, word);
      if (key === get().key) return;
      let codes: readonly unknown[] = [];
      try {
        const kept: unknown = readJson(localStorage.getItem(key) ?? '[]');
        if (Array.isArray(kept)) codes = kept;
      } catch {
        // Blocked storage or a foreign text: nothing was collected.
      }
      const entries = codes.slice(0, MOST).flatMap((code) => (typeof code === 'string' ? (read(code, lesson).entry ?? []) : []));
      set({ key, entries });
    },
    add: (text, lesson) => {
      const codes = codesIn(text, lesson);
      if (codes.length === 0) return t('There is no result code in it. A code begins with RL1: and stands on a line of its own.');
      let { entries } = get();
      const wrong: string[] = [];
      const taken: number[] = [];
      let again = 0;
      for (const { entry: one, why } of codes) {
        if (one === null) {
          wrong.push(why);
          continue;
        }
        if (entries.some((other) => other.code === one.code)) continue;
        if (entries.length >= MOST) {
          wrong.push(t('More than {n} results: the rest was left out.', { n: MOST }));
          break;
        }
        // A seat hands in again: which of its results counts is known once they are simulated.
        if (entries.some((other) => sameSeat(other, one))) again++;
        entries = [...entries, one];
        taken.push(one.result.seat);
      }
      keep(entries);
      const more = wrong.length > 5 ? [tn('And {n} more that cannot be read.', 'And {n} more that cannot be read.', wrong.length - 5)] : [];
      return [addedText(taken, again), ...wrong.slice(0, 5), ...more].join('\n');
    },
    remove: (code) => keep(get().entries.filter((entry) => entry.code !== code)),
    clear: () => keep([]),
  };
});
