/**
 * Links to an explanation: made from what is on the stage, and opened by finding or training the policy again. The link holds config, seed,
 * step and a hash of the policy, the start of the episode, the frame and the changes by hand; never weights.
 */

import { heldPolicies } from '#client/runs/policies.ts';
import { sameJson } from '#contract/kit/canonical.ts';
import { fail } from '#contract/kit/errors.ts';
import { type Pin, policyHash } from '#contract/link/pin.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { sameRef, sameSettings } from '#contract/run/flat-settings.ts';
import { draftStore } from '#stores/draft.ts';
import { chooseAgent, explainStore } from '#stores/explain.ts';
import { networkStore } from '#stores/network.ts';
import { makePinned, openPin, pinnedGone, pinnedShown, pinStore } from '#stores/pins.ts';
import { policiesStore } from '#stores/policies.ts';
import { findGroup, runsStore } from '#stores/runs.ts';
import { keepStartAt, stageStore } from '#stores/stage.ts';
import type { RunGroup } from '#stores/types.ts';

export interface PinsOptions {
  /** The link of a complete config with this pin. Throws link-too-long. */
  readonly link: (config: RunConfig, pin: Pin) => string;
  /** Whether the episode on the stage explores: its actions then follow from more than the policy. */
  readonly exploring: () => boolean;
  readonly readRun: (runId: string) => Promise<void>;
  readonly watch: (runId: string, seed: number, step: number) => Promise<void>;
  readonly train: (config: RunConfig) => Promise<string>;
  readonly stop: (runId: string) => void;
  readonly edit: (edits: Pin['edits']) => void;
}

export class Pins {
  private readonly options: PinsOptions;
  /** The run that is trained for the pin. */
  private making: string | null = null;
  private looking = false;

  constructor(options: PinsOptions) {
    this.options = options;
    pinStore.subscribe(({ pin }, before) => {
      if (pin !== before.pin) this.making = null;
    });
    policiesStore.subscribe(() => {
      if (pinStore.getState().status === 'training') void this.find();
    });
    runsStore.subscribe(() => {
      const { status } = pinStore.getState();
      if (status === 'training' && this.ended()) pinnedGone();
    });
  }

  /** The link to what is explained now. Throws LabError: there is no such policy, it was not kept, the episode explores, or the link is too long. */
  make(view: Pin['view']): string {
    const { policy, replay, t } = stageStore.getState();
    const group = findGroup(policy?.runId ?? null);
    if (policy === null || replay === null || group === null)
      throw fail(
        'incompatible',
        'There is no learned policy of a run on the stage.',
        'Train first, or choose a point of the learning timeline.',
      );
    const held = heldPolicies(group.id, policy.seed).find(({ snapshot }) => snapshot.step === policy.step);
    if (held === undefined || !held.keep || this.options.exploring())
      throw fail(
        'incompatible',
        'This policy is one of training in passing: it could not be made again.',
        'Choose a kept one, a tick of the learning timeline, or wait until training ends.',
      );
    if (!sameSettings(replay.env, held.snapshot.env) || group.parent !== null)
      throw fail(
        'incompatible',
        'The world was changed since, or the run is a fork: the link could not say all of it.',
        'Watch a policy of an ordinary run in the world it was trained in.',
      );
    const { edits } = networkStore.getState();
    return this.options.link(group.config, {
      seed: policy.seed,
      step: policy.step,
      policy: policyHash(held.snapshot),
      start: replay.seed,
      t,
      agent: explainStore.getState().agent,
      view,
      edits: edits.map((edit) => (edit.kind === 'observe' ? { kind: 'observe', obs: [...edit.obs] } : { ...edit })),
    });
  }

  /** Shows the pinned moment if a run here has the policy. */
  async find(): Promise<void> {
    const { pin, status } = pinStore.getState();
    if (pin === null || this.looking || status === 'shown' || status === 'differs') return;
    this.looking = true;
    try {
      const { config } = draftStore.getState();
      for (const group of runsStore.getState().groups) {
        if (!trainsTheSame(group, config) || !group.seeds.some(({ seed }) => seed === pin.seed)) continue;
        await this.options.readRun(group.id);
        const held = heldPolicies(group.id, pin.seed).find(({ snapshot, keep }) => keep && snapshot.step === pin.step);
        if (held === undefined) continue;
        if (await this.show(group.id, pin)) pinnedShown(policyHash(held.snapshot) === pin.policy);
        return;
      }
    } finally {
      this.looking = false;
    }
  }

  /** Trains the seed of the pin up to its step: the budget stays, because settings may fall over it, but the run is stopped there. */
  async recompute(): Promise<void> {
    const { pin } = pinStore.getState();
    if (pin === null) return;
    const { config } = draftStore.getState();
    makePinned();
    this.making = await this.options.train({ ...config, run: { ...config.run, seeds: 1, seedStart: pin.seed } });
  }

  /** The note is put away; what is on the stage stays. */
  dismiss(): void {
    openPin(null);
    keepStartAt(null);
  }

  /** false: something else was chosen for the stage meanwhile. */
  private async show(runId: string, pin: Pin): Promise<boolean> {
    if (this.making === runId) this.options.stop(runId);
    keepStartAt(pin.start);
    await this.options.watch(runId, pin.seed, pin.step);
    const { policy, setPlaying, seek } = stageStore.getState();
    if (policy?.runId !== runId || policy.seed !== pin.seed || policy.step !== pin.step) {
      keepStartAt(null);
      return false;
    }
    setPlaying(false);
    seek(pin.t);
    chooseAgent(pin.agent);
    this.options.edit(pin.edits);
    return true;
  }

  private ended(): boolean {
    const seeds = findGroup(this.making)?.seeds ?? [];
    return (
      this.making !== null &&
      !this.looking &&
      seeds.length > 0 &&
      seeds.every(({ state }) => state === 'done' || state === 'failed' || state === 'stopped')
    );
  }
}

/** Whether a seed of this run learns what the same seed of that config learns: how many seeds there are does not matter. */
function trainsTheSame(group: RunGroup, config: RunConfig): boolean {
  const { env, algo, run } = group.config;
  if (group.imported !== undefined || group.parent !== null) return false;
  return (
    sameRef(env, config.env) &&
    sameRef(algo, config.algo) &&
    run.steps === config.run.steps &&
    run.evalEvery === config.run.evalEvery &&
    run.executor === config.run.executor &&
    sameJson(run.shaping ?? null, config.run.shaping ?? null)
  );
}
