/** A population's report inside a policy snapshot (`saved.meta.population`): so it outlives the page, at every kept point of a run. */
import { z } from 'zod';
import type { PopulationReport } from '../game/population.ts';
import { FIRST_ISSUE, listOf } from '../kit/bounded.ts';
import type { JsonObject } from '../kit/json.ts';
import type { PolicySnapshot, Saved } from '../run/events.ts';

const row = listOf(z.number());

const reportSchema = z.object({
  step: z.number(),
  members: listOf(
    z.object({
      id: z.string(),
      role: z.string(),
      step: z.number(),
      elo: z.number().nullable(),
      learning: z.boolean().optional(),
      held: z.boolean().optional(),
    }),
  ),
  payoffs: listOf(listOf(z.number().nullable())),
  games: listOf(row),
  meta: listOf(row),
  metaSteps: row,
  shares: z
    .object({
      populations: listOf(z.object({ name: z.string(), strategies: listOf(z.string()) })),
      states: listOf(row),
      steps: row,
      flow: listOf(z.object({ at: row, change: row })),
      rest: listOf(row),
    })
    .optional(),
});

/** null: there is none, or it is damaged. */
export function populationOf(snapshot: PolicySnapshot): PopulationReport | null {
  const parsed = reportSchema.safeParse(snapshot.saved.meta.population, FIRST_ISSUE);
  return parsed.success ? (parsed.data as PopulationReport) : null;
}

export function withPopulation(saved: Saved, report: PopulationReport): Saved {
  return { ...saved, meta: { ...saved.meta, population: report as unknown as JsonObject } };
}
