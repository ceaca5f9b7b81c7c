import { expect, it } from 'vitest';
import { scrub } from '../../src/app/scrub.ts';

it.each([
  ['curl https://ann:s3cret@host/x', 'curl https://ann:***@host/x'],
  ['curl -H "Authorization: Bearer abcdefghijklmnop" x', 'curl -H "Authorization: ***" x'],
  ["curl -H 'X-Api-Key: 1234567890' x", "curl -H 'X-Api-Key: ***' x"],
  ['mysql --password=hunter2 db', 'mysql --password=*** db'],
  ['tool --api-key "a b" run', 'tool --api-key *** run'],
  ['GITHUB_TOKEN=abc make', 'GITHUB_TOKEN=*** make'],
  ['curl -u ann:pw host', 'curl -u ann:*** host'],
  ['git push ghp_0123456789abcdefABCD', 'git push ***'],
  ['aws x AKIAIOSFODNN7EXAMPLE', 'aws x ***'],
  [`x npm_${'a1B2'.repeat(9)} y`, 'x *** y'],
  [`x sk_live_${'a1B2'.repeat(6)} y`, 'x *** y'],
  [`x xoxb-2444333222-${'a1B2'.repeat(4)} y`, 'x *** y'],
  [`x eyJhbGciOiJIUzI1NiJ9.${'a1B2'.repeat(4)}.${'c3D4'.repeat(4)} y`, 'x *** y'],
  ['kubectl get secrets -A', 'kubectl get secrets -A'],
  ['kubectl get pods -n auth-service', 'kubectl get pods -n auth-service'],
  ['grep -r token src', 'grep -r token src'],
])('%s', (command, scrubbed) => {
  expect(scrub(command)).toBe(scrubbed);
});
