import { SCOPE_OF } from './token-scopes.ts'

/** Further operations that anonymous users may call, by the beginning of their name. */
const ALSO_OPEN: readonly string[] = [
  'auth.me.delete',
  'auth.email_change.cancel',
  'auth.session.',
  'auth.sign_in.list',
  'auth.account.export',
  'catalogue.playlist.export',
  'catalogue.video.export_own',
  'catalogue.video.count_view',
  'chat.message.export',
  'stream.playback.report',
  'gateway.',
]

/** The end of the message "Create an account to …", for operations where "do this" would be unclear. */
const PURPOSES: readonly (readonly [operation: string, purpose: string])[] = [
  ['chat.message.post', 'write in the chat'],
  ['catalogue.video.add', 'add videos'],
  ['auth.personal_token.', 'create access tokens'],
  ['auth.profile.update', 'change your profile'],
  ['auth.avatar.', 'change your picture'],
]

/**
 * The message that refuses an operation to anonymous users, who have no email address; null if it is open to them. They
 * may read, use own playlists and end or export what is theirs. A new operation is refused until it is named here or has
 * the scope `read` or `playlists`.
 */
export function anonymousRefusal(operation: string): string | null {
  const scope = SCOPE_OF.get(operation)
  const isOpen = scope === 'read' || scope === 'playlists'
  if (isOpen || ALSO_OPEN.some((prefix) => operation.startsWith(prefix))) return null
  const purpose = PURPOSES.find(([prefix]) => operation.startsWith(prefix))?.[1] ?? 'do this'
  return `Create an account to ${purpose}.`
}

/** The message that refuses an anonymous user's public playlist. */
export const ANONYMOUS_PLAYLISTS_MESSAGE = 'Create an account to share playlists.'
