/**
 * Whether an environment holds what all environments hold, in words, for one that a person writes: the suite of core/testing asks the same
 * of those in the catalogue. `fault`: training would fail or could not be repeated. `note`: worth knowing, may be meant.
 */

import { frameSize } from '#contract/game/frames.ts';
import { type ObsSpace, obsSize } from '#contract/game/spaces.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { Rng } from '#math/rng.ts';
import { createActions, createBuffers } from '../envs/api/buffers.ts';
import { agentNames, perAgent } from '../envs/api/meta.ts';
import type { Actions, EnvEntry, Environment, EnvMeta, StepBuffers } from '../envs/api/types.ts';
import { drawnBy } from './drawing.ts';
import { strayOf } from './entry.ts';
import { wrong } from './form.ts';
import { unreadMember } from './items.ts';

export interface Finding {
  readonly id:
    | 'exact'
    | 'runs'
    | 'spaces'
    | 'finite'
    | 'seeds'
    | 'copies'
    | 'saves'
    | 'acts'
    | 'ends'
    | 'returns'
    | 'picture'
    | 'speed'
    | 'best'
    | 'plays';
  readonly title: string;
  readonly verdict: 'holds' | 'note' | 'fault';
  readonly words: string;
}

const COPIES = 4;
const STEPS = 600;
const EPISODES = 60;
const SPEED_MS = 150;

type Judged = Pick<Finding, 'verdict' | 'words'>;
export const holds = (words: string): Judged => ({ verdict: 'holds', words });
export const note = (words: string): Judged => ({ verdict: 'note', words });
export const fault = (words: string): Judged => ({ verdict: 'fault', words });

/** `now`: milliseconds, for the speed. `without`: checks to leave out. Throws nothing: an error of the world's code is a finding. */
export function checkWorld(
  entry: EnvEntry,
  config: unknown,
  now: () => number,
  without: readonly Finding['id'][] = [],
): readonly Finding[] {
  const checks: readonly (readonly [id: Finding['id'], title: string, check: (meta: EnvMeta) => Judged])[] = [
    ['runs', `${STEPS} random steps run`, () => runs(entry, config)],
    ['spaces', 'observations stay within their bounds', (meta) => spaces(entry, config, meta)],
    ['finite', 'observations and rewards are finite numbers', (meta) => finite(entry, config, meta)],
    ['seeds', 'the same seed gives the same episode', () => seeds(entry, config)],
    ['copies', 'nothing leaks from copy to copy', () => copies(entry, config)],
    ['saves', 'a saved state goes on as the episode did', () => saves(entry, config)],
    ['acts', 'what is done makes a difference', (meta) => acts(entry, config, meta)],
    ['ends', 'episodes end', (meta) => ends(entry, config, meta)],
    ['returns', 'random episodes have different returns', () => returns(entry, config)],
    ['picture', 'every picture can be drawn', (meta) => picture(entry, config, meta)],
    ['speed', 'speed', () => speed(entry, config, now)],
  ];
  const found: Finding[] = [];
  for (const [id, title, check] of checks) {
    if (without.includes(id)) continue;
    const judged = attempt(() => check(entry.meta(config)));
    found.push({ id, title, ...judged });
    if (id === 'runs' && judged.verdict === 'fault') break; // the rest would fail for the same reason
  }
  return found;
}

function attempt(check: () => Judged): Judged {
  try {
    return check();
  } catch (error) {
    const { message, fix } = toFailure(error);
    return fault(`${message} ${fix}`);
  }
}

/** Rows of random play; rows that end are started again by `restart`. */
export class Play {
  readonly env: Environment;
  readonly buffers: StepBuffers;
  private readonly actions: Actions;
  private readonly rngs: readonly Rng[];
  private readonly ended: Uint8Array;

