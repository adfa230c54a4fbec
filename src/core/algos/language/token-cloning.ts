/**
 * Cloning on tokens: a transformer trained from nothing here writes what the environment's scripted player writes (supervised fine-tuning).
 *   L = -mean ln p(token | row so far), over the tokens the player wrote
 * Where a task has roles, each with rows of its own (a planner's, a grounder's), there may be a network for each: rows are learned and
 * written by the network of their role (Lumos, Yin et al. 2024). Every episode is a new one; steps are tokens written.
 * Pseudo-code:
 *   one network, or if modules is roles: one for each role
 *   repeat until the budget is spent
 *     the teacher (novice or expert) plays a new episode in every row
 *     if annealLr: the step size falls over the budget
 *     for each network
 *       take the lines of tokens that are its to write, all or those of its role
 *       for so many of them as its program takes at once, in gradientAccumulation parts whose gradients are summed
 *         descend L over the tokens written by the teacher with AdamW, the gradient norm clipped
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import type { MetricCard, Preset } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import { eq, sliceAxis, where } from '#core/engine/ops.ts';
import { inParts } from '#core/engine/parts.ts';
import type { Engine, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { annealed } from '#math/schedules.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkFinite, checkTokens } from '../api/guards.ts';
import { tokenMetrics } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import type { Policy } from '../api/types.ts';
import { networkPolicy } from '../lib/network-policy.ts';
import { type LinePrograms, linePrograms, wholeLines } from './lib/packing.ts';
import { compileCloner, nextLogits, type TokenNetwork, tokenNetwork, tokenPolicy } from './lib/programs.ts';
import { type Completions, cloneCompletions, createCollector, sumOf } from './lib/rollouts.ts';

const measured = 'own measurements at 0.1 M parameters';

const config = z.strictObject({
  lr: fields.lr(3e-3, measured, { description: 'Step size of AdamW.' }),
  annealLr: fields.annealLr(false, measured),
  rows: fields.integer(32, {
    min: 1,
    max: 1024,
    title: 'episodes per update',
    description: 'Demonstrations that an update learns from, each of them once.',
    source: measured,
    group: 'rollout',
    depth: 'teach',
  }),
  teacher: z.enum(['novice', 'expert']).default('expert').meta({
    title: 'teacher',
    description: 'The scripted policy that is copied; the environment says how many mistakes its novice makes.',
    source: 'own choice',
    group: 'rollout',
  }),
  modules: z.enum(['one', 'roles']).default('one').meta({
    title: 'networks',
    description: 'one: a single network writes everything. roles: one for each role of the task, of the width below.',
    source: 'Lumos',
    group: 'network',
    depth: 'teach',
  }),
  gradientAccumulation: fields.gradientAccumulation('episodes'),
  ...fields.transformer(measured),
});
type Config = z.infer<typeof config>;

const presets: readonly Preset[] = [
  { id: 'modular', title: 'A network for each role, the two as large as one of width 32', config: { modules: 'roles', width: 24 } },
];

/** Returns of training episodes would be those of the player that is copied. */
const metrics: readonly MetricCard[] = [
  tokenMetrics.cloneLoss,
  { ...tokenMetrics.tokens, description: 'Mean tokens written in an episode of the last update.' },
  { ...tokenMetrics.gradNorm, description: 'Before clipping, in the last update; of the last network where there are several.' },
];

/** One network, or one for each role of the task. */
export function networks(
  engine: Engine,
  meta: EnvMeta,
  c: Omit<Config, 'lr' | 'annealLr' | 'rows' | 'teacher' | 'gradientAccumulation'>,
  rng: Rng,
): readonly TokenNetwork[] {
  const count = c.modules === 'one' ? 1 : (meta.tokens?.roles?.length ?? 1);
  return Array.from({ length: count }, (_, i) => tokenNetwork(engine, `policy${i}`, meta, c, rng.split(`network ${i}`)));
}

const groupsOf = (nets: readonly TokenNetwork[]) => Object.fromEntries(nets.map(({ group }, i) => [`net${i}`, group]));

/** The place of a row that says whose it is: behind its begin. */
const ROLE = 1;

/** Logits of the next token; each row's by the network of its role, by the first one where it has none (a prompt that was typed, say). */
export function compileNextToken(engine: Engine, meta: EnvMeta, nets: readonly TokenNetwork[], rows: number) {
  const roles = meta.tokens?.roles ?? [];
  const places = nets[0]!.shape.context;
  return engine.compile(
    { obs: [rows, places] },
    ({ obs }, g) => {
      const [first, ...others] = nets.map(({ shape, weights }) => nextLogits(shape, weights(g), obs)) as [Tensor, ...Tensor[]];
      const role = sliceAxis(obs, 1, ROLE, 1);
      return { logits: others.reduce((logits, other, i) => where(eq(role, roles[i + 1]!), other, logits), first) };
    },
    { name: 'policy' },
  );
}

/** The policy of these networks as they are now, open to a look inside the one that writes a row. */
function policyOf(engine: Engine, meta: EnvMeta, nets: readonly TokenNetwork[], dispose?: () => void): Policy {
  const each = nets.map((net) => tokenPolicy(engine, meta, net));
  const compile = (rows: number) => compileNextToken(engine, meta, nets, rows);
  return {
    ...networkPolicy({ meta, compile, ...(dispose && { dispose }) }),
    inspect: (obs) => (each[Math.max(0, meta.tokens?.roles?.indexOf(obs[ROLE]!) ?? 0)] ?? each[0]!).inspect(obs),
  };
}

