/**
 * Tool worlds: files, mail, a calendar, a shop and a calculator that share one hand. A call that shows a digit puts it into the hand; a call
 * that writes, sends or books uses what the hand holds. A task names what is to be done; it is solved if the world ends as the task says and
 * nothing else has changed. `names` files, people and things to buy are called a, b, c, d; digits are contents, prices and times of day.
 * One world and one set of rules for both forms: in tokens (t-tools) and in plain observations and actions (tool-worlds). A seed gives the
 * same task in both.
 */
import { z } from 'zod';
import type { MetricCard, RewardTerm } from '#contract/catalog/catalog.ts';
import { Xorshift } from '#math/xorshift.ts';
import { badConfig } from '../../api/parse.ts';
import { remembered } from '../../lib/remembered.ts';
import { heldOut, RIGHT_AND_PRICE } from './define.ts';
import { checkSome, count, mistakesField, paid, splitField } from './knobs.ts';
import { nameOf } from './tokens.ts';

/** What both forms can be set to. */
export const toolFields = {
  apps: count(3, 5, 'apps', 'The first so many of files, mail, calendar, shop and calculator are there.').meta({ depth: 'teach' }),
  names: count(3, 4, 'names', 'Files there are, and people, and things to buy.', 2).meta({ depth: 'teach' }),
  digits: count(6, 10, 'digits', 'That a file, a mail or a price can be; there are as many times of day.', 6),
  jobs: count(1, 2, 'jobs', 'Things that are to be done in one episode.').meta({ depth: 'teach' }),
  calls: count(8, 16, 'calls', 'At most so many; one more ends the episode with nothing.', 4).meta({ depth: 'teach' }),
  price: paid('price of a call', 'Taken from the reward.', 0.2),
  wayBonus: paid('bonus of the way', 'Paid in equal parts for each call that the expert makes, in its order, when it is first made.', 1),
  pays: z.enum(['all', 'goal']).default('all').meta({
    title: 'what is paid',
    description:
      'all: a world that is as it should be, everywhere. goal: what the task asks for, whatever else has changed; success is counted by all.',
    source: 'own choice',
    group: 'reward',
    depth: 'research',
  }),
  split: splitField,
  splitBy: z.enum(['world', 'task', 'kinds']).default('world').meta({
    title: 'held out',
    description:
      'world: a tenth of all tasks with what the apps hold. task: a tenth of all tasks by what they say, whatever the apps hold. kinds: a tenth of what can be asked for together, whatever the names and the order.',
    source: 'own choice',
    group: 'task',
  }),
  mistakes: mistakesField('any call'),
  traces: z.enum(['whole', 'stitched']).default('whole').meta({
    title: 'traces of the novice',
    description:
      'whole: it goes on from what its mistakes have led to. stitched: steps of the plan in a row, some of them exchanged for any call, whatever these have led to.',
    source: 'own choice',
    group: 'scripted policies',
    depth: 'research',
  }),
};
export type ToolConfig = z.infer<z.ZodObject<typeof toolFields>>;

/** What all apps hold. */
export interface Desk {
  /** [names] digits. */
  readonly files: readonly number[];
  /** [names] the digit in the mail of each person: nothing changes it. */
  readonly mails: readonly number[];
  /** [names] what was sent to each person: 0 nothing, d + 1 the digit d, digits + 1 more than one mail. */
  readonly sent: readonly number[];
  /** [digits] who is met at each time of day: 0 it is free, p + 1 person p. */
  readonly slots: readonly number[];
  /** [names] all different: nothing changes them. */
  readonly prices: readonly number[];
  /** [names] 1: bought. */
  readonly owned: readonly number[];
}

/** All that can change. */
const cellsOf = ({ files, sent, slots, owned }: Desk): readonly number[] => [...files, ...sent, ...slots, ...owned];
/** Places in which two worlds differ. */
export function differences(a: Desk, b: Desk): readonly number[] {
  const other = cellsOf(b);
  const found: number[] = [];
  cellsOf(a).forEach((value, i) => {
    if (value !== other[i]) found.push(i);
  });
  return found;
}

const putAt = (list: readonly number[], at: number, value: number): readonly number[] => list.map((old, i) => (i === at ? value : old));

/** Commands on one name, in the order of apps: two of each app but the calculator. */
const VERBS = ['open', 'write', 'read', 'send', 'book', 'cancel', 'look up', 'buy'] as const;
type Verb = (typeof VERBS)[number];
const LETTERS = 'owrsbxpy';

