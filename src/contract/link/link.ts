/**
 * The hash of the URL: `#1.<payload>.<crc>`. 1 is the link schema; payload = base64url(deflate-raw(canonical JSON of what
 * differs from the defaults), preset dictionary of that schema); crc = base64url of the CRC-32 of everything before it.
 * The payload names the versions of environment and algorithm: with the same versions the same link is the same run.
 * People may also type `#env=cartpole&algo=ppo&algo.lr=0.001&seed=7`. Throws LabError: link-damaged, link-foreign,
 * link-future, link-too-long. A link that throws runs nothing.
 */

import { deflateSync } from 'fflate';
import { z } from 'zod';
import { FIRST_ISSUE, jsonObject, listOf } from '../kit/bounded.ts';
import { crc32, fromBase64Url, toBase64Url } from '../kit/bytes.ts';
import { canonicalJson, sameJson, utf8 } from '../kit/canonical.ts';
import { fail, type LabError } from '../kit/errors.ts';
import { inflate } from '../kit/inflate.ts';
import { type Json, type JsonObject, readJson } from '../kit/json.ts';
import { type RunConfig, runOptionsSchema } from '../run/config.ts';
import { frozenIn } from '../run/frozen.ts';
import { setAt } from '../run/paths.ts';
import { DICTIONARY_1 } from './dictionary.ts';
import { pinSchema } from './pin.ts';

/** What chat programs carry uncut. */
export const LONGEST_LINK = 1900;
const SCHEMA = 1;
/** Characters that are looked at: a longer text is refused unread. */
const LONGEST_READ = 65_536;
/** Names between dots of a typed setting. */
const DEEPEST_NAME = 8;
/** Settings of a typed link: each is set in a copy of those before it. */
const MOST_SETTINGS = 256;
const LARGEST_PAYLOAD = 131_072; // bytes after inflating, ten times the largest map's: a bomb is not a link

/** How the page looks when the link opens; all optional, never part of the config hash. */
export const linkViewSchema = z
  .strictObject({
    depth: z.enum(['teach', 'lab', 'research']),
    /** Fields a class cannot change. */
    lock: listOf(z.string()),
    camera: z.enum(['home', 'top', 'side', 'follow']),
    /** Of the first four those that are on; of later ones those that are not as usual, with a minus where they are off. */
    overlays: z
      .array(z.enum(['values', 'policy', 'visits', 'view', '-trails', '-rays', '-messages', 'forces', '-payouts', '-potential']))
      .max(20),
    tab: z.enum(['setup', 'scene', 'curves', 'why', 'runs']),
    projector: z.boolean(),
    metric: z.string(),
    filter: z.string(),
    experiment: z.string(),
    pin: pinSchema,
  })
  .partial();
/** What may stand in a link in place of a value that was refused. */
function valuesThatExist(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  return issue?.code === 'invalid_type' && issue.expected === 'boolean' ? 'must be true or false' : 'has a value that does not exist';
}
export type LinkView = { readonly [K in keyof z.infer<typeof linkViewSchema>]?: NonNullable<z.infer<typeof linkViewSchema>[K]> };

const refPayload = z.strictObject({
  id: z.string().min(1),
  version: z.int().min(1).optional(),
  config: jsonObject.optional(),
});
const payloadSchema = z.strictObject({
  env: refPayload,
  algo: refPayload,
  run: jsonObject.optional(),
  view: linkViewSchema.optional(),
});
type Payload = z.infer<typeof payloadSchema>;

/** A dictionary and the steps from its JSON to today's: one entry per schema ever released. */
const SCHEMAS: { readonly [version: number]: { readonly dictionary: Uint8Array; readonly migrate: (json: Json) => Json } } = {
  1: { dictionary: utf8(DICTIONARY_1), migrate: (payload) => payload },
};

export interface OpenedLink {
  /** A partial run config: what the link says, to be completed with the defaults. */
  readonly config: JsonObject;
  readonly view: LinkView;
  /** A ready-made experiment that `config` changes; null: `config` stands alone. */
  readonly experiment: string | null;
}

/** Defaults of this environment and algorithm, from their cards. */
export interface LinkDefaults {
  readonly env: JsonObject;
  readonly algo: JsonObject;
}

