import type { Plugin } from 'vite';

export function withoutEval(text: string): string;
export function mujocoPlugin(): Plugin;