export type Call = { readonly verb: Verb; readonly name: number } | { readonly verb: 'add' } | { readonly verb: 'done' };

/** Calls by number: every verb of the apps that are there with every name, the calculator's, and `done`. */
export function callsOf({ apps, names }: Pick<ToolConfig, 'apps' | 'names'>): readonly Call[] {
  const verbs = VERBS.slice(0, 2 * Math.min(apps, 4));
  const named = verbs.flatMap((verb) => Array.from({ length: names }, (_, name): Call => ({ verb, name })));
  return [...named, ...(apps === 5 ? [{ verb: 'add' } as const] : []), { verb: 'done' }];
}

/** A call in tokens: ob, +, and a full stop for done. */
export const callText = (call: Call): string =>
  'name' in call ? LETTERS[VERBS.indexOf(call.verb)]! + nameOf(call.name) : call.verb === 'add' ? '+' : '.';

/** A call of the expert, and the calls whose digits must have been shown last, in this order. */
interface Step {
  readonly call: Call;
  readonly needs: readonly Call[];
}
const on = (verb: Verb, name: number): Call => ({ verb, name });
const ADD: Call = { verb: 'add' };

interface Job {
  /** The job in tokens. */
  readonly text: string;
  /** The world after it; null: it cannot be done there. */
  after(desk: Desk): Desk | null;
  plan(desk: Desk): readonly Step[];
}

type Draw = (c: ToolConfig, rng: Xorshift) => Job;
/** Shows one digit, then uses it. */
const pass = (from: Call, to: Call): readonly Step[] => [
  { call: from, needs: [] },
  { call: to, needs: [from] },
];
const two = ({ names }: ToolConfig, rng: Xorshift): readonly [number, number] => {
  const a = rng.draw(names);
  return [a, (a + 1 + rng.draw(names - 1)) % names];
};
const mailed = (desk: Desk, person: number, digit: number): Desk => ({ ...desk, sent: putAt(desk.sent, person, digit + 1) });

/** Kinds of jobs by the apps that they need: index 0 needs the first app alone. */
const KINDS: readonly (readonly Draw[])[] = [
  [
    // copy file a into file b
    (c, rng) => {
      const [a, b] = two(c, rng);
      return {
        text: `c${nameOf(a)}${nameOf(b)}`,
        after: (desk) => ({ ...desk, files: putAt(desk.files, b, desk.files[a]!) }),
        plan: () => pass(on('open', a), on('write', b)),
      };
    },
  ],
  [
    // mail file a to person p
    ({ names }, rng) => {
      const [a, p] = [rng.draw(names), rng.draw(names)];
      return {
        text: `m${nameOf(a)}${nameOf(p)}`,
        after: (desk) => mailed(desk, p, desk.files[a]!),
        plan: () => pass(on('open', a), on('send', p)),
      };
    },
    // keep the mail of person p in file b
    ({ names }, rng) => {
      const [p, b] = [rng.draw(names), rng.draw(names)];
      return {
        text: `k${nameOf(p)}${nameOf(b)}`,
        after: (desk) => ({ ...desk, files: putAt(desk.files, b, desk.mails[p]!) }),
        plan: () => pass(on('read', p), on('write', b)),
      };
    },
  ],
  [
    // meet person p, who has no time yet, at the time in the mail of p
    ({ names }, rng) => {
      const p = rng.draw(names);
      return {
        text: `t${nameOf(p)}`,
        after(desk) {
          const time = desk.mails[p]!;
          return desk.slots.includes(p + 1) || desk.slots[time] !== 0 ? null : { ...desk, slots: putAt(desk.slots, time, p + 1) };
        },
        plan: () => pass(on('read', p), on('book', p)),
      };
    },
    // move the meeting with p to that time
    ({ names }, rng) => {
      const p = rng.draw(names);
      return {
        text: `v${nameOf(p)}`,
        after(desk) {
          const [from, to] = [desk.slots.indexOf(p + 1), desk.mails[p]!];
          return from < 0 || desk.slots[to] !== 0 ? null : { ...desk, slots: putAt(putAt(desk.slots, from, 0), to, p + 1) };
        },
        plan: () => [{ call: on('cancel', p), needs: [] }, ...pass(on('read', p), on('book', p))],
      };
    },
  ],
  [
    // buy the cheaper of i and j
    (c, rng) => {
      const [i, j] = two(c, rng);
      const cheaper = ({ prices }: Desk): number => (prices[i]! < prices[j]! ? i : j);
      return {
        text: `y${nameOf(i)}${nameOf(j)}`,
        after: (desk) => ({ ...desk, owned: putAt(desk.owned, cheaper(desk), 1) }),
        plan: (desk) => [on('look up', i), on('look up', j), on('buy', cheaper(desk))].map((call) => ({ call, needs: [] })),
      };
    },
    // mail the price of i to person p
    ({ names }, rng) => {
      const [i, p] = [rng.draw(names), rng.draw(names)];
      return {
        text: `e${nameOf(i)}${nameOf(p)}`,
        after: (desk) => mailed(desk, p, desk.prices[i]!),
        plan: () => pass(on('look up', i), on('send', p)),
      };
    },
  ],
  [
    // the sum of files a and b, its last digit, into file f
    (c, rng) => {
      const [a, b] = two(c, rng);
      const f = rng.draw(c.names);
      const both = [on('open', a), on('open', b)];
      return {
        text: `+${nameOf(a)}${nameOf(b)}${nameOf(f)}`,
        after: (desk) => ({ ...desk, files: putAt(desk.files, f, (desk.files[a]! + desk.files[b]!) % c.digits) }),
        plan: () => [...both.map((call) => ({ call, needs: [] })), { call: ADD, needs: both }, { call: on('write', f), needs: [ADD] }],
      };
    },
  ],
];

