import { expect, test } from 'vitest';
import { type Command, rank } from './rank.ts';

const command = (kind: string, title: string, words = ''): Command => ({ id: `${kind} ${title}`, kind, title, words, perform: () => {} });

const ALL = [
  command('Page', 'Papers', 'claims'),
  command('World', 'CartPole', 'cartpole classic control'),
  command('World', 'Mountain car', 'mountain-car'),
  command('Setting', 'cart mass', 'env.massCart'),
  command('Method', 'PPO', 'proximal policy optimisation'),
  command('Paper', 'The surprising effectiveness of PPO', 'p007'),
  command('World', 'C++ (maze)', ''),
];
const titles = (query: string): readonly string[] => rank(ALL, query).map(({ title }) => title);

test.each([
  ['ppo', ['PPO', 'The surprising effectiveness of PPO']],
  ['cart', ['cart mass', 'CartPole']], // a whole word before the beginning of one
  ['car', ['Mountain car', 'CartPole', 'cart mass']],
  ['car mountain', ['Mountain car']],
  ['world classic', ['CartPole']], // its kind and its words find it too
  ['p007', ['The surprising effectiveness of PPO']],
  ['c++ (', ['C++ (maze)']], // signs of regular expressions are letters here
  ['zebra', []],
  ['', []],
] as const)('"%s" finds %j in this order', (query, found) => {
  expect(titles(query)).toEqual(found);
});
