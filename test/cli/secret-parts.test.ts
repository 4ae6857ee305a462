/** What a program prints of a structured secret is masked on the screen, in outputs and in the journal. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deskhand, folderWith } from './deskhand.ts';

const secret = { user: 'svc', token: 'tok-9f8e7d6c5b4a', host: 'h', password: 'hunter2' };
const playbook = `playbook: 1
name: printing
steps:
  - id: program
    uses: shell/run
    with:
      command: [sh, -c, 'echo "$S" | grep token; echo "$S" | grep -o hunter.; echo "$S" | tr -d "\\n" | cut -c 20-44 >&2; echo "{\\"ok\\": true}"']
      env: { S: "{{ secrets.SERVICE }}" }
outputs: { printed: "{{ steps.program.response.stdout }}" }
`;

test.each([
  ['compact', JSON.stringify(secret)],
  ['in lines', JSON.stringify(secret, null, 2)],
])('a secret in JSON, %s', async (_, given) => {
  const cwd = folderWith({
    'deskhand.yaml': 'profiles: { main: { allow: { shell: true } } }\nprofile: main\n',
    'printing.yaml': playbook,
  });
  const env = { DESKHAND_SECRET_SERVICE: given };
  const { code, stdout, stderr } = await deskhand(['run', 'printing.yaml', '-v'], { cwd, env });
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  const files = readdirSync(join(cwd, '.deskhand', 'runs'), { recursive: true })
    .map(String)
    .filter((name) => /\.(?:ndjson|jsonl|json)$/.test(name));
  const journal = files.map((name) => readFileSync(join(cwd, '.deskhand', 'runs', name), 'utf8'));
  expect(journal.join('')).toContain('•••');
  expect(journal.join('')).toContain('true');
  for (const text of [stdout, stderr, ...journal]) {
    expect(text).not.toMatch(/9f8e7d6c5b4a|hunter2/);
  }
});
