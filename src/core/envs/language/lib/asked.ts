/** Prompts in words, for people: what each task asks, with the numbers and letters of the prompt. */
import { listed } from '#contract/kit/listed.ts';
import type { TaskName } from './tasks.ts';

const spaced = (letters: string): string => [...letters].join(' ');
const sum = (text: string): string => text.replace(/[-+*]/g, (op) => ({ '+': ' + ', '-': ' − ', '*': ' × ' })[op] ?? op);

interface Wording {
  /** add: the digits of the sum are asked from the units on. */
  readonly reversed: boolean;
  /** countdown: every number has to be used. */
  readonly exact: boolean;
  /** Steps stand before the answer, parted by #. */
  readonly scratch: boolean;
}

function seqInWords(order: string, letters: string): string {
  if (order === 'c') return `Copy the letters ${letters}.`;
  return order === 'r' ? `Write the letters ${letters} in reverse.` : `Put the letters ${letters} in alphabetical order.`;
}

const TASK_WORDS: Readonly<Record<TaskName, (text: string, wording: Wording) => string>> = {
  add: (text, { reversed }) => `What is ${sum(text)}?${reversed ? ' Its digits from the units on.' : ''}`,
  mul: (text) => `What is ${sum(text)}?`,
  tool: (text) => `What is ${sum(text)}?`,
  mod(text) {
    const [, inner = '', modulus = ''] = /^\((.+)\)%(\d+)$/.exec(text) ?? [];
    return `What remains of ${sum(inner)} after division by ${modulus}?`;
  },
  chain: (text) => `Calculate ${sum(text)} from left to right and keep the last digit of each result.`,
  countdown(text, { exact }) {
    const [target = '', numbers = ''] = text.split(':');
    return `Write a calculation that gives ${target}, with ${exact ? 'each' : 'any'} of the numbers ${listed(numbers.split(','))} used once.`;
  },
  seq: (text) => seqInWords(text[0] ?? '', spaced(text.slice(2))),
  brackets: (text) =>
    text.startsWith('v:')
      ? `Does every bracket of ${spaced(text.slice(2))} have its partner? 1: yes, 0: no.`
      : `Close the brackets that ${spaced(text.slice(2))} leaves open.`,
  rewrite(text) {
    const [rules = '', word = ''] = text.split(';');
    const said = rules.split(',').map((rule) => rule.replace('>', ' by '));
    return `In ${spaced(word)} replace ${listed(said)}, the first rule that fits each time, until none fits.`;
  },
  lookup(text) {
    const [entries = '', start = ''] = text.split('?');
    return `Each entry is a name and what it leads to: ${entries.split(',').join(', ')}. To which digit does ${start} lead?`;
  },
  graph(text) {
    const [edges = '', ends = ''] = text.split(';');
    return `Write a shortest way from ${ends[0]} to ${ends[2]}; joined are ${edges.split(',').map(spaced).join(', ')}.`;
  },
  maze: () => 'Write a shortest way from s to g: u is up, d down, l left, r right; ^ is a wall.',
};

/** The prompt of a task with one answer. */
export function taskInWords(task: TaskName, prompt: string, wording: Wording): string {
  const asked = TASK_WORDS[task](prompt.replace(/=$/, ''), wording);
  return wording.scratch ? `${asked} The steps first, then # and the answer.` : asked;
}

/** t-steps. */
export function stepsInWords(task: 'pairs' | 'exchange', prompt: string): string {
  if (task === 'exchange')
    return `Put ${spaced(prompt.slice(0, -1))} in order by exchanging neighbours: 1 exchanges the first two, 2 the second and the third, and so on.`;
  const [target = '', numbers = ''] = prompt.slice(0, -1).split(':');
  return `Which two of ${listed([...numbers])} sum to ${Number(target)}? a is the first and the second number, b the first and the third, and so on; ! ends the search.`;
}

const GAME_WORDS = {
  guess: (prompt: string) =>
    `Guess the number from ${prompt.slice(0, -1).replace('-', ' to ')}: + says that it is larger, − that it is smaller.`,
  twenty: () => 'Find the hidden number: a letter followed by ? asks whether it has that attribute, a number followed by ! is the answer.',
  wordle: () => 'Guess the hidden word, then write ; to end the guess. The reply marks each letter.',
  grid(prompt: string) {
    const [, goal = '', start = ''] = prompt.split(/[:;]/);
    return `Walk from column ${start[0]}, row ${start[1]} to column ${goal[0]}, row ${goal[1]}, counted from 0: u is up, d down, l left, r right.`;
  },
  tictactoe: () => 'Noughts and crosses: write the number of a cell, 1 to 9, and get three in a row.',
  calc: (prompt: string) =>
    `What is ${sum(prompt.slice(0, -1))}? A calculation in braces, {12*7}, asks the calculator; # begins the answer.`,
} as const;

/** t-turns. */
export const gameInWords = (game: keyof typeof GAME_WORDS, prompt: string): string => GAME_WORDS[game](prompt);

/** t-search; `path`: the fields to follow are named. */
export function searchInWords(prompt: string, path: boolean): string {
  const [start = '', ...rest] = prompt.replace('?', '');
  if (!path)
    return `Which digit does relation ${rest[0]} of document ${start} lead to? A letter looks a document up, a digit is the answer.`;
  const fields = rest.length === 1 ? `field ${rest[0]}` : `the fields ${listed(rest)}, one document after the other`;
  return `Begin at document ${start} and follow ${fields}: which digit stands at the end? A letter looks a document up, a digit is the answer.`;
}

/** t-talk. */
export function talkInWords(talk: 'patient' | 'twenty' | 'customer', prompt: string): string {
  if (talk === 'twenty') return GAME_WORDS.twenty();
  if (talk === 'patient') {
    const complaint = prompt[1] === ':' ? '' : `The patient complains of symptom ${prompt[1]}. `;
    return `${complaint}Which of the conditions 1 to 8 is it? A letter a to h asks for a symptom, a digit is the diagnosis.`;
  }
  const wants = (prompt.match(/[a-z]\d/g) ?? []).map(([item, kind]) => `kind ${kind} of item ${item}`);
  const said = wants.length === 0 ? '' : `The customer wants ${listed(wants)}. `;
  return `${said}A letter asks which kind of an item is wanted; the order is one digit for each item.`;
}

const JOBS: Readonly<Record<string, (names: string) => string>> = {
  c: ([a, b]) => `copy file ${a} into ${b}`,
  m: ([a, b]) => `mail file ${a} to ${b}`,
  k: ([a, b]) => `keep the mail of ${a} in file ${b}`,
  t: ([a]) => `meet ${a} at the time in the mail of ${a}`,
  v: ([a]) => `move the meeting with ${a} to the time in the mail of ${a}`,
  y: ([a, b]) => `buy the cheaper of ${a} and ${b}`,
  e: ([a, b]) => `mail the price of ${a} to ${b}`,
  '+': ([a, b, c]) => `write the sum of the files ${a} and ${b} into ${c}`,
};

/** t-tools: jobs parted by commas; a row of subgoals has a sign before and what is done behind. */
export function jobsInWords(prompt: string): string {
  const [task = ''] = prompt.split(':');
  const jobs = (task.match(/[cmkyev][a-z]{2}|\+[a-z]{3}|[tv][a-z]/g) ?? []).map((job) => JOBS[job[0]!]?.(job.slice(1)) ?? job);
  const said = jobs.join('; ');
  return `${said.slice(0, 1).toUpperCase()}${said.slice(1)}. A full stop says that it is done.`;
}
