/** The language server over standard input and output, with an editor's messages. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type PublishDiagnosticsParams,
} from 'vscode-languageserver/node';
import { begin, deskhand, folderWith } from './deskhand.ts';

const desks = `playbook: 1
name: desks
inputs:
  count: { type: integer, default: 3 }
steps:
  - id: orders
    uses: order/list-open
    with: { category: USDT-FUTURES, limit: "{{ inputs.count }}" }
    outputs:
      first: "{{ response.list }}"
  - id: sub
    needs: [orders]
    uses: account/create-sub
    once-per: playbook
    with: { username: desk }
  - id: wait
    needs: [orders]
    uses: wait
    with: { for: 1s }
    if: "{{ gt (length steps.orders.outputs.first) 0 }}"
outputs:
  uid: "{{ steps.sub.outputs.subUid }}"
`;

interface Editor {
  readonly child: ChildProcess;
  readonly end: () => Promise<void>;
  readonly ask: (method: string, params: object) => Promise<unknown>;
  /** The diagnostics of a file after it was changed to this text. */
  readonly type: (file: string, text: string) => Promise<PublishDiagnosticsParams>;
  readonly uri: (file: string) => string;
  readonly at: (file: string, text: string, mark: string, into?: number) => object;
}

async function editorIn(cwd: string): Promise<Editor> {
  const child = begin(['lsp', '--stdio'], { cwd: join(cwd, '..') });
  const wire = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const uri = (file: string): string => pathToFileURL(join(cwd, file)).href;
  const awaited = new Map<string, (diagnostics: PublishDiagnosticsParams) => void>();
  wire.onNotification(
    'textDocument/publishDiagnostics',
    (diagnostics: PublishDiagnosticsParams) => {
      awaited.get(diagnostics.uri)?.(diagnostics);
      awaited.delete(diagnostics.uri);
    },
  );
  wire.listen();
  onTestFinished(() => wire.dispose());
  const workspace = pathToFileURL(cwd).href;
  const folders = [{ uri: workspace, name: 'desk' }];
  await wire.sendRequest('initialize', {
    processId: process.pid,
    rootUri: workspace,
    workspaceFolders: folders,
    capabilities: {},
  });
  await wire.sendNotification('initialized', {});
  let version = 0;
  const open = new Set<string>();
  return {
    child,
    end: () => wire.sendNotification('exit'),
    uri,
    ask: (method, params) => wire.sendRequest(method, params),
    type: async (file, text) => {
      version += 1;
      const diagnostics = new Promise<PublishDiagnosticsParams>((resolve) =>
        awaited.set(uri(file), resolve),
      );
      const document = { uri: uri(file), languageId: 'yaml', version, text };
      if (open.has(file)) {
        const textDocument = { uri: uri(file), version };
        const params = { textDocument, contentChanges: [{ text }] };
        await wire.sendNotification('textDocument/didChange', params);
      } else {
        await wire.sendNotification('textDocument/didOpen', { textDocument: document });
      }
      open.add(file);
      return diagnostics;
    },
    at: (file, text, mark, into = 0) => {
      const before = text.slice(0, text.indexOf(mark) + into).split('\n');
      const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
      return { textDocument: { uri: uri(file) }, position };
    },
  };
}

test('reports the problems of validate at the same locations while you type', async () => {
  const cwd = folderWith({ 'inner.yaml': 'playbook: 2\n' });
  const editor = await editorIn(cwd);
  const wrong = desks.replace('steps.sub.outputs.subUid', 'steps.sub.outputs.subUId');
  const { stdout } = await deskhand(['validate', '-', '-o', 'json'], { cwd, input: wrong });
  const [expected] = JSON.parse(stdout).files[0].problems;
  const { diagnostics } = await editor.type('desks.yaml', wrong);
  expect(diagnostics).toHaveLength(1);
  expect(diagnostics[0]).toMatchObject({
    code: expected.code,
    severity: 1,
    source: 'deskhand',
    message: expect.stringContaining(expected.message),
    range: { start: { line: expected.line - 1, character: expected.column - 1 } },
  });
  expect((await editor.type('desks.yaml', desks)).diagnostics).toEqual([]);
  // A playbook it uses, with the editor's unsaved content.
  const using = 'playbook: 1\nname: using\nsteps: [{ id: desks, uses: ./inner.yaml }]\n';
  expect((await editor.type('inner.yaml', desks)).diagnostics).toEqual([]);
  expect((await editor.type('using.yaml', using)).diagnostics).toEqual([]);
  expect((await editor.type('inner.yaml', 'playbook: 2\n')).diagnostics).not.toEqual([]);
  expect((await editor.type('deskhand.yaml', 'profile: main\n')).diagnostics).toEqual([]);
});

test('completes paths and helpers inside an expression, incomplete and unclosed', async () => {
  const cwd = folderWith();
  const editor = await editorIn(cwd);
  const labels = async (text: string, mark: string): Promise<string[]> => {
    await editor.type('desks.yaml', text);
    const at = editor.at('desks.yaml', text, mark, mark.length);
    const items: unknown = await editor.ask('textDocument/completion', at);
    return Array.isArray(items) ? items.map(({ label }) => String(label)) : [];
  };
  const ending = desks.slice(desks.indexOf('"{{ steps.sub'));
  for (const typed of [
    '"{{ steps.sub.outputs. }}"',
    '"{{ steps.sub.outputs.',
    '"{{ steps.sub.outputs.su }}"',
  ]) {
    const mark = typed.replace(' }}"', '');
    const found = await labels(desks.replace(ending, typed), mark);
    expect([typed, found]).toEqual([typed, expect.arrayContaining(['subUid', 'username'])]);
    expect(found).not.toContain('orderId');
  }
  const roots = await labels(desks.replace(ending, '"{{ '), 'uid: "{{ ');
  expect(roots).toEqual(expect.arrayContaining(['inputs', 'steps', 'run', 'default']));
  expect(roots).not.toContain('row');
  const later = await labels(desks.replace('{{ inputs.count }}', '{{ steps. }}'), '{{ steps.');
  expect(later).toEqual([]); // no step is done before the first
  expect(await labels(desks, 'username: ')).toEqual([]);
});

