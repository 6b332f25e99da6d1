import { existsSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { count } from '../count.ts'
import { fault } from '../exit-codes.ts'
import type { Session } from '../session.ts'
import { required } from '../settings.ts'
import { collectUserData } from '../users/collect-user-data.ts'
import type { AddCommands } from './add-commands.ts'

interface ExportOptions {
  output: string
  force?: true
}

/** Adds `users export`. */
export const addExportCommand: AddCommands = (users, act) => {
  users
    .command('export')
    .description('write all personal data of an account to a file, as its owner downloads it')
    .argument('<person>', 'email or id')
    .option('--output <file>', 'the file', 'personal-data.json')
    .option('--force', 'replace the file if it exists')
    .addHelpText(
      'after',
      '\nReads the databases (DATABASE_URL, DATABASE_PASSWORD_AUTH, …_CATALOGUE, …_CHAT, …_AUDIENCE) instead of' +
        '\nusing the service key. The audit log has an entry. Only you can read the file: send it to nobody but the person.',
    )
    .action(act((session, person: string, options: ExportOptions) => exportUser(session, person, options)))
}

async function exportUser(session: Session, person: string, { output, force }: ExportOptions): Promise<void> {
  const path = resolve(output)
  if (force !== true && existsSync(path)) throw exists(path)
  const settings = await session.settings()
  // All before anything is audited.
  for (const owner of ['auth', 'catalogue', 'chat'] as const)
    required(settings.databasePasswords[owner], `DATABASE_PASSWORD_${owner.toUpperCase()}`)
  const data = await collectUserData(settings, person, (text) => session.note(text))
  await writePrivately(path, `${JSON.stringify(data, null, 2)}\n`, force === true)
  const { account, playlists, videos, messages } = data
  const counts = { playlists: playlists.length, videos: videos.length, messages: messages.length }
  session.report(
    { path, id: account.id, email: account.email, ...counts },
    `${path}: the data of ${account.email ?? account.id}, with ${count(counts.playlists, 'playlist')}, ` +
      `${count(counts.videos, 'video')} and ${count(counts.messages, 'chat message')}.`,
  )
}

/** Writes a file that only its owner can read. An existing one is replaced as a whole, with its permissions. */
async function writePrivately(path: string, text: string, replaces: boolean): Promise<void> {
  const written = replaces ? `${path}.${process.pid}` : path
  try {
    await writeFile(written, text, { mode: 0o600, flag: 'wx' })
    if (replaces) await rename(written, path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw exists(written)
    await rm(written, { force: true })
    throw fault(`The file was not written: ${message}`)
  }
}

const exists = (path: string): Error =>
  fault(`${path} exists. Choose another file with --output, or replace it with --force.`)