  /** Row i starts from seeds[i] and draws its actions from a stream of that seed; another `stream`, other actions. */
  constructor(entry: EnvEntry, config: unknown, seeds: readonly number[], stream = 0) {
    this.env = entry.create(config, seeds.length);
    const { meta } = this.env;
    this.buffers = createBuffers(meta, seeds.length);
    this.actions = createActions(meta, seeds.length);
    this.ended = new Uint8Array(seeds.length);
    this.rngs = seeds.map((seed) => (stream === 0 ? Rng.from(seed).split('actions') : Rng.from(seed).split('actions', stream)));
    this.env.reset(Uint32Array.from(seeds), this.buffers);
  }

  step(): void {
    const { meta } = this.env;
    const spaces = perAgent(meta, ({ action }) => action);
    this.rngs.forEach((rng, row) => {
      spaces.forEach((space, agent) => {
        const slot = row * spaces.length + agent;
        const at = slot * meta.actionSize;
        if (space.kind === 'box') {
          for (let i = 0; i < space.size; i++) this.actions[at + i] = space.low[i]! + (space.high[i]! - space.low[i]!) * rng.uniform();
          return;
        }
        const legal = Array.from({ length: space.n }, (_, a) => a).filter((a) => this.buffers.mask?.[slot * meta.actionCount + a] !== 0);
        if (legal.length === 0) throw wrong('mask', `Agent ${agent} has no legal action.`, 'Leave at least one action in the mask.');
        this.actions[at] = legal[rng.int(legal.length)]!;
      });
    });
    this.env.step(this.actions, this.buffers);
  }

  /** Starts the rows that ended again; answers whether there were any. */
  restart(): boolean {
    const { terminated, truncated } = this.buffers;
    let any = false;
    for (let row = 0; row < this.ended.length; row++) {
      this.ended[row] = terminated[row]! | truncated[row]!;
      any ||= this.ended[row] === 1;
    }
    if (any) this.env.restart(this.ended, this.buffers);
    return any;
  }

  /** What row `row` shows and got, as text that equal numbers give equally. */
  tell(row: number): string {
    const { obs, reward, terminated, truncated } = this.buffers;
    const part = (all: Float32Array): string => {
      const width = all.length / terminated.length;
      return all.subarray(row * width, (row + 1) * width).join();
    };
    return `${part(obs)} ${part(reward)} ${terminated[row]}${truncated[row]}`;
  }
}

/** Steps of random play after which a state that cannot be kept has most likely shown. */
const KEPT_STEPS = 200;

/**
 * Throws the LabError that says what training would stop at later or never say: a state that cannot be saved, as one whose list grows, and a member of
 * what `step` gives that nothing reads.
 */
export function playsPlainly(entry: EnvEntry, config: unknown): void {
  const play = new Play(entry, config, [1]);
  for (let t = 0; t < KEPT_STEPS; t++) {
    play.step();
    play.env.save(0);
    play.restart();
  }
  const stray = strayOf.get(play.env)?.() ?? null;
  if (stray !== null)
    throw wrong(
      'step',
      `Nothing reads "${stray.slice(0, 40)}" of what step gives.`,
      'Return { reward: 1, ended: false }; "ended" says that the episode is over.',
    );
}

function runs(entry: EnvEntry, config: unknown): Judged {
  const play = new Play(entry, config, [1]);
  for (let t = 0; t < STEPS; t++) {
    play.step();
    play.env.save(0); // says what is wrong with the state
    play.restart();
  }
  return holds('No function of the world failed.');
}

/** Which agent a number of all observations belongs to, and which of its numbers it is. */
function placeOf(meta: EnvMeta, at: number): { readonly agent: number; readonly space: ObsSpace | undefined; readonly words: string } {
  const agent = Math.floor(at / meta.obsSize) % meta.agentCount;
  const i = at % meta.obsSize;
  const space = perAgent(meta, ({ obs }) => obs)[agent];
  const label = space?.kind === 'box' ? space.labels?.[i] : undefined;
  const whose = meta.agentCount > 1 ? ` of ${agentNames(meta)[agent]}` : '';
  return { agent, space, words: `${i + 1}${label === undefined ? '' : ` (${label})`} of the observation${whose}` };
}