test('completes keys and values outside of expressions, and replaces the whole word', async () => {
  const editor = await editorIn(folderWith({ 'deskhand.yaml': 'profiles: { desk: {} }\n' }));
  const text = desks.replace('uses: wait', 'account: de\n    uses: wai');
  await editor.type('desks.yaml', text);
  const at = editor.at('desks.yaml', text, 'uses: wai', 9);
  const items: unknown = await editor.ask('textDocument/completion', at);
  expect(items).toContainEqual({
    label: 'wait',
    kind: 20,
    documentation: 'Wait',
    textEdit: {
      range: { start: { line: 18, character: 10 }, end: { line: 18, character: 13 } },
      newText: 'wait',
    },
  });
  const account = editor.at('desks.yaml', text, 'account: de', 11);
  const profiles: unknown = await editor.ask('textDocument/completion', account);
  expect(profiles).toMatchObject([{ label: 'sandbox' }, { label: 'desk' }]);
});

test('offers the change that a hint names as a quick fix', async () => {
  const editor = await editorIn(folderWith());
  const wrong = desks.replace('steps.sub.outputs.subUid', 'steps.sub.outputs.subUdi');
  const { diagnostics } = await editor.type('desks.yaml', wrong);
  const textDocument = { uri: editor.uri('desks.yaml') };
  const params = { textDocument, range: diagnostics[0]?.range, context: { diagnostics } };
  expect(await editor.ask('textDocument/codeAction', params)).toMatchObject([
    {
      title: 'write subUid instead of subUdi',
      kind: 'quickfix',
      edit: { changes: { [textDocument.uri]: [{ newText: 'subUid' }] } },
    },
  ]);
});

test('only standard input and output are served', async () => {
  for (const flag of ['--socket=7000', '--pipe=x', '--node-ipc']) {
    const { code, stderr } = await deskhand(['lsp', flag], { cwd: folderWith() });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('the language server uses standard input and output only'),
    ]);
  }
});

test('describes a path, a helper and an operation on hover', async () => {
  const editor = await editorIn(folderWith());
  await editor.type('desks.yaml', desks);
  const hoverText = async (mark: string, into = 1): Promise<string> => {
    const at = editor.at('desks.yaml', desks, mark, into);
    return JSON.stringify(await editor.ask('textDocument/hover', at));
  };
  expect(await hoverText('inputs.count')).toContain('`inputs.count`: integer');
  expect(await hoverText('steps.sub.outputs', 8)).toContain('subUid`: text');
  expect(await hoverText('length steps')).toContain('gives');
  expect(await hoverText('account/create-sub')).toContain('POST /api/v3/user/create-sub');
  expect(await hoverText('account/create-sub')).toContain('`username` (required)');
  expect(await hoverText('account/create-sub')).toContain('effect: ');
  expect(await hoverText('once-per')).toContain('once in any number of runs');
  expect(await hoverText('name: desks', 7)).toBe('null');
});

test('goes to the definition of a step and renames all references', async () => {
  const editor = await editorIn(folderWith());
  await editor.type('desks.yaml', desks);
  for (const [mark, into] of [
    ['needs: [orders]', 9],
    ['steps.orders.outputs', 7],
  ] as const) {
    const at = editor.at('desks.yaml', desks, mark, into);
    const found = await editor.ask('textDocument/definition', at);
    expect(found).toMatchObject({ range: { start: { line: 5, character: 8 } } });
    expect(await editor.ask('textDocument/prepareRename', at)).toMatchObject({
      placeholder: 'orders',
    });
    const answer: unknown = await editor.ask('textDocument/rename', { ...at, newName: 'open' });
    const edits: { range: { start: { line: number } } }[] = Object.values(
      Object(answer).changes,
    ).flatMap((each) => (Array.isArray(each) ? each : []));
    expect(edits.map(({ range }) => range.start.line)).toEqual([5, 11, 16, 19]);
  }
  const sub = editor.at('desks.yaml', desks, 'id: sub', 5);
  await expect(editor.ask('textDocument/prepareRename', sub)).rejects.toThrow(
    'would be sent again',
  );
  const taken = { ...editor.at('desks.yaml', desks, 'id: wait', 5), newName: 'sub' };
  await expect(editor.ask('textDocument/rename', taken)).rejects.toThrow('with the name "sub"');
});

test('formats like fmt', async () => {
  const cwd = folderWith({ 'desks.yaml': desks.replaceAll('uses: wait', 'uses:   wait  ') });
  const untidy = readFileSync(join(cwd, 'desks.yaml'), 'utf8');
  const editor = await editorIn(cwd);
  await editor.type('desks.yaml', untidy);
  const [edit]: unknown[] = Object(
    await editor.ask('textDocument/formatting', {
      textDocument: { uri: editor.uri('desks.yaml') },
      options: { tabSize: 2, insertSpaces: true },
    }),
  );
  await deskhand(['fmt', 'desks.yaml'], { cwd });
  expect(edit).toMatchObject({ newText: readFileSync(join(cwd, 'desks.yaml'), 'utf8') });
});

test('exits when the editor requests it', async () => {
  const { ask, child, end } = await editorIn(folderWith());
  expect(await ask('shutdown', {})).toBeNull();
  const ended = once(child, 'exit');
  await end();
  expect(await ended).toEqual([0, null]);
});
