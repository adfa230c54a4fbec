import type { Rooms } from './structure.mjs';

export function roomsPicture(rooms: Rooms): string;
