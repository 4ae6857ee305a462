/**
 * Loaded before a program: each order that it sends to the port SENT_PORT adds a line to the file
 * SENT_FILE, with the id of the process and the clientOid.
 */
import { appendFileSync } from 'node:fs';
import { Socket } from 'node:net';
import process from 'node:process';

const { SENT_PORT, SENT_FILE = '' } = process.env;
const sockets = Socket.prototype;
const real = sockets['write'];

sockets.write = function (chunk, ...given) {
  if (this.remotePort === Number(SENT_PORT)) {
    for (const [, name] of String(chunk).matchAll(/"clientOid":"([^"]+)"/g)) {
      appendFileSync(SENT_FILE, `${process.pid} ${name}\n`);
    }
  }
  return real.call(this, chunk, ...given);
};