/** Updates of one network on some lines of what was collected, so many at a time that its programs hold. Gives the summed loss of all tokens, and the last norm, if there were any. */
async function cloneLines(
  cloners: LinePrograms<ReturnType<typeof compileCloner>>,
  last: Completions,
  {
    lines,
    most,
    ...how
  }: { readonly lines: readonly number[]; readonly places: number; readonly most: number; readonly lr: number; readonly parts: number },
): Promise<{ readonly loss: number; readonly gradNorm: number | undefined }> {
  let loss = 0;
  let gradNorm: number | undefined;
  for (let from = 0; from < lines.length; from += most) {
    const now = lines.slice(from, from + most);
    const tokens = now.reduce((sum, line) => sum + last.count[line]!, 0);
    const found = await cloneCompletions(cloners, last, { ...how, lines: now.length, tokens }, (k) => now[k]!);
    loss += tokens * found.loss;
    gradNorm = found.gradNorm;
  }
  return { loss, gradNorm };
}

export const tokenCloning = defineAlgo<Config>({
  spec: {
    id: 'token-cloning',
    version: 1,
    title: 'Cloning on tokens',
    summary: 'Clones the scripted player of a task, with one network for all of it or one for each role.',
    source: {
      title: 'Agent Lumos: Unified and Modular Training for Open-Source Language Agents',
      authors: 'Yin et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/2311.05657',
    },
    config,
    presets,
    action: 'discrete',
    learner: 'network',
    agents: 'one',
    trial: {
      env: 't-tools',
      envConfig: { form: 'apart' },
      steps: 1500,
      config: { rows: 16, modules: 'roles', width: 16, layers: 1, heads: 2 },
    },
    probes: [],
    metrics,
  },

  fits(meta, c) {
    checkTokens(meta, 'Cloning on tokens', c);
    if (c.modules === 'roles' && meta.tokens?.roles === undefined)
      throw fail(
        'incompatible',
        'Rows of this task are all written by the same one: there are no roles to share out.',
        'Set the networks to one, or choose t-tools with rows apart.',
        'algo.modules',
      );
  },

  async *train(run, resume) {
    const c = run.config;
    const { meta } = run;
    const engine = await run.makeEngine();
    const env = run.makeEnv(c.rows);
    const turns = meta.tokens?.rows ?? 1;
    const lines = c.rows * turns;
    const nets = networks(engine, meta, c, run.rng.split('init'));
    const places = nets[0]!.shape.context;
    const most = Math.ceil(lines / nets.length);
    const { gradientAccumulation: parts } = c;
    const learning = inParts(engine, parts);
    const cloners = nets.map(({ shape, group, weights }) =>
      linePrograms(engine, Math.ceil(most / parts), places - 1, (of) => compileCloner(learning, shape, group, weights, of)),
    );
    /** Of the last network. */
    let gradNorm = 0;
    const teacher = run.envEntry.policies(run.envConfig)[c.teacher];
    const starts = run.rng.split('starts');
    const collector = createCollector(env, { group: 1, seeds: starts, turns });
    const { last } = collector;
    const state = registerState({ counters: { step: 0 }, parts: { env, engine }, arrays: { starts } });
    const { counters } = state;
    const point = safePoint({
      state,
      engine,
      snapshot: () => saveGroups(engine, groupsOf(nets)),
      policy: () => policyOf(engine, meta, nets),
    });
    /** Lines that network `i` is to write. */
    const linesOf = (i: number): readonly number[] =>
      Array.from({ length: lines }, (_, line) => line).filter(
        (line) => last.count[line]! > 0 && (nets.length === 1 || last.ids[line * places + ROLE] === meta.tokens?.roles?.[i]),
      );
    if (resume === undefined) env.reset();
    else state.load(resume);

    while (counters.step < run.steps) {
      const tokens = await collector.demonstrate(teacher, true);
      const lr = c.annealLr ? annealed(c.lr, run.steps, counters.step) : c.lr;
      let loss = 0;
      for (const [i, programs] of cloners.entries()) {
        const found = await cloneLines(programs, last, { lines: linesOf(i), places, most, lr, parts });
        loss += found.loss;
        if (i === nets.length - 1) gradNorm = found.gradNorm ?? gradNorm;
      }
      counters.step += tokens;
      const report = { cloneLoss: loss / tokens, gradNorm };
      checkFinite(counters.step, report);
      yield { step: counters.step, metrics: { ...report, tokens: sumOf(last.count) / c.rows }, ...point };
    }
  },

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const nets = networks(engine, meta, c, Rng.from(0));
    loadGroups(engine, groupsOf(nets), saved);
    return policyOf(engine, meta, nets, () => engine.dispose());
  },

  benchmark({ config: c, meta, engine }) {
    const { shape, group, weights } = tokenNetwork(engine, 'policy', meta, c, Rng.from(0));
    const cloner = compileCloner(
      engine,
      shape,
      group,
      weights,
      wholeLines(Math.ceil((c.rows * (meta.tokens?.rows ?? 1)) / c.gradientAccumulation), shape.context - 1),
    );
    return { run: () => cloner.run() };
  },
});
