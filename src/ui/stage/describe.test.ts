import { afterEach, expect, test } from 'vitest';
import type { GridLayout } from '#contract/game/frames.ts';
import { frameSize } from '#contract/game/frames.ts';
import es from '#text/catalogues/es.po';
import fr from '#text/catalogues/fr.po';
import lessonsEs from '#text/catalogues/lessons/es.po';
import lessonsFr from '#text/catalogues/lessons/fr.po';
import lessonsZh from '#text/catalogues/lessons/zh-hans.po';
import zh from '#text/catalogues/zh-hans.po';
import { add, show } from '#text/text.ts';
import { askedInWords, frameInWords } from './describe.ts';

const layout: GridLayout = {
  kind: 'grid',
  width: 2,
  height: 1,
  agents: 1,
  headings: false,
  looks: ['empty', 'start', 'goal', 'lava'],
  colours: ['grey'],
  view: 0,
};
const frameWith = (look: number): Float32Array => {
  const frame = new Float32Array(frameSize(layout));
  frame.set([1, 0, 0, look, 0, 0]);
  frame[frame.length - 1] = 1;
  return frame;
};

afterEach(() => show('en'));

test('a frame is described in the language that is shown, names of things among its words', async () => {
  await add('es', { ...es, ...lessonsEs });
  show('es');
  expect(frameInWords(layout, frameWith(2))).toBe(
    'Una cuadrícula de 2 por 1 celdas. El agente está en la columna 0, fila 0. Está sobre: salida. En el tablero: salida en la columna 0, fila 0; meta en la columna 1, fila 0.',
  );
});

test('its lists have the punctuation of the language', async () => {
  await add('fr', { ...fr, ...lessonsFr });
  show('fr');
  expect(frameInWords(layout, frameWith(2))).toContain('départ en colonne 0, ligne 0\u00a0; but en colonne 1, ligne 0.');
  await add('zh-Hans', { ...zh, ...lessonsZh });
  show('zh-Hans');
  expect(frameInWords(layout, frameWith(2))).toBe(
    '2 × 1 格的网格。智能体在第 0 列、第 0 行。脚下：起点。网格上：起点在第 0 列、第 0 行；终点在第 1 列、第 0 行。',
  );
});

test('where a word is missing the whole is English, so that no description mixes two languages', async () => {
  await add('es', { ...es, ...lessonsEs });
  show('es');
  expect(frameInWords(layout, frameWith(3))).toMatch(/^A grid of 2 by 1 cells\. .*lava at column 1, row 0\.$/);
});

test('what a task in tokens asks is found again by its wording', async () => {
  await add('es', es);
  show('es');
  expect(askedInWords('Write the letters d d f b in reverse.')).toBe('Escribe las letras d d f b al revés.');
  expect(askedInWords('What is 40 + 17?')).toBe('What is 40 + 17?');
});
