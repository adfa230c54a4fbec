import type { Plugin } from 'vite';

export function sandboxPlugin(): Plugin;
