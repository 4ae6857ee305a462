/** Chromium, as the machine has it. */
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** @throws Error where it is not installed */
export async function launchBrowser(): Promise<Browser> {
  const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const executablePath = places.find(existsSync);
  if (executablePath === undefined) throw new Error('no Chromium: apt-get install chromium');
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}
