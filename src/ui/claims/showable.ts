/** Which two arms show what a paper found: those of its first contrast whose kept policies or scripts play in the same world. Pure. */
import { sameJson } from '#contract/kit/canonical.ts';
import { type JsonObject, objectOf } from '#contract/kit/json.ts';
import { type Arm, armConfig, type JudgedCard } from '#contract/papers/papers.ts';
import { type Contrast, isCounted } from '#math/contrasts.ts';

/** Two arms that start from the same state and can be seen side by side. */
export interface Pair {
  readonly one: Arm;
  readonly other: Arm;
}

type Ids = readonly [one: string | undefined, other: string | undefined];

/** Arms of a contrast that are held against one another, the claimed one first. */
function heldAgainst(contrast: Contrast): readonly Ids[] {
  switch (contrast.kind) {
    case 'difference':
    case 'ratio':
      return [[contrast.arm, contrast.over]];
    case 'cells':
      return contrast.cells.flatMap(([leader, ...rivals]) => rivals.map((rival): Ids => [leader, rival]));
    case 'order':
      return [[contrast.arms[0], contrast.arms.at(-1)]];
    case 'slope':
      return (contrast.over ?? []).map((over, k): Ids => [contrast.arms[k], over]);
    default:
      return []; // one arm, or worlds of their own
  }
}

/** Settings of a world that change what is paid in it and nothing else: with them it starts and goes on as without (a test plays both). */
export const PAID_ALONE: { readonly [env: string]: readonly string[] } = { 'off-switch': ['layer'], 't-steps': ['stepBonus'] };

/** The world of an arm, without what changes the rewards alone. */
function worldOf(card: JudgedCard, arm: Arm): JsonObject {
  const env = objectOf(armConfig(card, arm).env);
  const paid = PAID_ALONE[String(env.id)] ?? [];
  return { ...env, config: Object.fromEntries(Object.entries(objectOf(env.config)).filter(([key]) => !paid.includes(key))) };
}

/**
 * The pair of a card; null: none of its contrasts has one. `fileOf` names the kept policy of an arm, null where none is kept: arms that read other
 * numbers of the same runs share a file, and are no pair.
 */
export function pairOf(card: JudgedCard, fileOf: (arm: string) => string | null): Pair | null {
  const armOf = (id: string | undefined): Arm | undefined => card.arms.find((arm) => arm.id === id);
  const playedBy = ({ id, script }: Arm): string | null => script ?? fileOf(id);
  const pairs = card.contrasts.filter(isCounted).flatMap(heldAgainst);
  for (const [first, second] of pairs) {
    const [one, other] = [armOf(first), armOf(second)];
    if (one === undefined || other === undefined) continue;
    const [mine, theirs] = [playedBy(one), playedBy(other)];
    if (mine === null || theirs === null || mine === theirs) continue;
    if (sameJson(worldOf(card, one), worldOf(card, other))) return { one, other };
  }
  return null;
}
