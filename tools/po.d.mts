import type { Plugin } from 'vite';
import type { Catalogue } from '../src/text/text.ts';

export function translationsIn(text: string): Catalogue;
export function poText(language: string, places: Iterable<readonly [string, readonly string[]]>, translations: Catalogue): string;
export function poPlugin(): Plugin;
