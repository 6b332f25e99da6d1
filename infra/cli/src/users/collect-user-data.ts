import type { AnswerOf, ItemOf, ReadCall } from '@looptide/contracts/client'
import { count } from '../count.ts'
import { fault } from '../exit-codes.ts'
import { runServiceProgram } from '../service-program.ts'
import type { Settings } from '../settings.ts'

type AccountCall = 'GET /api/export/account'
type PartCall = Exclude<Extract<ReadCall, `GET /api/export/${string}`>, AccountCall>
/** Every part that is exported in pages, by the end of its path. */
type Parts = {
  [Part in PartCall as Part extends `GET /api/export/${infer Name}` ? Name : never]: ItemOf<Part>[]
}

/** The document that a viewer downloads as their own data (web/src/features/profile/export). */
type UserData = { exportedAt: string; account: AnswerOf<AccountCall> } & Parts

/** How lines of a program's output begin that are not log lines. */
const PART = '{"part":'

/**
 * Everything that the station stores about the person, an id or email, read by each service's own program and audited
 * by that of auth. `onProgress` gets a text for each page. Throws a fault when nobody has the id or email.
 */
export async function collectUserData(
  settings: Settings,
  person: string,
  onProgress: (text: string) => void,
): Promise<UserData> {
  const accounts: AnswerOf<AccountCall>[] = []
  const parts: Parts = {
    ...{ playlists: [], videos: [], messages: [], reports: [], decisions: [] },
    ...{ requests: [], votes: [], loads: [], likes: [], polls: [] },
    ...{ reminders: [], 'reminder-devices': [] },
  }
  const onLine = (line: string): void => {
    if (!line.startsWith(PART)) return
    const { part, items } = JSON.parse(line) as { part: keyof Parts | 'account'; items: never[] }
    if (part === 'account') accounts.push(...items)
    else {
      for (const item of items) parts[part].push(item)
      onProgress(`${count(parts[part].length, part.replace(/s$/, ''))} read…`)
    }
  }
  const name = 'export-user'
  await runServiceProgram(settings, 'auth', { name, env: { EXPORT_PERSON: person }, onLine })
  const [account] = accounts
  if (account === undefined) throw fault(`No account has the id or email ${person}.`)
  const env = { EXPORT_USER_ID: account.id }
  await runServiceProgram(settings, 'catalogue', { name, env, onLine })
  await runServiceProgram(settings, 'chat', { name, env, onLine })
  // Without its password, audience has never run.
  if (settings.databasePasswords.audience !== undefined)
    await runServiceProgram(settings, 'audience', { name, env, onLine })
  return { exportedAt: new Date().toISOString(), ...parts, account }
}
