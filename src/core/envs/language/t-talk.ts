/**
 * Talks in tokens with a partner who hides something, from one turn to twelve: ask what tells it apart, then answer.
 * patient: `pd:` complains of symptom d; a letter a to h asks for a symptom, answered by y, n or "." (vague); a digit 1 to 8 is the
 * diagnosis. twenty: `b?` asks for an attribute, answered by 0 or 1, some of which say nothing; `37!` is the number. customer: `sa2:` wants
 * kind 2 of item a; a letter asks for an item, answered by the kind that is wanted (0: none) or by "." (ask again), and by `!c1` where the
 * customer changes its mind about c; a digit for each item is the order.
 * Obs: the row so far, one token id per place, 0 behind its end: prompt, turns and replies. Actions: the 64 tokens of the vocabulary.
 * Reward 1 for the right answer, for an order only if it is right everywhere; every question takes its price.
 * Ends with the answer, with the last turn, or with what is no turn, which scores nothing and takes the price of all turns that were left.
 * Truncates never.
 * Source: own worlds after 20 questions, simulated patients (DoctorAgent-RL) and simulated users (tau-bench).
 */
import { talkInWords } from './lib/asked.ts';
import { customer } from './lib/customer.ts';
import { defineTokenEnv, RIGHT_AND_PRICE, type TokenTask } from './lib/define.ts';
import { checkSome, drawnSplit, pricedForm } from './lib/knobs.ts';
import { isHeld, type PartnerKind, type TalkConfig, type TalkName, talkConfig, talkMeasures, talkSettings } from './lib/partners.ts';
import { patient } from './lib/patient.ts';
import { talkReferences } from './lib/references.ts';
import { thinker } from './lib/thinker.ts';

const PARTNERS: Readonly<Record<TalkName, PartnerKind>> = { patient, twenty: thinker, customer };

function taskOf(c: TalkConfig): TokenTask {
  const kind = PARTNERS[c.talk];
  kind.check?.(c);
  const accepts = (seed: number): boolean => isHeld(kind, c, seed);
  checkSome(accepts, 'Give the partner more to hide.');
  return { sizes: kind.sizes(c), world: kind.picture(c), accepts, talk: (seed) => kind.begin(c, seed) };
}

export const tTalk = defineTokenEnv<TalkConfig>({
  id: 't-talk',
  title: 'Talks in tokens',
  summary: 'Ask a patient, a customer or a player who thinks of a number, until what they hide is known; then answer.',
  source: { title: 'Talks with hidden state in tokens', authors: 'RL Workbench', year: 2026 },
  version: 3,
  changes: [drawnSplit(2), pricedForm(3)],
  config: talkConfig,
  flat: talkSettings,
  terms: RIGHT_AND_PRICE,
  measures: talkMeasures,
  // two tuning seeds: a third to a half right after cloning, 0.95 of the patients (the expert's share) and every order at 500,000 tokens
  recommended: {
    algo: 'group-rl',
    preset: 'tools',
    config: { samePrompt: false, lr: 1e-3, cloning: { kind: 'on', steps: 500, lr: 5e-3 } },
    steps: 500_000,
    env: { split: 'train' },
    evalEvery: 25_000,
  },
  presets: [
    { id: 'patient', title: 'patient, sometimes vague', config: {} },
    { id: 'clear', title: 'patient with clear answers', config: { talk: { kind: 'patient', vagueness: 0, complaint: true } } },
    { id: 'one-shot', title: 'patient, diagnosed by the complaint alone', config: { turns: 1 } },
    { id: 'priced', title: 'patient, every question has its price', config: { price: 0.05 } },
    { id: 'twenty', title: 'questions about 64 numbers', config: { talk: { kind: 'twenty', attributes: 6, distractors: 2 }, turns: 8 } },
    {
      id: 'customer',
      title: 'customer',
      config: { talk: { kind: 'customer', items: 3, kinds: 3, upfront: 0, resistance: 0, changes: 0 }, turns: 5 },
    },
    {
      id: 'wavering',
      title: 'customer who resists and changes its mind',
      config: { talk: { kind: 'customer', items: 3, kinds: 3, upfront: 0, resistance: 0.3, changes: 0.5 }, turns: 8 },
    },
    {
      id: 'static',
      title: 'customer who says everything at once',
      config: { talk: { kind: 'customer', items: 3, kinds: 3, upfront: 3, resistance: 0, changes: 0 }, turns: 2 },
    },
  ],
  references: talkReferences({
    begin: (c: TalkConfig, seed) => PARTNERS[c.talk].begin(c, seed),
    most: (c) => PARTNERS[c.talk].sizes(c).written,
    careless: (c) => ({ ...c, mistakes: 1 }),
    turns: 'random questions and answers',
    best: (c) => PARTNERS[c.talk].best?.(c) ?? null,
  }),
  task: taskOf,
  question: (c, prompt) => talkInWords(c.talk, prompt),
});
