import { runAuthProgram } from '../auth-program.ts'
import type { AddCommands } from '../run.ts'
import { required } from '../settings.ts'

export const addKeyCommands: AddCommands = (program, act) => {
  program
    .command('keys')
    .description('the keys that access tokens are signed with')
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
