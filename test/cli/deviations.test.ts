/** Responses that deviate from the interface, on the command line: `doctor` and `call --strict` say how. */
import { expect, test } from 'vitest';
import { fieldOf } from '../../src/base/json.ts';
import { deskhand, folderWith } from './deskhand.ts';

/** A folder whose sandbox writes its responses in other forms than the interface. */
async function deviating(): Promise<string> {
  const cwd = folderWith({
    'real.yaml': 'version: 1\nconfig: { quirks: { answers: real } }\n',
  });
  expect(await deskhand(['sandbox', 'load', 'real.yaml'], { cwd })).toMatchObject({ code: 0 });
  return cwd;
}

test('call --strict names each deviation, with exit code 10', async () => {
  const cwd = await deviating();
  const words = ['call', 'market/list-tickers', 'category=USDT-FUTURES', '--strict'];
  const json = await deskhand([...words, '--json'], { cwd });
  expect(json.code).toBe(10);
  const deviations: unknown[] = JSON.parse(json.stdout).deviations;
  expect(deviations.length).toBeGreaterThan(0);
  for (const each of deviations) {
    expect(each).toMatchObject({ operation: 'market/list-tickers', count: expect.any(Number) });
  }
  const text = await deskhand(words, { cwd });
  expect(text.code).toBe(10);
  // Which fields deviate depends on the instant of the response.
  expect(text.stderr).toMatch(/^deviates market\/list-tickers: \[\]\.\w+ .+ \(\d+\)$/m);
  expect((await deskhand(words.slice(0, -1), { cwd })).code).toBe(0);
});

test('doctor warns of each deviation, and names the command that shows it', async () => {
  const cwd = await deviating();
  const { code, stdout } = await deskhand(['doctor', '--json'], { cwd });
  expect(code).toBe(0);
  const findings: unknown[] = JSON.parse(stdout).findings;
  const warnings = findings.filter((each) => fieldOf(each, 'what') === 'responses');
  expect(warnings.length).toBeGreaterThan(0);
  for (const each of warnings) {
    expect(each).toMatchObject({
      status: 'warning',
      message: expect.stringMatching(/^[a-z]+\/[a-z-]+: .+ \(\d+\)$/),
      fix: expect.stringMatching(/deskhand call [a-z]+\/[a-z-]+ --strict$/),
    });
  }
});
