/**
 * Policies of teams that communicate. A query's rows are taken team by team: A rows with agents 0 .. A - 1 are one team; any other row is
 * an agent alone, to whom no teammate sends anything. The hidden row of an agent is what it carries (the message it sent last). Asked through
 * `communication`, messages of muted agents are not delivered.
 */
import type { Engine, Program, Views } from '#core/engine/types.ts';
import { perAgent } from '#core/envs/api/meta.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { exp, log } from '#math/functions.ts';
import { argmax, categorical, normal } from '#math/sampling.ts';
import type { Act, ActQuery, Policy } from '../../api/types.ts';
import { teamsOf } from '../sharing.ts';
import { actingStep, compileSlope, stepInputs, type TeamNetwork } from './networks.ts';

const TEAMS = 16;

export interface CommunicatingOptions {
  readonly engine: Engine;
  readonly meta: EnvMeta;
  readonly net: TeamNetwork;
  readonly silent: boolean;
  dispose?(): void;
}

/** Where a row of the query stands among the agents of the teams that a program takes at once. */
interface Place {
  readonly row: number;
  readonly place: number;
}
type StepProgram<Out> = Program<Views & { readonly obs: Float32Array; readonly gate: Float32Array }, Out>;

/** Programs by their number of teams, compiled when first needed. */
function byTeams<P>(compile: (teams: number) => P): (teams: number) => P {
  const programs = new Map<number, P>();
  return (teams) => {
    const program = programs.get(teams) ?? compile(teams);
    programs.set(teams, program);
    return program;
  };
}

export function communicatingPolicy({ engine, meta, net, silent, dispose }: CommunicatingOptions): Policy {
  const { agentCount: A, obsSize: O, actionCount: N, actionSize: D } = meta;
  const S = net.stateSize;
  const acting = byTeams((teams) =>
    engine.compile(stepInputs(net, meta, teams, false), (x, g) => actingStep(x, g, net, meta, false), { name: 'team policy' }),
  );
  const slopes = byTeams((teams) => compileSlope(engine, net, meta, teams));
  const spaces = perAgent(meta, (group) => group.action);
  const widths = { logits: N, mean: D, logStd: D, value: 1, messages: net.messageSize, state: S };
  type Name = keyof typeof widths;

  /** Runs a program over all teams of a query; `take` reads its answers. */
  async function over<Out>(
    query: ActQuery,
    programOf: (teams: number) => StepProgram<Out>,
    take: (out: Out, places: readonly Place[]) => void,
    { actions, muted }: { readonly actions?: Act['actions']; readonly muted?: Uint8Array | null } = {},
  ): Promise<void> {
    const { agent, obs, mask, hidden, rng } = query;
    const teams = teamsOf(query, A);
    const count = teams.length === 1 ? 1 : TEAMS;
    const program = programOf(count);
    const feed = program.in;
    for (let from = 0; from < teams.length; from += count) {
      const part = teams.slice(from, from + count);
      feed.obs.fill(0);
      feed.gate.fill(0);
      feed.mask?.fill(1);
      feed.state?.fill(0);
      feed.action?.fill(0);
      if (feed.noise !== undefined) for (let i = 0; i < feed.noise.length; i++) feed.noise[i] = normal(rng);
      const places = part.flatMap(({ first, size }, team) =>
        Array.from({ length: size }, (_, i) => ({ row: first + i, place: team * A + agent[first + i]! })),
      );
      for (const { row, place } of places) {
        feed.obs.set(obs.subarray(row * O, (row + 1) * O), place * O);
        feed.gate[place] = silent || muted?.[row] === 1 ? 0 : 1;
        if (mask !== undefined) feed.mask?.set(mask.subarray(row * N, (row + 1) * N), place * N);
        feed.state?.set(hidden.subarray(row * S, (row + 1) * S), place * S);
        if (actions !== undefined) feed.action?.set(actions.subarray(row * D, (row + 1) * D), place * D);
      }
      const pending = program.run();
      if (pending) await pending;
      take(program.out, places);
    }
  }

  async function forward(query: ActQuery, muted: Uint8Array | null): Promise<{ [name in Name]?: Float32Array }> {
    const answers: { [name in Name]?: Float32Array } = {};
    const take = (out: { readonly [name in Name]?: Float32Array }, places: readonly Place[]): void => {
      for (const name of Object.keys(widths) as Name[]) {
        const found = out[name];
        if (found === undefined) continue;
        const width = widths[name];
        const all = (answers[name] ??= new Float32Array(query.rows * width));
        for (const { row, place } of places) all.set(found.subarray(place * width, (place + 1) * width), row * width);
      }
    };
    await over(query, acting, take, { muted });
    return answers;
  }

  function choose(
    { rows, agent, greedy, rng }: ActQuery,
    { logits, mean, logStd }: { readonly [name in Name]?: Float32Array },
  ): Act['actions'] {
    if (logits !== undefined) {
      return Int32Array.from({ length: rows }, (_, row) =>
        greedy ? argmax(logits, row * N, N) : categorical(logits, row * N, N, rng.uniform()),
      );
    }
    if (mean === undefined || logStd === undefined) throw new Error('A policy gives logits, or a mean and a log std.');
    const actions = new Float32Array(rows * D);
    for (let row = 0; row < rows; row++) {
      const space = spaces[agent[row]!]!;
      if (space.kind !== 'box') continue;
      for (let d = 0; d < space.size; d++) {
        const i = row * D + d;
        const drawn = greedy ? mean[i]! : mean[i]! + exp(logStd[i]!) * normal(rng);
        actions[i] = Math.min(space.high[d]!, Math.max(space.low[d]!, drawn));
      }
    }
    return actions;
  }

  async function answer(query: ActQuery, muted: Uint8Array | null): Promise<{ readonly act: Act; readonly messages: Float32Array }> {
    const { state, messages, ...heads } = await forward(query, muted);
    const act = { actions: choose(query, heads), hidden: state ?? new Float32Array(0), ...heads };
    return { act, messages: messages ?? new Float32Array(0) };
  }

  return {
    initial: (rows) => new Float32Array(rows * S),
    act: async (query) => (await answer(query, null)).act,
    ...(net.messageSize > 0 && { communication: { topology: net.topology ?? 'peer', act: answer } }),
    async gradient(query, actions) {
      const out = new Float32Array(query.rows * O);
      const take = ({ slope }: { readonly slope: Float32Array }, places: readonly Place[]): void => {
        for (const { row, place } of places) out.set(slope.subarray(place * O, (place + 1) * O), row * O);
      };
      await over(query, slopes, take, { actions });
      return out;
    },
    dispose() {
      dispose?.();
    },
  };
}

