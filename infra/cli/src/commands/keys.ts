import { runAuthProgram } from '../auth-program.ts'
import { newEventKeys } from '../event-keys.ts'
import { fault } from '../exit-codes.ts'
import type { AddCommands } from '../run.ts'
import { required } from '../settings.ts'

export const addKeyCommands: AddCommands = (program, act) => {
  const keys = program.command('keys').description('the keys that access tokens and events are signed with')
  keys
    .command('events')
    .description('print new keys for signing events, as lines for .env; changes nothing')
    .action(
      act(async (session) => {
        const variables = newEventKeys()
        const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
        session.report(variables, lines.join('\n'))
      }),
    )
  keys
    .command('rotate')
    .description('sign with a new key from now on; tokens of the old one stay good until they run out')
    .action(
      act(async (session) => {
        const settings = await session.settings()
        required(settings.authKeySecret, 'AUTH_KEY_SECRET')
        const { kid } = await runAuthProgram<{ kid: string }>(settings, 'rotate-keys')
        session.report({ kid }, `Tokens are signed with the key ${kid} from now on.`)
      }),
    )
  keys
    .command('revoke')
    .description('a key that others may have seen: its tokens are refused everywhere within a second')
    .argument('<kid>', 'as in /auth/v1/.well-known/jwks.json')
    .action(
      act(async (session, kid: string) => {
        const settings = await session.settings()
        required(settings.authKeySecret, 'AUTH_KEY_SECRET')
        const { revoked } = await runAuthProgram<{ revoked: boolean }>(settings, 'revoke-key', {
          REVOKE_KID: kid,
        })
        if (!revoked) throw fault(`There is no signing key ${kid}.`)
        session.report({ kid }, `The key ${kid} is revoked. Signed-in people get new tokens by themselves.`)
      }),
    )
}
