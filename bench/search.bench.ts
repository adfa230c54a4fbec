/**
 * Is the model-based search worth its name? TPE against random search at 24 set-ups on tables of real runs, 500 replays each, and once live.
 * A table is a random sweep of 100 set-ups, trained once and kept as the command line wrote it:
 *   npm run rl -- sweep bench/search/ID.json --out DIR && cp DIR/sweep.json bench/search/tables/ID.json
 * The live searches are two sweeps of 24 set-ups each on other tuning seeds (live-tpe.json, live-random.json), kept the same way.
 * Intervals are over replays: they say how sure a difference is on this table, not on other tasks.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { type FiledSweep, readSweepFile } from '#contract/sweep/folder.ts';
import { Rng } from '#math/rng.ts';
import { replay } from '#math/search/replay.ts';
import { mean, median } from '#math/stats.ts';
import { meanInterval } from '#math/stats-compare.ts';

const SETUPS = 24;
const REPLAYS = 500;

const known = (scores: readonly (number | null)[]): readonly number[] => scores.flatMap((score) => (score === null ? [] : [score]));

function replayed({ sweep, setups }: FiledSweep, replays: number): JsonObject {
  const sign = sweep.better === 'more' ? 1 : -1; // more is better for the searches
  const table = setups.map(({ point, score }) => ({ point, score: score === null ? null : sign * score }));
  const scores = known(table.map(({ score }) => score));
  const [best, middle] = [Math.max(...scores), median(scores)];
  const games = Array.from({ length: replays }, (_, i) => replay(sweep.dimensions, table, SETUPS, sweep.search.batch, Rng.from(i + 1)));
  const difference = meanInterval(games.map(({ tpe, random }) => tpe - random));
  const share = (holds: (tpe: number, random: number) => boolean): number =>
    games.filter(({ tpe, random }) => holds(tpe, random)).length / replays;
  const found = (search: 'tpe' | 'random'): JsonObject => {
    const average = mean(games.map((game) => game[search]));
    // Normalised: 1 is the best set-up of the table, 0 its middle one.
    return { best: sign * average, normalised: (average - middle) / (best - middle) };
  };
  return {
    setups: setups.length,
    failed: setups.length - scores.length,
    bestOfTable: sign * best,
    middleOfTable: sign * middle,
    tpe: found('tpe'),
    random: found('random'),
    difference: difference.mean,
    interval: [difference.mean - difference.halfWidth, difference.mean + difference.halfWidth],
    tpeFoundBetter: share((tpe, random) => tpe > random),
    same: share((tpe, random) => tpe === random),
    replays,
  };
}

/** What one search found that was trained for it. */
function live({ setups, best, reported }: FiledSweep): JsonObject {
  const fresh = known(reported?.best ?? []);
  return {
    setups: setups.length,
    best: setups.find(({ number }) => number === best)?.score ?? null,
    onFreshSeeds: fresh.length === 0 ? null : mean(fresh),
    freshSeeds: fresh.length,
  };
}

export async function run(options: {
  readonly quick: boolean;
  readonly project: string;
  readonly log: (line: string) => void;
}): Promise<Json> {
  const folder = join(options.project, 'bench/search');
  const rows: JsonObject[] = [];
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
    const file = join(folder, 'tables', name);
    if (!existsSync(file)) {
      options.log(`${name}: not trained yet. npm run rl -- sweep bench/search/${name} --out DIR, then keep DIR/sweep.json as ${file}`);
      continue;
    }
    const filed = readSweepFile(readFileSync(file, 'utf8'));
    if (filed.state !== 'done') throw new Error(`${file} is of a sweep that was not over.`);
    const found = name.startsWith('live-') ? live(filed) : replayed(filed, options.quick ? 50 : REPLAYS);
    const row = { table: basename(name, '.json'), title: filed.sweep.title ?? null, ...found };
    options.log(JSON.stringify(row));
    rows.push(row);
  }
  return rows;
}