const boundsOf = (space: ObsSpace | undefined): readonly [low: number | null, high: number | null] =>
  space?.kind === 'box' ? [space.low, space.high] : [null, null];

const counted = (sizes: string): string => (sizes === '1' ? '1 number' : `${sizes} numbers`);

function spaces(entry: EnvEntry, config: unknown, meta: EnvMeta): Judged {
  const each = perAgent(meta, ({ obs }) => obs);
  const bounds = each.map(boundsOf);
  const sizes = [...new Set(each.map(obsSize))].join(' or ');
  if (each.every(({ kind }) => kind === 'discrete')) return holds(`${sizes} numbered states.`);
  if (bounds.every(([low, high]) => low === null && high === null)) return holds(`${counted(sizes)} without bounds.`);
  const play = new Play(entry, config, [1, 2, 3, 4]);
  for (let t = 0; t < STEPS; t++) {
    const at = play.buffers.obs.findIndex((x, i) => {
      const [low, high] = bounds[Math.floor(i / meta.obsSize) % each.length] ?? [null, null];
      const within = i % meta.obsSize < obsSize(each[Math.floor(i / meta.obsSize) % each.length] ?? { kind: 'discrete', n: 0 });
      return within && ((low !== null && x < Math.fround(low)) || (high !== null && x > Math.fround(high)));
    });
    if (at >= 0) {
      const { space, words } = placeOf(meta, at);
      const [low, high] = boundsOf(space);
      return fault(
        `Number ${words} was ${play.buffers.obs[at]}, outside ${low ?? 'no bound'} to ${high ?? 'no bound'}. Change the bounds or what observe returns.`,
      );
    }
    play.step();
    play.restart();
  }
  const ranges = [...new Set(bounds.map(([low, high]) => `${low ?? 'no bound'} to ${high ?? 'no bound'}`))].join(' or ');
  return holds(`${counted(sizes)} from ${ranges}.`);
}

function finite(entry: EnvEntry, config: unknown, meta: EnvMeta): Judged {
  const play = new Play(entry, config, [5, 6, 7, 8]);
  const names = agentNames(meta);
  for (let t = 0; t < STEPS; t++) {
    const at = play.buffers.obs.findIndex((x) => !Number.isFinite(x));
    if (at >= 0)
      return fault(`After ${t} steps number ${placeOf(meta, at).words} was ${play.buffers.obs[at]}. Look for a division by zero.`);
    const paid = play.buffers.reward.findIndex((x) => !Number.isFinite(x));
    if (paid >= 0) {
      const whose = names.length > 1 ? ` of ${names[Math.floor(paid / meta.rewards.length) % names.length]}` : '';
      return fault(`After ${t} steps the reward${whose} was ${play.buffers.reward[paid]}. Look for a division by zero.`);
    }
    play.step();
    play.restart();
  }
  return holds(`${STEPS} steps in ${COPIES} copies.`);
}

/** First of STEPS steps after which two plays differ in these rows; -1: none. */
function differ(a: Play, rowA: number, b: Play, rowB: number): number {
  for (let t = 0; t < STEPS; t++) {
    if (a.tell(rowA) !== b.tell(rowB)) return t;
    a.step();
    b.step();
    a.restart();
    b.restart();
  }
  return -1;
}

const OUTSIDE = 'Keep everything that changes in the state that reset returns, not in variables outside, and draw only from "random".';

function seeds(entry: EnvEntry, config: unknown): Judged {
  const t = differ(new Play(entry, config, [11]), 0, new Play(entry, config, [11]), 0);
  return t < 0
    ? holds(`${STEPS} steps were the same twice.`)
    : fault(`Two episodes with the same seed and actions differ after ${t} steps. ${OUTSIDE}`);
}

