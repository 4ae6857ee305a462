/** Where Chromium is installed; undefined where it is not. */
import { existsSync } from 'node:fs';

export const executablePath = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find(existsSync);
