/** A population's report inside a policy snapshot (`saved.meta.population`): so it outlives the page, at every kept point of a run. */
import { z } from 'zod';
import type { PolicySnapshot, Saved } from './events.ts';
import type { JsonObject } from './json.ts';
import type { PopulationReport } from './population.ts';

const row = z.array(z.number());

const reportSchema = z.object({
  step: z.number(),
  members: z.array(
    z.object({
      id: z.string(),
      role: z.string(),
      step: z.number(),
      elo: z.number().nullable(),
      learning: z.boolean().optional(),
      held: z.boolean().optional(),
    }),
  ),
  payoffs: z.array(z.array(z.number().nullable())),
  games: z.array(row),
  meta: z.array(row),
  metaSteps: row,
  shares: z
    .object({
      populations: z.array(z.object({ name: z.string(), strategies: z.array(z.string()) })),
      states: z.array(row),
      steps: row,
      flow: z.array(z.object({ at: row, change: row })),
      rest: z.array(row),
    })
    .optional(),
});

/** null: there is none, or it is damaged. */
export function populationOf(snapshot: PolicySnapshot): PopulationReport | null {
  const parsed = reportSchema.safeParse(snapshot.saved.meta.population);
  return parsed.success ? (parsed.data as PopulationReport) : null;
}

export function withPopulation(saved: Saved, report: PopulationReport): Saved {
  return { ...saved, meta: { ...saved.meta, population: report as unknown as JsonObject } };
}
