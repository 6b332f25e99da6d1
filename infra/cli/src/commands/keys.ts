import { runAuthProgram } from '../auth-program.ts'
import { newEventKeys } from '../event-keys.ts'
import type { AddCommands } from '../run.ts'
import { required } from '../settings.ts'

export const addKeyCommands: AddCommands = (program, act) => {
  const commands = program
    .command('keys')
    .description('the keys that access tokens and events are signed with')
  commands
    .command('events')
    .description('print new keys for signing events, as lines for .env; changes nothing')
    .action(
      act(async (session) => {
        const variables = newEventKeys()
        const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
        session.report(variables, lines.join('\n'))
      }),
    )
  commands
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
}
