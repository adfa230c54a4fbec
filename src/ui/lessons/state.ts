/** Where a pupil is in a lesson, and what they answered: kept on this machine, by lesson and version. */
import { create } from 'zustand';
import type { Answer, Lesson } from '#lessons/define.ts';

interface Kept {
  readonly answers: Readonly<Record<number, Answer>>;
  /** Steps whose check was met. */
  readonly met: readonly number[];
  /** What was written where a step surprised. */
  readonly words: Readonly<Record<number, string>>;
  /** The pupil's seat in a class; 0: none. */
  readonly seat: number;
}

interface LessonState extends Kept {
  readonly lesson: Lesson | null;
  readonly open: (lesson: Lesson) => void;
  readonly answer: (step: number, answer: Answer) => void;
  readonly meet: (step: number) => void;
  readonly write: (step: number, words: string) => void;
  readonly sit: (seat: number) => void;
  /** Forgets every answer, for the next pupil at this machine. Runs stay. */
  readonly startOver: () => void;
}

const NOTHING: Kept = { answers: {}, met: [], words: {}, seat: 0 };
const keyOf = ({ id, version }: Lesson): string => `rl-workbench:lesson:${id}:${version}`;

function read(lesson: Lesson): Kept {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(lesson)) ?? '{}') as Partial<Kept>;
    return { ...NOTHING, ...kept };
  } catch {
    return NOTHING; // blocked storage or a foreign text: the lesson starts anew
  }
}

export const useLesson = create<LessonState>((set, get) => {
  const keep = (kept: Partial<Kept>): void => {
    set(kept);
    const { lesson, answers, met, words, seat } = get();
    if (lesson === null) return;
    try {
      localStorage.setItem(keyOf(lesson), JSON.stringify({ answers, met, words, seat }));
    } catch {
      // Storage is blocked: the answers last for this visit.
    }
  };
  return {
    lesson: null,
    ...NOTHING,
    open: (lesson) => set({ lesson, ...read(lesson) }),
    answer: (step, answer) => keep({ answers: { ...get().answers, [step]: answer } }),
    meet: (step) => {
      if (!get().met.includes(step)) keep({ met: [...get().met, step] });
    },
    write: (step, words) => keep({ words: { ...get().words, [step]: words } }),
    sit: (seat) => keep({ seat }),
    startOver: () => keep(NOTHING),
  };
});
