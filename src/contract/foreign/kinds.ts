/** What a file is that is none of ours, by its first bytes and its name, and what can be done with it. */

import { textOf } from '../kit/bytes.ts';
import { fail, type LabError } from '../kit/errors.ts';
import { isZip, ZipError, zipEntries } from '../kit/zip.ts';
import { partsOf, plain } from './names.ts';

interface Kind {
  readonly is: string;
  readonly fix: string;
  /** `text`: its first characters as UTF-8; `ext`: the end of its name in small letters; `entries`: of a zip. */
  readonly when: (given: Given) => boolean;
}

interface Given {
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly ext: string;
  readonly entries: readonly string[];
}

const begins = ({ bytes }: Given, ...wanted: readonly number[]): boolean => wanted.every((byte, i) => bytes[i] === byte);
const says = ({ bytes }: Given, word: string, at = 0): boolean => [...word].every((letter, i) => bytes[at + i] === letter.charCodeAt(0));
const holds = ({ entries }: Given, pattern: RegExp): boolean => entries.some((name) => pattern.test(name));

const RUNS = 'Open a project file, a run folder, curves (event files of TensorBoard, progress.csv, monitor.csv, W&B) or a robot (MJCF).';
const WEIGHTS =
  'Weights of other programs are not read here. Open the curves of its training (event files, progress.csv), or train the method here; its environment can be trained on with train --gym.';
const TABLE = 'Save it as CSV with a column "step" and open that.';

/** The first that fits is taken. */
const KINDS: readonly Kind[] = [
  {
    is: 'an ONNX model',
    fix: 'ONNX is written here (Policy as ONNX in the table of runs), not read: open the policy file (policy.json) or the run that it came from.',
    when: (f) =>
      f.ext === 'onnx' ||
      (begins(f, 8) && f.bytes[2] === 0x12 && /^[\s\S]{0,40}(pytorch|onnx|tf2onnx|rl-workbench|skl2onnx)/i.test(f.text)),
  },
  {
    is: 'an HDF5 file',
    fix: 'A dataset of Minari becomes one of ours with: python3 python/rlw_minari.py from FOLDER play.npz. Weights and other HDF5 files are not read.',
    when: (f) => [0, 512, 1024, 2048].some((at) => f.bytes[at] === 0x89 && says(f, 'HDF\r\n\x1a\n', at + 1)),
  },
  { is: 'a model of Stable-Baselines3', fix: WEIGHTS, when: (f) => holds(f, /(^|\/)(policy\.pth|_stable_baselines3_version)$/) },
  { is: 'weights of PyTorch', fix: WEIGHTS, when: (f) => holds(f, /(^|\/)data\.pkl$/) },
  { is: 'a model of Keras', fix: WEIGHTS, when: (f) => holds(f, /(^|\/)model\.weights\.h5$/) },
  {
    is: 'arrays of NumPy (npz)',
    fix: 'A dataset of ours is a .npz too: give it that ending. Other arrays: save curves as CSV with a column "step".',
    when: (f) => holds(f, /\.npy$/),
  },
  { is: 'a workbook of Excel', fix: TABLE, when: (f) => holds(f, /^xl\/workbook/) },
  { is: 'a text of an office program', fix: RUNS, when: (f) => holds(f, /^(word\/document|content)\.xml$/) },
  {
    is: 'an array of NumPy (npy)',
    fix: 'Save curves as CSV with a column "step", and datasets as .npz.',
    when: (f) => begins(f, 0x93) && says(f, 'NUMPY', 1),
  },
  {
    is: 'a pickle of Python',
    fix: `Pickles run code when they are read, so they are never opened here. ${TABLE}`,
    when: (f) => (begins(f, 0x80) && (f.bytes[1] ?? 0) >= 2 && (f.bytes[1] ?? 0) <= 5) || /^(pkl|pickle)$/.test(f.ext),
  },
  {
    is: 'weights of safetensors',
    fix: WEIGHTS,
    when: (f) => f.ext === 'safetensors' || (says(f, '{"', 8) && f.bytes[6] === 0 && f.bytes[7] === 0),
  },
  { is: 'weights of PyTorch', fix: WEIGHTS, when: (f) => /^(pt|pth)$/.test(f.ext) },
  { is: 'a language model (GGUF)', fix: WEIGHTS, when: (f) => says(f, 'GGUF') },
  { is: 'a model of TensorFlow Lite', fix: WEIGHTS, when: (f) => says(f, 'TFL3', 4) },
  { is: 'a model of TensorFlow', fix: WEIGHTS, when: (f) => /^(pb|keras|ckpt|index)$/.test(f.ext) },
  { is: 'a binary model of MuJoCo', fix: 'Open the model as MJCF: mj_saveLastXML writes it.', when: (f) => f.ext === 'mjb' },
  {
    is: 'a log of Weights & Biases',
    fix: 'Export the run as CSV: run.history().to_csv() in Python, or the menu of a chart.',
    when: (f) => says(f, ':W&B') || f.ext === 'wandb',
  },
  { is: 'a database of SQLite', fix: TABLE, when: (f) => says(f, 'SQLite format 3') },
  { is: 'a table of Parquet', fix: TABLE, when: (f) => says(f, 'PAR1') },
  { is: 'a table of Arrow', fix: TABLE, when: (f) => says(f, 'ARROW1') || says(f, 'FEA1') },
  { is: 'a file of MATLAB', fix: TABLE, when: (f) => says(f, 'MATLAB ') },
  { is: 'a workbook of Excel', fix: TABLE, when: (f) => begins(f, 0xd0, 0xcf, 0x11, 0xe0) },
  { is: 'a recording of ROS', fix: RUNS, when: (f) => says(f, '#ROSBAG') },
  {
    is: 'an archive (gzip)',
    fix: 'Unpack it and open what is in it; event files and tables may stay packed.',
    when: (f) => begins(f, 0x1f, 0x8b),
  },
  {
    is: 'an archive (7z, rar, xz, zstd or bzip2)',
    fix: 'Unpack it and open the folder.',
    when: (f) =>
      begins(f, 0x37, 0x7a, 0xbc, 0xaf) || says(f, 'Rar!') || says(f, '\xfd7zXZ') || begins(f, 0x28, 0xb5, 0x2f, 0xfd) || says(f, 'BZh'),
  },
  { is: 'an archive (tar)', fix: 'Unpack it and open the folder.', when: (f) => says(f, 'ustar', 257) },
  {
    is: 'a picture',
    fix: RUNS,
    when: (f) =>
      begins(f, 0x89, 0x50, 0x4e, 0x47) ||
      begins(f, 0xff, 0xd8, 0xff) ||
      says(f, 'GIF8') ||
      (says(f, 'RIFF') && says(f, 'WEBP', 8)) ||
      /<svg[\s>]/.test(f.text),
  },
  {
    is: 'a film',
    fix: RUNS,
    when: (f) => says(f, 'ftyp', 4) || begins(f, 0x1a, 0x45, 0xdf, 0xa3) || (says(f, 'RIFF') && says(f, 'AVI ', 8)),
  },
  { is: 'a PDF', fix: RUNS, when: (f) => says(f, '%PDF') },
  { is: 'a program', fix: RUNS, when: (f) => says(f, '\x7fELF') || says(f, 'MZ') },
  { is: 'a zip', fix: RUNS, when: (f) => f.entries.length > 0 },
  {
    is: 'a log in lines of JSON',
    fix: 'Save it as CSV and open that: pandas.read_json(FILE, lines=True).to_csv(...). RLlib writes a progress.csv beside it.',
    when: (f) => isJsonLines(f.bytes),
  },
  {
    is: 'a URDF model',
    fix: 'Make MJCF of it with MuJoCo’s own compile program and open that, zipped with its meshes.',
    when: (f) => /<robot[\s>]/.test(f.text),
  },
  { is: 'a web page', fix: RUNS, when: (f) => /^\s*(<!doctype html|<html)/i.test(f.text) },
  { is: 'a text of XML', fix: RUNS, when: (f) => /^\s*<\?xml|^\s*<[a-z]/i.test(f.text) },
  { is: 'a notebook', fix: RUNS, when: (f) => f.ext === 'ipynb' },
  {
    is: 'code in Python',
    fix: 'An environment in Python is trained on from the command line: train --gym MODULE:NAME.',
    when: (f) => f.ext === 'py',
  },
  { is: 'settings in YAML', fix: 'Configs here are JSON: export one from the page to see its form.', when: (f) => /^ya?ml$/.test(f.ext) },
];

