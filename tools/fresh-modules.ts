/** Files of unit tests that hold state share a process, which is quicker to begin than one for each, and start with modules of their own. */
import { afterAll, vi } from 'vitest';

afterAll(() => void vi.resetModules());
