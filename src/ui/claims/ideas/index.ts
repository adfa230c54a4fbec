/** Views of ideas that have one of their own, by the id that the card names: one line each. Loaded when the page of their paper opens. */
import { late } from '#ui/kit/late.tsx';

export const widgets = {
  rounding: late(() => import('./RoundingIdea.tsx')),
} as const;

/** Views in which the idea of a paper with an outcome is touched, by the id that the card names (`touch`): loaded when they are asked for. */
export const touches = {
  branches: late(() => import('./Branches.tsx')),
  'held-out': late(() => import('./HeldOut.tsx')),
  levels: late(() => import('./Levels.tsx')),
  'partner-codes': late(() => import('./PartnerCodes.tsx')),
  'shared-trunk': late(() => import('./SharedTrunk.tsx')),
  'state-groups': late(() => import('./StateGroups.tsx')),
  'team-sizes': late(() => import('./TeamSizes.tsx')),
} as const;

/** The view of an id; undefined: there is none. */
export const touchOf = (id: string | null): (typeof touches)[keyof typeof touches] | undefined =>
  id !== null && Object.hasOwn(touches, id) ? touches[id as keyof typeof touches] : undefined;

/** The view of an id; undefined: there is none. */
export const widgetOf = (id: string): (typeof widgets)[keyof typeof widgets] | undefined =>
  Object.hasOwn(widgets, id) ? widgets[id as keyof typeof widgets] : undefined;
