/**
 * What a person's model may ask for, before MuJoCo compiles it: parts are counted through `include` and `replicate`, and what could take memory
 * or time without bound is refused by name and line. Pictures and sensors, which nothing here uses, are blanked; lines keep their numbers, so
 * that the compiler's messages name those of the person's file.
 */

import { textOf } from '#contract/kit/bytes.ts';
import { utf8 } from '#contract/kit/canonical.ts';
import { fail, type LabError } from '#contract/kit/errors.ts';
import { type Robot, robotFiles } from '#contract/link/robot.ts';
import { type Element, readXml, XmlError } from './xml.ts';

/** Of a model, once everything that is repeated stands there. */
export const MOST = { body: 200, geom: 1000, joint: 200, site: 300, mesh: 400, hfield: 10, actuator: 100, other: 20_000 };

/** Working memory of each copy of a model; MuJoCo's own choice takes more than a page can give to many. */
const MEMORY = '8M';

export const refused = (message: string, fix: string): LabError => fail('file-invalid', message, fix, 'env.robot');

const REFUSED: { readonly [element: string]: string } = {
  composite: 'Write its bodies out, or leave it out.',
  flexcomp: 'Soft bodies are not read: leave it out.',
  flex: 'Soft bodies are not read: leave it out.',
  deformable: 'Soft bodies are not read: leave it out.',
  plugin: 'Plugins are code and are not run: leave it out.',
  extension: 'Plugins are code and are not run: leave it out.',
  attach: 'Put the parts of the other model into this file.',
  model: 'Put the parts of the other model into this file.',
};
const REFUSED_ATTRIBUTES = ['plugin', 'delay', 'nsample', 'octree_maxdepth'];

/** Numbers of an attribute that MuJoCo makes so many things of, and the most of each. */
const COUNTS: { readonly [attribute: string]: number } = {
  nkey: 100,
  nuserdata: 1000,
  nuser_body: 100,
  nuser_jnt: 100,
  nuser_geom: 100,
  nuser_site: 100,
  nuser_cam: 100,
  nuser_tendon: 100,
  nuser_actuator: 100,
  nuser_sensor: 100,
  iterations: 500,
  ls_iterations: 500,
  noslip_iterations: 500,
  ccd_iterations: 500,
  sdf_iterations: 50,
  sdf_initpoints: 100,
  maxhullvert: 10_000,
  resolution: 4096,
  actdim: 10,
};
/** Rows, and columns, of a height field. */
const MOST_ROWS = 1000;

const KINDS: { readonly [element: string]: keyof typeof MOST } = {
  body: 'body',
  frame: 'body',
  geom: 'geom',
  joint: 'joint',
  freejoint: 'joint',
  site: 'site',
  mesh: 'mesh',
  hfield: 'hfield',
};
const NAMES: { readonly [kind: string]: string } = { other: 'elements', body: 'bodies', mesh: 'meshes', hfield: 'height fields' };
const ACTUATORS = ['motor', 'position', 'velocity', 'intvelocity', 'damper', 'cylinder', 'muscle', 'adhesion', 'general', 'dcmotor'];
/** Of the text that has an element of this name. */
const BLANKED = ['sensor', 'texture', 'skin', 'size'];

