/** P013: a doctor who learns by reward what to ask, against copied talks and a diagnosis without a question. */
import type { JsonObject } from '#contract/kit/json.ts';
import { definePaper } from '../define.ts';

/** Six in ten turns of the doctors that are copied are random. */
const patient: JsonObject = { talk: 'patient', turns: 6, vagueness: 0.2, price: 0, mistakes: 0.6 };
const network: JsonObject = { width: 32, layers: 2, heads: 4 };
const groups: JsonObject = { ...network, lr: 1e-3, prompts: 16, group: 8, entropyCoef: 0.001, samePrompt: true };

/** Tokens of 200 updates of 128 talks. */
const START = 100_000;
const copied = { id: 'token-cloning', config: { ...network, teacher: 'novice', rows: 128, lr: 5e-3 } };

export const doctorAgent = definePaper({
  id: 'P013',
  title: 'DoctorAgent-RL: A Multi-Agent Collaborative Reinforcement Learning System for Multi-Turn Clinical Dialogue',
  authors: 'Feng et al.',
  year: 2025,
  link: 'https://arxiv.org/abs/2505.19630',
  claim:
    'A doctor policy that learns its questions by reinforcement in talks with a patient agent outperforms existing models, supervised on talks or asked once, in reasoning over several turns and in the final diagnosis.',
  source: {
    read: 'Authors’ code, JarvisUSTC/DoctorAgent-RL at 9db6377, ragen/env/medical_consultation/env_patient_llm.py env.py beside it and scripts_exp/doctor-agent-rl-dynamic.sh.',
    table: [
      {
        of: 'env_patient_llm.py: a diagnosis earns five times its similarity to the true one',
        ours: 'src/core/envs/language/lib/patient.ts (patient)',
        state: 'changed',
        note: '1 where it is right.',
      },
      { of: 'the same: the recommendation earns as much', ours: '', state: 'left out', note: 'The diagnosis alone is paid.' },
      {
        of: 'the same: fines for a wrong form and for the last turn without a diagnosis',
        ours: '',
        state: 'left out',
        note: 'Such a talk earns nothing.',
      },
      { of: 'the same: a limit of turns drawn from 2 to 10', ours: '', state: 'left out', note: 'Six turns.' },
      { of: 'env.py: each turn costs 0.5', ours: 'env.config.price', state: 'changed', note: 'Questions are free.' },
      { of: 'groups of talks with one patient, advantages within the group', ours: 'src/math/groups.ts (groupAdvantages)', state: 'kept' },
      { of: 'clip 0.2 below and 0.28 above', ours: 'src/core/algos/language/lib/policy-loss.ts (policyLoss)', state: 'kept' },
      { of: 'begun from a copy of recorded talks', ours: 'src/core/algos/language/group-rl.ts (groupRl)', state: 'kept' },
    ],
  },
  differs: [
    'eight conditions, eight symptoms and a patient by script in place of language models',
    'recorded talks are those of a script, half of whose turns are random',
    'a transformer of some 27,000 weights trained from nothing',
  ],
  leftOut: 'No language model talks: patient and records are scripts, and the policy is trained from nothing.',
  found: {
    outcome: 'mixed',
    text: 'Learning by reward ends 0.21 above the copy that it began from, and 0.20 below copying to the end with as many tokens, not clearly.',
  },
  question:
    'Does a doctor who learns by reward what to ask find the condition more often than one who copies talks, or than one who may not ask?',
  idea: 'Recorded talks hold good and bad questions alike, and a copy learns both. A reward for the right diagnosis, less a price for each question, says which ones were worth asking.',
  equation: 'R = [diagnosis right] - 0.05 questions; A = (R - mean of the group) / deviation of the group',
  config: {
    v: 1,
    env: { id: 't-talk', config: patient },
    algo: { id: 'group-rl', config: { ...groups, cloning: { kind: 'on', steps: 200, lr: 5e-3 } } },
    run: { steps: 500_000, evalEpisodes: 400 },
  },
  arms: [
    { id: 'asking', title: 'copied talks first, then reward', trials: 1 },
    { id: 'start', title: 'copied talks alone, as many as it copied', trials: 1, differs: { algo: copied, run: { steps: START } } },
    { id: 'copied', title: 'copied talks to the end', trials: 1, differs: { algo: copied } },
    { id: 'at-once', title: 'reward without a question', trials: 1, differs: { env: { config: { turns: 1 } } } },
  ],
  quantity: { title: 'patients diagnosed right, greedy', measured: 'solved' },
  contrasts: [
    // five patients of a hundred
    { id: 'above the copy that it began as', kind: 'difference', arm: 'asking', over: 'start', claim: 'above', size: 0.05 },
    { id: 'above no question', kind: 'difference', arm: 'asking', over: 'at-once', claim: 'above', size: 0.05 },
    { id: 'above copying to the end', kind: 'difference', arm: 'asking', over: 'copied', claim: 'above', size: 0.05 },
  ],
  // the best play finds so many, exact by dynamic programming (the environment’s reference)
  scale: { better: 'more', ceiling: 0.968 },
  exempt: [
    {
      check: 'steps',
      arms: ['start'],
      why: 'the paper’s copy is made of the recorded talks alone: it stops where the learner stops copying',
    },
  ],
  firstSeed: 3001,
  forms: 2,
  tunedOn: [901, 902],
  noQuick: 'each of its arms is one press in the set-up',
  scaledDown:
    'A patient by script with one of eight conditions, four symptoms each, who names one of them, answers for the others and is vague about one in five; six turns at most, the diagnosis included. The best play finds 0.97 of the conditions, one that may not ask about a quarter. The talks that are copied are those of a script that plays the best move in four turns of ten and any move in six. The learner copies 200 batches of 128 such talks and then learns by reward, 500,000 tokens in all; the copy that it is held against has the same 200 batches and no more, as the paper’s has its recorded talks; a copy with as many tokens as the learner is a contrast of its own. On seed 901 a first form, a price of 0.05 a question and 150 batches of talks half of which were random, was tried and left: learners stopped asking (0.26), copies of such talks came to 0.94, where nothing is left to win. What ten seeds show: reward adds 0.21 to what was copied, and asking does better by 0.44 than a diagnosis at once; a copy that goes on copying for as many tokens does better still (0.90 beside 0.69).',
  dishonest: 'A copy of a bad player without saying how bad it is; more tokens for one arm.',
  next: 'Patients who are vaguer, so that more must be asked.',
});
