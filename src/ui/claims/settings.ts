/** Settings of an arm in short phrases: groups by the names of their fields, long lists by their length, contexts by what they do. */
import { type Contexts, contextsIn, drawnFields, isRange, rangeAsText } from '#contract/catalog/contexts.ts';
import { type Json, type JsonObject, objectOf } from '#contract/kit/json.ts';

/** Places of a list that is written out. */
const SHORT = 6;

function listInWords(list: readonly Json[]): string {
  return list.length <= SHORT && list.every((value) => typeof value !== 'object' && String(value).length < 20)
    ? `[${list.join(', ')}]`
    : `a list of ${list.length}`;
}

function setting(name: string, value: Json): string {
  if (Array.isArray(value)) return `${name} ${listInWords(value)}`;
  if (typeof value !== 'object' || value === null) return `${name} ${value}`;
  const { kind, ...fields } = objectOf(value);
  const inner = Object.entries(fields).map(([field, one]) => setting(field, one));
  return `${name}${typeof kind === 'string' ? ` ${kind}` : ''}${inner.length === 0 ? '' : ` (${inner.join(', ')})`}`;
}

/** What is drawn, from what, in which order: "4 tasks, which differ in map, in blocks of 16,000 steps". */
function contextsInWords({ draw = {}, list, tell, order }: Contexts): readonly string[] {
  const fields = list === undefined ? '' : drawnFields({ list }).join(', ');
  const when =
    order === undefined
      ? 'one drawn in each episode'
      : order.by === 'turns'
        ? 'the next one in each episode'
        : order.by === 'drift'
          ? `drifting from one to the next within ${(order.steps ?? 0).toLocaleString('en')} steps`
          : `in blocks of ${(order.steps ?? 0).toLocaleString('en')} steps`;
  return [
    ...Object.entries(draw).map(([name, one]) => `${name} drawn in each episode: ${isRange(one) ? rangeAsText(one) : listInWords(one)}`),
    ...(list === undefined ? [] : [`${list.length} tasks, which differ in ${fields}, ${when}`]),
    ...(tell === true ? ['the drawn numbers are seen'] : []),
  ];
}

/** The settings of a config, each as a phrase; none for an absent one. */
export function settingsInWords(config: JsonObject | undefined): readonly string[] {
  if (config === undefined) return [];
  const contexts = contextsIn(config);
  return Object.entries(config).flatMap(([name, value]) =>
    name === 'contexts' && contexts !== undefined ? contextsInWords(contexts) : [setting(name, value)],
  );
}
