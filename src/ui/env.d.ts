/// <reference types="vite-plugin-pwa/client" />

/** Pictures of environments beside the page, as "<env>-<preset>", put in by the build. */
declare const PICTURES: readonly string[];
/** Worlds for which a trained policy lies beside the page. */
declare const KEPT_POLICIES: readonly string[];

/** Version and commit of this build. */
declare const BUILD: string;

/** What the environments' own files say about them, read by the build (tools/facts/envs.ts). */
declare module 'virtual:env-facts' {
  const facts: {
    readonly [id: string]: {
      readonly about: readonly string[];
      readonly goldenCases: number;
      readonly rates: { readonly [batch: string]: number } | null;
      readonly learned: {
        readonly algo: string;
        readonly steps: number;
        readonly judged: string;
        readonly reached: number | null;
        readonly random: number | null;
        readonly best: number | null;
        readonly fraction: number | null;
        /** One seed of it ended better than it began, by the line that the page draws; null: not tried. */
        readonly kept: boolean | null;
        /** What further seeds may reach at the end, by what they are judged by and as they train; null: not known. */
        readonly bands: { readonly reached: readonly [number, number] | null; readonly training: readonly [number, number] | null };
        readonly seconds: number;
      } | null;
      /** What it reached on fresh seeds; null: not measured yet. */
      readonly fresh: import('#report/zoo.ts').ZooFact | null;
    };
  };
  export default facts;
}

/** Titles of methods and worlds by id, from the catalogue: what a page says before that is loaded. */
declare module 'virtual:titles' {
  const titles: { readonly algos: { readonly [id: string]: string }; readonly envs: { readonly [id: string]: string } };
  export default titles;
}

/** What the front page knows from the start, read by the build (tools/facts/front.ts). */
declare module 'virtual:front-facts' {
  const facts: {
    readonly tiles: readonly import('#contract/catalog/families.ts').Tile[];
    readonly worlds: {
      readonly [env: string]: {
        readonly learned: { readonly fraction: number | null; readonly kept: boolean | null; readonly seconds: number } | null;
        readonly played: { readonly paper: string; readonly arm: string } | null;
      };
    };
  };
  export default facts;
}

/** Clips of the front page by name, played when the page was built (tools/film/plugin.ts): what each shows, and how many numbers of its file each episode takes. */
declare module 'virtual:front-films' {
  const films: {
    readonly [clip: string]: {
      readonly env: import('#client/stage/clips.ts').Filmed;
      readonly episodes: readonly { readonly frames: number; readonly reward: number }[];
      readonly url: string;
    };
  };
  export default films;
}

/** Which method reached what in which environment, read by the build (tools/facts/scores.ts). */
declare module 'virtual:score-facts' {
  const facts: readonly import('#report/scores.ts').ScoreFact[];
  export default facts;
}

/** Policies that lie beside the page, by environment, read by the build (tools/facts/zoo.ts). */
declare module 'virtual:zoo-facts' {
  const facts: { readonly [env: string]: import('#report/zoo.ts').ZooFact };
  export default facts;
}

/** What the methods' own files say about them, by id, read by the build (tools/facts/methods.ts). */
declare module 'virtual:method-facts' {
  const facts: { readonly [id: string]: import('#report/method-facts.ts').MethodFacts };
  export default facts;
}

/** The methods' code, by id. */
declare module 'virtual:method-code' {
  const code: { readonly [id: string]: string };
  export default code;
}

/** What claims of experiments came to, by experiment id, read by the build (tools/facts/papers.ts). */
declare module 'virtual:claim-facts' {
  const facts: {
    readonly [id: string]: {
      readonly outcome: import('#contract/papers/labels.ts').Outcome;
      /** What was run has changed since: the verdict is of an older version. */
      readonly outdated: boolean;
      readonly paper: string | null;
      readonly seeds: readonly [number, number];
    };
  };
  export default facts;
}

/** Committed results of the bench page, read by the build (tools/facts/bench.ts). */
declare module 'virtual:bench-records' {
  const records: readonly import('#contract/run/bench.ts').BenchResult[];
  export default records;
}

/** What the full results of papers came to, by paper id, read by the build (tools/facts/papers.ts). */
declare module 'virtual:paper-facts' {
  const facts: {
    readonly [id: string]: {
      readonly outcome: import('#contract/papers/labels.ts').Outcome;
      /** Whether a second block of seeds said the same; null: none was run. */
      readonly confirmed: boolean | null;
      /** What was run has changed since: the outcome is of an older version. */
      readonly outdated: boolean;
      readonly decidedOn: number;
      readonly coreMinutes: number;
      /** Arms whose policy is kept beside the page, each with the name of its file. */
      readonly policies: { readonly [arm: string]: string };
    };
  };
  export default facts;
}
