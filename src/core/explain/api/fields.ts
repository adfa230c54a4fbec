/** Config fields that several explainers share. */
import { z } from 'zod';
import { defaultQuestion } from '#contract/explain/explain.ts';

export const seed = z.int().min(0).default(defaultQuestion.seed).meta({
  title: 'seed',
  description: 'Of everything that is drawn; one seed gives one answer.',
  depth: 'research',
});

export const greedy = (initial: boolean) =>
  z.boolean().default(initial).meta({ title: 'greedy actions', description: 'The best action instead of a drawn one.' });

export const episodes = (initial: number) =>
  z.int().min(2).max(10_000).default(initial).meta({ title: 'episodes', description: 'Episodes played.' });

export const agent = z.int().min(0).default(0).meta({ title: 'agent', description: 'Index of the agent whose decision is explained.' });

export const replacement = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('noop') }),
    z.object({ kind: z.literal('random') }),
    z.object({ kind: z.literal('other-agent') }),
    z.object({ kind: z.literal('scripted'), name: z.string() }),
    z.object({ kind: z.literal('policy'), key: z.string(), title: z.string() }),
  ])
  .default(defaultQuestion.replacement)
  .meta({ title: 'replacement', description: 'What acts for agents outside a coalition.', depth: 'research' });

export const payoff = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('team') }),
    z.object({ kind: z.literal('agent'), agent: z.int().min(0) }),
    z.object({ kind: z.literal('component'), name: z.string() }),
  ])
  .default(defaultQuestion.payoff)
  .meta({ title: 'payoff', description: 'The return that is explained, summed over the episode without discount.', depth: 'research' });