/** What is compiled. */
export interface Readied {
  readonly mjcf: string;
  /** By the names that the compiler asks for. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

interface Text {
  readonly name: string;
  readonly text: string;
  readonly root: Element;
}

/** `floor`: one is laid where the model has none. Throws LabError('file-invalid') naming the line. */
export function readied(robot: Robot, floor: boolean): Readied {
  const files = new Map([...robotFiles(robot)].map(([name, bytes]) => [reduced(name), bytes]));
  const main = parsed('', robot.mjcf);
  const { root } = main;
  if (root.name !== 'mujoco')
    throw refused(
      `Line ${root.line}: the outermost element is <${root.name}>, not <mujoco>.`,
      root.name === 'robot' ? 'This is a URDF file: make MJCF of it with MuJoCo’s own compile program.' : 'Give a model of MuJoCo.',
    );
  const texts = new Map<string, Text>();
  for (const [name, bytes] of files) if (/\.(xml|mjcf)$/i.test(name)) texts.set(name, parsed(name, textOf(bytes)));
  const counter = new Counter(texts, files);
  counter.count(main, root, 1, new Set());
  for (const { name, text, root: other } of texts.values()) {
    if (counter.included.has(name)) files.set(name, utf8(blanked(text, other)));
    else files.delete(name); // what was not counted is not compiled either
  }
  const ground = counter.grounds > 0;
  let mjcf = blanked(main.text, root);
  // Both stand on lines that are there, so that all others keep their numbers.
  const end = mjcf.lastIndexOf('</worldbody>');
  if (floor && !ground && end >= 0)
    mjcf = `${mjcf.slice(0, end)}<geom name="laid floor" type="plane" size="0 0 1" contype="1" conaffinity="1"/>${mjcf.slice(end)}`;
  if (mjcf[root.open - 2] !== '/') mjcf = `${mjcf.slice(0, root.open)}<size memory="${MEMORY}"/>${mjcf.slice(root.open)}`;
  return { mjcf, files };
}

function parsed(name: string, text: string): Text {
  try {
    return { name, text, root: readXml(text) };
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw refused(`${name === '' ? 'Line' : `"${name}", line`} ${error.line}: ${error.message}.`, 'Correct the XML there.');
  }
}

class Counter {
  /** Planes and height fields. */
  grounds = 0;
  private readonly texts: ReadonlyMap<string, Text>;
  private readonly counts = { body: 0, geom: 0, joint: 0, site: 0, mesh: 0, hfield: 0, actuator: 0, other: 0 };
  readonly included = new Set<string>();

  private readonly files: ReadonlyMap<string, Uint8Array>;

  constructor(texts: ReadonlyMap<string, Text>, files: ReadonlyMap<string, Uint8Array>) {
    this.texts = texts;
    this.files = files;
  }

  /** Adds what this element and those in it come to when they are repeated `times` times. */
  count(text: Text, element: Element, times: number, under: ReadonlySet<string>): void {
    const { name, attributes, line } = element;
    const at = `${text.name === '' ? 'Line' : `"${text.name}", line`} ${line}`;
    if (name === 'sensor' && under.size > 0) return; // blanked
    const why = Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined;
    if (why !== undefined && !(name === 'model' && !under.has('asset'))) throw refused(`${at}: <${name}> is not read here.`, why);
    for (const [key, value] of Object.entries(attributes)) this.attribute(at, element, key, value);
    const kind = under.has('default') ? 'other' : under.has('actuator') && ACTUATORS.includes(name) ? 'actuator' : (KINDS[name] ?? 'other');
    this.counts[kind] += times;
    if (this.counts[kind] > MOST[kind])
      throw refused(
        `${at}: the model has more than ${MOST[kind].toLocaleString('en')} ${NAMES[kind] ?? `${kind}s`}${times > 1 ? ', counting what is repeated' : ''}.`,
        'Make the model smaller.',
      );
    if (name === 'geom' && !under.has('default') && (attributes.type === 'plane' || attributes.type === 'hfield')) this.grounds++;
    if (name === 'hfield' && attributes.file !== undefined) this.heights(at, attributes.file);
    if (name === 'include') {
      this.include(at, attributes.file ?? '', times, under);
      return;
    }
    const repeated = name === 'replicate' ? times * whole(at, 'count', attributes.count ?? '1', MOST.other) : times;
    const inside = new Set(under).add(name);
    for (const child of element.children) this.count(text, child, repeated, inside);
  }

