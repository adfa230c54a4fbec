/**
 * PSRO where best responses must be learned: PPO trains one against opponents drawn from the mixture, it joins the pool, plays everybody,
 * and the meta-solver looks at the payoffs. What the newest response gets against the mixture it answered is a lower bound of how much
 * that mixture can be exploited. Games for payoffs do not count as steps.
 */
import type { Saved } from '#contract/events.ts';
import { joinSaved, partOf, restoreRng } from '#core/state/saved.ts';
import { annealed } from '#math/schedules.ts';
import { episodeRow } from '../../api/metrics.ts';
import type { Progress, Run } from '../../api/types.ts';
import type { EpochOptions } from '../../lib/ppo/team.ts';
import { reportOf } from '../../lib/ppo/team.ts';
import { createArena } from './arena.ts';
import { type MetaSolverConfig, solveMeta } from './meta-solver.ts';
import { mixturePolicy, saveMixture } from './mixture-policy.ts';
import { Pool } from './pool.ts';
import { createSide, type SideConfig } from './side.ts';

export interface TrainedPsroConfig extends MetaSolverConfig, SideConfig, EpochOptions {
  readonly annealLr: boolean;
  readonly responseUpdates: number;
  readonly responseStart: 'last' | 'scratch';
  readonly pairGames: number;
  readonly gameLimit: number;
}

export async function* psroTrained(run: Run<TrainedPsroConfig>, resume: Saved | undefined): AsyncGenerator<Progress, void, void> {
  const c = run.config;
  const engine = await run.makeEngine();
  const side = createSide(run, engine, c, 'response', 0, run.rng.split('response'));
  const limit = c.gameLimit === 0 ? run.meta.evalMaxSteps : c.gameLimit;
  const arena = createArena(engine, run.envEntry, run.envConfig, c, 2 * c.pairGames, limit);
  const picking = run.rng.split('picking');
  const matching = run.rng.split('matching');
  const pool = new Pool();
  let step = 0;
  let updates = 0; // of this response
  let winRate = Number.NaN;
  let gain = Number.NaN;
  if (resume === undefined) pool.add({ id: 'start', role: 'response', step: 0, held: false, frozen: await side.frozen() });
  else {
    engine.load(partOf(resume, 'engine'));
    side.load(partOf(resume, 'side'));
    pool.load(partOf(resume, 'pool'));
    restoreRng(picking, resume.arrays.picking);
    restoreRng(matching, resume.arrays.matching);
    [step, updates, winRate, gain] = resume.arrays.counters as unknown as [number, number, number, number];
  }
  const payoffs = () => pool.members.map((a) => pool.members.map((b) => pool.payoff(a.id, b.id) ?? 0));
  let mixture = solveMeta(payoffs(), c);
  if (resume === undefined) pool.mixes(0, mixture);
  const choose = () => {
    let u = picking.uniform();
    const at = mixture.findIndex((p) => p > 0 && (u -= p) < 0);
    return pool.members[at < 0 ? mixture.length - 1 : at] as (typeof pool.members)[number];
  };

  while (step < run.steps) {
    // 1. The response learns against the mixture.
    const lr = c.annealLr ? annealed(c.lr, c.responseUpdates, updates) : c.lr;
    for (const { opponent, won } of await side.collect(choose)) {
      pool.learnerPlayed(opponent, won);
      winRate = Number.isNaN(winRate) ? won : winRate + 0.02 * (won - winRate);
    }
    const report = await side.learn({ ...c, lr });
    step += c.envs * c.rolloutSteps;
    updates++;
    const learned = reportOf(step, [report], [side.rollout]);

    // 2. When it has had its updates it joins, plays everybody, and there is a new mixture to answer.
    if (updates === c.responseUpdates) {
      const frozen = await side.frozen();
      const id = `response ${pool.members.length}`;
      const others = [...pool.members];
      pool.add({ id, role: 'response', step, held: false, frozen });
      for (const other of others) {
        const match = await arena.play(frozen, other.frozen, matching);
        pool.played(id, other.id, match.games, match.wins, match.payoffs);
      }
      gain = others.reduce((sum, other, i) => sum + mixture[i]! * (pool.payoff(id, other.id) as number), 0);
      mixture = solveMeta(payoffs(), c);
      pool.mixes(step, mixture);
      if (c.responseStart === 'scratch') side.become(pool.get('start').frozen);
      updates = 0;
      winRate = Number.NaN;
    }
    const now = mixture;
    const counters = Float64Array.of(step, updates, winRate, gain);
    const snapshot = (): Saved =>
      saveMixture(
        pool.members.map(({ frozen }) => frozen),
        now,
      );
    yield {
      step,
      metrics: {
        ...episodeRow(side.env),
        ...learned,
        learningRate: lr,
        winRate,
        gain,
        elo: pool.elo().at(-1) ?? Number.NaN,
        members: pool.members.length,
      },
      snapshot,
      save: async () =>
        joinSaved(
          {},
          { engine: await engine.save(), side: side.save(), pool: pool.save() },
          { counters, picking: picking.state.slice(), matching: matching.state.slice() },
        ),
      policy: () => mixturePolicy(() => run.makeEngine(), run.meta, c, snapshot()),
      hash: () => engine.hash(),
      population: () => pool.report(step),
    };
  }
}