function differing(value: JsonObject, defaults: JsonObject): JsonObject | undefined {
  const kept = Object.entries(value).filter(([key, item]) => !(key in defaults) || !sameJson(item, defaults[key]));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** What of a complete config differs from the defaults, as links carry it. */
export function refsOf(config: RunConfig, defaults: LinkDefaults): Omit<Payload, 'view'> {
  const ref = (room: 'env' | 'algo'): Payload['env'] => {
    const { id, version } = config[room];
    return {
      id,
      version: version === 1 ? undefined : version,
      config: differing(config[room].config as JsonObject, defaults[room]) as Payload['env']['config'],
    };
  };
  const run = differing(config.run as JsonObject, runOptionsSchema.parse({}) as JsonObject) as Payload['run'];
  return { env: ref('env'), algo: ref('algo'), run };
}

function payloadOf(config: RunConfig, defaults: LinkDefaults, view: LinkView): Payload {
  const shown = Object.keys(view).length === 0 ? undefined : (view as Payload['view']);
  return { ...refsOf(config, defaults), view: shown };
}

function seal(body: string): string {
  const crc = crc32(utf8(body));
  return `${body}.${toBase64Url(Uint8Array.of(crc >>> 24, crc >>> 16, crc >>> 8, crc))}`;
}

/**
 * The hash, '#' included, of a complete config. `room` is how many characters it may have (the address before it counts too).
 * Throws link-too-long: then a file is the way.
 */
export function encodeLink(config: RunConfig, defaults: LinkDefaults, view: LinkView = {}, room = LONGEST_LINK): string {
  const text = canonicalJson(payloadOf(config, defaults, view));
  const packed = deflateSync(utf8(text), { level: 9, dictionary: (SCHEMAS[SCHEMA] as { dictionary: Uint8Array }).dictionary });
  const hash = `#${seal(`${SCHEMA}.${toBase64Url(packed)}`)}`;
  if (hash.length <= room) return hash;
  const players = frozenIn(config.env.config as JsonObject);
  if (players.length > 0)
    throw fail(
      'link-too-long',
      `A frozen policy plays here (${players.map(({ frozen }) => frozen).join(', ')}), and a link has no room for its network.`,
      'Share it as a file instead: it holds the policy.',
    );
  throw fail(
    'link-too-long',
    `This link would have ${hash.length.toLocaleString('en')} characters; only ${room.toLocaleString('en')} survive chat programs and mail.`,
    'Share it as a file instead.',
  );
}

function damaged(why: string): LabError {
  return fail(
    'link-damaged',
    `This link is damaged: ${why}. Nothing was opened.`,
    'Copy the whole link again, or ask for it to be sent as a file.',
  );
}

function foreign(why: string): LabError {
  return fail('link-foreign', `This is not a link of this workbench: ${why}.`, 'Start from the gallery, or type #env=cartpole.');
}

function future(version: number): LabError {
  return fail(
    'link-future',
    `This link was made by a newer version of the workbench (format ${version}; this page knows up to ${SCHEMA}).`,
    'Reload the page to get the newest version, then open the link again.',
  );
}

/** What a hash says; null when there is none. */
export function decodeLink(hash: string): OpenedLink | null {
  const text = hash.replace(/^#/, '');
  if (text === '') return null;
  if (text.length > LONGEST_READ) {
    throw fail(
      'link-too-long',
      `This link has ${text.length.toLocaleString('en')} characters; no link of this workbench has more than ${LONGEST_READ.toLocaleString('en')}.`,
      'Ask for the experiment to be sent as a file.',
    );
  }
  if (/^[0-9]/.test(text)) return decodeSealed(text);
  if (text.includes('=')) return decodeTyped(text);
  throw foreign('it has neither our version number nor settings');
}

function decodeSealed(text: string): OpenedLink {
  const version = Number.parseInt(text, 10);
  const whole = /^(\d+)\.([A-Za-z0-9_-]*)\.([A-Za-z0-9_-]{6})$/.exec(text);
  if (whole === null) {
    if (!/^\d+(\.|$)/.test(text)) throw foreign('its version number is followed by something else');
    throw damaged('its end is missing or characters were changed on the way');
  }
  const [, , payload, crc] = whole as unknown as [string, string, string, string];
  if (seal(`${whole[1]}.${payload}`) !== `${whole[1]}.${payload}.${crc}`) throw damaged('its checksum does not match');
  if (version > SCHEMA) throw future(version);
  const schema = SCHEMAS[version];
  if (schema === undefined || String(version) !== whole[1]) throw foreign(`there never was a format ${whole[1]}`);
  const packed = fromBase64Url(payload);
  if (packed === null) throw damaged('its text cannot be decoded');
  let json: Json;
  try {
    json = readJson(inflate(packed, LARGEST_PAYLOAD, schema.dictionary));
  } catch {
    throw damaged('its content cannot be unpacked');
  }
  const parsed = payloadSchema.safeParse(schema.migrate(json), FIRST_ISSUE);
  if (!parsed.success) throw damaged(`its content is not an experiment (${parsed.error.issues[0]?.path.join('.') ?? ''})`);
  const { env, algo, run, view } = parsed.data;
  // A link without a version means the first one, whatever the newest is today.
  const config: Record<string, Json> = { env: { version: 1, ...clean(env) }, algo: { version: 1, ...clean(algo) } };
  if (run !== undefined) config.run = run;
  return { config, view: clean(view ?? {}) as LinkView, experiment: null };
}

/** Without members that are undefined. */
function clean(object: { readonly [key: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as JsonObject;
}

const RUN_KEYS = Object.keys(runOptionsSchema.shape);
const VIEW_LISTS = ['lock', 'overlays'];
/** How a switch is also typed by hand. */
const SWITCHED: ReadonlyMap<string, boolean> = new Map([
  ['1', true],
  ['0', false],
]);

/** A typed value: JSON where it is JSON, else text. */
function typedValue(text: string): Json {
  try {
    return readJson(text);
  } catch {
    return text;
  }
}

function decodeTyped(text: string): OpenedLink {
  const parts: Record<'env' | 'algo' | 'run' | 'view', Record<string, Json>> = { env: {}, algo: {}, run: {}, view: {} };
  const names: { env?: string; algo?: string; experiment?: string } = {};
  const pairs = text.split('&');
  if (pairs.length > MOST_SETTINGS) throw foreign(`it has more than ${MOST_SETTINGS} settings`);
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const key = percentDecoded(pair.slice(0, Math.max(0, at)));
    const raw = percentDecoded(pair.slice(at + 1));
    const [room, ...rest] = key.split('.');
    if (rest.length > DEEPEST_NAME) throw foreign('a setting in it has too many dots');
    if (rest.includes('__proto__')) throw foreign(`"${key}" is not a setting`);
    if (key === 'env' || key === 'algo' || key === 'experiment') names[key] = raw;
    else if (key === 'seed') parts.run.seedStart = typedValue(raw);
    else if (RUN_KEYS.includes(key)) parts.run[key] = typedValue(raw);
    else if ((room === 'env' || room === 'algo' || room === 'run') && rest.length > 0 && !rest.includes('')) {
      parts[room] = setAt(parts[room], rest, typedValue(raw));
    } else if (Object.hasOwn(linkViewSchema.shape, key)) {
      parts.view[key] = VIEW_LISTS.includes(key) ? raw.split(',') : key === 'projector' ? (SWITCHED.get(raw) ?? typedValue(raw)) : raw;
    } else throw foreign(`"${key === '' ? pair : key}" is not a setting`);
  }
  const view = linkViewSchema.safeParse(parts.view, FIRST_ISSUE);
  if (!view.success) throw foreign(`"${String(view.error.issues[0]?.path[0])}" ${valuesThatExist(view.error.issues[0])}`);
  const { env, algo, experiment } = names;
  // Without an algorithm the environment's recommended one is taken, with its budget.
  if (experiment === undefined && env === undefined) throw foreign('it names no environment');
  const ref = (id: string | undefined, config: Record<string, Json>): JsonObject => (id === undefined ? { config } : { id, config });
  return {
    config: { env: ref(env, parts.env), algo: ref(algo, parts.algo), run: parts.run },
    view: clean(view.data) as LinkView,
    experiment: experiment ?? null,
  };
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw damaged('a % sign in it is not followed by two digits');
  }
}
