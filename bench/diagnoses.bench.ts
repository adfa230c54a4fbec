/**
 * How often diagnoses are right: six planted faults (and some of them elsewhere) must be named on at least four of five seeds, healthy runs
 * must go through without a finding. Thresholds were fixed on seeds 1 to 5 (`--quick`, which writes nothing); reported are others, from 1001 on.
 */
import type { Json } from '#contract/kit/json.ts';
import { type Case, harmless, healthyRuns, moreFaults, plantedFaults, type Told, trainCase } from '#core/testing/planted.ts';

const TUNING = 1;
const REPORTED = 1001;
const SEEDS = 5;
const HEALTHY_SEEDS = 4; // of each of six set-ups

interface Options {
  readonly quick: boolean;
  readonly log: (line: string) => void;
  readonly only: readonly string[];
}

/** Named rightly: the expected finding is the first of all. */
function judged({ expected }: Case, { findings }: Told): boolean {
  return expected === null ? findings.length === 0 : findings[0]?.finding.id === expected;
}

export async function run({ quick, log, only }: Options): Promise<Json> {
  const first = quick ? TUNING : REPORTED;
  const measure = async (cases: readonly Case[], count = SEEDS) => {
    const rows = [];
    for (const one of cases.filter(({ id }) => only.length === 0 || only.includes(id))) {
      const seeds = [];
      for (let seed = first; seed < first + count; seed++) {
        const told = await trainCase(one, seed);
        const named = told.findings.map(({ step, finding }) => ({ id: finding.id, sure: finding.sure, step }));
        seeds.push({ seed, right: judged(one, told), findings: named, standing: told.standing, finalReturn: told.finalReturn });
        const words = named.map(({ id, step }) => `${id} at ${step}`).join(', ') || 'nothing';
        log(`${one.id}, seed ${seed}: ${words}; return ${told.finalReturn === null ? 'none' : told.finalReturn.toFixed(1)}`);
        if (quick) for (const { finding } of told.findings) log(`    ${finding.sure}: ${finding.evidence.join(' ')}`);
      }
      const right = seeds.filter((seed) => seed.right).length;
      log(`${one.id}: ${right} of ${count} right`);
      rows.push({ id: one.id, env: one.env, algo: one.algo, steps: one.steps, expected: one.expected, right, seeds });
    }
    return rows;
  };
  const faults = await measure(plantedFaults);
  const more = await measure(moreFaults);
  const looksLikeFaults = await measure(harmless);
  const healthy = await measure(healthyRuns, HEALTHY_SEEDS);
  const alarms = healthy.reduce((sum, { right }) => sum + HEALTHY_SEEDS - right, 0);
  const named = faults.filter(({ right }) => right >= SEEDS - 1).length;
  log(
    `${named} of ${faults.length} faults named on at least 4 of 5 seeds; ${alarms} false alarms in ${healthy.length * HEALTHY_SEEDS} healthy runs`,
  );
  return {
    firstSeed: first,
    seeds: SEEDS,
    named,
    of: faults.length,
    falseAlarms: alarms,
    healthyRuns: healthy.length * HEALTHY_SEEDS,
    faults,
    more,
    harmless: looksLikeFaults,
    healthy,
  };
}
