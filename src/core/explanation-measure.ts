/**
 * Explanations that a claim can be judged by: a truth is planted in a trained team, or two estimators answer one question, and the
 * measurement is one number per training seed. Planted: an agent idle for a share of its steps (its own policy is replaced by the idle
 * action there, by chances of the episode).
 */

import type { AttackMeasure, ExplainMeasure } from '#contract/catalog/catalog.ts';
import { ATTACK, type AttackQuestion } from '#contract/explain/attack.ts';
import { AGENTS, type AgentAttribution, type AgentQuestion, defaultQuestion } from '#contract/explain/explain.ts';
import { requestOf } from '#contract/explain/explain-api.ts';
import { fail, present } from '#contract/kit/errors.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { explainAgents, playersOf } from '#core/explain/agents.ts';
import { type Actor, randomWords, uniformOf } from '#core/explain/api/actors.ts';
import { Scene } from '#core/explain/api/scene.ts';
import { attackTest } from '#core/explain/attack.ts';
import type { Registry } from '#core/run/registry.ts';

const IDLE = 7;

/** The team with some agents idle for a share of their steps. */
function lazy(team: Actor, agents: readonly { readonly agent: number; readonly share: number }[], idle: number, actionSize: number): Actor {
  const words = new Uint32Array(4);
  return {
    get lastAct() {
      return team.lastAct;
    },
    get memory() {
      return team.memory;
    },
    begin: (rows) => team.begin(rows),
    async act(env, buffers, clock, out, unread) {
      await team.act(env, buffers, clock, out, unread);
      const { agentCount } = env.meta;
      for (let b = 0; b < env.batch; b++)
        for (const { agent, share } of agents) {
          randomWords(clock.seed[b]!, clock.step[b]!, agent, IDLE, words);
          if (uniformOf(words[0]!) < share)
            out.fill(idle, (b * agentCount + agent) * actionSize, (b * agentCount + agent + 1) * actionSize);
        }
    },
  };
}

export interface Measured {
  /** The number that `card.expect` judges; null: there was nothing to compare, so the seed says nothing. */
  readonly value: number | null;
  /** Pairs of agents whose values differ, so that their ranks were compared; null: no ranks were asked for. */
  readonly pairs: number | null;
}

/** What the attack costs, in return. */
async function measureAttack(snapshot: PolicySnapshot, measure: AttackMeasure, registry: Registry): Promise<Measured> {
  const question: AttackQuestion = { eps: 0.2, steps: 1, episodes: 50, ...measure.question };
  const scene = await Scene.open(requestOf(ATTACK, question, { env: snapshot.env, team: { snapshot } }), { registry });
  try {
    const { clean, attacked } = await attackTest(scene.learned, scene.entry, scene.config, question);
    return { value: clean - attacked, pairs: null };
  } finally {
    scene.free();
  }
}

/** Explains a trained team and measures the answer; see ExplainMeasure and AttackMeasure. Throws LabError('incompatible') where agents must idle and cannot. */
export async function measureExplanation(
  snapshot: PolicySnapshot,
  measure: ExplainMeasure | AttackMeasure,
  registry: Registry,
): Promise<Measured> {
  if (measure.judge === 'attack') return measureAttack(snapshot, measure, registry);
  const question: AgentQuestion = { ...defaultQuestion, ...measure.question };
  const scene = await Scene.open(requestOf(AGENTS, question, { env: snapshot.env, team: { snapshot } }), { registry });
  const { entry, config, meta } = scene;
  const idle = meta.actionCount > 0 ? (meta.noopAction ?? meta.idleAction) : 0;
  const planted = measure.idle ?? [];
  if (planted.length > 0 && idle === null)
    throw fail('incompatible', 'This environment has no idle action.', 'Choose an environment with an idle action.');
  const ask = async (asked: AgentQuestion): Promise<AgentAttribution> => {
    const players = playersOf(meta, asked);
    const team = scene.team(asked.greedy);
    const absent = scene.replacement(asked.replacement, asked.greedy);
    let last: AgentAttribution | null = null;
    const run = explainAgents({
      entry,
      config,
      meta,
      question: asked,
      team: (batch) => (planted.length === 0 || idle === null ? team(batch) : lazy(team(batch), planted, idle, meta.actionSize)),
      absent: (batch) => absent(batch, players),
    });
    for await (const answer of run) last = answer;
    return present(last, 'answer about the agents');
  };
  try {
    const answer = await ask(question);
    return await judge(measure, answer, () => ask({ ...question, ...measure.sampled }));
  } finally {
    scene.free();
  }
}

/** Judges one answer by the measure; `sampled` gives the second answer where ranks are compared. Exported for its test. */
export async function judge(
  measure: ExplainMeasure,
  answer: AgentAttribution,
  sampled: () => Promise<AgentAttribution>,
): Promise<Measured> {
  const { value, halfWidth, differenceHalfWidth, players } = answer;
  const n = players.length;
  const at = (agent: number): number => players.findIndex((player) => player.agent === agent);
  const [low, high] = [at(measure.agents[0] ?? 0), at(measure.agents[1] ?? 0)];
  const holds = (yes: boolean): Measured => ({ value: yes ? 1 : 0, pairs: null });
  switch (measure.judge) {
    case 'nothing':
      return holds(Math.abs(value[low]!) <= halfWidth[low]! + 1e-9);
    case 'alike':
      return holds(Math.abs(value[low]! - value[high]!) <= differenceHalfWidth[low * n + high]!);
    case 'below':
    case 'above': {
      const sign = measure.judge === 'below' ? -1 : 1;
      const apart = (other: number): boolean => sign * (value[low]! - value[other]!) > differenceHalfWidth[low * n + other]!;
      const first = value.every((v) => sign * (value[low]! - v) >= 0);
      return holds(first && measure.agents.slice(1).map(at).every(apart));
    }
    case 'ranks': {
      const other = await sampled();
      let pairs = 0;
      let same = 0;
      for (let i = 0; i < n; i++)
        for (let j = 0; j < i; j++) {
          const gap = value[i]! - value[j]!;
          if (!(Math.abs(gap) > differenceHalfWidth[i * n + j]!)) continue;
          pairs++;
          if (Math.sign(other.value[i]! - other.value[j]!) === Math.sign(gap)) same++;
        }
      return { value: pairs === 0 ? null : same / pairs, pairs };
    }
  }
}
