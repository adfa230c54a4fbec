/** The codes that a class handed in: kept on this machine, by lesson and class, until they are deleted. */
import { create } from 'zustand';
import { toFailure } from '#contract/errors.ts';
import { decodeCode, encodeCode, spelled } from '#contract/link-code.ts';
import type { Lesson } from '#lessons/define.ts';
import { decodeResult, type PupilResult } from '#lessons/result.ts';
import { failureText } from '#ui/kit/format/failure.ts';

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

const refused = (code: string, error: unknown): Found => ({ entry: null, why: `${code.slice(0, 12)}…: ${failureText(toFailure(error))}` });

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
        const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
        if (Array.isArray(kept)) codes = kept;
      } catch {
        // Blocked storage or a foreign text: nothing was collected.
      }
      const entries = codes.slice(0, MOST).flatMap((code) => (typeof code === 'string' ? (read(code, lesson).entry ?? []) : []));
      set({ key, entries });
    },
    add: (text, lesson) => {
      const codes = codesIn(text, lesson);
      if (codes.length === 0) return 'There is no result code in it. A code begins with RL1: and stands on a line of its own.';
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
          wrong.push(`More than ${MOST} results: the rest was left out.`);
          break;
        }
        // A seat hands in again: which of its results counts is known once they are simulated.
        if (entries.some((other) => sameSeat(other, one))) again++;
        entries = [...entries, one];
        taken.push(one.result.seat);
      }
      keep(entries);
      const seats = taken.map((seat) => (seat === 0 ? 'no seat' : `seat ${seat}`)).join(', ');
      const news =
        taken.length === 0
          ? 'Nothing new.'
          : `${taken.length} ${taken.length === 1 ? 'result' : 'results'} added${taken.length <= 3 ? ` (${seats})` : ''}${again > 0 ? `, ${again} of them of a seat that has handed in before: the newest true one counts` : ''}.`;
      return [news, ...wrong.slice(0, 5), ...(wrong.length > 5 ? [`And ${wrong.length - 5} more that cannot be read.`] : [])].join('\n');
    },
    remove: (code) => keep(get().entries.filter((entry) => entry.code !== code)),
    clear: () => keep([]),
  };
});
