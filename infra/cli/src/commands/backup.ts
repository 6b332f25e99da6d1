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
    .action(act((session, file: string) => backup(session, file)))
  program
    .command('restore')
    .description('fill a stopped station from such a file')
    .argument('<file>')
    .addHelpText(
      'after',
      '\nThe services must be down; Postgres and NATS must be up, except of a local station, which is stopped altogether.',
    )
    .action(act((session, file: string) => restore(session, file)))
}

async function backup(session: Session, file: string): Promise<void> {
  const taken = await takeBackup(file, await session.settings())
  const { path, bytes, takenAt, events } = taken
  session.report(taken, `${path}: the station as of ${takenAt}, ${bytes} bytes, ${events} events under way.`)
}

async function restore(session: Session, file: string): Promise<void> {
  const settings = await session.settings()
  const confirm = (what: string) => session.confirm(what)
  const manifest = settings.isRemote
    ? await restoreBackup(
        file,
        { ...settings, databaseUrl: required(settings.databaseUrl, 'DATABASE_URL') },
        confirm,
      )
    : await withLocalBacking(session, (target) => restoreBackup(file, target, confirm))
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
