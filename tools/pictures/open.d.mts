import type { Browser, Page } from '@playwright/test';

export function openPictures(theme?: 'light' | 'dark'): Promise<{ readonly page: Page; readonly browser: Browser; close(): Promise<void> }>;