  private attribute(at: string, { name }: Element, key: string, value: string): void {
    if (REFUSED_ATTRIBUTES.includes(key)) throw refused(`${at}: "${key}" of <${name}> is not read here.`, 'Leave it out.');
    if (value.length > 50_000)
      throw refused(`${at}: "${key}" has ${value.length} characters.`, 'Put long lists of numbers into a mesh file.');
    const most = Object.hasOwn(COUNTS, key) ? COUNTS[key] : undefined;
    if (most !== undefined) for (const word of value.trim().split(/\s+/)) whole(at, key, word, most);
    if (name === 'numeric' && key === 'size') whole(at, key, value, 1000);
    if (name === 'mesh' && key === 'params') for (const word of value.trim().split(/\s+/)) whole(at, key, word, 64, false);
    if (name === 'hfield' && (key === 'nrow' || key === 'ncol')) whole(at, key, value, MOST_ROWS);
    if (name === 'geom' && key === 'type' && value === 'sdf')
      throw refused(`${at}: geoms of type "${value}" are not read here.`, 'Use a mesh, boxes or capsules.');
  }

  /**
   * A picture says how large it is before it is unpacked; of other files two whole numbers say how many heights follow. Every file of that name is
   * looked at, in any folder and case: which one MuJoCo takes depends on the compiler's settings.
   */
  private heights(at: string, named: string): void {
    const wanted = nameOf(named);
    for (const [path, bytes] of this.files) {
      if (nameOf(path) !== wanted) continue;
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const png = bytes.length >= 24 && view.getUint32(0) === 0x89504e47;
      if (!png && bytes.length < 8) throw refused(`${at}: "${wanted.slice(0, 100)}" holds no heights.`, 'Give a PNG picture.');
      const sides = png ? [view.getUint32(16), view.getUint32(20)] : [view.getInt32(0, true), view.getInt32(4, true)];
      if (sides.some((side) => side < 1 || side > MOST_ROWS))
        throw refused(
          `${at}: the height field of "${wanted.slice(0, 100)}" has ${sides.join(' by ')} points.`,
          `At most ${MOST_ROWS.toLocaleString('en')} by ${MOST_ROWS.toLocaleString('en')} are possible.`,
        );
    }
  }

  private include(at: string, named: string, times: number, under: ReadonlySet<string>): void {
    const file = reduced(named);
    const text = this.texts.get(file);
    if (text === undefined)
      throw refused(`${at}: "${file.slice(0, 100)}" is included and is not here.`, 'Put the file and all that it includes into one zip.');
    if (this.included.has(file)) throw refused(`${at}: "${file.slice(0, 100)}" is included twice.`, 'MuJoCo takes each file once.');
    this.included.add(file);
    for (const child of text.root.children) this.count(text, child, times, under);
  }
}

/** The name of a file without its folders, in small letters. */
const nameOf = (path: string): string => reduced(path).replace(/^.*\//, '').toLowerCase();

/** A path without '.' and without folders that it leaves again; backslashes, as Windows writes them, are slashes. */
function reduced(path: string): string {
  const parts: string[] = [];
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

function whole(at: string, key: string, word: string, most: number, exact = true): number {
  const value = Number(word);
  if (Number.isFinite(value) && value <= most && value >= -1 && (!exact || Number.isInteger(value))) return value;
  throw refused(`${at}: "${key}" is ${word.slice(0, 40)}.`, `At most ${most.toLocaleString('en')} are possible.`);
}

/** The text with spaces in place of what is left out; line ends stay. */
function blanked(text: string, root: Element): string {
  const spans: (readonly [from: number, to: number])[] = [];
  const look = (element: Element): void => {
    for (const child of element.children) {
      if (BLANKED.includes(child.name)) spans.push([child.from, child.to]);
      else {
        if (child.name === 'material') spans.push(...pictureSpans(text, child));
        look(child);
      }
    }
  };
  look(root);
  let out = '';
  let at = 0;
  for (const [from, to] of spans) {
    out += text.slice(at, from) + text.slice(from, to).replace(/[^\n]/g, ' ');
    at = to;
  }
  return out + text.slice(at);
}

/** What a material says of pictures. */
function pictureSpans(text: string, material: Element): readonly (readonly [number, number])[] {
  const tag = text.slice(material.from, material.open);
  const found = [...tag.matchAll(/\stexture\s*=\s*("[^"]*"|'[^']*')/g)].map(
    ({ index, 0: whole }) => [material.from + index, material.from + index + whole.length] as const,
  );
  return [...found, ...material.children.map(({ from, to }) => [from, to] as const)];
}
