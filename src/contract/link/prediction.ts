/**
 * A prediction of a paper as a short code (link-code.ts), for the class page: paper, choice, the word of the class, and a number that tells the codes
 * of two visitors apart. No name is in it. Eleven bytes: "P", number of the paper (2), choices, choice, salt of the class (4), mark (2).
 */
import { damaged, decodeCode, encodeCode } from './code.ts';

const KIND = 0x50;
const BYTES = 11;

export interface PredictionCode {
  /** "P033". */
  readonly paper: string;
  readonly choices: number;
  /** Place of the choice, from 0. */
  readonly choice: number;
  /** Of the word of the class; 0: none. */
  readonly salt: number;
  /** 16 bits, drawn once by each visitor. */
  readonly mark: number;
}

/** The code, at most 30 characters. */
export function encodePrediction({ paper, choices, choice, salt, mark }: PredictionCode): string {
  const bytes = new Uint8Array(BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, KIND);
  view.setUint16(1, Number(paper.slice(1)));
  view.setUint8(3, choices);
  view.setUint8(4, choice);
  view.setUint32(5, salt);
  view.setUint16(9, mark);
  return encodeCode(bytes);
}

/** What a code says. Throws LabError('link-damaged', 'link-foreign', 'link-future'). */
export function decodePrediction(text: string): PredictionCode {
  const bytes = decodeCode(text);
  if (bytes.length !== BYTES || bytes[0] !== KIND) throw damaged('it holds no prediction of a paper');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [choices, choice] = [view.getUint8(3), view.getUint8(4)];
  if (choice >= choices) throw damaged('it names a choice that was not there');
  return {
    paper: `P${String(view.getUint16(1)).padStart(3, '0')}`,
    choices,
    choice,
    salt: view.getUint32(5),
    mark: view.getUint16(9),
  };
}
