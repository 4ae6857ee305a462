/** Starts `serve` for tests with a browser, and checks its pages. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Page } from 'playwright-core';
import { begin } from '../cli/deskhand.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface Serving {
  readonly folder: string;
  readonly stateDir: string;
  readonly url: string;
  readonly link: string;
  end(): Promise<void>;
}

/** Starts the server as a person does, and reads its link. @param port of an earlier one @param env its environment */
export async function serving(
  folder = mkdtempSync(join(tmpdir(), 'desk-')),
  port = '0',
  env: Readonly<Record<string, string>> = {},
): Promise<Serving> {
  const child: ChildProcess = begin(['serve', '--port', port], { cwd: folder, env });
  let text = '';
  const link = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const [, found] = /open (\S+)\n/.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.once('exit', () => reject(new Error(text)));
  });
  return {
    folder,
    stateDir: join(folder, '.deskhand'),
    url: new URL(link).origin,
    link,
    end: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** What axe finds. */
export async function faultsIn(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe: tool } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await tool.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200) ?? ''}`);
  });
}

/** By how many pixels the page is wider than the screen. */
export const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/**
 * What is wrong with a page on a telephone and a desk, light and dark: faults that axe finds, and by how
 * many pixels it is too wide. Its context must have `bypassCSP`, for axe.
 */
export async function faultsOnScreens(page: Page, name: string): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      const place = [name, colorScheme, width] as const;
      for (const fault of await faultsIn(page)) found.push([...place, fault]);
      const more = await sideways(page);
      if (more !== 0) found.push([...place, `${more} pixels wider than the screen`]);
    }
  }
  return found;
}
