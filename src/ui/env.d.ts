/// <reference types="vite-plugin-pwa/client" />

/** Ids of the claims whose results stand beside the page, put in by the build. */
declare const RESULT_IDS: readonly string[];
