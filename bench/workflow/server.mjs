/** An exchange that takes every order and has no positions, as cheaply as it can. */
import { createServer } from 'node:http';
import process from 'node:process';

const server = createServer((request, answer) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (text) => (body += text));
  request.on('end', () => {
    const [, clientOid] = /"clientOid":"([^"]+)"/.exec(body) ?? [];
    const data = clientOid ? `{"orderId":"1300000000000000001","clientOid":"${clientOid}"}` : '[]';
    const text = `{"code":"00000","msg":"success","requestTime":${Date.now()},"data":${data}}`;
    answer.writeHead(200, ['content-type', 'application/json', 'content-length', `${text.length}`]);
    answer.end(text);
  });
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('disconnect', () => process.exit());
