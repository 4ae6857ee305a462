/** Two namespaces with a cable between them: a container, and the host that is its gateway. */
import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { run } from './steps.mjs';

export const gateway = '10.71.0.1';
export const container = '10.71.0.2';
/** Another container of the network. */
export const neighbor = '10.71.0.3';

export function openNetwork() {
  const host = `deskhand-host-${process.pid}`;
  const desk = `deskhand-desk-${process.pid}`;
  const ip = (...words) => run('ip', ...words);
  for (const name of [host, desk]) {
    ip('netns', 'add', name);
    ip('-n', name, 'link', 'set', 'lo', 'up');
  }
  ip('-n', host, 'link', 'add', 'eth0', 'type', 'veth', 'peer', 'name', 'eth0', 'netns', desk);
  for (const [name, address] of [
    [host, gateway],
    [host, neighbor],
    [desk, container],
  ]) {
    ip('-n', name, 'address', 'add', `${address}/24`, 'dev', 'eth0');
    ip('-n', name, 'link', 'set', 'eth0', 'up');
  }
  ip('-n', desk, 'route', 'add', 'default', 'via', gateway);
  return {
    desk,
    /** Asks the container from an address of its network. @returns the HTTP status, or `closed` */
    statusFrom: (address) => {
      const ask = `const socket = require('node:net').connect({ host: '${container}', port: 8787, localAddress: '${address}' });
        let text = '';
        socket.on('data', (bytes) => (text += bytes)).on('error', () => 0);
        socket.on('close', () => console.log(/^HTTP\\/1.1 (\\d+)/.exec(text)?.[1] ?? 'closed'));
        socket.end('GET /healthz HTTP/1.1\\r\\nHost: 127.0.0.1:8787\\r\\nConnection: close\\r\\n\\r\\n');`;
      const words = ['netns', 'exec', host, process.execPath, '-e', ask];
      return execFileSync('ip', words, { encoding: 'utf8' }).trim();
    },
    close: () => {
      for (const name of [host, desk]) ip('netns', 'delete', name);
    },
  };
}
