import type {
  AccountExport,
  LikeExportPage,
  MessageExportPage,
  PlaylistExportPage,
  PollVoteExportPage,
  PushSubscriptionExportPage,
  ReminderExportPage,
  RequestExportPage,
  RequestLoadExportPage,
  VideoExportPage,
  VoteExportPage,
} from '@looptide/contracts/http/exports'
import { count } from '../count.ts'
import { fault } from '../exit-codes.ts'
import { runServiceProgram } from '../service-program.ts'
import type { Settings } from '../settings.ts'

/** The document that a viewer downloads as their own data (web/src/features/profile/export). */
export interface UserData {
  exportedAt: string
  account: AccountExport
  playlists: PlaylistExportPage['items']
  videos: VideoExportPage['items']
  messages: MessageExportPage['items']
  requests: RequestExportPage['items']
  votes: VoteExportPage['items']
  loads: RequestLoadExportPage['items']
  likes: LikeExportPage['items']
  polls: PollVoteExportPage['items']
  reminders: ReminderExportPage['items']
  'reminder-devices': PushSubscriptionExportPage['items']
}

type Parts = { account: AccountExport[] } & Omit<UserData, 'exportedAt' | 'account'>

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
  const parts: Parts = {
    ...{ account: [], playlists: [], videos: [], messages: [] },
    ...{ requests: [], votes: [], loads: [], likes: [], polls: [] },
    ...{ reminders: [], 'reminder-devices': [] },
  }
  const onLine = (line: string): void => {
    if (!line.startsWith(PART)) return
    const { part, items } = JSON.parse(line) as { part: keyof Parts; items: never[] }
    for (const item of items) parts[part].push(item)
    if (part !== 'account') onProgress(`${count(parts[part].length, part.replace(/s$/, ''))} read…`)
  }
  const name = 'export-user'
  await runServiceProgram(settings, 'auth', { name, env: { EXPORT_PERSON: person }, onLine })
  const [account] = parts.account
  if (account === undefined) throw fault(`No account has the id or email ${person}.`)
  const env = { EXPORT_USER_ID: account.id }
  await runServiceProgram(settings, 'catalogue', { name, env, onLine })
  await runServiceProgram(settings, 'chat', { name, env, onLine })
  // Without its password, audience has never run.
  if (settings.databasePasswords.audience !== undefined)
    await runServiceProgram(settings, 'audience', { name, env, onLine })
  return { exportedAt: new Date().toISOString(), ...parts, account }
}
