/**
 * Checks in words of a reward, a player or a method that a person wrote, beside those of worlds (own/check.ts): whether a reward can change the
 * best policy, whether a player plays, whether a method repeats and resumes bit for bit.
 */

import { startIn } from '#contract/catalog/starts.ts';
import { LabError, toFailure } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import { mean } from '#math/stats.ts';
import type { AlgoEntry } from '../algos/api/types.ts';
import { randomPolicy } from '../algos/lib/random-policy.ts';
import type { EnvEntry } from '../envs/api/types.ts';
import { checkWorld, type Finding, fault, holds, note, Play } from '../own/check.ts';
import type { Definition } from '../own/definition.ts';
import { MINE } from '../own/player.ts';
import { completeRun } from './complete.ts';
import { evaluate, evaluateScript } from './evaluate.ts';
import { registryOf } from './registry.ts';
import { createSession, type Session } from './session.ts';

type Judged = Pick<Finding, 'verdict' | 'words'>;

const STARTS = 12;
const EPISODES = 20;
const TRAINED = 1500;
/** Of a method that is tried for longer, as many as that: it may take a thousand between two places where it can be saved. */
const stepsOf = ({ trial }: AlgoEntry): number => Math.max(TRAINED, trial.steps);
/** Steps of an episode that are compared at most. */
const LONGEST = 2000;

/** `config`: settings of the environment; `method`: of a person's method. Throws nothing: what the code does wrong is a finding. */
export async function checkOwn(made: Definition, config: unknown, method: object, now: () => number): Promise<readonly Finding[]> {
  const { kind, env, base, algo } = made;
  if (kind === 'world') return checkWorld(env, config, now);
  const add = async (id: Finding['id'], title: string, check: () => Judged | Promise<Judged>): Promise<Finding> => {
    try {
      return { id, title, ...(await check()) };
    } catch (error) {
      const { message, fix } = toFailure(error);
      return { id, title, ...fault(`${message} ${fix}`) };
    }
  };
  if (kind === 'reward' && base !== null) {
    const found = checkWorld(env, config, now, ['spaces', 'picture']);
    const broken = found.some(({ id, verdict }) => id === 'runs' && verdict === 'fault');
    return broken ? found : [...found, await add('best', 'whether the best policy stays the best', () => best(env, base, config))];
  }
  if (kind === 'player') return [await add('plays', `${EPISODES} episodes are played`, () => plays(env, config))];
  if (algo === undefined) return [];
  const trained = await add('runs', `${stepsOf(algo)} steps are trained`, () => trains(env, algo, config, method));
  if (trained.verdict === 'fault') return [trained];
  return [
    trained,
    await add('seeds', 'the same seed gives the same run', () => repeats(env, algo, config, method)),
    await add('saves', 'a run that is resumed goes on with the same bits', () => resumes(env, algo, config, method)),
  ];
}

const short = (x: number): string => String(Number(x.toPrecision(4)));

/** What an episode was paid more under the new reward than under the old, discounted; null: it did not end by itself. */
function paidMore(env: EnvEntry, base: EnvEntry, config: unknown, seed: number, stream: number) {
  const old = new Play(base, ownOf(base, config), [seed], stream);
  const shaped = new Play(env, config, [seed], stream);
  const { gamma, agentCount } = env.meta(config);
  const sums = new Float64Array(agentCount);
  let discount = 1;
  let ratio: number | null | undefined; // null: the two rewards are not multiples of each other
  for (let t = 0; t < LONGEST; t++) {
    old.step();
    shaped.step();
    for (let a = 0; a < agentCount; a++) {
      const [was, is] = [old.buffers.reward[a]!, shaped.buffers.reward[a]!];
      sums[a]! += discount * (is - was);
      if (was === 0 ? is !== 0 : ratio !== undefined && ratio !== null && Math.abs(is / was - ratio) > 1e-5) ratio = null;
      else if (was !== 0 && ratio === undefined) ratio = is / was;
    }
    discount *= gamma;
    if (shaped.buffers.terminated[0] !== 0) return { ended: true, sums, ratio };
    if (shaped.buffers.truncated[0] !== 0) break;
  }
  return { ended: false, sums, ratio };
}

/** The settings that are the environment's own. */
function ownOf(base: EnvEntry, config: unknown): object {
  const known = base.schema.properties ?? {};
  return Object.fromEntries(Object.entries(config as object).filter(([name]) => Object.hasOwn(known, name)));
}

/**
 * Of episodes from one start the shaping of a potential adds up to the same, whatever is done (Ng, Harada and Russell 1999): where two sums
 * differ, the reward is no potential and may make another policy the best.
 */
