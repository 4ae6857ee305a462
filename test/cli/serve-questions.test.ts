/** A run that waits for an approval on the server: what a browser signs is checked as by `approve`. */
import { expect, test } from 'vitest';
import { standingClock, systemClock } from '../../src/base/clock.ts';
import type { RunView } from '../../src/serve/server/run-view.ts';
import { authenticatorOf } from '../engine/approval/authenticator.ts';
import { served, type Served } from '../serve/server/desk.ts';
import {
  annsRepository,
  gatedPlaybook,
  waitingRun,
  type WaitingRun,
} from '../support/waiting-run.ts';

const ben = authenticatorOf('ben@desk.example');
const stranger = authenticatorOf('stranger@desk.example');

test('its page says that it waits, and no duration before it has one', async () => {
  const { server, waiting } = await desk();
  const view = (await (await server.get(`/runs/${waiting.run}`)).json()) as RunView;
  expect([view.headline, view.tone]).toEqual(['waits for approval, step 2 of 3', 'warn']);
  expect(view.facts.map(([name]) => name)).not.toContain('took');
  const { graph, timeline } = view.progress;
  expect([graph.nodes[1], timeline.rows[1]]).toMatchObject([
    { state: 'running', detail: expect.stringMatching(/^waits for approval by .* UTC$/) },
    { state: 'running', note: expect.stringMatching(/^running · waits for approval by .* UTC$/) },
  ]);
});

/** A desk with a run that waits. */
async function desk(
  options: { readonly isReadOnly?: boolean } = {},
): Promise<{ readonly server: Served; readonly waiting: WaitingRun }> {
  const rules = 'signers: ./allowed_signers, passkeys: ./passkeys.json, plans: false';
  const cwd = annsRepository({
    'gated.yaml': gatedPlaybook(),
    'deskhand.yaml': `profiles: { main: { approve: { ${rules} } } }\n`,
    allowed_signers: '',
    'passkeys.json': JSON.stringify([ben.entry]),
  });
  const waiting = await waitingRun(cwd, ['run', 'gated.yaml']);
  const command = ['/no/such/program'] as const; // it starts none
  const clock = standingClock(systemClock.now()); // a record is signed by it
  const server = await served({ folder: cwd, command, clock, ...options });
  await server.poll();
  return { server, waiting };
}

const fieldsOf = (armoured: string): Record<string, string> =>
  Object.fromEntries(
    armoured
      .split('\n')
      .slice(1, 5)
      .map((line) => line.split(': ')),
  );

async function recordOf(server: Served, run: string, query = 'verdict=approve'): Promise<string> {
  const answer = await server.get(`/runs/${run}/answer?step=consent&${query}`);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { record: string }).record;
}

test('a step that waits is on home with its run, and a passkey lets it go', async () => {
  const { server, waiting } = await desk();
  const { run } = waiting;
  expect(await (await server.get('/home')).json()).toMatchObject({
    needs: [
      {
        kind: 'approval',
        run,
        label: 'waits for approval',
        text: expect.stringMatching(/^consent asks: A bid at/),
        at: expect.any(Number),
      },
    ],
    running: [{ run, asks: [{ step: 'consent' }], lastAt: expect.any(Number) }],
  });
  expect(await (await server.get(`/runs/${run}/questions`)).json()).toMatchObject({
    questions: [
      {
        step: 'consent',
        text: expect.stringMatching(/^A bid at [\d.]+\?$/),
        people: 'one person who did not write or start it',
        effects: [{ address: 'bid', text: expect.stringMatching(/^BTCUSDT open long 0\.010 @/) }],
        approved: [],
        passkeys: [{ who: 'ben@desk.example' }],
        command: `deskhand approve ${run} consent`,
      },
    ],
  });
  const record = await recordOf(server, run, 'verdict=approve&comment=fine');
  expect(JSON.parse(record)).toMatchObject({ verdict: 'approve', run, step: 'consent' });
  const assertion = fieldsOf(ben.sign(record).armoured);
  const saved = await server.post(`/runs/${run}/answer`, { record, assertion });
  expect([saved.status, await saved.json()]).toEqual([
    200,
    expect.objectContaining({ who: 'ben@desk.example', verdict: 'approve' }),
  ]);
  expect(await waiting.ended).toBe(0);
  await server.poll();
  expect(await (await server.get('/home')).json()).toMatchObject({
    needs: [],
    runs: [{ run, people: ['ben@desk.example'] }],
  });
  expect(await (await server.get(`/runs/${run}/questions`)).json()).toEqual({ questions: [] });
});

test('what does not count is refused, nothing is saved, and the run waits on', async () => {
  const { server, waiting } = await desk();
  const { run } = waiting;
  const record = await recordOf(server, run);
  const good = fieldsOf(ben.sign(record).armoured);
  const other = record.replace(/"digest": "./, '"digest": "x');
  const cases: readonly (readonly [string, object, number, RegExp])[] = [
    [
      'a stranger',
      { record, assertion: fieldsOf(stranger.sign(record).armoured) },
      409,
      /unknown passkey/,
    ],
    [
      'another question',
      { record: other, assertion: fieldsOf(ben.sign(other).armoured) },
      409,
      /another question/,
    ],
    [
      'a changed record',
      { record: record.replace('{\n', '{ \n'), assertion: good },
      409,
      /digest of this record/,
    ],
    ['no record', { record: '{}', assertion: good }, 400, /not a record/],
    [
      'a live account that was not typed',
      { record: record.replace('"target": "sandbox"', '"target": "live"'), assertion: good },
      409,
      /live account main/,
    ],
  ];
  for (const [what, body, status, message] of cases) {
    const answer = await server.post(`/runs/${run}/answer`, body);
    expect([what, answer.status, await answer.text()]).toEqual([
      what,
      status,
      expect.stringMatching(message),
    ]);
  }
  const said = await recordOf(server, run, 'verdict=decline');
  const declined = await server.post(`/runs/${run}/answer`, {
    record: said,
    assertion: fieldsOf(ben.sign(said).armoured),
  });
  expect(declined.status).toBe(200);
  expect(await waiting.ended).toBe(5);
});

test('a server that is read-only shows the question, and takes no answer', async () => {
  const { server, waiting } = await desk({ isReadOnly: true });
  const { run } = waiting;
  expect((await server.get(`/runs/${run}/questions`)).status).toBe(200);
  expect((await server.post(`/runs/${run}/answer`, {})).status).toBe(404);
  await waiting.kill();
});
