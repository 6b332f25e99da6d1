import { runAuthProgram } from '../auth-program.ts'
import { newEventKeys } from '../event-keys.ts'
import { fault } from '../exit-codes.ts'
import { required } from '../settings.ts'
import type { AddCommands } from './add-commands.ts'

/** Adds `keys`. */
export const addKeyCommands: AddCommands = (program, act) => {
  const keys = program.command('keys').description('signing keys of access tokens and events')
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
    .description('sign with a new key; tokens of the old key stay valid until they expire')
    .action(
      act(async (session) => {
        const settings = await session.settings()
        required(settings.authKeySecret, 'AUTH_KEY_SECRET')
        const { kid } = await runAuthProgram<{ kid: string }>(settings, 'rotate-keys')
        session.report({ kid }, `New tokens are signed with the key ${kid}.`)
      }),
    )
  keys
    .command('revoke')
    .description('revoke a compromised key: its tokens are refused within a second')
    .argument('<kid>', 'as in /auth/v1/.well-known/jwks.json')
    .action(
      act(async (session, kid: string) => {
        const settings = await session.settings()
        required(settings.authKeySecret, 'AUTH_KEY_SECRET')
        const { revoked } = await runAuthProgram<{ revoked: boolean }>(settings, 'revoke-key', {
          REVOKE_KID: kid,
        })
        if (!revoked) throw fault(`There is no signing key ${kid}.`)
        session.report(
          { kid },
          `The key ${kid} is revoked. Signed-in users receive new tokens automatically.`,
        )
      }),
    )
}
