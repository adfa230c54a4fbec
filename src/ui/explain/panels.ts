/**
 * The panels beside the decision, in their order: a line each, and a folder with the view, loaded when it is first shown. `npm run new -- panel
 * NAME` writes both.
 */
import type { ComponentType } from 'react';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { msg } from '#text/text.ts';
import { late } from '#ui/kit/late.tsx';

export interface ExplainPanel {
  readonly id: string;
  /** On the switch of the panels; its translations stand in src/text/catalogues/why. */
  readonly label: string;
  /** Only where several agents act. */
  readonly team?: true;
  /** Only where shortest ways are known at the points of a lattice. */
  readonly lattice?: true;
  /** Made anew when the environment of the stage changes. */
  readonly View: ComponentType<{ readonly env: EnvCard }>;
}

export const panels: readonly ExplainPanel[] = [
  { id: 'edit', label: msg('Edit'), View: late(async () => ({ default: (await import('./edit-state/EditPanel.tsx')).EditPanel })) },
  {
    id: 'network',
    label: msg('Network'),
    View: late(async () => ({ default: (await import('./network/NetworkPanel.tsx')).NetworkPanel })),
  },
  { id: 'what-if', label: msg('What if'), View: late(async () => ({ default: (await import('./what-if/WhatIf.tsx')).WhatIf })) },
  { id: 'team', label: msg('Team'), team: true, View: late(async () => ({ default: (await import('./team/TeamPanel.tsx')).TeamPanel })) },
  {
    id: 'influence',
    label: msg('Influence'),
    team: true,
    View: late(async () => ({ default: (await import('./team/InfluencePanel.tsx')).InfluencePanel })),
  },
  {
    id: 'communication',
    label: msg('Communication'),
    team: true,
    View: late(async () => ({ default: (await import('./messages/MessagesPanel.tsx')).MessagesPanel })),
  },
  {
    id: 'value-map',
    label: msg('Value map'),
    lattice: true,
    View: late(async () => ({ default: (await import('./value-map/ValueMapPanel.tsx')).ValueMapPanel })),
  },
  { id: 'all', label: msg('All'), View: late(async () => ({ default: (await import('./ExplainersPanel.tsx')).ExplainersPanel })) },
];