export interface ToolTask {
  /** What is to be done, in tokens. */
  readonly text: string;
  readonly start: Desk;
  readonly goal: Desk;
  readonly plan: readonly Step[];
  /** Steps of the plan up to the end of each job. */
  readonly ends: readonly number[];
}

function drawDesk({ names, digits }: ToolConfig, rng: Xorshift): Desk {
  const some = (): number[] => Array.from({ length: names }, () => rng.draw(digits));
  const files = some();
  const mails = some();
  const prices = rng.shuffle(Array.from({ length: digits }, (_, i) => i)).slice(0, names);
  const times = rng.shuffle(Array.from({ length: digits }, (_, i) => i));
  const slots = new Array<number>(digits).fill(0);
  for (let p = 0; p < names; p++) if (rng.draw(2) === 0) slots[times[p]!] = p + 1;
  const none = new Array<number>(names).fill(0);
  return { files, mails, sent: none, slots, prices, owned: none };
}

const throughAll = (desk: Desk, jobs: readonly Job[]): Desk | null =>
  jobs.reduce<Desk | null>((now, job) => (now === null ? null : job.after(now)), desk);

/** Draws of names and of what the apps hold for the same kinds of jobs; some kinds never go together. */
const TRIES = 64;

/**
 * The order of draws is part of the definition: kinds of jobs, then their names and what the apps hold, these two again until every job can
 * be done and changes something that no other job does, in whichever order; after 64 of these other kinds.
 */
export function drawTask(c: ToolConfig, rng: Xorshift): ToolTask {
  const kinds = KINDS.slice(0, c.apps).flat();
  let draws: readonly Draw[] = [];
  for (let tried = 0; ; tried++) {
    if (tried % TRIES === 0) draws = Array.from({ length: c.jobs }, () => kinds[rng.draw(kinds.length)]!);
    const jobs = draws.map((draw) => draw(c, rng));
    const start = drawDesk(c, rng);
    const goal = throughAll(start, jobs);
    const other = jobs.length === 1 ? goal : throughAll(start, [...jobs].reverse());
    if (goal === null || other === null || differences(goal, other).length > 0) continue;
    const each = jobs.map((job) => differences(start, job.after(start) ?? start));
    if (each.some((changed) => changed.length === 0) || new Set(each.flat()).size < each.flat().length) continue;
    const plans = jobs.map((job) => job.plan(start));
    const ends = plans.map((_, i) => plans.slice(0, i + 1).flat().length);
    return { text: `${jobs.map((job) => job.text).join(',')}:`, start, goal, plan: plans.flat(), ends };
  }
}

/** Whether the task of a seed is set under `split`. */
export function isSet(c: ToolConfig, seed: number): boolean {
  if (c.split === 'all') return true;
  const { text, start } = drawTask(c, new Xorshift(seed));
  const kinds = (): string =>
    jobsOf(text)
      .map((job) => job[0])
      .sort()
      .join('');
  const by = { world: () => JSON.stringify([text, start]), task: () => text, kinds }[c.splitBy];
  return heldOut(by()) === (c.split === 'held-out');
}

