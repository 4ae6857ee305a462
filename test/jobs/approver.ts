/** A person who approves everything that the runs of a job ask, with a passkey. */
import { answerTo } from '../../src/engine/approval/answer-record.ts';
import { writeAnswer } from '../../src/engine/approval/record.ts';
import { openQuestions } from '../../src/engine/journal/questions.ts';
import { readRun } from '../../src/engine/journal/runs.ts';
import { everyName } from '../../src/engine/journal/run-list.ts';
import { readableJson } from '../../src/base/json.ts';
import type { Millis } from '../../src/base/clock.ts';
import { join } from 'node:path';
import { authenticatorOf } from '../engine/approval/authenticator.ts';

export const approver = authenticatorOf('ben@desk.example');

export const approverFiles = {
  allowed_signers: '',
  'passkeys.json': JSON.stringify([approver.entry]),
};

/** Signs an answer to each open question. */
export async function answerAll(stateDir: string, at: Millis): Promise<void> {
  for (const run of await everyName(stateDir)) {
    const entries = await readRun(stateDir, run).catch(() => []); // it may not have begun
    const [started] = entries;
    if (started?.kind !== 'started') continue;
    for (const asked of openQuestions(entries)) {
      const playbook = started.playbook.name;
      const said = answerTo({ run, playbook, asked }, { verdict: 'approve', at });
      const signature = approver.sign(readableJson(said));
      await writeAnswer(join(stateDir, 'approvals'), said, signature);
    }
  }
}