function best(env: EnvEntry, base: EnvEntry, config: unknown): Judged {
  const terms = env.meta(config).terms?.map(({ id }) => id) ?? [];
  const potential = terms.length === 2 && terms[1] === 'shaping' && terms[0] === 'reward of the environment';
  let compared = 0;
  let largest = 0;
  let scale = 1;
  let example: readonly [number, number] = [0, 0];
  const ratios: (number | null | undefined)[] = [];
  for (let start = 1; start <= STARTS; start++) {
    const two = [0, 1].map((stream) => paidMore(env, base, config, start, stream));
    ratios.push(...two.map(({ ratio }) => ratio));
    const [a, b] = two;
    if (a === undefined || b === undefined || !a.ended || !b.ended) continue;
    compared++;
    a.sums.forEach((x, agent) => {
      const y = b.sums[agent]!;
      scale = Math.max(scale, Math.abs(x), Math.abs(y));
      if (Math.abs(x - y) <= largest) return;
      largest = Math.abs(x - y);
      example = [x, y];
    });
  }
  const [ratio] = ratios.filter((each) => each !== undefined);
  if (
    typeof ratio === 'number' &&
    ratio > 0 &&
    ratios.every((each) => each === undefined || (each !== null && Math.abs(each - ratio) < 1e-4))
  )
    return holds(`In ${2 * STARTS} random episodes every reward was ${short(ratio)} times the old one: the best policy stays the best.`);
  const same = largest <= 1e-4 * scale;
  if (potential && (compared === 0 || same))
    return holds(
      compared === 0
        ? 'What a potential adds to an episode, its start fixes. No random episode came to its end, so this was not tried on episodes. The learner must use the same discount.'
        : `What a potential adds to an episode, its start fixes: in ${compared} pairs of random episodes from the same start the sums differ by ${short(largest)} at most. The learner must use the same discount.`,
    );
  if (compared === 0)
    return note(
      'No random episode came to its end, so this could not be tried. Compare the returns under the old and the new reward while it learns.',
    );
  if (same)
    return holds(
      `In ${compared} pairs of random episodes from the same start, the same was added to both: that is what a potential does, and the best policy stays the best.`,
    );
  return note(
    `Of two episodes from the same start one was paid ${short(example[0])} and the other ${short(example[1])} more than the old reward pays: another policy may be the best now. That may be meant; compare the returns under both while it learns.`,
  );
}

async function plays(env: EnvEntry, config: unknown): Promise<Judged> {
  const script = env.policies(config as Parameters<EnvEntry['policies']>[0])[MINE];
  if (script === undefined) return fault('The player is not there.');
  const mine = await evaluateScript(script, env, config, EPISODES);
  const chance = await evaluate(randomPolicy(env.meta(config)), env, config, { episodes: EPISODES });
  const words = `Mean return ${short(mine.score)}, of random actions ${short(chance.score)}, over the same ${EPISODES} starts.`;
  return mine.score < chance.score ? note(`${words} It plays worse than chance.`) : holds(words);
}

/** A short run; `from`: what it goes on with; `half`: the state about half-way is asked for. */
async function run(
  env: EnvEntry,
  algo: AlgoEntry,
  config: unknown,
  method: object,
  options: { readonly from?: Saved; readonly half?: boolean } = {},
): Promise<{ readonly hash: string; readonly saved: Saved | null; readonly evalReturn: number }> {
  const { gamma, agents } = env.meta(config);
  const card = { id: algo.id, defaults: algo.parse(method), presets: algo.presets };
  const complete = completeRun(
    {
      env: { id: env.id, config },
      algo: { id: algo.id, config: { ...startIn(card, { id: env.id, gamma, groups: agents }), ...method } },
      run: { steps: stepsOf(algo), seeds: 1, seedStart: 1, evalEpisodes: 5 },
    },
    registryOf([env], [algo]),
  );
  let clock = 0;
  const session: Session = createSession({
    config: complete,
    env,
    algo,
    seed: 1,
    now: () => clock++, // an event after every iteration
    sliceMs: 0,
    ...(options.from !== undefined && { resume: options.from }),
  });
  let saving: Promise<Saved> | null = null;
  let found: { hash: string; evalReturn: number } | null = null;
  for await (const event of session) {
    if (options.half === true && saving === null && session.step >= stepsOf(algo) / 2) saving = session.save();
    if (event.kind === 'state' && event.error !== undefined) throw new LabError(event.error);
    if (event.kind === 'result') found = { hash: event.result.parameterHash, evalReturn: event.result.evalReturn };
  }
  if (found === null) throw new Error('the run ended without a result');
  return { ...found, saved: await saving };
}

async function trains(env: EnvEntry, algo: AlgoEntry, config: unknown, method: object): Promise<Judged> {
  const { evalReturn } = await run(env, algo, config, method);
  const chance = await evaluate(randomPolicy(env.meta(config)), env, config, { episodes: EPISODES });
  return holds(
    `Return of the policy after ${stepsOf(algo)} steps in ${env.title}: ${short(evalReturn)}; of random actions ${short(mean(chance.scores))}.`,
  );
}

async function repeats(env: EnvEntry, algo: AlgoEntry, config: unknown, method: object): Promise<Judged> {
  const first = await run(env, algo, config, method);
  const second = await run(env, algo, config, method);
  return first.hash === second.hash
    ? holds('Two runs of seed 1 remember the same.')
    : fault(
        'Two runs of seed 1 remember different things. Keep everything that changes in the memory that start returns, not in variables outside, and draw only from "random".',
      );
}

async function resumes(env: EnvEntry, algo: AlgoEntry, config: unknown, method: object): Promise<Judged> {
  const whole = await run(env, algo, config, method, { half: true });
  if (whole.saved === null) return note('The run had no place to be saved at.');
  const resumed = await run(env, algo, config, method, { from: whole.saved });
  return whole.hash === resumed.hash
    ? holds('A run saved half-way and gone on with ends as the whole one.')
    : fault(
        'A run saved half-way ends differently. Keep everything that changes in the memory that start returns; it must not hold the same list or object twice.',
      );
}
