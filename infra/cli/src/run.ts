import { Failure } from '@looptide/runner/failure'
import { ConfigError } from '@looptide/service-kit/env'
import { Command, CommanderError } from 'commander'
import { addAccountCommands } from './commands/accounts.ts'
import { addAuditCommands } from './commands/audit.ts'
import { addBackupCommands } from './commands/backup.ts'
import { addChannelCommands } from './commands/channels.ts'
import { addDeadLetterCommands } from './commands/dead-letters.ts'
import { addKeyCommands } from './commands/keys.ts'
import { addMetadataCommands } from './commands/metadata.ts'
import { addTimelineCommands } from './commands/timeline.ts'
import { CommandError, EXIT, type ExitCode } from './exit-codes.ts'
import { type GlobalOptions, Session } from './session.ts'
import type { Terminal } from './terminal.ts'

/** Adds commands of one subject. `act` gives each of them its session. */
export type AddCommands = (program: Command, act: Act) => void

/** Wraps what a command does: `work` gets the session and the command's own arguments. */
export type Act = <A extends unknown[]>(
  work: (session: Session, ...args: A) => Promise<void>,
) => (...args: A) => Promise<void>

const SUBJECTS: readonly AddCommands[] = [
  addAccountCommands,
  addChannelCommands,
  addTimelineCommands,
  addMetadataCommands,
  addDeadLetterCommands,
  addKeyCommands,
  addAuditCommands,
  addBackupCommands,
]

const AFTERWORD = `
Without further settings it is about the station that was started on this machine with npm start. Elsewhere:
  LOOPTIDE_URL                    the station's address
  LOOPTIDE_ADMIN_EMAIL, LOOPTIDE_ADMIN_PASSWORD (or LOOPTIDE_TOKEN)
                                  the admin who does it; the audit log names them
  DATABASE_URL, DATABASE_PASSWORD_…, NATS_URL, NATS_PASSWORD_…, AUTH_KEY_SECRET
                                  as for the migrations and the services: for create-admin, keys, audit, backup, restore

Ends with 0 when all is well, 1 when a fault was found or the station refused, 2 for a wrong command or setting,
3 when nobody answers.`

/** Runs the command that `args` spell; answers the code to end with (see exit-codes.ts). */
export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const program = new Command('looptide')
    .description('Looks after a Looptide station.')
    .option('--json', 'answer as JSON, for programs')
    .option('-y, --yes', 'do not ask before what cannot be undone')
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
    })
    .exitOverride()
    .showHelpAfterError('(--help tells how)')
    .addHelpText('after', AFTERWORD)
  let session: Session | undefined
  const act: Act =
    (work) =>
    async (...given) => {
      session = new Session(terminal, program.opts<GlobalOptions>())
      await work(session, ...given)
    }
  for (const add of SUBJECTS) add(program, act)
  try {
    await program.parseAsync([...args], { from: 'user' })
    return EXIT.done
  } catch (error) {
    return tell(error, terminal)
  } finally {
    await session?.close()
  }
}

function tell(error: unknown, terminal: Terminal): ExitCode {
  // Commander has said what is wrong; help and version end with 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
  const message = error instanceof Error ? error.message : String(error)
  terminal.err(message)
  if (error instanceof CommandError) return error.code
  if (error instanceof ConfigError) return EXIT.usage
  if (error instanceof Failure) return EXIT.fault
  if (error instanceof Error && error.stack !== undefined) terminal.err(error.stack)
  return EXIT.fault
}
