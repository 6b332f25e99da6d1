import { Failure } from '@looptide/backing/failure'
import { ConfigError } from '@looptide/service-kit/settings/env'
import { Command, CommanderError } from 'commander'
import { addAccountCommands } from './commands/accounts.ts'
import type { Act, AddCommands } from './commands/add-commands.ts'
import { addAudienceCommands } from './commands/audience.ts'
import { addAuditCommands } from './commands/audit.ts'
import { addBackupCommands } from './commands/backup.ts'
import { addChannelCommands } from './commands/channels.ts'
import { addDeadLetterCommands } from './commands/dead-letters.ts'
import { addJobCommands } from './commands/jobs.ts'
import { addKeyCommands } from './commands/keys.ts'
import { addLogCommands } from './commands/log.ts'
import { addMetadataCommands } from './commands/metadata.ts'
import { addScheduleCommands } from './commands/schedule.ts'
import { addSessionCommands } from './commands/sessions.ts'
import { addTimelineCommands } from './commands/timeline.ts'
import { addUserCommands } from './commands/users.ts'
import { addWebhookCommands } from './commands/webhooks.ts'
import { CommandError, EXIT, type ExitCode } from './exit-codes.ts'
import { type GlobalOptions, Session } from './session.ts'
import type { Terminal } from './terminal.ts'

const SUBJECTS: readonly AddCommands[] = [
  addAccountCommands,
  addUserCommands,
  addSessionCommands,
  addChannelCommands,
  addScheduleCommands,
  addLogCommands,
  addTimelineCommands,
  addAudienceCommands,
  addMetadataCommands,
  addJobCommands,
  addDeadLetterCommands,
  addWebhookCommands,
  addKeyCommands,
  addAuditCommands,
  addBackupCommands,
]

const AFTERWORD = `
Without settings it operates the station that was started on this machine with npm start. For another station:
  LOOPTIDE_URL                    the station's address
  LOOPTIDE_ADMIN_EMAIL, LOOPTIDE_ADMIN_PASSWORD (or LOOPTIDE_TOKEN)
                                  the admin, whom the audit log names
  AUTH_SERVICE_KEY                the service key, for users
  DATABASE_URL, DATABASE_PASSWORD_…, NATS_URL, NATS_PASSWORD_…, AUTH_KEY_SECRET
                                  as in the migration step: for create-admin, keys, audit, backup, restore,
                                  users export

Exit codes: 0 success, 1 a fault was found or the station refused, 2 invalid command or setting,
3 the station does not answer.`

/** Runs the command of `args`; returns the exit code (see exit-codes.ts). */
export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const program = new Command('looptide')
    .description('Operates a Looptide station.')
    .option('--json', 'print JSON')
    .option('-y, --yes', 'do not ask for confirmation')
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
    })
    .exitOverride()
    .showHelpAfterError('(see --help)')
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
    return report(error, terminal)
  } finally {
    await session?.close()
  }
}

function report(error: unknown, terminal: Terminal): ExitCode {
  // Commander has printed the error; help and version end with 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
  const message = error instanceof Error ? error.message : String(error)
  terminal.err(message)
  if (error instanceof CommandError) return error.code
  if (error instanceof ConfigError) return EXIT.usage
  if (error instanceof Failure) return EXIT.fault
  if (error instanceof Error && error.stack !== undefined) terminal.err(error.stack)
  return EXIT.fault
}
