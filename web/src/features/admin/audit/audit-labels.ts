import type { AuditAction } from '@looptide/contracts/audit-actions'

/** What each action is called in the filter, in words that follow a name. The type demands one for every action. */
export const ACTION_LABELS: Record<AuditAction, string> = {
  security_unauthorized_admin_attempt: 'tried what only administrators may do',
  security_admin_rate_limit_exceeded: 'was stopped after too many admin actions in an hour',
  security_permission_check_error: 'was refused because the permission check failed',
  security_high_activity_detected: 'made an unusual number of changes within a day',
  'user.role.set': 'changed a role',
  'user.restriction.add': 'added a restriction',
  'user.restriction.remove': 'removed a restriction',
  'user.restriction.carry_over': 'restricted a new account with a known address',
  'video.add': 'added videos',
  'video.export': 'exported the library',
  'video.delete': 'deleted videos',
  'video.restore': 'restored deleted videos',
  'video.purge': 'deleted videos permanently',
  'video.edit': 'edited a video',
  'video.edit_many': 'edited several videos',
  'video.undo_edit': 'undid an edit of several videos',
  'video.accept': 'accepted submitted videos',
  'video.reject': 'rejected submitted videos',
  'video.move': 'moved videos to a category',
  'video.update_metadata': 'updated the metadata of videos',
  'metadata.retry': 'retried a failed metadata look-up',
  'metadata.retry_all': 'retried all failed metadata look-ups',
  'home.add': 'added a video to the home screen',
  'home.update': 'changed a video on the home screen',
  'home.remove': 'removed a video from the home screen',
  'channel.create': 'created a channel',
  'channel.update': 'changed a channel',
  'channel.delete': 'deleted a channel',
  'playlist.add': 'added videos to a channel',
  'playlist.remove': 'removed a video from a channel',
  'playlist.remove_many': 'removed several videos from a channel',
  'playlist.order': 'reordered the playlist of a channel',
  'playlist.clear': 'cleared the playlist of a channel',
  'quarantine.release': 'released a video from quarantine',
  'quarantine.replace': 'replaced a video in quarantine',
  'stream.start': 'started a stream',
  'stream.stop': 'stopped a stream',
  'stream.reset': 'reset a stream',
  'chat_message.remove': 'deleted a chat message',
  'chat_settings.update': 'changed the settings of a chat',
  'theme.activate': 'changed the theme',
  'theme.upload': 'uploaded a picture for the theme',
  'dead_letter.replay': 'replayed a dead letter',
  'dead_letter.drop': 'dropped a dead letter',
  'audit.export': 'exported the audit log',
}

export const isKnownAction = (action: string): action is AuditAction => Object.hasOwn(ACTION_LABELS, action)

export const isSecurityEvent = (action: string): boolean => action.startsWith('security_')

/** The label of an action; one of a newer or older release is spelled out. */
export const labelOf = (action: string): string =>
  isKnownAction(action) ? ACTION_LABELS[action] : action.replace(/^security_/, '').replaceAll(/[._]/g, ' ')

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The choices of the filter: all known actions, then whatever else was recorded. */
export const actionChoices = (recorded: readonly string[]): { value: string; label: string }[] =>
  [...new Set([...Object.keys(ACTION_LABELS), ...recorded])].map((value) => ({
    value,
    label: capitalised(labelOf(value)),
  }))