/** The jobs that a task names, each in tokens. */
export const jobsOf = (text: string): readonly string[] => text.slice(0, -1).split(',');

/** Calls of the longest job of these apps. */
function longestPlan(c: ToolConfig): number {
  const rng = new Xorshift(0);
  const desk = drawDesk(c, rng);
  return Math.max(
    ...KINDS.slice(0, c.apps)
      .flat()
      .map((draw) => draw(c, rng).plan(desk).length),
  );
}

/** Throws LabError('config-invalid') where there is no task, one cannot be done, or `split` leaves none. */
export function checkSet(c: ToolConfig): void {
  if (c.jobs === 2 && c.apps === 1 && c.names === 2)
    throw badConfig('jobs', 'Of two files only one can be copied.', 'Add a name or an app, or set one job.');
  const needed = c.jobs * longestPlan(c);
  if (c.calls < needed)
    throw badConfig(
      'calls',
      `Some of these tasks need ${needed} calls; ${c.calls} are allowed.`,
      'Allow more calls, or choose fewer apps or jobs.',
    );
  checkSome((seed) => isSet(c, seed), 'Hold out by world.');
}

/** What a call comes to. `text`: what the world replies; '' where it ended the episode. */
export interface Outcome {
  readonly text: string;
  /** It showed what nothing had shown before. */
  readonly fresh: boolean;
  readonly reward: number;
  /** Of which the reward is the sum: right, price, steps of the plan. */
  readonly terms: readonly number[];
  readonly done: boolean;
}

/** Parts of the reward, in the order of Outcome.terms. */
export const toolTerms: readonly RewardTerm[] = [...RIGHT_AND_PRICE, { id: 'way', title: 'steps of the plan', weights: ['wayBonus'] }];

const DONE_WELL = '=';
export const REFUSED = '!';

/** The calls of these apps, and their numbers by what they are in tokens. */
const tableOf = remembered((of: Pick<ToolConfig, 'apps' | 'names'>) => {
  const calls = callsOf(of);
  return { calls, numbers: new Map(calls.map((call, i) => [callText(call), i])) };
});

/** One task in play. */
export class Errand {
  readonly task: ToolTask;
  readonly calls: readonly Call[];
  desk: Desk;
  /** Calls made, without `done`. */
  made = 0;
  /** Calls of the plan that were made in its order. */
  place = 0;
  solved: 0 | 1 = 0;
  done = false;
  /** What each call came to, by its number: -1 it was not made or refused; the digit that it showed last; 0 where it shows none. */
  readonly log: Int8Array;
  /** The calls that showed a digit last, the latest one last, with these digits. */
  readonly shown: { readonly call: number; readonly digit: number }[] = [];
  private readonly c: ToolConfig;
  private readonly numbers: ReadonlyMap<string, number>;

  constructor(c: ToolConfig, task: ToolTask) {
    this.c = c;
    this.task = task;
    this.desk = task.start;
    ({ calls: this.calls, numbers: this.numbers } = tableOf({ apps: c.apps, names: c.names }));
    this.log = new Int8Array(this.calls.length).fill(-1);
  }

  private numberOf(call: Call): number {
    return this.numbers.get(callText(call)) ?? -1;
  }

  /** The digit in the hand; null: none was shown yet. */
  private get hand(): number | null {
    return this.shown.at(-1)?.digit ?? null;
  }

  /** What a call shows; null: it shows nothing. */
  private shows(call: Call): number | null {
    const { files, mails, prices } = this.desk;
    if (call.verb === 'open') return files[call.name]!;
    if (call.verb === 'read') return mails[call.name]!;
    if (call.verb === 'look up') return prices[call.name]!;
    const [x, y] = this.shown.slice(-2);
    return call.verb === 'add' && x !== undefined && y !== undefined ? (x.digit + y.digit) % this.c.digits : null;
  }

  /** The world after a call that changes it; null: the call is refused. */
  private after(call: Call): Desk | null {
    const { desk, hand } = this;
    const { files, sent, slots, owned } = desk;
    if (!('name' in call)) return null;
    const { verb, name } = call;
    if (verb === 'buy') return owned[name] === 1 ? null : { ...desk, owned: putAt(owned, name, 1) };
    if (verb === 'cancel') return slots.includes(name + 1) ? { ...desk, slots: slots.map((who) => (who === name + 1 ? 0 : who)) } : null;
    if (hand === null) return null;
    if (verb === 'write') return { ...desk, files: putAt(files, name, hand) };
    if (verb === 'send') return { ...desk, sent: putAt(sent, name, sent[name] === 0 ? hand + 1 : this.c.digits + 1) };
    return slots[hand] === 0 ? { ...desk, slots: putAt(slots, hand, name + 1) } : null;
  }

