/** Units and scenarios of SMAX: JaxMARL at c793d09, `smax_env.py`. Lengths in map units, times in seconds. */

export const UNITS = ['marine', 'marauder', 'stalker', 'zealot', 'zergling', 'hydralisk'] as const;
export type Unit = (typeof UNITS)[number];

/** By unit number. */
export const VELOCITY = Float64Array.of(3.15, 2.25, 4.13, 3.15, 4.13, 3.15);
export const DAMAGE = Float64Array.of(9, 10, 13, 8, 5, 12);
export const RANGE = Float64Array.of(5, 6, 6, 2, 2, 5);
export const SIGHT = Float64Array.of(9, 10, 10, 9, 8, 9);
export const RADIUS = Float64Array.of(0.375, 0.5625, 0.625, 0.5, 0.375, 0.625);
export const HEALTH = Float64Array.of(45, 125, 160, 150, 35, 80);
export const COOLDOWN = Float64Array.of(0.61, 1.07, 1.87, 0.86, 0.5, 0.59);

/** Kinds in their order, how many of each; `drawn`: kinds and places are drawn anew in each episode (SMACv2). */
interface Scenario {
  readonly allies: readonly (readonly [count: number, unit: number])[];
  readonly enemies?: readonly (readonly [count: number, unit: number])[];
  readonly drawn?: true;
}

export const SCENARIOS = {
  '3m': { allies: [[3, 0]] },
  '2s3z': {
    allies: [
      [2, 2],
      [3, 3],
    ],
  },
  '25m': { allies: [[25, 0]] },
  '3s5z': {
    allies: [
      [3, 2],
      [5, 3],
    ],
  },
  '8m': { allies: [[8, 0]] },
  '5m_vs_6m': { allies: [[5, 0]], enemies: [[6, 0]] },
  '10m_vs_11m': { allies: [[10, 0]], enemies: [[11, 0]] },
  '27m_vs_30m': { allies: [[27, 0]], enemies: [[30, 0]] },
  '3s5z_vs_3s6z': {
    allies: [
      [3, 2],
      [5, 3],
    ],
    enemies: [
      [3, 2],
      [6, 3],
    ],
  },
  '3s_vs_5z': { allies: [[3, 2]], enemies: [[5, 3]] },
  '6h_vs_8z': { allies: [[6, 5]], enemies: [[8, 3]] },
  smacv2_5_units: { allies: [[5, 0]], drawn: true },
  smacv2_10_units: { allies: [[10, 0]], drawn: true },
  smacv2_20_units: { allies: [[20, 0]], drawn: true },
} as const satisfies { readonly [name: string]: Scenario };

export type ScenarioName = keyof typeof SCENARIOS;
export const SCENARIO_NAMES = [
  '3m',
  '2s3z',
  '25m',
  '3s5z',
  '8m',
  '5m_vs_6m',
  '10m_vs_11m',
  '27m_vs_30m',
  '3s5z_vs_3s6z',
  '3s_vs_5z',
  '6h_vs_8z',
  'smacv2_5_units',
  'smacv2_10_units',
  'smacv2_20_units',
] as const satisfies readonly ScenarioName[];

export interface Sides {
  /** Unit numbers, allies first. */
  readonly types: readonly number[];
  readonly allies: number;
  readonly enemies: number;
  readonly drawn: boolean;
}

const listed = (kinds: Scenario['allies']): number[] => kinds.flatMap(([count, unit]) => new Array<number>(count).fill(unit));

/** The two teams of a scenario. */
export function sidesOf(name: ScenarioName): Sides {
  const scenario: Scenario = SCENARIOS[name];
  const allies = listed(scenario.allies);
  const enemies = listed(scenario.enemies ?? scenario.allies);
  return { types: [...allies, ...enemies], allies: allies.length, enemies: enemies.length, drawn: scenario.drawn === true };
}
