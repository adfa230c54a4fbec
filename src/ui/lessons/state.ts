/** Where a pupil is in a lesson, and what they answered: kept on this machine, by lesson and version. */

import { create } from 'zustand';
import { objectOf, readJson } from '#contract/kit/json.ts';
import type { Answer, Lesson } from '#lessons/define.ts';
import type { ShownLesson } from './language.ts';

interface Kept {
  readonly answers: Readonly<Record<number, Answer>>;
  /** Steps whose check was met. */
  readonly met: readonly number[];
  /** What was written where a step surprised. */
  readonly words: Readonly<Record<number, string>>;
  /** The pupil's seat in a class; 0: none. */
  readonly seat: number;
  /** When the lesson was begun, in ms since epoch: earlier runs of the same set-up are not the pupil's. */
  readonly begun: number;
  /** When each step was first shown, in ms since epoch: only runs since then count for its task. */
  readonly shown: Readonly<Record<number, number>>;
  /** Steps of which a run was started: what was predicted there stays, whatever is set afterwards. */
  readonly ran: readonly number[];
}

interface LessonState extends Kept {
  readonly lesson: ShownLesson | null;
  /** Answers of an earlier visit were there when the lesson was opened. */
  readonly returned: boolean;
  readonly open: (lesson: ShownLesson) => void;
  readonly answer: (step: number, answer: Answer) => void;
  readonly meet: (step: number) => void;
  readonly write: (step: number, words: string) => void;
  readonly sit: (seat: number) => void;
  /** The step is on the screen. */
  readonly show: (step: number) => void;
  /** A run of the step begins. */
  readonly run: (step: number) => void;
  /** Forgets every answer, for the next pupil at this machine. Runs stay, and no longer count. */
  readonly startOver: () => void;
}

const NOTHING: Omit<Kept, 'begun'> = { answers: {}, met: [], words: {}, seat: 0, shown: {}, ran: [] };
const keyOf = ({ id, version }: Lesson): string => `rl-workbench:lesson:${id}:${version}`;

/** What is kept of a lesson; null: it was not begun on this machine. */
function read(lesson: Lesson): Kept | null {
  try {
    const text = localStorage.getItem(keyOf(lesson));
    // Answers kept by an earlier build name no moment: all runs count for them.
    return text === null ? null : { ...NOTHING, begun: 0, ...(objectOf(readJson(text)) as Partial<Kept>) };
  } catch {
    return null; // blocked storage or a foreign text: the lesson starts anew
  }
}

const hasAnswers = ({ answers, met, words }: Kept): boolean => Object.keys({ ...answers, ...words }).length + met.length > 0;

export const useLesson = create<LessonState>((set, get) => {
  const keep = (kept: Partial<Kept>): void => {
    set(kept);
    const { lesson, answers, met, words, seat, begun, shown, ran } = get();
    if (lesson === null) return;
    try {
      localStorage.setItem(keyOf(lesson), JSON.stringify({ answers, met, words, seat, begun, shown, ran }));
    } catch {
      // Storage is blocked: the answers last for this visit.
    }
  };
  return {
    lesson: null,
    returned: false,
    ...NOTHING,
    begun: 0,
    open: (lesson) => {
      const kept = read(lesson);
      set({ lesson, returned: kept !== null && hasAnswers(kept), ...(kept ?? NOTHING) });
      if (kept === null) keep({ begun: Date.now() });
    },
    answer: (step, answer) => {
      const { answers, ran } = get();
      if (answers[step] === undefined || !ran.includes(step)) keep({ answers: { ...answers, [step]: answer } });
    },
    run: (step) => {
      if (!get().ran.includes(step)) keep({ ran: [...get().ran, step] });
    },
    meet: (step) => {
      if (!get().met.includes(step)) keep({ met: [...get().met, step] });
    },
    write: (step, words) => keep({ words: { ...get().words, [step]: words } }),
    sit: (seat) => keep({ seat }),
    show: (step) => {
      if (get().shown[step] === undefined) keep({ shown: { ...get().shown, [step]: Date.now() } });
    },
    startOver: () => {
      keep({ ...NOTHING, begun: Date.now() });
      set({ returned: false });
    },
  };
});
