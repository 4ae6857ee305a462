/**
 * A stranger who holds connections of a server, each with a request that never ends, and opens another one for
 * each that the server ends.
 *
 *   node stranger.mjs PORT SOCKETS ADDRESSES
 *
 * It comes from 127.0.0.2 and so many addresses after it; with 0 from that of everybody else. It answers each
 * message with what it holds and what it has opened.
 */
import { connect } from 'node:net';
import process from 'node:process';

const [port, sockets, addresses] = process.argv.slice(2).map(Number);
const atOnce = 100; // connections that are being opened
const pause = 200; // ms before one that was ended is opened again

let held = 0;
let opened = 0;
let ended = 0;
let opening = 0;
let waiting = sockets;

function open() {
  while (opening < atOnce && waiting > 0) {
    waiting -= 1;
    opening += 1;
    begin(opened + opening);
  }
}

function begin(number) {
  const localAddress = addresses === 0 ? undefined : `127.0.0.${2 + (number % addresses)}`;
  const socket = connect({ port, host: '127.0.0.1', ...(localAddress && { localAddress }) });
  let isOpen = false;
  socket.on('error', () => undefined);
  socket.on('connect', () => {
    isOpen = true;
    opening -= 1;
    held += 1;
    opened += 1;
    socket.write('GET / HTTP/1.1\r\nX-Slow: ');
    open();
  });
  socket.on('close', () => {
    if (isOpen) held -= 1;
    else opening -= 1;
    ended += 1;
    setTimeout(() => {
      waiting += 1;
      open();
    }, pause);
  });
  socket.resume();
}

process.on('message', () => process.send?.({ held, opened, ended }));
process.once('disconnect', () => process.exit(0));
open();
