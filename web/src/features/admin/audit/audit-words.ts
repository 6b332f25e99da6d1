/** What admins did, in words that follow a name: "ann changed a role". */
const DEEDS: Record<string, string> = {
  'user.role.set': 'changed a role',
  'user.restriction.add': 'added a restriction',
  'user.restriction.remove': 'removed a restriction',
  'video.add': 'added videos',
  'video.delete': 'deleted videos',
  'video.move': 'moved videos to a category',
  'video.update_metadata': 'asked for metadata',
  'metadata.retry': 'had metadata fetched again',
  'curation.add': 'put a video on the home screen',
  'curation.update': 'changed the home screen',
  'curation.remove': 'took a video off the home screen',
  'channel.create': 'created a channel',
  'channel.update': 'changed a channel',
  'channel.delete': 'deleted a channel',
  'playlist.add': 'added videos to a channel’s playlist',
  'playlist.remove': 'removed a video from a channel’s playlist',
  'playlist.order': 'reordered a channel’s playlist',
  'playlist.clear': 'cleared a channel’s playlist',
  'quarantine.release': 'let a video be played again',
  'stream.start': 'started a stream',
  'stream.stop': 'stopped a stream',
  'stream.reset': 'reset a stream',
  'chat_message.remove': 'deleted a chat message',
  'chat_settings.update': 'changed the rules of a chat',
  'theme.activate': 'changed the theme',
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

/** All that can be filtered by, with what it is called. */
export const ACTION_CHOICES: readonly { value: string; label: string }[] = [
  ...Object.entries(SECURITY),
  ...Object.entries(DEEDS),
].map(([value, deed]) => ({ value, label: capitalised(deed) }))
