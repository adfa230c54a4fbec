/**
 * What an episode was like for a society or a fleet. Social outcomes after Perolat et al. 2017: efficiency, equality, sustainability,
 * peace; path finding after the MAPF literature: throughput, success, costs. R_i is the return of agent i, N agents, T steps, times from 0.
 */
export interface OneShot {
  readonly isr: number; // share of agents that arrived
  readonly csr: 0 | 1; // 1: all arrived
  readonly makespan: number; // steps until the last arrived
  readonly soc: number; // sum of costs in steps
}

/** What the whole group earns per step: sum_i R_i / T. */
export function efficiency(returns: ArrayLike<number>, steps: number): number {
  let sum = 0;
  for (let i = 0; i < returns.length; i++) sum += returns[i]!;
  return sum / steps;
}

/** 1 - Gini = 1 - sum_ij |R_i - R_j| / (2 N sum_i R_i). NaN where it means nothing: a sum of 0, or anybody below 0. */
export function equality(returns: ArrayLike<number>, from = 0, n = returns.length): number {
  let sum = 0;
  let gaps = 0;
  for (let i = from; i < from + n; i++) {
    const r = returns[i]!;
    if (r < 0) return Number.NaN;
    sum += r;
    for (let j = from; j < i; j++) gaps += Math.abs(r - returns[j]!);
  }
  return sum > 0 ? 1 - gaps / (n * sum) : Number.NaN;
}

/** Mean over agents of the mean time at which rewards above 0 arrive; agents that never got one are left out. NaN if none did. */
export function sustainability(rewards: readonly (readonly number[])[]): number {
  let sum = 0;
  let agents = 0;
  for (const row of rewards) {
    const times = row.flatMap((r, t) => (r > 0 ? [t] : []));
    if (times.length === 0) continue;
    sum += times.reduce((a, b) => a + b, 0) / times.length;
    agents++;
  }
  return agents > 0 ? sum / agents : Number.NaN;
}

/** Agents in play on an average step: (N T - steps spent out) / T. `out` is [N][T], 1 where an agent is tagged out. */
export function peace(out: readonly (readonly number[])[]): number {
  const steps = (out[0] as readonly number[]).length;
  const spent = out.reduce((sum, row) => sum + row.reduce((a, b) => a + b, 0), 0);
  return (out.length * steps - spent) / steps;
}

/** Goals reached per step, all agents together. */
export function throughput(goals: readonly number[], steps: number): number {
  return goals.reduce((a, b) => a + b, 0) / steps;
}

/** Arrival step of each agent, null: not within the horizon, which it then costs. */
export function oneShot(arrival: readonly (number | null)[], horizon: number): OneShot {
  const costs = arrival.map((t) => t ?? horizon);
  const arrived = arrival.filter((t) => t !== null).length;
  return {
    isr: arrived / arrival.length,
    csr: arrived === arrival.length ? 1 : 0,
    makespan: Math.max(...costs),
    soc: costs.reduce((a, b) => a + b, 0),
  };
}