function copies(entry: EnvEntry, config: unknown): Judged {
  const many = new Play(entry, config, [21, 22, 23, 24]);
  const one = new Play(entry, config, [23]);
  const t = differ(many, 2, one, 0);
  return t < 0
    ? holds(`A copy among ${COPIES} does what it does alone.`)
    : fault(`A copy among ${COPIES} differs from the same copy alone after ${t} steps. ${OUTSIDE}`);
}

function saves(entry: EnvEntry, config: unknown): Judged {
  const play = new Play(entry, config, [31]);
  const other = new Play(entry, config, [31]); // the same stream of actions, its own copy
  for (let t = 0; t < STEPS; t++) {
    other.env.load(0, play.env.save(0), other.buffers);
    play.step();
    other.step();
    if (play.tell(0) !== other.tell(0))
      return fault(
        `An episode that was saved after ${t} steps goes on differently. ${OUTSIDE} A state must not hold the same list or object twice.`,
      );
    if (play.restart()) other.restart();
  }
  return holds(`${play.env.meta.state.bytes} bytes hold a copy.`);
}

/** Streams of actions that are compared. */
const STREAMS = [1, 2, 3];

function acts(entry: EnvEntry, config: unknown, meta: EnvMeta): Judged {
  const spaces = perAgent(meta, ({ action }) => action);
  if (spaces.every((space) => space.kind === 'discrete' && space.n === 1)) return note('There is one action: nothing is to be chosen.');
  const makesOne = STREAMS.some((stream) => {
    const [play, other] = [new Play(entry, config, [35]), new Play(entry, config, [35], stream)];
    for (let t = 0; t < STEPS; t++) {
      play.step();
      other.step();
      if (play.tell(0) !== other.tell(0) || !equal(play.env.save(0), other.env.save(0))) return true;
      if (play.restart()) other.restart();
    }
    return false;
  });
  if (makesOne) return holds('Other actions lead to other states or rewards.');
  const [space] = spaces;
  const first =
    space?.kind === 'discrete' ? `0 for the first (${space.labels[0] ?? 'action 0'}), 1 for the next` : 'between its low and high';
  return note(`${STEPS} steps were the same whatever was done. step is given the action as a number, ${first}, not as its name.`);
}

const equal = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, i) => byte === b[i]);

function ends(entry: EnvEntry, config: unknown, meta: EnvMeta): Judged {
  const play = new Play(entry, config, [41]);
  let ended = 0;
  let cut = 0;
  let length = 0;
  const most = meta.maxSteps === 0 ? 40_000 : Math.min(40_000, 20 * meta.maxSteps);
  let idle = 0;
  for (let t = 0; t < most && ended + cut < 20; t++) {
    play.step();
    length++;
    const { alive } = play.buffers;
    if (alive?.every((x) => x === 0) === true && play.buffers.terminated[0] === 0) idle++;
    ended += play.buffers.terminated[0]!;
    cut += play.buffers.truncated[0]!;
    play.restart();
  }
  const all = ended + cut;
  if (idle > 0) return note(`After ${idle} random steps no agent was alive and the episode went on: let step return ended: true then.`);
  if (all === 0)
    return note(
      meta.maxSteps === 0
        ? `No random episode ended within ${most} steps, and there is no step limit. A limit makes learning faster.`
        : `No random episode ended within ${most} steps: the step limit is ${meta.maxSteps}. A lower limit makes learning faster.`,
    );
  const average = Math.round(length / all);
  if (ended === 0)
    return note(
      `Only the step limit of ${meta.maxSteps} ended random episodes. That is right for a task without an end; else step should return ended: true.`,
    );
  if (cut === 0) return holds(`Random episodes last about ${average} steps and end by themselves.`);
  return holds(`Random episodes last about ${average} steps; ${cut} of ${all} were cut by the step limit.`);
}

