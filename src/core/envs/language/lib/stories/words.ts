/**
 * The words of the little stories, by what they stand for in a sentence; grammar.ts says how sentences are made of them. A token is a word,
 * and its id is its place in VOCABULARY: files of trained weights (public/stories*.bin) belong to exactly this list in this order.
 */

const list = (text: string): readonly string[] => text.trim().split(/\s+/);

/** First names, by the pronoun that stands for them. */
export const SHE = list('lily anna mia lucy emma zoe sara rose kate amy sue may jill belle claire jane');
export const HE = list('tom sam ben max jack leo tim finn dan jake joe ted bill jay lee paul mike ray');
export const NAMES: readonly string[] = [...SHE, ...HE];

/** Places, with the word that says that someone is there. */
const PLACED: readonly (readonly [preposition: string, places: readonly string[]])[] = [
  ['in', list('garden park town house forest barn cave zoo kitchen castle yard tent tower hall den field')],
  ['at', list('lake farm market river well mill shop pond shore school')],
  ['on', list('hill road street bridge island beach')],
  ['by', list('sea wall tree gate pool')],
];
export const PLACES: readonly string[] = PLACED.flatMap(([, places]) => places);
const prepositions = new Map(PLACED.flatMap(([preposition, places]) => places.map((place) => [place, preposition] as const)));
/** Throws Error for a word that is no place. */
export function prepositionOf(place: string): string {
  const found = prepositions.get(place);
  if (found === undefined) throw new Error(`"${place}" is no place`);
  return found;
}

/** What can be held; food can be eaten, too. */
export const TOYS = list(
  'ball hat kite doll book boat box bag cup key ring bell drum coin rock shell stick star lamp rope map pen spoon coat shoe sock train car bike cap toy net flag leaf jar pan pot bow horn flute crown mask letter stone plane truck brush chair clock block mop mug sled top fan cart wheel basket balloon bucket blanket mitten ribbon nest gift',
);
export const FOOD = list(
  'cake apple pear pie egg plum bun nut cookie candy pizza carrot bean tart grape lemon berry cherry peach meal banana tomato potato muffin onion bagel roll',
);
export const THINGS: readonly string[] = [...TOYS, ...FOOD];

export const ANIMALS = list(
  'cat dog frog bird bear fox bee mouse goat hen pig cow horse duck rabbit snake whale owl bat ant sheep lamb goose deer wolf crab toad bug kitten pony puppy bunny turtle seal parrot',
);

/** Looks of things and animals: of one line at most one is true. */
export const LOOKS: readonly (readonly string[])[] = [
  list('red blue green yellow white black pink brown grey gold'),
  list('big small tiny huge little'),
  list('old new'),
  list('wet dry'),
  list('soft hard'),
  list('warm cold'),
  list('clean dirty'),
  list('round square'),
];
export const LOOK_WORDS: readonly string[] = LOOKS.flat();

/** Moods: of one line any may be true together, of the first two lines one at a time. */
export const GLAD = list('happy glad proud calm merry kind');
export const UPSET = list('sad angry mad scared lonely cross');
export const BODY = list('tired sleepy hungry bored cold');
export const MOODS: readonly string[] = [...GLAD, ...UPSET, ...BODY];

/** What one does alone, in the past, and what one wants to do. */
export const DID = list('smiled laughed cried danced sang jumped ran slept walked swam played rested waved clapped hopped shouted');
export const TO_DO = list('smile laugh dance sing jump run sleep walk swim play rest wave clap hop shout');
/** What one does to another: kind or unkind. */
export const KIND_ACTS = list('hugged helped thanked kissed praised forgave cheered');
export const UNKIND_ACTS = list('hit pushed teased scared kicked chased');
export const SAID = list('hello thanks sorry welcome no never');
export const HOW = list('happily sadly quietly loudly slowly quickly again alone');
export const LINKS = list('then soon later suddenly');
export const DAYTIMES = list('day night morning evening');
export const WEATHER = list('sunny rainy windy snowy fine lovely nice bright');
export const FURNITURE = list('bed table rug mat log shelf');

const OTHER = list(
  '. a an the one once there was were who lived with and had found saw made took gave showed threw to shared ate dropped lost put hid broke fixed very so too wanted loved liked felt they together said asked for came went home fed him her he she away it friends good best shone fell sun moon rain snow in at on by under',
);

/** Every word once, in this order: ids follow from it. */
export const WORDS: readonly string[] = [
  ...new Set([
    ...OTHER,
    ...NAMES,
    ...PLACES,
    ...THINGS,
    ...ANIMALS,
    ...LOOK_WORDS,
    ...MOODS,
    ...DID,
    ...TO_DO,
    ...KIND_ACTS,
    ...UNKIND_ACTS,
    ...SAID,
    ...HOW,
    ...LINKS,
    ...DAYTIMES,
    ...WEATHER,
    ...FURNITURE,
  ]),
];
