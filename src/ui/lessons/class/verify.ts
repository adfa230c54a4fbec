/**
 * Whether a result is true: its settings over the lesson's own set-up must give the config hash that the code names, and simulations of its
 * seeds the measures that it claims. First one seed of every entry, drawn here so that it cannot be known which, then all the others.
 */
import { create } from 'zustand';
import { simulations } from '#client/runs/later.ts';
import { workers } from '#client/workers/service.ts';
import { toFailure } from '#contract/kit/errors.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { configHash } from '#contract/run/config-hash.ts';
import type { SeedResult } from '#contract/run/events.ts';
import { readPath, writePath } from '#contract/run/paths.ts';
import { failedHere } from '#contract/run/verify.ts';
import { countedArms, differs, MOST_STEPS, measureOf, type PupilResult, strangerTo } from '#lessons/result.ts';
import { locale, t } from '#text/text.ts';
import { configOf } from '../arms.ts';
import { translated } from '../failures.ts';
import type { Entry } from './entries.ts';

export interface Verdict {
  /** unknown: it cannot be told here. */
  readonly state: 'waiting' | 'holds' | 'forged' | 'unknown';
  /** Seeds that were simulated and agree, of all. */
  readonly checked: number;
  readonly of: number;
  readonly why: string;
}

interface VerifyState {
  readonly verdicts: Readonly<Record<string, Verdict>>;
}

export const useVerdicts = create<VerifyState>(() => ({ verdicts: {} }));

/** Simulations that were asked for, by config hash and seed: pupils with equal settings and seeds share one. */
const simulated = new Map<string, Promise<SeedResult>>();

function simulate(config: RunConfig, seed: number): Promise<SeedResult> {
  const key = `${configHash(config)} ${seed}`;
  const known = simulated.get(key);
  if (known !== undefined) return known;
  const asked = simulations.run(config, seed);
  simulated.set(key, asked);
  asked.catch(() => simulated.delete(key)); // it may be tried again
  return asked;
}

const tell = (code: string, verdict: Partial<Verdict>): void =>
  useVerdicts.setState(({ verdicts }) => ({
    verdicts: { ...verdicts, [code]: { state: 'waiting', checked: 0, of: 0, why: '', ...verdicts[code], ...verdict } },
  }));

class Forged extends Error {}
class Unknown extends Error {}

/** The configs of the result's runs, if they are what its code says. Throws Forged or Unknown with the reason. */
async function configsOf(result: PupilResult, salt: number): Promise<readonly RunConfig[]> {
  const { lesson, step, values, seedStart, claimed } = result;
  const at = lesson.steps[step]!;
  const stranger = strangerTo(salt, result);
  if (stranger !== null) throw new (stranger.forged ? Forged : Unknown)(translated(stranger.why));
  const configs: RunConfig[] = [];
  for (const arm of countedArms(at)) {
    const base = await configOf(lesson, arm, result.salt === 0 ? undefined : seedStart);
    if (base.env.version !== result.envVersion || (configs.length === 0 && base.algo.version !== result.algoVersion)) {
      throw new Unknown(
        t('made with version {made} of its environment and algorithm; here it is {here}', {
          made: `${result.envVersion}/${result.algoVersion}`,
          here: `${base.env.version}/${base.algo.version}`,
        }),
      );
    }
    const set = at.show.reduce((config, path, i) => {
      const value = values[i] ?? null;
      return value === null && readPath(config, path) === undefined ? config : writePath(config, path, value);
    }, base);
    const config = await workers.complete({ ...set }).catch((error: unknown) => {
      throw new Forged(t('its settings are not possible: {why}', { why: toFailure(error).message }));
    });
    if (config.run.steps > MOST_STEPS)
      throw new Unknown(
        t('asks for {n} steps a seed; at most {most} are simulated', {
          n: config.run.steps.toLocaleString(locale()),
          most: MOST_STEPS.toLocaleString(locale()),
        }),
      );
    configs.push(config);
  }
  const [first] = configs;
  if (first === undefined || configHash(first) !== result.hash)
    throw new Forged(t('its settings do not give the configuration that it names'));
  if (first.run.seedStart !== seedStart || claimed.some((run) => run.length !== first.run.seeds))
    throw new Forged(t('its seeds are not those of its settings'));
  return configs;
}

interface Prepared {
  readonly entry: Entry;
  readonly configs: readonly RunConfig[];
  /** Seeds in the order in which they are compared. */
  readonly order: readonly number[];
}

function refuse(code: string, error: unknown): void {
  if (error instanceof Forged) tell(code, { state: 'forged', why: error.message });
  else if (error instanceof Unknown) tell(code, { state: 'unknown', why: error.message });
  else {
    const failure = toFailure(error);
    // A run that fails wherever it is done cannot have given what is claimed of it.
    tell(code, { state: failedHere(failure).outcome === 'differs' ? 'forged' : 'unknown', why: failure.message });
  }
}

async function compare({ entry: { code, result }, configs }: Prepared, seed: number): Promise<void> {
  const measure = measureOf(result.lesson.steps[result.step]!);
  const runs = await Promise.all(configs.map((config) => simulate(config, config.run.seedStart + seed)));
  for (const [arm, run] of runs.entries()) {
    const claim = result.claimed[arm]?.[seed];
    const why = claim === undefined ? t('a seed is missing') : differs(claim, run, measure);
    if (why !== null) throw new Forged(t('seed {n}: {why}', { n: result.seedStart + seed, why: translated(why) }));
  }
  const before = useVerdicts.getState().verdicts[code];
  tell(code, {
    state: before?.state === 'forged' || before?.state === 'unknown' ? before.state : 'holds',
    checked: (before?.checked ?? 0) + 1,
  });
}

/** Checks entries that have no verdict yet. `salt` is that of the class. */
export async function verify(entries: readonly Entry[], salt: number): Promise<void> {
  const { verdicts } = useVerdicts.getState();
  const fresh = entries.filter(({ code }) => verdicts[code] === undefined);
  for (const { code, result } of fresh) tell(code, { of: result.claimed[0]?.length ?? 0 });
  const prepared: Prepared[] = [];
  for (const entry of fresh) {
    try {
      const seeds = entry.result.claimed[0]!.map((_, i) => i);
      const first = crypto.getRandomValues(new Uint32Array(1))[0]! % seeds.length;
      prepared.push({ entry, configs: await configsOf(entry.result, salt), order: [first, ...seeds.filter((seed) => seed !== first)] });
    } catch (error) {
      refuse(entry.code, error);
    }
  }
  const look = (one: Prepared, seed: number): Promise<void> => compare(one, seed).catch((error: unknown) => refuse(one.entry.code, error));
  await Promise.all(prepared.map((one) => look(one, one.order[0]!)));
  await Promise.all(prepared.flatMap((one) => one.order.slice(1).map((seed) => look(one, seed))));
}

/** Forgets verdicts and what waits to be simulated. */
export function forgetVerdicts(): void {
  simulations.clear();
  simulated.clear();
  useVerdicts.setState({ verdicts: {} });
}