  /** What a call of the plan so far needs; the latest one where it stands there twice. */
  private needsOf(call: Call): readonly Call[] {
    const before = this.task.plan.slice(0, this.place + 1).reverse();
    return before.find((step) => callText(step.call) === callText(call))?.needs ?? [];
  }

  /** Whether the digit at this place of `shown` came from this call, made as the plan makes it. */
  private stands(at: number, call: Call): boolean {
    if (this.shown[at]?.call !== this.numberOf(call)) return false;
    const needs = this.needsOf(call);
    return needs.every((need, i) => this.stands(at - needs.length + i, need));
  }

  /** What must be done before what needs these digits in the hand; null: nothing. */
  private missing(needs: readonly Call[]): Call | null {
    let have = needs.length;
    while (!needs.slice(0, have).every((need, i) => this.stands(this.shown.length - have + i, need))) have--;
    const next = needs[have];
    return next === undefined ? null : (this.missing(this.needsOf(next)) ?? next);
  }

  /** The call that the expert makes now, by its number. */
  get next(): number {
    const step = this.task.plan[this.place];
    return this.numberOf(step === undefined ? { verb: 'done' } : (this.missing(step.needs) ?? step.call));
  }

  /** A call by its number. */
  play(number: number): Outcome {
    const { c, task } = this;
    const call = this.calls[number]!;
    if (call.verb === 'done' || this.made === c.calls) return this.over(call.verb === 'done');
    this.made++;
    const step = task.plan[this.place];
    const planned = step !== undefined && callText(step.call) === callText(call) && this.missing(step.needs) === null;
    const digit = this.shows(call);
    const desk = digit === null ? this.after(call) : null;
    const refused = digit === null && desk === null;
    const fresh = digit !== null && this.log[number] === -1;
    if (!refused) this.log[number] = digit ?? 0;
    if (digit !== null) this.shown.push({ call: number, digit });
    if (desk !== null) this.desk = desk;
    let reward = -c.price;
    const terms = [0, reward, 0];
    if (planned && !refused) {
      this.place++;
      terms[2] = c.wayBonus / task.plan.length;
      reward += terms[2];
    }
    return { text: refused ? REFUSED : digit === null ? DONE_WELL : String(digit), fresh, reward, terms, done: false };
  }

  /** Judges the world as it stands. */
  private over(said: boolean): Outcome {
    const { side, reached } = this.judged();
    this.done = true;
    this.solved = said && side === 0 && reached === 1 ? 1 : 0;
    const met = this.c.pays === 'all' ? this.solved : said && reached === 1 ? 1 : 0;
    return { text: '', fresh: false, reward: met, terms: [met], done: true };
  }

  /** Changes that the task does not ask for, and the share of those it asks for that are there. */
  private judged(): { readonly side: number; readonly reached: number } {
    const { start, goal } = this.task;
    const asked = new Set(differences(start, goal));
    const wrong = differences(this.desk, goal);
    const open = wrong.filter((cell) => asked.has(cell)).length;
    return { side: wrong.length - open, reached: 1 - open / asked.size };
  }

  /** The step that stands at this place of the plan, whatever was done so far, by its number. */
  private get scheduled(): number {
    return this.numberOf(this.task.plan[this.made]?.call ?? { verb: 'done' });
  }

  /** What a scripted player does: go on with the task, or with the chance `mistakes` make any call. */
  suggest(mistakes: number, luck: Xorshift): number {
    if (luck.draw(1000) < 1000 * mistakes) return luck.draw(this.calls.length);
    return this.c.traces === 'stitched' && mistakes > 0 ? this.scheduled : this.next;
  }

  /** In the order of toolMeasures. */
  measured(): readonly number[] {
    const { side, reached } = this.judged();
    return [this.made, side, reached];
  }
}

export const toolMeasures: readonly MetricCard[] = [
  { id: 'calls', title: 'calls', description: 'Calls of an episode, mean of the last 100 episodes.' },
  {
    id: 'sideEffects',
    title: 'side effects',
    description: 'Places that an episode changed and that its task does not name, mean of the last 100 episodes.',
  },
  { id: 'reached', title: 'done of the task', description: 'Share of the changes asked for that were made, of the last 100 episodes.' },
];
