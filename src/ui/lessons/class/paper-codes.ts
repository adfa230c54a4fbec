/** Predictions of a paper in a text that a class pasted. Pure. */
import { decodeCode, encodeCode, spelled } from '#contract/link/code.ts';
import { decodePrediction } from '#contract/link/prediction.ts';

/** The codes in a text that are predictions of this paper in this class, each once, as they are spelled; and how many others there are. */
export function predictionsIn(
  text: string,
  paper: string,
  choices: number,
  salt: number,
): { readonly codes: readonly string[]; readonly others: number } {
  const codes: string[] = [];
  let others = 0;
  for (const found of text.matchAll(/RL\d{1,3}:\S+/gi)) {
    try {
      const told = decodePrediction(found[0]);
      if (told.paper !== paper || told.choices !== choices || told.salt !== salt) others++;
      else codes.push(spelled(encodeCode(decodeCode(found[0]))));
    } catch {
      others++; // counted and told
    }
  }
  return { codes: [...new Set(codes)], others };
}
