/** Chromium, as the machine has it. */
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { limits } from '../support/limits.ts';

/** @throws Error where it is not installed */
export async function launchBrowser(): Promise<Browser> {
  const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const executablePath = places.find(existsSync);
  if (executablePath === undefined) throw new Error('no Chromium: apt-get install chromium');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const contextOf = browser.newContext.bind(browser); // pages are made in contexts, too
  return Object.assign(browser, {
    newContext: async (...options: Parameters<Browser['newContext']>) => {
      const context = await contextOf(...options);
      // A wait for a page ends as late as any other of a test; without this it ends after 30 s.
      context.setDefaultTimeout(limits.expect.poll.timeout);
      return context;
    },
  });
}
