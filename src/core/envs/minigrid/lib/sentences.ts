/** BabyAI sentences between the generator, the state (sentence-code.ts), its JSON and the observation (mission.ts). */
import { fail } from '#contract/kit/errors.ts';
import type { Json } from '#contract/kit/json.ts';
import type { Builder } from './builder.ts';
import { matches, parseSentence, type Sentence, sentenceJson, usesLocations } from './instructions.ts';
import { type MissionCode, textOf, VOCABULARY, wordsOf } from './mission.ts';
import { writePlaces } from './places.ts';
import { articlesOf, decodeSentence, encodeSentence, SENTENCE_WORDS } from './sentence-code.ts';
import { SENTENCE, type SentenceField } from './state.ts';

/** The five words of a sentence on the map as it stands at the start. */
function encodeOn(sentence: Sentence | null, cells: Uint32Array, places: Uint8Array): Uint32Array {
  if (sentence === null) return new Uint32Array(SENTENCE_WORDS);
  return encodeSentence(sentence, (d) => {
    let found = 0;
    for (const word of cells) if (matches(word, d, places, 0)) found++;
    return found > 1;
  });
}

export function tellMission(builder: Builder, sentence: Sentence | null): Uint32Array {
  const cells = builder.copy();
  const places = new Uint8Array(cells.length);
  if (sentence !== null && usesLocations(sentence)) builder.places(places);
  return encodeOn(sentence, builder.carrying === 0 ? cells : Uint32Array.of(...cells, builder.carrying), places);
}

/** `given`: the sentence of the config's end rule. */
export function sentenceField(width: number, height: number, given: Sentence | null): SentenceField {
  return {
    toJson(words) {
      const sentence = decodeSentence(words, 0);
      return sentence === null ? null : { ...sentenceJson(sentence), many: [...articlesOf(words, 0)] };
    },
    fromJson(json, cells, [x, y, dir]) {
      const { many, ...rest } = (json ?? {}) as { readonly [key: string]: Json };
      const sentence = json === null ? null : json === undefined ? given : parseSentence(rest);
      const places = new Uint8Array(width * height);
      writePlaces(cells, 0, width, height, x, y, dir, places, 0);
      if (!Array.isArray(many)) return encodeOn(sentence, cells, places);
      let said = 0;
      if (sentence === null)
        throw fail('state-invalid', 'State field "instruction" is empty.', 'Give an instruction or null.', 'instruction');
      return encodeSentence(sentence, () => many[said++] === true);
    },
  };
}

export function missionText(words: Uint32Array, at: number): string {
  const sentence = decodeSentence(words, at);
  return sentence === null ? '' : textOf(wordsOf(sentence, articlesOf(words, at)));
}

/** The sentence as `tokens` one-hot rows over the vocabulary; words beyond them are cut off. */
export function tokenMission(tokens: number): MissionCode {
  return {
    size: tokens * VOCABULARY.length,
    write(words, base, _a, _b, out, at, cells) {
      const sentence = decodeSentence(words, base + cells + SENTENCE);
      const said = sentence === null ? [] : wordsOf(sentence, articlesOf(words, base + cells + SENTENCE));
      out.fill(0, at, at + tokens * VOCABULARY.length);
      for (let i = 0; i < tokens; i++) out[at + i * VOCABULARY.length + VOCABULARY.indexOf(said[i] ?? '')] = 1;
    },
  };
}
