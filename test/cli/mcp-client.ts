/** The client of the public SDK, connected to `deskhand mcp`, and everything that came over the wire. */
import process from 'node:process';
import { Client, type CallToolResult } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { inject } from 'vitest';
import { isRecord } from '../../src/base/json.ts';
import { afterEachTest } from '../support/cleanup.ts';
import { envOf, type Start } from './deskhand.ts';

export interface Agent {
  readonly client: Client;
  readonly pid: number;
  /** Every message of the server, as JSON. */
  readonly heard: readonly string[];
  /** What it wrote to stderr. */
  readonly said: () => string;
  /** Calls a tool; the client checks its structured result against the schema of the tool. */
  readonly call: (
    name: string,
    args?: Record<string, unknown>,
    signal?: AbortSignal,
  ) => Promise<Called>;
  /** The error of a call. */
  readonly refusal: (name: string, args?: Record<string, unknown>) => Promise<Refused>;
}

export interface Called {
  readonly isError: boolean;
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
}

export interface Refused {
  readonly code: string;
  readonly what: string;
  readonly where?: string;
  readonly help?: string;
}

export async function agentIn(start: Start, flags: readonly string[] = []): Promise<Agent> {
  const wire = new StdioClientTransport({
    command: process.execPath,
    args: [inject('launcher'), 'mcp', ...flags],
    cwd: start.cwd,
    env: envOf(start),
    stderr: 'pipe',
  });
  const heard: string[] = [];
  let said = '';
  wire.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const client = new Client({ name: 'a test', version: '1' });
  await client.connect(wire);
  const receive = wire.onmessage;
  wire.onmessage = (message) => {
    heard.push(JSON.stringify(message));
    receive?.(message);
  };
  open.push(client);
  await client.listTools(); // the client now knows the schemas of results
  const call: Agent['call'] = async (name, args = {}, signal) => {
    const options = signal === undefined ? {} : { signal };
    return shown(await client.callTool({ name, arguments: args }, options));
  };
  return {
    client,
    heard,
    call,
    pid: wire.pid ?? 0,
    said: () => said,
    refusal: async (name, args) => {
      const { isError, text } = await call(name, args);
      if (!isError) throw new Error(`${name} was not refused: ${text}`);
      return JSON.parse(text).error;
    },
  };
}

function shown({ isError = false, content, structuredContent = {} }: CallToolResult): Called {
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return { isError, text, value: isRecord(structuredContent) ? structuredContent : {} };
}

const open: Client[] = [];

afterEachTest(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});
