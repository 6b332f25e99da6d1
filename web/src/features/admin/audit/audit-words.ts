/** What admins did, in words that follow a name: "ann changed a role". */
const DEEDS: Record<string, string> = {
  'user.role.set': 'changed a role',
  'user.restriction.add': 'added a restriction',
  'user.restriction.remove': 'removed a restriction',
  'video.add': 'added videos',
  'video.export': 'exported the library',
  'video.delete': 'deleted videos',
  'video.accept': 'accepted submitted videos',
  'video.reject': 'rejected submitted videos',
  'video.move': 'moved videos to a category',
  'video.update_metadata': 'asked for metadata',
  'metadata.retry': 'had metadata fetched again',
  'metadata.retry_all': 'had all failed metadata fetched again',
  'curation.add': 'put a video on the home screen',
  'curation.update': 'changed the home screen',
  'curation.remove': 'took a video off the home screen',
  'channel.create': 'created a channel',
  'channel.update': 'changed a channel',
  'channel.delete': 'deleted a channel',
  'playlist.add': 'added videos to a channel’s playlist',
  'playlist.remove': 'removed a video from a channel’s playlist',
  'playlist.remove_many': 'removed videos from a channel’s playlist',
  'playlist.order': 'reordered a channel’s playlist',
  'playlist.clear': 'cleared a channel’s playlist',
  'quarantine.release': 'let a video be played again',
  'quarantine.replace': 'replaced a video that could not be played',
  'stream.start': 'started a stream',
  'stream.stop': 'stopped a stream',
  'stream.reset': 'reset a stream',
  'chat_message.remove': 'deleted a chat message',
  'chat_settings.update': 'changed the rules of a chat',
  'theme.activate': 'changed the theme',
  'theme.upload': 'uploaded a picture for the theme',
  'dead_letter.replay': 'replayed a dead letter',
  'dead_letter.drop': 'dropped a dead letter',
  'audit.export': 'exported the audit log',
}

/** The security events of the viewer specification, §8. */
const SECURITY: Record<string, string> = {
  security_unauthorized_admin_attempt: 'tried what only administrators may do',
  security_admin_rate_limit_exceeded: 'was stopped after too many admin actions in an hour',
  security_permission_check_error: 'was refused because the permission check failed',
  security_high_activity_detected: 'did unusually much within a day',
}

export const isSecurityEvent = (action: string): boolean => action.startsWith('security_')

/** What was done, in words; an action that is not known here in its own, spelled out. */
export const deedOf = (action: string): string =>
  DEEDS[action] ?? SECURITY[action] ?? action.replace(/^security_/, '').replaceAll(/[._]/g, ' ')

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const KNOWN = [...Object.keys(SECURITY), ...Object.keys(DEEDS)]

/** All that can be filtered by, with what it is called: what is known here, and whatever else was recorded. */
export const actionChoices = (recorded: readonly string[]): { value: string; label: string }[] =>
  [...new Set([...KNOWN, ...recorded])].map((value) => ({ value, label: capitalised(deedOf(value)) }))
