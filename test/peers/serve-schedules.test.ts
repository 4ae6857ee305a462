/** The schedules in a real browser: kept by the server, paused, resumed and run from the page. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { browser } from './open-browser.ts';
import { serving } from './serving.ts';

/** A repository whose schedules are due now, and rarely. */
function repository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'desk-'));
  mkdirSync(join(folder, 'playbooks'));
  const playbook = (name: string, cron: string): void =>
    writeFileSync(
      join(folder, 'playbooks', `${name}.yaml`),
      `playbook: 1
name: ${name}
schedule: [{ cron: "${cron}", timezone: UTC }]
steps: [{ id: tickers, uses: market/list-tickers, with: { category: SPOT } }]
`,
    );
  playbook('often', '* * * * *');
  playbook('rarely', '0 0 29 2 *');
  return folder;
}

test('the server runs what is due, and a person pauses, resumes and runs a schedule by keyboard', async () => {
  const desk = await serving(repository());
  const page = await browser.newPage();
  await page.goto(desk.link);
  await page.locator('table a[href*="/runs/"]').first().waitFor({ timeout: 120_000 }); // `often`
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.getByRole('button', { name: 'Pause rarely' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Reason').focus();
  await page.keyboard.type('<b>key</b> is rotated');
  await page.keyboard.press('Enter');
  await page.getByText('<b>key</b> is rotated').waitFor();
  await page.getByRole('button', { name: 'Resume rarely' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Pause rarely' }).waitFor();
  await page.getByRole('button', { name: 'Run rarely now' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'rarely', exact: true }).waitFor({ timeout: 120_000 });
  expect(page.url()).toContain('/runs/r-');
  await page.close();
  await desk.end();
});
