/** All explainers: each is one file beside this one and one line here. Their order is that of the page and the command line. */
import type { ExplainerCard } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import { whichOf } from '#contract/kit/nearest.ts';
import { agents } from './agents.ts';
import type { ExplainerEntry } from './api/define.ts';
import { attack } from './attack.ts';
import { channelValueExplainer } from './channel-value.ts';
import { communication } from './communication.ts';
import { coordination } from './coordination.ts';
import { counterfactual } from './counterfactual.ts';
import { features } from './features.ts';
import { goalValues } from './goal-values.ts';
import { searchTree } from './search-tree.ts';
import { trust } from './trust.ts';

export const explainers: readonly ExplainerEntry[] = [
  features,
  counterfactual,
  agents,
  coordination,
  communication,
  channelValueExplainer,
  attack,
  searchTree,
  goalValues,
  trust,
];

/** Throws LabError('unknown-id') naming the ids there are. */
export function getExplainer(id: string): ExplainerEntry {
  const found = explainers.find((explainer) => explainer.id === id);
  if (found !== undefined) return found;
  throw fail(
    'unknown-id',
    `There is no explainer "${id}".`,
    whichOf(
      id,
      explainers.map((explainer) => explainer.id),
    ),
    'explainer',
  );
}

export function explainerCard({ trial: _, parse, explain: __, ...card }: ExplainerEntry): ExplainerCard {
  return { ...card, defaults: parse({}) };
}
