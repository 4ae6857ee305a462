/** Answers every request with an empty list and the time, as cheaply as it can. */
import { createServer } from 'node:http';
import process from 'node:process';

const server = createServer((request, answer) => {
  request.resume();
  const text = `{"code":"00000","msg":"success","requestTime":${Date.now()},"data":[]}`;
  answer.writeHead(200, ['content-type', 'application/json', 'content-length', `${text.length}`]);
  answer.end(text);
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
