import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { putMark } from '../../src/engine/journal/high-water.ts';
import { readJournal } from '../../src/engine/journal/journal.ts';
import { deskhand, folderWith } from './deskhand.ts';
import { files, masked } from './ladder.ts';
import { startSandbox } from './sandbox.ts';

describe('a live account', () => {
  async function liveFolder(): Promise<{ cwd: string; env: Readonly<Record<string, string>> }> {
    const sandbox = await startSandbox();
    const account = `target: live, base-url: "${sandbox.baseUrl}", account-id: desk`;
    const config = `profiles: { main: { ${account} } }\n`;
    const { DESKHAND_BASE_URL: _url, ...env } = sandbox.env('hedge');
    return { cwd: folderWith({ ...files, 'deskhand.yaml': config }), env };
  }

  test('needs approval and is shown as LIVE on every screen', async () => {
    const start = await liveFolder();
    const { code, stderr } = await deskhand(['run', 'ladder.yaml'], start);
    expect(code).toBe(5);
    expect(stderr.startsWith('LIVE main (key')).toBe(true);
    expect(masked(stderr.slice(stderr.indexOf('error[')))).toMatchSnapshot();
    const id = /--approve (p-[0-9a-f]{8})/.exec(stderr)?.[1] ?? '';
    const approved = await deskhand(['run', 'ladder.yaml', '--approve', id], start);
    expect([approved.code, approved.stdout.includes('LIVE main')]).toEqual([0, true]);
  });

  test('notifies nobody without encryption, not even on this machine', async () => {
    const { cwd, env } = await liveFolder();
    const step =
      'id: notice, uses: notify/webhook, with: { url: "{{ secrets.HOOK }}", text: placed }';
    const text = `playbook: 1\nname: notice\naccount: main\nsteps: [{ ${step} }]\n`;
    writeFileSync(join(cwd, 'notice.yaml'), text);
    const at = (url: string) =>
      deskhand(['plan', 'notice.yaml'], { cwd, env: { ...env, DESKHAND_SECRET_HOOK: url } });
    const { code, stderr } = await at('http://127.0.0.1:9/hook');
    expect([code, stderr]).toEqual([3, expect.stringContaining('url must be https://')]);
    expect((await at('https://127.0.0.1:9/hook')).code).toBe(0);
  });

  test('runs a plan whose id is approved', async () => {
    const start = await liveFolder();
    const { stdout } = await deskhand(['plan', 'ladder.yaml'], start);
    expect(stdout.startsWith('LIVE main')).toBe(true);
    const id = /Plan (p-[0-9a-f]{8})/.exec(stdout)?.[1] ?? '';
    const other = await deskhand(['run', 'ladder.yaml', '--approve', 'p-00000000'], start);
    expect(other.code).toBe(5);
    const run = await deskhand(['run', 'ladder.yaml', '--approve', id], start);
    expect([run.code, run.stdout.includes('LIVE main')]).toEqual([0, true]);
  });

  test('resumes a run without remaining writes without another approval', async () => {
    const start = await liveFolder();
    const { stdout } = await deskhand(['plan', 'ladder.yaml'], start);
    const id = /Plan (p-[0-9a-f]{8})/.exec(stdout)?.[1] ?? '';
    const run = await deskhand(['run', 'ladder.yaml', '--approve', id, '-o', 'json'], start);
    const name = /"run":"(r-[a-z0-9]+)"/.exec(run.stdout)?.[1] ?? '';
    const state = join(start.cwd, '.deskhand');
    const folder = join(state, 'runs', name);
    const journal = join(folder, 'journal.ndjson');
    const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
    const { playbook, createdAt } = JSON.parse(readFileSync(join(folder, 'header.json'), 'utf8'));
    const endAt = async (entries: number): Promise<void> => {
      const text = `${lines.slice(0, entries).join('\n')}\n`;
      const { state: reached } = readJournal(text, journal);
      writeFileSync(journal, text);
      await putMark(state, { run: name, playbook, createdAt }, { ...reached, end: reached.seq });
    };
    // As if killed before its last entry; then as if killed before the response to its first order.
    await endAt(lines.length - 1);
    const ended = await deskhand(['resume', name], start);
    expect([ended.code, ended.stderr]).toEqual([0, expect.not.stringContaining('--approve')]);

    const sent = lines.findIndex((line) => line.includes('"kind":"settled"'));
    await endAt(sent);
    const unapproved = await deskhand(['resume', name], start);
    // Whatever stops it first: the order in doubt is named.
    expect([unapproved.code, unapproved.stderr]).toEqual([
      6,
      expect.stringMatching(/in doubt: orders\[40000\.0\] .*--approve /s),
    ]);
    expect(unapproved.stderr).toContain(`--approve ${name}`);
  });

  test('a single call that writes is blocked without a person', async () => {
    const start = await liveFolder();
    const words = ['-p', 'main', 'call', 'account/create-sub', 'username=alpha'];
    const { code, stderr } = await deskhand(words, start);
    expect([code, stderr]).toMatchSnapshot();
  });

  test('without a key the variables are named', async () => {
    const { cwd } = await liveFolder();
    const { code, stderr } = await deskhand(['run', 'ladder.yaml'], { cwd });
    expect([code, stderr]).toMatchSnapshot();
  });

  test('is refused when certificate verification is disabled', async () => {
    const { cwd, env } = await liveFolder();
    const unsafe = { ...env, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    const { code, stderr } = await deskhand(['run', 'ladder.yaml'], { cwd, env: unsafe });
    expect([code, stderr.includes('NODE_TLS_REJECT_UNAUTHORIZED')]).toEqual([4, true]);
  });
});
