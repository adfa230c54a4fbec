/**
 * The language of the page: what the address asks for (`?lang=es`), else what was chosen on this device, else the first of the browser's
 * languages that we have. It changes no run and no link after the #.
 */
import { createStore } from 'zustand/vanilla';
import { Latest, type Turn } from '#stores/latest.ts';
import { LANGUAGES, type Language, languageOf } from '#text/languages.ts';
import { add, show, t } from '#text/text.ts';
import { toast } from './toasts.ts';

const KEY = 'rl-workbench:language';
const ENGLISH = LANGUAGES[0]!;

/** The language that is shown. The tree of views is made anew when it changes. */
export const languageStore = createStore<{ readonly language: Language }>(() => ({ language: ENGLISH }));

/** What to show first. `search`: of the address; `kept`: of this device; `browser`: navigator.languages. */
export function firstLanguage(search: string, kept: string | null, browser: readonly string[]): Language {
  const asked = [new URLSearchParams(search).get('lang'), kept, ...browser];
  for (const tag of asked) {
    const found = tag === null ? null : languageOf(tag);
    if (found !== null) return found;
  }
  return ENGLISH;
}

function kept(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // storage is blocked
  }
}

/** Before the first view. Where a catalogue cannot be loaded the page is in English. */
export async function startLanguage(): Promise<void> {
  const language = firstLanguage(location.search, kept(), navigator.languages);
  if (language !== ENGLISH) await use(language, choices.begin()).catch((error: unknown) => console.error(error));
}

/** From the menu: shown at once, kept on this device, and carried by every link that is copied from here. */
export async function chooseLanguage(language: Language): Promise<void> {
  const newest = choices.begin();
  try {
    await use(language, newest);
  } catch {
    if (newest()) toast(t('This language could not be loaded. Connect to the network once and try again.'), { tone: 'caution' });
    return;
  }
  if (!newest()) return;
  const search = new URLSearchParams(location.search);
  search.set('lang', language.id);
  history.replaceState(history.state, '', `${location.pathname}?${search}${location.hash}`);
  try {
    localStorage.setItem(KEY, language.id);
  } catch {
    // Storage is blocked: the address keeps it.
  }
}

/** The language that was asked for last is shown: an earlier one whose texts come only then changes nothing. */
const choices = new Latest();

async function use(language: Language, newest: Turn): Promise<void> {
  if (language.load !== null)
    for (const file of await Promise.all([language.load('page'), language.load('facts')])) await add(language.id, file.default);
  if (!newest()) return;
  show(language.id);
  const { documentElement } = document;
  documentElement.lang = language.id;
  documentElement.dir = language.dir;
  languageStore.setState({ language });
}
