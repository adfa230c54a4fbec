/**
 * The pages beside the laboratory and the four doors under which they stand. A page is one line here and a folder of
 * src/ui with the file NAME.page.tsx, whose default is its view: its address (#/name), its door, its tab title, its place among the pages of its
 * door and the command box follow from the line.
 */

export type DoorId = 'worlds' | 'learn' | 'papers' | 'runs';

export interface PageFacts {
  /** The door under which the page stands; null: it stands in no navigation. */
  readonly door: DoorId | null;
  /** In the navigation, in the title of the browser's tab and in the command box. */
  readonly title: string;
  /** What is found there, for the command box: words that people search for. */
  readonly words: string;
  /** Left out of the navigation of its door: another page leads to it, the list of lessons to a class for instance. */
  readonly aside?: true;
  /** Its texts are in English only, which it says in other languages. */
  readonly english?: true;
}

export const PAGES = {
  home: { door: 'worlds', title: 'Worlds', words: 'home front page wall environments start' },
  swarm: { door: 'worlds', title: 'Swarm', words: 'boids graphics card gpu thousands agents', aside: true, english: true },
  write: { door: 'worlds', title: 'Write your own', words: 'world reward player method environment code editor javascript' },
  model: { door: 'worlds', title: 'A model of your own', words: 'language model llama2.c tokens tokenizer bin text', aside: true },
  lessons: { door: 'learn', title: 'Lessons', words: 'course exercises pupils school' },
  methods: { door: 'learn', title: 'Methods', words: 'algorithms learners code equations', english: true },
  challenge: { door: 'learn', title: 'Challenge', words: 'score ranking compete' },
  class: { door: 'learn', title: 'Class', words: 'teacher results seats codes', aside: true },
  papers: { door: 'papers', title: 'Papers', words: 'claims verdicts reproduction comparisons literature' },
  scores: { door: 'papers', title: 'Scores', words: 'results table benchmark', english: true },
  zoo: { door: 'papers', title: 'Ready policies', words: 'zoo trained policies models onnx film download', english: true },
  runs: { door: 'runs', title: 'Runs', words: 'my runs history stored experiments' },
  compare: { door: 'runs', title: 'Compare', words: 'curves groups seeds intervals' },
  side: { door: 'runs', title: 'Side by side', words: 'replays policies cross-play' },
  sweeps: { door: 'runs', title: 'Sweeps', words: 'search settings grid random tuning', english: true },
  transfer: {
    door: 'runs',
    title: 'Transfer grid',
    words: 'trained here tested there transfer contexts grid heat map generalisation',
    aside: true,
    english: true,
  },
  data: { door: 'runs', title: 'Data', words: 'datasets record offline episodes' },
  bench: { door: 'runs', title: 'Speed', words: 'bench executors steps per second device', english: true },
  embed: { door: null, title: 'Frame', words: '' },
} as const satisfies Readonly<Record<string, PageFacts>>;

export type PageName = keyof typeof PAGES;

export const pageNames = Object.keys(PAGES) as readonly PageName[];

export const pageFacts = (page: PageName): PageFacts => PAGES[page];

export interface Door {
  readonly id: DoorId;
  readonly title: string;
  /** The page to which the door leads. */
  readonly page: PageName;
  readonly icon: 'world' | 'learn' | 'paper' | 'curve';
}

export const DOORS: readonly Door[] = [
  { id: 'worlds', title: 'Worlds', page: 'home', icon: 'world' },
  { id: 'learn', title: 'Learn', page: 'lessons', icon: 'learn' },
  { id: 'papers', title: 'Papers', page: 'papers', icon: 'paper' },
  { id: 'runs', title: 'My runs', page: 'runs', icon: 'curve' },
];

/** The pages of a door, in the order of its navigation. */
export const pagesOf = (door: DoorId): readonly PageName[] =>
  pageNames.filter((page) => pageFacts(page).door === door && pageFacts(page).aside !== true);