/** Names of files beside which the runs of other programs lie. */
const LOOKED_AT = 600;

/**
 * What is said of a file that is no run, policy, config, dataset, robot or curve: LabError('file-invalid'). null: it is a JSON text, of which its
 * own reader says what is missing.
 */
export function strange(bytes: Uint8Array, name: string): LabError | null {
  const text = textOf(bytes.subarray(0, LOOKED_AT)).replace(/\ufffd{1,3}$/, ''); // a letter may be cut in two there
  const base = plain(partsOf(name).at(-1) ?? 'file');
  const ext = (/\.([a-z0-9]+)$/i.exec(base)?.[1] ?? '').toLowerCase();
  const given: Given = { bytes, text, ext, entries: entriesOf(bytes) };
  if (bytes.length === 0) return fail('file-invalid', `"${base}" is empty.`, 'Choose another file, or copy it again.');
  const found = KINDS.find(({ when }) => when(given));
  if (found !== undefined) return fail('file-invalid', `"${base}" is ${found.is}, which is not read here.`, found.fix);
  if (/^\s*[{["]/.test(text)) return null;
  const words = /[\0\ufffd]/.test(text)
    ? 'a binary file of a kind that is not known here'
    : `a text that is none of the kinds known here: it begins "${plain(text.slice(0, 40))}"`;
  return fail('file-invalid', `"${base}" is ${words}.`, RUNS);
}

/** Two objects of JSON on two lines. */
function isJsonLines(bytes: Uint8Array): boolean {
  const [open, close] = [0x7b, 0x7d];
  const end = bytes.indexOf(0x0a);
  const last = bytes[end - 1] === 0x0d ? end - 2 : end - 1;
  return bytes[0] === open && bytes[last] === close && bytes[end + 1] === open;
}

function entriesOf(bytes: Uint8Array): readonly string[] {
  if (!isZip(bytes)) return [];
  try {
    return zipEntries(bytes, 10_000).map(({ name }) => name);
  } catch (error) {
    if (error instanceof ZipError || error instanceof RangeError) return []; // its reader says what is broken
    throw error;
  }
}