/** What is paid apart: each group of agents, each kind of reward. Its name, '' where there is one, and its places in the rewards of a step. */
function paidApart(meta: EnvMeta): readonly { readonly name: string; readonly places: readonly number[] }[] {
  const kinds = meta.rewards.length;
  if (kinds > 1) return meta.rewards.map((name, k) => ({ name, places: [k] }));
  if (meta.agents.length === 1) return [{ name: '', places: Array.from({ length: meta.agentCount }, (_, i) => i) }];
  let from = 0;
  return meta.agents.map(({ count, names }) => {
    const places = Array.from({ length: count }, (_, i) => from + i);
    from += count;
    return { name: count === 1 ? (names[0] ?? '') : (names[0] ?? '').replace(/ 1$/, ''), places };
  });
}

function returns(entry: EnvEntry, config: unknown): Judged {
  const play = new Play(entry, config, [51]);
  const parts = paidApart(play.env.meta);
  const all = parts.map((): number[] => []);
  const sums = parts.map(() => 0);
  for (let t = 0; t < 30_000 && (all[0]?.length ?? 0) < EPISODES; t++) {
    play.step();
    parts.forEach(({ places }, p) => {
      for (const place of places) sums[p]! += play.buffers.reward[place]!;
    });
    if (!play.restart()) continue;
    sums.forEach((sum, p) => void all[p]?.push(sum));
    sums.fill(0);
  }
  const judged = parts.map(({ name }, p) => judgeReturns(all[p] ?? [], name));
  const [first] = judged;
  if (first === undefined || judged.length === 1) return first ?? note('Nothing is paid.');
  const words = judged.map((one) => one.words).join(' ');
  return judged.some(({ verdict }) => verdict !== 'holds') ? note(words) : holds(words);
}

/** `name`: whose returns, or of which reward; '' where there is one. */
function judgeReturns(sums: readonly number[], name: string): Judged {
  const of = name === '' ? '' : ` of ${name}`;
  if (sums.length < 2) return note('Too few random episodes ended to compare their returns.');
  const low = Math.min(...sums);
  const high = Math.max(...sums);
  if (low === high)
    return note(
      `In all ${sums.length} random episodes the return${of} was ${short(low)}: random play shows a learner nothing yet. Pay for what leads to the goal, or start nearer to it.`,
    );
  const mean = sums.reduce((a, b) => a + b, 0) / sums.length;
  return holds(`Mean${of} ${short(mean)}, from ${short(low)} to ${short(high)} over ${sums.length} episodes.`);
}

const short = (x: number): string => String(Number(x.toPrecision(4)));

function picture(entry: EnvEntry, config: unknown, meta: EnvMeta): Judged {
  const play = new Play(entry, config, [61]);
  const frame = new Float32Array(frameSize(meta.frame));
  let unread: string | null = null;
  let lost = 0;
  for (let t = 0; t < STEPS / 3; t++) {
    play.env.frame(0, frame);
    const at = frame.findIndex((x) => !Number.isFinite(x));
    if (at >= 0) return fault(`After ${t} steps a number of the picture was ${frame[at]}.`);
    const drawn = drawnBy.get(play.env);
    if (drawn !== undefined) {
      const { items, drawing } = drawn(0);
      unread ??= unreadMember(drawing.members, items);
      lost = Math.max(lost, drawing.write(items, frame));
    }
    play.step();
    play.restart();
  }
  if (unread !== null) return note(`${unread}: it changes nothing.`);
  if (lost > 0)
    return note(`Things at once that are not shown: ${lost}. They lie outside the board, or are more than 200 random steps showed.`);
  return holds(`${frame.length} numbers describe one.`);
}

function speed(entry: EnvEntry, config: unknown, now: () => number): Judged {
  const play = new Play(entry, config, [71, 72, 73, 74, 75, 76, 77, 78]);
  const from = now();
  let steps = 0;
  while (now() - from < SPEED_MS && steps < 1e6) {
    for (let i = 0; i < 50; i++) {
      play.step();
      play.restart();
    }
    steps += 400;
  }
  const perSecond = (1000 * steps) / Math.max(1, now() - from);
  const words = `${Math.round(perSecond).toLocaleString('en')} random steps a second here.`;
  return perSecond < 2000 ? note(`${words} Training will take long: look for loops in step and observe.`) : holds(words);
}
