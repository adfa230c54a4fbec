/**
 * Texts in the reader's language. A text is named by its English wording, which stands where it is used and is what shows where a language has
 * no translation. Placeholders are ICU: `t('Give it {seconds} s', { seconds: 4 })`. Decision and alternatives: docs/adr/0016-languages.md.
 */
import { setupI18n } from '@lingui/core';

/** Translations by English wording. Placeholders stand in braces; a plural is ICU: `{n, plural, one {# semilla} other {# semillas}}`. */
export type Catalogue = Readonly<Record<string, string>>;
export type Values = Readonly<Record<string, string | number>>;

type Compiled = Parameters<ReturnType<typeof setupI18n>['load']>[1];
type Compile = Parameters<ReturnType<typeof setupI18n>['setMessagesCompiler']>[0];

/** A number and its % stay together at the end of a line. */
const kept = (text: string): string => text.replaceAll(' %', '\u00a0%');

/** English wordings have placeholders and nothing else, so that the first visit needs no parser: text and ['name'] in turn. */
const compilePlain: Compile = (message) =>
  kept(message)
    .split(/(\{\w+\})/)
    .flatMap((part) => (part === '' ? [] : [part.startsWith('{') ? [part.slice(1, -1)] : part])) as ReturnType<Compile>;

const i18n = setupI18n({ locale: 'en', messages: { en: {} } });
i18n.setMessagesCompiler(compilePlain);

/** The text in the language that is shown. `english` must be written out where this is called, or marked by `msg`: a test collects them. */
export const t = (english: string, values?: Values): string => i18n._(english, values as Record<string, unknown> | undefined);

/** As `t`, by number: `one` where `n` is 1, else `other`, which names the text in the catalogues. Both may hold {n}. */
export function tn(one: string, other: string, n: number, values: Values = {}): string {
  const all = { n, ...values };
  return known(other) ? t(other, all) : fill(n === 1 ? one : other, all);
}

const fill = (text: string, values: Values): string => text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

/** Marks a text that is translated where it is shown. */
export const msg = (english: string): string => english;

/** Whether the text stands in a catalogue of the language that is shown; English has none. */
export const known = (english: string): boolean => english in i18n.messages;

/** The language that is shown, as a BCP 47 tag. */
export const locale = (): string => i18n.locale;

/** Texts of a language beside those that it has. The parser of plurals is loaded with the first catalogue. */
export async function add(id: string, catalogue: Catalogue): Promise<void> {
  const { compileMessage } = await import('@lingui/message-utils/compileMessage');
  i18n.load(id, Object.fromEntries(Object.entries(catalogue).map(([english, text]) => [english, compileMessage(kept(text))])) as Compiled);
}

/** Shows a language from now on: English, or one whose texts were added. */
export const show = (id: string): void => i18n.activate(id);
