/** `serve` of deskhand.yaml: who may use the page of a team. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig, type Config } from '../../../src/app/config/load.ts';
import { folderWith } from '../../cli/deskhand.ts';

function load(text: string): Promise<Config> {
  const cwd = folderWith({ 'deskhand.yaml': text });
  return loadConfig({ cwd, env: { XDG_CONFIG_HOME: join(cwd, '.config') } });
}

const withAuth = (auth: string): string =>
  `serve: { hosts: [desk.example.com], auth: { client-id: deskhand, ${auth} } }\n`;
const issuer = 'issuer: https://id.example.com';

test('has defaults for all but hosts, issuer, client and roles', async () => {
  const { serve } = await load(
    `serve: { hosts: [Desk.example.com, 'desk.example.com:8443'], auth: { client-id: deskhand, ${issuer}, roles: { approver: [ANN@Example.com, Desk] } } }\n`,
  );
  expect(serve).toEqual({
    hosts: ['desk.example.com', 'desk.example.com:8443'],
    auth: {
      issuer: new URL('https://id.example.com'),
      clientId: 'deskhand',
      roles: { viewer: [], operator: [], approver: ['ann@example.com', 'Desk'] },
      groupsClaim: 'groups',
      scopes: ['openid', 'email', 'profile'],
      idle: 3_600_000,
      expires: 43_200_000,
    },
  });
});

const roles = 'roles: { viewer: [readers] }';

test.each([
  [withAuth(`issuer: http://id.example.com, ${roles}`), 'serve.auth.issuer must use https'],
  [withAuth(`issuer: id.example.com, ${roles}`), 'serve.auth.issuer must be an address'],
  [withAuth(`issuer: 'https://a:b@id.example.com', ${roles}`), 'without user, query and fragment'],
  [withAuth(roles), 'serve.auth.issuer is missing'],
  [withAuth(issuer), 'serve.auth.roles gives nobody a role'],
  [withAuth(`${issuer}, roles: { admin: [ann] }`), 'serve.auth.roles.admin is not known'],
  [withAuth(`${issuer}, roles: { viewer: [''] }`), 'has an empty name'],
  [withAuth(`${issuer}, ${roles}, scopes: ['a b']`), 'serve.auth.scopes must be a list of scopes'],
  [withAuth(`${issuer}, ${roles}, idle: 0s`), 'serve.auth.idle must be a duration'],
  [withAuth(`${issuer}, ${roles}, client-secret: hunter2`), 'serve.auth.client-secret must be'],
  [`serve: { hosts: [], auth: {} }\n`, 'serve.hosts must list the names'],
  [`serve: { hosts: ['https://desk.example.com'], auth: {} }\n`, 'serve.hosts must have names'],
  [`serve: { hosts: ['desk.example.com:443'], auth: {} }\n`, 'serve.hosts must have names'],
  [`serve: { hosts: [d], tls: { cert: c.pem }, auth: {} }\n`, 'serve.tls.key is missing'],
])('%s is refused', async (text, message) => {
  await expect(load(text)).rejects.toThrow(message);
  await expect(load(text)).rejects.not.toThrow('hunter2');
});
