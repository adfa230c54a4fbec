/**
 * Catalogues of translations as .po files, which translators' editors read: the English wording is the msgid, plurals are ICU. The build
 * makes a module of each; a text that is not translated is left out and shows in English.
 */
import { readFileSync } from 'node:fs';
import PO from 'pofile';

/** The translations of a .po file's text, by their English wording. Throws Error for a wording that stands there twice. */
export function translationsIn(text) {
  const found = {};
  for (const { msgid, msgstr } of PO.parse(text).items) {
    if (msgid in found) throw new Error(`"${msgid}" stands there twice.`);
    if (msgstr[0]) found[msgid] = msgstr[0];
  }
  return found;
}

/** Texts of a .po file. `places`: where each is shown, by its English wording, in the order of the file; `translations` as of translationsIn. */
export function poText(language, places, translations) {
  const po = new PO();
  po.headers = { 'Content-Type': 'text/plain; charset=UTF-8', Language: language };
  po.items = [...places].map(([msgid, references]) =>
    Object.assign(new PO.Item(), { msgid, references, msgstr: [translations[msgid] ?? ''] }),
  );
  return `${po.toString().trimEnd()}\n`;
}

export function poPlugin() {
  return {
    name: 'po',
    load: {
      filter: { id: /\.po$/ },
      handler: (file) => ({ code: `export default ${JSON.stringify(translationsIn(readFileSync(file, 'utf8')))};`, moduleType: 'js' }),
    },
  };
}