type Choices = Pick<Act, 'logits' | 'mean' | 'logStd'>;

function categoricalKlRow(p: Float32Array, q: Float32Array, at: number, n: number): number {
  let topP = Number.NEGATIVE_INFINITY;
  let topQ = Number.NEGATIVE_INFINITY;
  for (let i = at; i < at + n; i++) {
    topP = Math.max(topP, p[i]!);
    topQ = Math.max(topQ, q[i]!);
  }
  let sumP = 0;
  let sumQ = 0;
  for (let i = at; i < at + n; i++) {
    sumP += exp(p[i]! - topP);
    sumQ += exp(q[i]! - topQ);
  }
  let kl = 0;
  for (let i = at; i < at + n; i++) {
    const weight = exp(p[i]! - topP) / sumP;
    if (weight > 0) kl += weight * (p[i]! - topP - log(sumP) - (q[i]! - topQ - log(sumQ)));
  }
  return Math.max(0, kl);
}

interface Gaussians {
  readonly mean: Float32Array;
  readonly logStd: Float32Array;
}

function gaussianKlRow(p: Gaussians, q: Gaussians, at: number, d: number): number {
  let kl = 0;
  for (let i = at; i < at + d; i++) {
    const spreadP = p.logStd[i]!;
    const spreadQ = q.logStd[i]!;
    const off = p.mean[i]! - q.mean[i]!;
    kl += spreadQ - spreadP + 0.5 * ((exp(2 * spreadP) + off * off) * exp(-2 * spreadQ) - 1);
  }
  return Math.max(0, kl);
}

const gaussiansOf = ({ mean, logStd }: Choices): Gaussians | null => (mean === undefined || logStd === undefined ? null : { mean, logStd });

/** KL of two action distributions in nats; 0 where they hold neither logits nor a mean with its log std. */
export function choiceKl(p: Choices, q: Choices, row: number, actionCount: number, actionSize: number): number {
  if (p.logits !== undefined && q.logits !== undefined) return categoricalKlRow(p.logits, q.logits, row * actionCount, actionCount);
  const [own, other] = [gaussiansOf(p), gaussiansOf(q)];
  return own === null || other === null ? 0 : gaussianKlRow(own, other, row * actionSize, actionSize);
}
