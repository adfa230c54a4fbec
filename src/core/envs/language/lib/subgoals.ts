/**
 * Jobs of a task with tools that are said before they are done (Lumos, Yin et al. 2024): a planner names the next job, `cab:`, or says "."
 * where all are done; a grounder writes its commands, and "." behind the last. Aloud, both write into one row. Apart, each has rows of its
 * own: the planner reads "#", the task and what came of the jobs so far (`cab=`; "!" in place of "=" where a command was refused), the
 * grounder "@" and the job alone.
 */
import { MALFORMED, malformedAt, type Talk, type TokenTask } from './define.ts';
import { callText, type Errand, jobsOf, REFUSED, type ToolConfig } from './tools.ts';

/** Most tokens of a job: a sign and three names. */
export const JOB = 4;
const SAID = /^[a-z+][a-z]{1,3}:$/;
const OVER = '.';
const PLANS = '#';
const GROUNDS = '@';
/** Who writes a row, by the token it begins with. */
export const ROLES = [PLANS, GROUNDS];

const isCommand = (turn: string): boolean => turn.length > 1 || turn === OVER || turn === '+';

/** Tokens of an episode in which jobs are said. */
export function saidSizes({ jobs, calls }: ToolConfig, apart: boolean): TokenTask['sizes'] {
  const task = jobs * (JOB + 1);
  const written = (jobs + 1) * (JOB + 2) + 2 * (calls + 1);
  if (!apart) return { prompt: task, written, replies: calls };
  // the planner once more than there are jobs; three tokens a command with its reply
  return { prompt: 1 + 2 * task, written, replies: calls, again: { rows: 2 * jobs + 1, turn: Math.max(JOB + 1, 3 * calls + 2) } };
}

/** An episode of commands alone. */
export function commandTalk(c: ToolConfig, errand: Errand): Omit<Talk, 'draw' | 'measured'> {
  const texts = errand.calls.map(callText);
  return {
    prompt: errand.task.text,
    ends: isCommand,
    play(turn, ended) {
      const number = texts.indexOf(turn);
      if (ended || number < 0) return malformedAt(c.price, c.calls - errand.made);
      const { text, reward, terms, done } = errand.play(number);
      return { text, done, reward, terms, format: 1, solved: errand.solved };
    },
    suggest: (how, luck) => texts[errand.suggest(how === 'expert' ? 0 : c.mistakes, luck)]!,
  };
}

/** An episode in which jobs are said; `apart`: rows begin anew when the other one is to write. */
export function saidTalk(c: ToolConfig, errand: Errand, apart: boolean): Omit<Talk, 'draw' | 'measured'> {
  const { task } = errand;
  const commands = commandTalk(c, errand);
  const texts = errand.calls.map(callText);
  const jobs = jobsOf(task.text);
  /** Jobs that were said and left, with what came of them. */
  let left = '';
  let count = 0;
  let job: string | null = null;
  let failed = false;
  const refused = () => malformedAt(c.price, c.calls - errand.made);
  const asked = (): string => (job === null ? PLANS + task.text + left : GROUNDS + job);
  const goOn = { text: '', done: false, reward: 0, format: 1, solved: 0 } as const;
  const handOver = () => (apart ? { ...goOn, again: asked() } : goOn);
  return {
    prompt: apart ? asked() : task.text,
    ends: (turn) => (job === null ? turn === OVER || turn.endsWith(':') || turn.length > JOB : commands.ends(turn)),
    play(turn, ended) {
      if (ended) return refused();
      if (job === null) {
        if (turn === OVER) return commands.play(turn, false);
        if (!SAID.test(turn)) return refused();
        // one more than the task has ends it as one command too many does
        if (count === c.jobs) return { ...MALFORMED, format: 1 };
        job = turn;
        failed = false;
        return handOver();
      }
      if (turn !== OVER) {
        const said = commands.play(turn, false);
        failed ||= said.text === REFUSED;
        return said;
      }
      left += job.slice(0, -1) + (failed ? REFUSED : '=');
      count++;
      job = null;
      return handOver();
    },
    suggest(how, luck) {
      if (job === null) return jobs[count] === undefined ? OVER : `${jobs[count]}:`;
      if (how === 'novice' && luck.draw(1000) < 1000 * c.mistakes) return texts[luck.draw(texts.length)]!;
      return errand.place >= task.ends[count]! ? OVER : texts[errand.next]!;
    },
  };
}
