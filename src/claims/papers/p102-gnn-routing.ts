/** P102: a network over ways and links routes demands on graphs it never saw, against a flat network and a rule. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Quantity } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

/** Graphs that were in no training: of the sizes of training, and larger ones. */
const alike: JsonObject = { graphs: 'held-out', count: 50 };
const larger: JsonObject = { ...alike, nodes: 16, more: 8 };
const flat = { algo: { config: { body: { kind: 'dense' } } } };
const ofRule: Quantity = { title: 'demand carried on graphs never seen', of: 'evalReturn' };

export const gnnRouting = definePaper({
  id: 'P102',
  title: 'Deep Reinforcement Learning meets Graph Neural Networks: exploring a routing optimization use case',
  authors: 'Almasan et al.',
  year: 2022,
  link: 'https://arxiv.org/abs/1910.07421',
  claim:
    'An agent with a graph network outperforms the state of the art in routing, and goes on doing so on 180 and 232 topologies that it never saw in training.',
  published: null,
  source: {
    read: 'Authors’ code, knowledgedefinednetworking/DRL-GNN, environment1.py at 03d0268 and mpnn.py at d30e164.',
    table: [
      {
        of: 'environment1.py: links of capacity 200, four shortest ways, demand over the largest as reward, the end at the first that does not fit',
        ours: 'src/core/envs/networks/demand-routing.ts (demandRouting)',
        state: 'kept',
      },
      {
        of: 'environment1.py: how many of the ways pass a link, beside its free capacity',
        ours: 'src/core/envs/networks/lib/routing/graph.ts (passed)',
        state: 'kept',
      },
      {
        of: 'mpnn.py: messages between links that share a node, a recurrent cell, a sum over links',
        ours: 'src/core/nets/entities.ts (entityFront)',
        state: 'changed',
        note: 'Messages by their mean, attention over ways and links, and sums from links to the ways that they are part of.',
      },
      {
        of: 'train_DQN.py: values of state and way, by DQN',
        ours: 'src/core/algos/on-policy/ppo.ts (ppo)',
        state: 'changed',
        note: 'PPO over the four ways.',
      },
      { of: 'the test on 180 drawn and 232 real topologies', ours: '', state: 'left out', note: 'Fifty drawn ones of two sizes each.' },
    ],
  },
  differs: [
    'PPO with attention over ways and links in place of DQN with messages between links',
    'a hundred drawn graphs of 10 to 14 nodes in training, in place of one of 14',
    '40,960 decisions, and fifty graphs in each test',
  ],
  found: {
    outcome: 'open',
    text: 'On graphs of its size never seen the network over ways and links carries 3.75 more than a flat one; on larger graphs its lead of 0.28 over the shortest way with room leaves it open, and a rule that weighs how scarce links are carries more than both.',
  },
  question:
    'Does a network over ways and links carry more on larger graphs than any it saw than the rule of the shortest way with room, and more than a flat network on graphs of the size of training?',
  idea: 'A flat network learns which numbers stood where. A network over links and ways reads each by what it is, so that it can be asked about a graph it never saw, of another size too.',
  equation: 'way k += tanh(way k P + (sum of the links on it) S),  pi = softmax of what each way ends as',
  config: {
    v: 1,
    env: { id: 'demand-routing', config: {} },
    algo: {
      id: 'ppo',
      config: {
        lr: 3e-3,
        envs: 16,
        minibatches: 8,
        gamma: 0.99,
        entropyCoef: 0.003,
        body: { kind: 'entities', units: 32, heads: 2, blocks: 1 },
      },
    },
    run: { steps: 40_960, evalEpisodes: 100 },
  },
  arms: [
    { id: 'graph', title: 'over ways and links, larger graphs', trials: 3, against: [larger] },
    {
      id: 'shortest',
      title: 'shortest way with room, larger graphs',
      trials: 0,
      script: 'shortest-available',
      quantity: ofRule,
      differs: { env: { config: larger } },
    },
    {
      id: 'scarce',
      title: 'least scarce way, larger graphs',
      trials: 0,
      script: 'least-scarce',
      quantity: ofRule,
      differs: { env: { config: larger } },
    },
    { id: 'graph-alike', title: 'over ways and links, graphs of its size', trials: 3, against: [alike] },
    { id: 'flat', title: 'flat network, graphs of its size', trials: 4, differs: flat, against: [alike] },
  ],
  quantity: { title: 'demand carried on graphs never seen', of: 'againstReturn' },
  contrasts: [
    { id: 'over the shortest way', kind: 'difference', arm: 'graph', over: 'shortest', claim: 'above', size: 0.25 },
    { id: 'over the flat network', kind: 'difference', arm: 'graph-alike', over: 'flat', claim: 'above', size: 1 },
  ],
  // a fiftieth of what the rule carries, which two pilot seeds leave room for
  scale: { better: 'more', random: 8.4, ceiling: 16.4 },
  exempt: [
    {
      check: 'parameters',
      arms: ['graph', 'graph-alike', 'flat'],
      why: 'a flat network has a weight for every number of the largest graph, one over things none: fewer is the method',
    },
  ],
  leftOut: 'Neither DQN nor the messages of the paper, and none of its real topologies.',
  tunedOn: [1, 3],
  looks: [5, 10],
  quick: { run: { steps: 10_240, evalEpisodes: 20 }, seeds: 2 },
  scaledDown:
    'A tenth of the steps that the world recommends. The step size was chosen of 0.0003, 0.001 and 0.003 for both networks on seed 1, by returns on graphs of training (the flat network 9.3, 9.4 and 10.3, and 10.3 with 256 units; after 150,000 steps 11.7 at 0.001; the other 9.3, 12.3 and 13.3). The flat network reads the same numbers, with zeros for links that a graph lacks, and so takes no larger graph at all: it is asked on graphs of the sizes of training. A rule of ours that weighs how scarce links are is shown beside and not judged: the paper names no such rival.',
  dishonest:
    'Graphs of training in the test; a flat network that is asked about larger graphs, which it cannot read; a rule that takes ways without room.',
  next: 'Draw links away while it plays, and train ten times as long: does it pass the rule that weighs how scarce links are?',
});
