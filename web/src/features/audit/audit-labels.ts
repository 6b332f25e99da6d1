import type { AuditAction } from '@looptide/contracts/audit-actions'

/** Label of each action, in the past tense so that it can follow a name. The type requires a label for every action. */
const ACTION_LABELS: Record<AuditAction, string> = {
  security_unauthorized_admin_attempt: 'attempted an admin action without permission',
  security_admin_rate_limit_exceeded: 'exceeded the hourly limit of admin actions',
  security_permission_check_error: 'was denied because the permission check failed',
  security_high_activity_detected: 'made an unusual number of changes in a day',
  security_passkey_copied: 'was refused a sign-in with a copied passkey',
  security_key_copied: 'was refused a sign-in with a copied security key',
  security_malware_refused: 'was refused an upload that contains malware',
  'user.create': 'created an account',
  'user.invite': 'invited a user',
  'user.update': 'changed an account',
  'user.delete': 'deleted an account',
  'user.generate_link': 'created a sign-in link',
  'user.data.export': 'exported the personal data of a user',
  'user.remove_factor': 'removed a second factor',
  'user.remove_passkey': 'removed a passkey of a user',
  'user.sessions.end': 'ended sessions',
  'user.sessions.end_all': 'ended all sessions',
  'user.password.reset': 'reset a password',
  'passkey.add': 'added a passkey to their account',
  'passkey.remove': 'removed a passkey from their account',
  'factor.add': 'added a second factor to their account',
  'factor.remove': 'removed a second factor from their account',
  'user.role.set': 'changed a role',
  'personal_token.create': 'created an access token',
  'personal_token.revoke': 'revoked an access token',
  'user.restriction.add': 'added a restriction',
  'user.restriction.remove': 'removed a restriction',
  'user.restriction.carry_over': 'applied a restriction of a deleted account to a new one',
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
  'video_filter.create': 'saved a library filter',
  'video_filter.update': 'changed a saved library filter',
  'video_filter.delete': 'deleted a saved library filter',
  'followed_list.create': 'followed a YouTube list',
  'followed_list.update': 'changed a followed list',
  'followed_list.delete': 'stopped following a YouTube list',
  'followed_list.check': 'checked a followed list',
  'metadata.retry': 'retried a failed metadata lookup',
  'metadata.retry_all': 'retried all failed metadata lookups',
  'home.add': 'added a video to the home screen',
  'home.update': 'changed a video on the home screen',
  'home.remove': 'removed a video from the home screen',
  'channel.create': 'created a channel',
  'channel.update': 'changed a channel',
  'channel.delete': 'deleted a channel',
  'playlist.add': 'added videos to a channel',
  'playlist.remove': 'removed a video from a channel',
  'playlist.remove_many': 'removed several videos from a channel',
  'playlist.order': 'reordered a channel playlist',
  'playlist.clear': 'cleared a channel playlist',
  'quarantine.release': 'released a video from quarantine',
  'quarantine.replace': 'replaced a quarantined video',
  'schedule.save_draft': 'saved the draft of a schedule',
  'schedule.discard_draft': 'discarded the draft of a schedule',
  'schedule.submit': 'submitted a schedule for approval',
  'schedule.withdraw': 'withdrew a schedule from approval or sent it back',
  'schedule.publish': 'published a schedule',
  'schedule.restore': 'restored a version of a schedule',
  'schedule.remove': 'stopped using a schedule',
  'log.insert': 'inserted a video into a log',
  'log.skip': 'skipped a programme of a log',
  'log.swap': 'swapped two programmes of a log',
  'log.move': 'moved a programme of a log',
  'log.undo': 'undid an edit of a log',
  'takeover.start': 'started a live takeover',
  'takeover.stop': 'ended a live takeover',
  'takeover.undo': 'undid a live takeover',
  'stream.start': 'started a stream',
  'stream.stop': 'stopped a stream',
  'stream.reset': 'reset a stream',
  'chat_message.remove': 'deleted a chat message',
  'chat_settings.update': 'changed chat settings',
  'theme.activate': 'changed the theme',
  'theme.upload': 'uploaded a theme image',
  'embeds.update': 'changed whose pages may show embeds',
  'dead_letter.replay': 'replayed a dead letter',
  'dead_letter.drop': 'dropped a dead letter',
  'audit.export': 'exported the audit log',
  'webhook.create': 'created a webhook',
  'webhook.update': 'changed a webhook',
  'webhook.delete': 'deleted a webhook',
  'webhook.rotate_secret': 'replaced the secret of a webhook',
  'webhook.test': 'sent a test to a webhook',
  'webhook.resend': 'sent a delivery of a webhook again',
}

/** False for actions of releases before or after this one, which the log may contain. */
export const isKnownAction = (action: string): action is AuditAction => Object.hasOwn(ACTION_LABELS, action)

/** Whether the station itself recorded the entry, about something suspicious. */
export const isSecurityEvent = (action: string): boolean => action.startsWith('security_')

/** The label of an action. The id of an action from another release is spelled out. */
export const labelOf = (action: string): string =>
  isKnownAction(action) ? ACTION_LABELS[action] : action.replace(/^security_/, '').replaceAll(/[._]/g, ' ')

/** A text with a capital first letter. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The choices of the action filter: all known actions, then other recorded ones. */
export const actionChoices = (recorded: readonly string[]): { value: string; label: string }[] =>
  [...new Set([...Object.keys(ACTION_LABELS), ...recorded])].map((value) => ({
    value,
    label: capitalised(labelOf(value)),
  }))
