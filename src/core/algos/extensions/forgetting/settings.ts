/** Settings of what keeps earlier tasks while later ones are learned, their metric, and what they exclude. */
import type { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import type { EnvMeta } from '../../../envs/api/types.ts';
import { kind, variant } from '../../../envs/api/variant.ts';
import type { MethodSettings, Stand } from '../../api/extension.ts';
import * as fields from '../../api/fields.ts';
import type { EwcSettings } from './ewc.ts';
import { toldTasks } from './heads.ts';

const group = 'variant';

const strengthWords = {
  min: 0,
  max: 1e7,
  title: 'strength of the penalty (lambda)',
  description: 'Half of it weighs squared distances from the kept weights. Larger keeps earlier tasks better and learns later ones worse.',
  source: 'Kirkpatrick et al. 2017: 1e2 to 1e4 by the scale of rewards (400 on Atari)',
  group,
};
const strength = fields.real(100, strengthWords);
const samplesWords = {
  min: 1,
  max: 10_000,
  title: 'samples of the Fisher information',
  description: 'States of the finished block, drawn from replay, over which squared gradients are averaged.',
  source: 'own choice',
  slider: [32, 1024] as [number, number],
  depth: 'stored' as const,
  group,
};
const every = fields.integer(0, {
  min: 0,
  max: 1e9,
  title: 'consolidate every',
  unit: 'steps',
  description: 'Environment steps after which the weights are kept. 0: where the environment ends a block of its sequence of tasks.',
  source: 'Kirkpatrick et al. 2017: at the end of each task',
  slider: [0, 100_000],
  depth: 'research',
  group,
});
const decay = fields.real(0.95, {
  min: 0,
  max: 1,
  title: 'share of older importance (gamma)',
  description: 'What is kept of the Fisher information of earlier blocks when a new one is added.',
  source: 'Schwarz et al. 2018, online EWC',
  group,
  depth: 'research',
});

const capacityWords = {
  min: 1,
  max: 100_000,
  title: 'transitions kept',
  description: 'A uniform sample of all transitions so far, beside the newest in the replay buffer.',
  source: 'reservoir of CLEAR (Rolnick et al. 2019)',
  slider: [100, 20_000] as [number, number],
  group,
};
const shareWords = {
  min: 0,
  max: 1,
  title: 'share of kept transitions',
  description: 'Part of each minibatch that is drawn from the kept transitions; the rest comes from the replay buffer.',
  source: 'CLEAR: half',
  group,
};
const cloningWords = {
  min: 0,
  max: 1000,
  title: 'weight of cloning',
  description: 'Of the squared distance from the action values that the network gave when the transition was kept. 0: off.',
  source: 'CLEAR clones values with 0.005 and policies with 0.01',
  slider: [0, 1] as [number, number],
  group,
};
const ANEW = 'idden units whose mean activation is at most this part of the mean of their layer are started anew';
const REDO = 'ReDo (Sokar et al. 2023): 0.025 to 0.1';
const resets = fields.real(0, {
  min: 0,
  max: 1,
  title: 'dormant at or below (tau; 0: no resets)',
  description: `Where a task ends, h${ANEW}.`,
  source: REDO,
  slider: [0, 0.2],
  group,
});
const renewal = kind('resets', {
  resets: fields.real(0.1, {
    min: 0.001,
    max: 1,
    title: 'dormant at or below (tau)',
    description: `H${ANEW}: weights as the layer was drawn at first, outgoing weights 0, moments of the optimiser 0.`,
    source: REDO,
    slider: [0.01, 0.2],
    group,
  }),
  every: fields.integer(4000, {
    min: 1,
    max: 1e9,
    title: 'look every',
    unit: 'steps',
    description: 'Environment steps between two looks at the newest states.',
    source: 'ReDo: 1,000 updates',
    slider: [500, 50_000],
    group,
  }),
});
const jump = fields.real(0, {
  min: 0,
  max: 20,
  title: 'jump of the loss that ends a task (0: not looked for)',
  unit: 'standard deviations',
  description:
    'Above 0 a task ends where the loss of forty updates lies so far above that of the eight hundred before; borders of the environment and "consolidate every" then do not count.',
  source: 'own choice',
  slider: [0, 10],
  group,
});
const apart = [
  kind('heads', {}),
  kind('packed masks', {
    keep: fields.real(0.5, {
      min: 0.01,
      max: 0.99,
      title: 'share of free weights a task keeps',
      description: 'Of the weights that no earlier task owns those of largest magnitude; the others are free for later tasks.',
      source: 'PackNet (Mallya & Lazebnik 2018): a quarter to a half',
      group,
    }),
    retrain: fields.real(0.25, {
      min: 0,
      max: 0.9,
      title: 'share of a block after pruning',
      description: 'Part of the block, at its end, in which only the weights learn that the task keeps.',
      source: 'PackNet: half as many epochs as before',
      group,
      depth: 'research',
    }),
  }),
] as const;
const words = {
  title: 'against forgetting',
  description:
    'Where tasks follow one another: a penalty on moving weights that mattered (elastic weight consolidation), transitions of all tasks that are kept and learned from again, several of them together with resets of units and borders found by the loss, parts of the network for each task that agents are told, or units that no longer answer started anew.',
  source: 'Kirkpatrick et al. 2017; Schwarz et al. 2018; Rolnick et al. 2019; Sokar et al. 2023; Mallya & Lazebnik 2018',
  group,
};

/**
 * Off, as published comparisons of this page run it. With sixty transitions kept, on three small sequences (five seeds each), 0.1 ended above 0 on
 * all: poles 186 of 200 against 117, ways over ice 0.95 against 0.75, choices 0.36 against 0.24; with 1 poles were not learned.
 */
const valueCloningSource = 'CLEAR: 0.005. Here 0.1 ended best on three small sequences';

/** The words of a loop on what samples and kept transitions are. */
interface Words {
  readonly samples: string;
  readonly kept: string;
  readonly share: string;
  /** Largest share of kept transitions. */
  readonly mostKept: number;
}

/** The kinds that all loops have alike, and what their kinds with rehearsal have before the weights of cloning. */
function sharedKinds(own: Words) {
  const samples = fields.integer(256, { ...samplesWords, description: own.samples });
  const share = fields.real(0.5, { ...shareWords, max: own.mostKept, description: own.share });
  const kept = { ...capacityWords, description: own.kept };
  return {
    plain: [kind('none', {}), kind('EWC', { strength, samples, every }), kind('online EWC', { strength, decay, samples, every })],
    rehearsal: { capacity: fields.integer(2000, kept), share },
    several: {
      strength: fields.real(100, { ...strengthWords, title: 'strength of the penalty (lambda; 0: none)' }),
      samples,
      every,
      capacity: fields.integer(250, { ...kept, min: 0, title: 'transitions kept (0: none)' }),
      share,
    },
  } as const;
}

const ofValues = sharedKinds({
  samples: samplesWords.description,
  kept: capacityWords.description,
  share: shareWords.description,
  mostKept: shareWords.max,
});

/** Of methods of action values. */
export const forgettingFields = {
  forgetting: variant(
    'none',
    [
      ...ofValues.plain,
      kind('rehearsal', { ...ofValues.rehearsal, cloning: fields.real(0, { ...cloningWords, source: valueCloningSource }) }),
      kind('several', { ...ofValues.several, resets, jump }),
      ...apart,
      renewal,
    ],
    words,
  ),
};

/** How a method of policy and value differs: what it draws samples from, and how strongly it clones. */
interface PolicyWords extends Omit<Words, 'mostKept'> {
  readonly policyCloning: number;
  readonly valueCloning: number;
  /** Where the weights of cloning come from. */
  readonly cloningSource: string;
}

/** Of methods of a policy and values beside it. */
function policyForgetting({ policyCloning, valueCloning, cloningSource: source, ...own }: PolicyWords) {
  const clonings = {
    cloning: fields.real(policyCloning, {
      ...cloningWords,
      source,
      title: 'weight of cloning the policy',
      description: 'Of the divergence of the policy from the one that acted when the transition was kept. 0: off.',
    }),
    valueCloning: fields.real(valueCloning, {
      ...cloningWords,
      source,
      title: 'weight of cloning the values',
      description: 'Of the squared distance from the values that were given when the transition was kept. 0: off.',
      depth: 'research',
    }),
  };
  const shared = sharedKinds({ ...own, mostKept: 0.9 });
  return {
    forgetting: variant(
      'none',
      [
        ...shared.plain,
        kind('rehearsal', { ...shared.rehearsal, ...clonings }),
        kind('several', { ...shared.several, ...clonings, resets, jump }),
        ...apart,
        renewal,
      ],
      words,
    ),
  };
}

/** Of PPO, which has no replay buffer. */
export const rolloutForgettingFields = policyForgetting({
  samples: 'Steps of the finished block, drawn from its newest rollouts, over which squared gradients are averaged.',
  kept: 'A uniform sample of all transitions so far.',
  share:
    'Part of what a step of the optimiser learns from that is drawn from the kept transitions; the rest is the minibatch of the rollout.',
  // Five seeds each: poles 159 of 200, where 0.01 and 0.005 ended at 107; choices 0.33 against 0.29.
  // Configs hold both weights wherever there is rehearsal, so what older ones compute does not depend on these.
  policyCloning: 1,
  valueCloning: 0.5,
  cloningSource: 'CLEAR: 0.01 and 0.005. Here 1 and 0.5 ended best on two small sequences',
});
/** Of SAC. */
export const replayForgettingFields = policyForgetting({
  samples: samplesWords.description,
  kept: capacityWords.description,
  share: shareWords.description,
  policyCloning: 0,
  valueCloning: 0,
  cloningSource: cloningWords.source,
});

/** What all methods ask of it. */
export type Forgetting = z.infer<typeof forgettingFields.forgetting> | PolicyForgetting;
export type PolicyForgetting = z.infer<typeof rolloutForgettingFields.forgetting>;

export const forgettingPenalty: MetricCard = {
  id: 'forgettingPenalty',
  title: 'penalty against forgetting',
  description: 'Part of the loss that holds weights (EWC) or action values (cloning) where earlier tasks had them.',
};

export const dormantShare: MetricCard = {
  id: 'dormantUnits',
  title: 'dormant units',
  description: 'Share of hidden units dormant at the last look.',
};

/** The penalty on weights that is asked for; null: none. */
export function penaltyOf(c: Forgetting): EwcSettings | null {
  if (c.kind === 'EWC' || c.kind === 'online EWC') return c;
  return c.kind === 'several' && c.strength > 0 ? { kind: 'EWC', strength: c.strength, samples: c.samples } : null;
}

/** What is rehearsed, and how strongly the policy and the values of then are cloned; null: nothing. Action values have `cloning` alone. */
export function rehearsedOf(c: Forgetting) {
  if (c.kind !== 'rehearsal' && !(c.kind === 'several' && c.capacity > 0)) return null;
  const { capacity, share } = c;
  return { capacity, share, cloning: 'cloning' in c ? c.cloning : 0, valueCloning: 'valueCloning' in c ? c.valueCloning : 0 };
}

/** Which parts of a network belong to tasks. */
export const headsOf = (c: Forgetting): boolean => c.kind === 'heads';
export const packedOf = (c: Forgetting) => (c.kind === 'packed masks' ? c : null);

/** Threshold of dormant units that are started anew; 0: none are. */
export const resetsOf = (c: Forgetting): number => (c.kind === 'several' || c.kind === 'resets' ? c.resets : 0);

/** Standard deviations by which the loss jumps where a task ends; 0: that is not looked for. */
export const jumpOf = (c: Forgetting): number => (c.kind === 'several' ? c.jump : 0);

/** Environment steps from one end of a task to the next; 0: none is given. */
export function taskSteps(meta: EnvMeta, c: Forgetting): number {
  const every = 'every' in c ? c.every : 0;
  return every > 0 ? every : (meta.blockSteps ?? 0);
}

const KIND = 'algo.forgetting.kind';
const RESETS = 'algo.forgetting.resets';
const PLAIN = 'Dormant units are found in plain hidden layers only.';
const bad = (message: string, fix: string, field: string): Error => fail('config-invalid', message, fix, field);

/** Throws LabError('config-invalid') where something waits for the end of a task that never comes, or for tasks that are not told. */
function checkTasks(meta: EnvMeta, c: Forgetting): void {
  if (headsOf(c) || packedOf(c) !== null) toldTasks(meta);
  const waits = penaltyOf(c) !== null || resetsOf(c) > 0 || packedOf(c) !== null;
  if (waits && jumpOf(c) === 0 && taskSteps(meta, c) === 0)
    throw bad(
      'Weights are kept, and units started anew, where a task ends, and this environment has no sequence of tasks.',
      c.kind === 'several'
        ? 'Give the environment contexts with an order of blocks, or set "consolidate every" or the jump of the loss.'
        : c.kind === 'packed masks'
          ? 'Give the environment contexts with an order of blocks.'
          : 'Give the environment contexts with an order of blocks, or set "consolidate every".',
      c.kind === 'packed masks' ? KIND : 'algo.forgetting.every',
    );
}

const isKind = (setting: unknown, ...kinds: readonly string[]): boolean =>
  typeof setting === 'object' && setting !== null && 'kind' in setting && kinds.some((kind) => setting.kind === kind);

/** Throws LabError('config-invalid') where it does not fit the task, or the networks and the replay that the method is set to. */
export function checkForgetting(meta: EnvMeta, c: Forgetting, method: MethodSettings, networks: Stand['networks']): void {
  checkTasks(meta, c);
  if (networks !== 'q' && meta.agentCount > 1)
    throw bad('What keeps earlier tasks is built for one agent.', 'Set it to none, or choose an environment of one agent.', KIND);
  const parts = headsOf(c) || packedOf(c) !== null;
  const filtered = typeof method.filters === 'number' && method.filters > 0;
  if (networks === 'q') {
    const varied = method.dueling === true || isKind(method.noisy, 'on') || filtered || !isKind(method.distribution, 'none');
    if (parts && varied)
      throw bad(
        'Parts of the network belong to tasks in plain layers only.',
        'Turn off dueling heads, noisy layers, filters and distributions.',
        KIND,
      );
    if (resetsOf(c) > 0 && varied)
      throw bad(PLAIN, 'Set the threshold of resets to 0, or turn off dueling heads, noisy layers, filters and distributions.', RESETS);
    if (rehearsedOf(c) !== null && isKind(method.prioritised, 'on'))
      throw bad(
        'Kept transitions have no priorities, so rehearsal and prioritised replay exclude each other.',
        'Turn one of them off.',
        'algo.prioritised.kind',
      );
    return;
  }
  if (parts && method.normaliseObs === true)
    throw bad(
      'Tasks are known by the numbers that agents are told, which would be normalised.',
      'Turn normalised observations off.',
      'algo.normaliseObs',
    );
  if (parts && isKind(method.hindsight, 'on'))
    throw bad(
      'Goals that were reached later and parts of the network for tasks exclude each other.',
      'Turn one of them off.',
      'algo.hindsight.kind',
    );
  if (resetsOf(c) > 0 && (method.sharedTrunk === true || method.layerNorm === true || filtered))
    throw bad(
      PLAIN,
      networks === 'policy'
        ? 'Set the threshold of resets to 0, or turn off the shared trunk, norms and filters.'
        : 'Set the threshold of resets to 0, or turn norms off.',
      RESETS,
    );
}
