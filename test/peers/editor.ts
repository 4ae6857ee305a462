/** An editor as the YAML language server sees it: JSON-RPC over stdio, one folder, no network. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Completion {
  readonly label: string;
  readonly documentation?: string | { readonly value: string };
  readonly insertText?: string;
}

export interface Diagnostic {
  readonly message: string;
  readonly range: { readonly start: Position; readonly end: Position };
}

export interface Editor {
  /** Completions at `|`. */
  completionsAt(text: string): Promise<readonly Completion[]>;
  /** The hover text at `|`. */
  hoverAt(text: string): Promise<string>;
  /** @param name of the document in the folder */
  diagnosticsOf(text: string, name?: string): Promise<readonly Diagnostic[]>;
  close(): Promise<void>;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

const program = join(
  import.meta.dirname,
  'node_modules',
  'yaml-language-server',
  'bin',
  'yaml-language-server',
);

/**
 * @param folder where the documents are; schemas are found from there
 * @param schemas patterns of files by schema, as `yaml.schemas` has them in VS Code
 */
export async function openEditor(
  folder: string,
  schemas: Readonly<Record<string, readonly string[]>> = {},
): Promise<Editor> {
  const child = spawn(process.execPath, [program, '--stdio'], { cwd: folder });
  const wire = connect(child, schemas);
  const rootUri = pathToFileURL(folder).href;
  await wire.ask('initialize', {
    processId: process.pid,
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: 'playbooks' }],
    capabilities: {
      textDocument: {
        hover: { contentFormat: ['markdown'] },
        completion: {
          completionItem: { documentationFormat: ['markdown'], snippetSupport: false },
        },
        publishDiagnostics: {},
      },
      workspace: { configuration: true, workspaceFolders: true },
    },
  });
  wire.tell('initialized', {});
  let count = 0;
  const open = (text: string, name = `document-${++count}.yaml`): string => {
    const uri = pathToFileURL(join(folder, name)).href;
    wire.tell('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version: 1, text },
    });
    return uri;
  };
  const askAt = (method: string, marked: string): Promise<unknown> => {
    const { text, position } = cursorIn(marked);
    return wire.ask(method, { textDocument: { uri: open(text) }, position });
  };
  return {
    completionsAt: async (marked) => {
      const found = (await askAt('textDocument/completion', marked)) as {
        items: readonly Completion[];
      } | null;
      return found?.items ?? [];
    },
    hoverAt: async (marked) => {
      const found = (await askAt('textDocument/hover', marked)) as {
        contents: { value: string };
      } | null;
      return found?.contents.value ?? '';
    },
    diagnosticsOf: (text, name) => wire.diagnostics(open(text, name)),
    close: async () => {
      await wire.ask('shutdown', null);
      wire.tell('exit', null);
      await once(child, 'exit');
    },
  };
}

function cursorIn(marked: string): { readonly text: string; readonly position: Position } {
  const at = marked.indexOf('|');
  const before = marked.slice(0, at).split('\n');
  return {
    text: marked.slice(0, at) + marked.slice(at + 1),
    position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 },
  };
}

interface Wire {
  ask(method: string, params: unknown): Promise<unknown>;
  tell(method: string, params: unknown): void;
  diagnostics(uri: string): Promise<readonly Diagnostic[]>;
}

function connect(child: ChildProcessWithoutNullStreams, schemas: object): Wire {
  const answers = new Map<number | string, (result: unknown) => void>();
  const found = new Map<string, readonly Diagnostic[]>();
  const waiting = new Map<string, (diagnostics: readonly Diagnostic[]) => void>();
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const receive = ({ id, method, params, result }: Message): void => {
    if (method === undefined) {
      if (id !== undefined) answers.get(id)?.(result);
    } else if (method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics } = params as { uri: string; diagnostics: readonly Diagnostic[] };
      found.set(uri, diagnostics);
      waiting.get(uri)?.(diagnostics);
    } else if (id !== undefined) send({ id, result: settings(method, params, schemas) });
  };
  let buffer = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const end = buffer.indexOf('\r\n\r\n');
      const length = Number(
        /content-length: (\d+)/i.exec(buffer.toString('latin1', 0, Math.max(0, end)))?.[1],
      );
      if (end === -1 || buffer.length < end + 4 + length) return;
      const body = buffer.toString('utf8', end + 4, end + 4 + length);
      buffer = buffer.subarray(end + 4 + length);
      receive(JSON.parse(body));
    }
  });
  let count = 0;
  return {
    ask: (method, params) => {
      const id = ++count;
      send({ id, method, params });
      return new Promise((resolve) => answers.set(id, resolve));
    },
    tell: (method, params) => send({ method, params }),
    diagnostics: (uri) => {
      const known = found.get(uri);
      return known ? Promise.resolve(known) : new Promise((resolve) => waiting.set(uri, resolve));
    },
  };
}

/** What VS Code would answer when the server asks for its settings. */
function settings(method: string, params: unknown, schemas: object): unknown {
  if (method !== 'workspace/configuration') return null;
  const yaml = {
    validate: true,
    hover: true,
    completion: true,
    schemaStore: { enable: false }, // nothing is fetched
    schemas,
  };
  const { items } = params as { items: readonly { section?: string }[] };
  return items.map(({ section }) => (section === 'yaml' ? yaml : {}));
}
