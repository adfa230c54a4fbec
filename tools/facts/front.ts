/**
 * What the front page knows from the start: its tiles, and of each environment how fast its recommended method learns and which arm of a paper plays
 * there. Small records, put in by the build, so that the front page waits neither for the catalogue nor for the papers or the environments' documents.
 * Only node:* and pure modules here, because the build's own config imports it.
 */
import { listed, paperOf } from '#claims/index.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { type Tile, tilesOf } from '#contract/catalog/families.ts';
import { objectOf } from '#contract/kit/json.ts';
import { armConfig } from '#contract/papers/papers.ts';
import { armsOf } from '#math/contrasts.ts';
import { envFacts, type LearnedFact } from './envs.ts';
import { paperFacts, shorter } from './papers.ts';

export interface FrontFact {
  readonly learned: Pick<LearnedFact, 'fraction' | 'kept' | 'seconds'> | null;
  /** The file of the policy that a paper's arm learned in this environment; null: none is kept. */
  readonly played: { readonly paper: string; readonly arm: string } | null;
}

export interface FrontFacts {
  /** Settings of a script stand where it plays; none where a learned policy does. */
  readonly tiles: readonly Tile[];
  /** By environment id. */
  readonly worlds: { readonly [env: string]: FrontFact };
}

/** `envs`: the cards of the catalogue; none: the page waits for them. */
export function frontFacts(project: string, envs: readonly EnvCard[]): FrontFacts {
  const played = playedIn(project);
  const worlds = Object.fromEntries(
    Object.entries(envFacts(project)).map(([id, { learned }]) => [
      id,
      {
        learned: learned === null ? null : { fraction: shorter(learned.fraction), kept: learned.kept, seconds: shorter(learned.seconds) },
        played: played.get(id) ?? null,
      },
    ]),
  );
  return { tiles: tilesOf(envs).map((tile) => (worlds[tile.id]?.played == null ? tile : { ...tile, script: null })), worlds };
}

/** Of each environment the first paper's arm, in the order of the list, whose policy is kept; arms of contrasts come first. */
function playedIn(project: string): ReadonlyMap<string, NonNullable<FrontFact['played']>> {
  const kept = paperFacts(project);
  const found = new Map<string, NonNullable<FrontFact['played']>>();
  for (const { id: paper } of listed) {
    const card = paperOf(paper);
    const policies = kept[paper]?.policies ?? {};
    if (card === undefined) continue;
    const order = new Set([...card.contrasts.flatMap(armsOf), ...card.arms.map(({ id }) => id)]);
    for (const id of order) {
      const arm = card.arms.find((one) => one.id === id);
      if (arm === undefined || arm.script !== undefined || !Object.hasOwn(policies, id)) continue;
      const env = String(objectOf(armConfig(card, arm).env).id);
      if (!found.has(env)) found.set(env, { paper, arm: id });
    }
  }
  return found;
}
