import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { STREAM_ADMIN } from '@looptide/runner/backing/nats-permissions'
import { readSecrets } from '@looptide/runner/secrets'
import { Station } from '@looptide/runner/station'
import { type RestoreTarget, restoreBackup } from '../backup/restore-backup.ts'
import { takeBackup } from '../backup/take-backup.ts'
import type { AddCommands } from '../run.ts'
import type { Session } from '../session.ts'
import { required } from '../settings.ts'

export const addBackupCommands: AddCommands = (program, act) => {
  program
    .command('backup')
    .description('write the whole station to one file, while it runs')
    .argument('<file>')
    .addHelpText(
      'after',
      '\nThe file holds every account, so keep it as you keep the database. It does not hold AUTH_KEY_SECRET (of a local\nstation: secrets.json), without which the sessions in it cannot be opened: keep that elsewhere.',
    )
    .option(
      '--recipient <age1…>',
      'encrypt it for this age recipient; may be given several times',
      collect,
      [],
    )
    .action(
      act((session, file: string, options: { recipient: string[] }) =>
        backup(session, file, options.recipient),
      ),
    )
  program
    .command('restore')
    .description('fill a stopped station from such a file')
    .argument('<file>')
    .addHelpText(
      'after',
      '\nThe services must be down; Postgres and NATS must be up, except of a local station, which is stopped altogether.',
    )
    .option('--identity <file>', 'file with the age identity of an encrypted backup')
    .option('--keep-sessions', 'sessions of the backup go on, those that were ended since among them')
    .action(
      act((session, file: string, options: { keepSessions?: boolean; identity?: string }) =>
        restore(session, file, {
          keepSessions: options.keepSessions === true,
          identityPath: options.identity,
        }),
      ),
    )
}

const collect = (value: string, before: string[]): string[] => [...before, value]

async function backup(session: Session, file: string, recipients: readonly string[]): Promise<void> {
  const taken = await takeBackup(file, await session.settings(), recipients)
  const { path, bytes, takenAt, events } = taken
  session.report(taken, `${path}: the station as of ${takenAt}, ${bytes} bytes, ${events} events under way.`)
}

type RestoreOptions = Pick<RestoreTarget, 'keepSessions' | 'identityPath'>

async function restore(session: Session, file: string, options: RestoreOptions): Promise<void> {
  const settings = await session.settings()
  const confirm = (what: string) => session.confirm(what)
  const manifest = settings.isRemote
    ? await restoreBackup(
        file,
        { ...settings, ...options, databaseUrl: required(settings.databaseUrl, 'DATABASE_URL') },
        confirm,
      )
    : await withLocalBacking(session, (target) => restoreBackup(file, { ...target, ...options }, confirm))
  session.report(
    manifest,
    `The station is as it was at ${manifest.takenAt}. Start it, then run: looptide metadata refresh --pending`,
  )
}

/** A local station's Postgres and NATS run only with it: they are started without its services, and stopped again. */
async function withLocalBacking<T>(
  session: Session,
  work: (target: RestoreTarget) => Promise<T>,
): Promise<T> {
  const { dataDir } = await session.settings()
  const station = new Station({ dataDir, env: session.terminal.env, services: [], quiet: true, tether: true })
  await station.start()
  try {
    const { databaseRoles, nats } = await readSecrets(join(dataDir, 'secrets.json'))
    return await work({
      databaseUrl: station.databaseUrl,
      databasePasswords: databaseRoles ?? {},
      natsUrl: station.natsUrl,
      natsPassword: nats?.[STREAM_ADMIN],
      emptyNats: async () => {
        await station.halt('nats')
        await rm(join(dataDir, 'nats/store'), { recursive: true, force: true })
        await station.restart('nats')
      },
    })
  } finally {
    await station.stop()
  }
}
