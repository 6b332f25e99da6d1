import type { Permission } from '../permissions.ts'
import { DEAD_LETTER_SERVICES } from './admin.ts'

/** Who may call an operation: anyone, signed-in users, users with a permission, or the operator with the service key. */
export type Audience = 'anyone' | 'user' | Permission | 'service-key'

/** An operation's OpenAPI description, in addition to its schemas. */
export interface OperationDocs {
  summary: string
  audience: Audience
}

const ANYONE = {
  'auth.user.sign_up': 'Create an account',
  'auth.token.issue': 'Sign in, or exchange a refresh token or code for a session',
  'auth.magic_link.send': 'Send a sign-in link by email',
  'auth.code.verify': 'Confirm an emailed link or code',
  'auth.link.follow': 'Follow an emailed link',
  'auth.password.recover': 'Send a password reset link',
  'auth.confirmation.resend': 'Resend a confirmation email',
  'auth.passkey.authentication_options': 'Start a sign-in with a passkey',
  'auth.passkey.authenticate': 'Sign in with a passkey',
  'auth.provider.authorize': 'Go to a provider to sign in',
  'auth.provider.return': 'Return from a provider',
  'auth.settings.read': 'Get the settings of the sign-in service',
  'auth.health.read': 'Get the version of the sign-in service',
  'auth.key.list': 'Get the public keys that verify access tokens',
  'auth.me.is_admin': 'Check whether the caller is an admin',
  'auth.profile.read': 'Get a profile',
  'auth.profile.read_by_handle': 'Get a profile by handle',
  'auth.avatar.read': 'Get a profile picture',
  'catalogue.video.list': 'List videos',
  'catalogue.video.get': 'Get a video',
  'catalogue.video.look_up': 'Get several videos by id',
  'catalogue.video.search': 'Search videos and artists',
  'catalogue.home.read': 'Get the rows of the home page',
  'catalogue.playlist.list': 'List playlists',
  'catalogue.playlist.get': 'Get a playlist',
  'catalogue.playlist.list_items': 'List the videos of a playlist',
  'stream.channel.list': 'List channels',
  'stream.now.get': 'Get the current and next programmes of a channel',
  'stream.guide.get': 'Get the programmes of a channel',
  'stream.guide.calendar': "Get a channel's guide as iCalendar",
  'stream.guide.xmltv': 'Get the guide of all channels as XMLTV',
  'stream.station_guide.get': 'Get the guide of all channels',
  'stream.air_log.list': 'List past programmes of a channel',
  'stream.playback.report': 'Report a playback error or a measured duration',
  'stream.substitute.list': 'List videos for viewers in whose region a programme does not play',
  'chat.settings.get': 'Get the chat settings of a channel',
  'chat.message.list': 'List the chat messages of a channel',
  'admin.theme.get': 'Get the theme in use',
  'admin.theme.read_asset': 'Get a picture of a theme',
  'gateway.health.read': 'Get the health of each service',
  'gateway.viewers.read': 'Count the viewers of each channel',
  'gateway.config.read': 'Get the settings of the web app',
  'gateway.now.read': 'Get the current and next programmes of a channel',
  'gateway.csp.report': 'Report a content security policy violation',
}

const USER = {
  'auth.user.read': "Get the caller's account",
  'auth.user.update': "Change the email address, password or data of the caller's account",
  'auth.user.reauthenticate': 'Send a code that replaces the current password',
  'auth.session.log_out': 'Sign out',
  'auth.passkey.registration_options': 'Start the registration of a passkey',
  'auth.passkey.register': 'Register a passkey',
  'auth.passkey.list': "List the caller's passkeys",
  'auth.passkey.rename': "Rename one of the caller's passkeys",
  'auth.passkey.delete': "Remove one of the caller's passkeys",
  'auth.identity.link': 'Start to link an account of a provider',
  'auth.identity.unlink': 'Unlink an account of a provider',
  'auth.factor.enroll': 'Add a second factor that must be verified',
  'auth.factor.challenge': 'Open a challenge of a second factor',
  'auth.factor.verify': 'Answer a challenge; the session gets aal2',
  'auth.factor.unenroll': 'Remove a second factor',
  'auth.recovery_code.read': 'Count the recovery codes that remain',
  'auth.recovery_code.create': 'Create recovery codes',
  'auth.recovery_code.replace': 'Replace all recovery codes',
  'auth.recovery_code.verify': 'Use a recovery code; the session gets aal2',
  'auth.recovery_code.delete': 'Remove all recovery codes',
  'auth.me.read': "Get the caller's profile, role and restrictions",
  'auth.me.delete': "Delete the caller's account",
  'auth.email_change.cancel': 'Cancel a change of email address',
  'auth.session.list': "List the caller's sessions",
  'auth.session.end': "End one of the caller's sessions",
  'auth.sign_in.list': "List the caller's sign-ins of the last 90 days",
  'auth.personal_token.list': "List the caller's personal access tokens",
  'auth.personal_token.create': 'Create a personal access token',
  'auth.personal_token.revoke': "Revoke one of the caller's personal access tokens",
  'auth.personal_token.revoke_all': "Revoke all of the caller's personal access tokens",
  'auth.account.export': "Export what is stored about the caller's account",
  'auth.avatar.put': "Replace the caller's profile picture",
  'auth.avatar.delete': "Delete the caller's profile picture",
  'auth.profile.list': 'List profiles',
  'auth.profile.look_up': 'Get several profiles by id',
  'auth.profile.update': "Change the caller's profile",
  'auth.handle.check': 'Check whether a handle is available',
  'gateway.broadcast.send': 'Broadcast messages to topics',
  'gateway.broadcast.send_one': 'Broadcast one message to a topic',
  'catalogue.video.add': 'Add videos by URL',
  'catalogue.video.count_view': 'Count a view of a video',
  'catalogue.playlist.export': "Export the caller's playlists",
  'catalogue.video.export_own': 'Export the videos that the caller added or submitted',
  'catalogue.playlist.create': 'Create a playlist',
  'catalogue.playlist.update': 'Change a playlist',
  'catalogue.playlist.delete': 'Delete a playlist',
  'catalogue.playlist.add_item': 'Add a video to a playlist',
  'catalogue.playlist.remove_item': 'Remove a video from a playlist',
  'catalogue.playlist.reorder': 'Reorder a playlist',
  'catalogue.playlist.ensure_video': 'Add a video to a playlist unless it is in it',
  'catalogue.playlist.list_entries': "List which of the caller's playlists contain a video",
  'chat.message.export': "Export the caller's chat messages",
  'chat.message.post': 'Post a chat message',
  'chat.permissions.get': 'Get what the caller may do in a chat',
}

/** Operations that need a permission, or the service key. */
const PERMITTED: Partial<Record<Audience, Record<string, string>>> = {
  'chat:moderate': {
    'auth.user.restrict': 'Restrict a user',
    'auth.user.unrestrict': 'Remove a restriction',
    'chat.message.remove': 'Delete a chat message',
    'chat.settings.update': 'Change the chat settings of a channel',
  },
  'submissions:review': {
    'catalogue.submission.list': 'List submitted videos',
    'catalogue.submission.accept': 'Accept submitted videos',
    'catalogue.submission.reject': 'Reject submitted videos',
  },
  'takeovers:run': {
    'stream.takeover.get': 'Get the live takeover of a channel',
    'stream.takeover.start': 'Put a video, playlist or live stream on the air now',
    'stream.takeover.stop': 'End the live takeover of a channel',
  },
  'dashboard:watch': {
    'admin.audit.last_editor': 'Get the user who last changed the home page, a playlist or a video',
  },
  'programmes:simulate': {
    'stream.channel.simulate': 'Simulate the timeline of a changed playlist',
  },
  'videos:edit': {
    'catalogue.video.edit': 'Edit a video',
    'catalogue.video.edit_many': 'Edit several videos',
    'catalogue.video.preview_edit': 'Preview an edit of several videos',
    'catalogue.video.undo_edit': 'Undo an edit of several videos',
    'catalogue.video.delete': 'Delete videos',
    'catalogue.video.list_deleted': 'List recently deleted videos',
    'catalogue.video.restore': 'Restore deleted videos',
    'catalogue.video.move': 'Move videos to a category',
    'catalogue.video.import': 'Import videos with artist, genre, category, tags and trim points',
    'catalogue.video.update_metadata': 'Refresh the metadata of videos',
    'catalogue.video.list_ids': 'List the ids of videos',
    'catalogue.video.list_tags': 'List the tags of the library',
    'catalogue.video_filter.list': 'List saved filters of the library',
    'catalogue.video_filter.create': 'Save a filter of the library',
    'catalogue.video_filter.update': 'Rename or replace a saved filter',
    'catalogue.video_filter.delete': 'Delete a saved filter',
    'catalogue.followed_list.list': 'List the followed YouTube playlists and channels',
    'catalogue.followed_list.create': 'Follow a YouTube playlist or channel',
    'catalogue.followed_list.update': 'Change, pause or resume a followed list',
    'catalogue.followed_list.delete': 'Stop following a list',
    'catalogue.followed_list.check': 'Check a followed list now',
    'metadata.job.list': 'List metadata jobs',
    'metadata.job.retry': 'Retry a metadata job',
    'metadata.job.retry_all': 'Retry all failed metadata jobs',
    'metadata.playlist.read': 'List the videos of a YouTube playlist',
    'metadata.list.preview': 'Preview a YouTube playlist or channel',
    'metadata.status.read': 'Get the state of the metadata worker',
  },
  'videos:purge': {
    'catalogue.video.purge': 'Permanently delete recently deleted videos',
  },
  'videos:export': {
    'catalogue.video.export': 'Export the library as CSV',
  },
  'schedules:edit': {
    'stream.channel.update': 'Change a channel',
    'stream.channel.list_short_loops': 'List channels whose playlist repeats within an hour',
    'stream.channel.preview_short_loops':
      'List channels that would repeat within an hour without some videos',
    'stream.programme.explain': 'Explain why a programme is scheduled',
    'stream.schedule.get': 'Get the schedule of a channel',
    'stream.schedule.remove': 'Let a channel repeat its playlist again',
    'stream.schedule.draft.get': 'Get the draft of a schedule',
    'stream.schedule.draft.save': 'Save the draft of a schedule',
    'stream.schedule.draft.discard': 'Discard the draft of a schedule',
    'stream.schedule.preview': 'Preview what a schedule puts on the air',
    'stream.schedule.source': 'List the videos of a source of a schedule',
    'stream.schedule.publish': 'Publish the draft of a schedule',
    'stream.schedule.publish.preview': 'Preview what publishing a schedule changes',
    'stream.schedule.versions.list': 'List the published versions of a schedule',
    'stream.schedule.versions.get': 'Get a published version of a schedule',
    'stream.schedule.versions.restore': 'Publish a version of a schedule again',
    'stream.playlist.list': 'List the playlist of a channel',
    'stream.playlist.add': 'Add videos to the playlist of a channel',
    'stream.playlist.remove': 'Remove a video from the playlist of a channel',
    'stream.playlist.remove_many': 'Remove several videos from the playlist of a channel',
    'stream.playlist.order': 'Reorder the playlist of a channel',
    'stream.playlist.save': 'Replace the playlist of a channel',
    'stream.live_playlist.list': 'List the live playlist',
    'stream.live_playlist.add': 'Add videos to the live playlist',
    'stream.live_playlist.clear': 'Empty the live playlist',
    'stream.video.check_readiness': 'Check which videos can be added to a channel',
    'stream.playback_problem.list': 'List videos that do not play for some viewers',
    'stream.quarantine.list': 'List quarantined videos',
    'stream.quarantine.release': 'Release a quarantined video',
    'stream.quarantine.replace': 'Replace a quarantined video',
  },
  'channels:manage': {
    'stream.channel.create': 'Create a channel',
    'stream.channel.delete': 'Delete a channel',
    'stream.channel.control': 'Start, stop, restart or reset a channel',
  },
  'home:edit': {
    'catalogue.curation.list': 'List curated videos',
    'catalogue.curation.add': 'Add a video to a section of the home page',
    'catalogue.curation.update': 'Change a curated video',
    'catalogue.curation.remove': 'Remove a curated video',
  },
  'themes:edit': {
    'admin.theme.save': 'Save and activate a theme',
    'admin.theme.upload': 'Upload a picture for a theme',
    'admin.theme.history': 'List saved themes',
  },
  'users:manage': {
    'auth.user.list': 'List accounts',
    'auth.user.set_role': 'Change the role of a user',
    'auth.user.end_sessions': 'End all sessions of a user',
    'auth.user.end_all_sessions': 'End the sessions of all users',
    'auth.user.reset_password': 'Require a new password from a user and email a link to set it',
  },
  'audit:read': {
    'admin.audit.list': 'List the audit log',
    'admin.audit.actions': 'List the actions in the audit log',
    'admin.audit.export': 'Export the audit log',
  },
  'system:operate': Object.fromEntries(
    DEAD_LETTER_SERVICES.flatMap((service) => [
      [`${service}.dead_letter.list`, `List the dead letters of ${service}`],
      [`${service}.dead_letter.replay`, `Replay a dead letter of ${service}`],
      [`${service}.dead_letter.drop`, `Drop a dead letter of ${service}`],
    ]),
  ),
  'service-key': {
    'auth.admin.user.list': 'List accounts with the service key',
    'auth.admin.user.read': 'Get an account with the service key',
    'auth.admin.user.create': 'Create an account with the service key',
    'auth.admin.user.update': 'Change an account with the service key',
    'auth.admin.user.delete': 'Delete an account with the service key',
    'auth.admin.factor.list': 'List the second factors of an account with the service key',
    'auth.admin.factor.delete': 'Remove a second factor of an account with the service key',
    'auth.admin.passkey.list': 'List the passkeys of an account with the service key',
    'auth.admin.passkey.delete': 'Remove a passkey of an account with the service key',
    'auth.admin.user.invite': 'Invite a user by email with the service key',
    'auth.admin.link.generate': 'Create a sign-in link with the service key, without mailing it',
  },
}

const docsOf = (audience: Audience, summaries: Record<string, string>): [string, OperationDocs][] =>
  Object.entries(summaries).map(([operation, summary]) => [operation, { summary, audience }])

/** All public operations by their name in logs and metrics. The access tests check the audiences. */
export const OPERATIONS: ReadonlyMap<string, OperationDocs> = new Map([
  ...docsOf('anyone', ANYONE),
  ...docsOf('user', USER),
  ...(Object.entries(PERMITTED) as [Audience, Record<string, string>][]).flatMap((group) => docsOf(...group)),
])

/** Whether an operation is an admin or moderator action: it needs a permission or the service key. */
export function isStaffOperation(operation: string): boolean {
  const audience = OPERATIONS.get(operation)?.audience
  return audience !== undefined && audience !== 'anyone' && audience !== 'user'
}

/** Operations whose successful response has no body, with its status. */
export const NO_BODY_STATUS: ReadonlyMap<string, 202 | 204> = new Map([
  ...['gateway.broadcast.send', 'gateway.broadcast.send_one'].map((name): [string, 202] => [name, 202]),
  ...[
    'auth.email_change.cancel',
    'auth.me.delete',
    'auth.passkey.delete',
    'auth.personal_token.revoke',
    'auth.personal_token.revoke_all',
    'auth.session.end',
    'auth.user.reset_password',
    'auth.user.unrestrict',
    'catalogue.curation.remove',
    'catalogue.playlist.delete',
    'catalogue.playlist.remove_item',
    'catalogue.playlist.reorder',
    'catalogue.followed_list.delete',
    'catalogue.video_filter.delete',
    'chat.message.remove',
    'gateway.csp.report',
    'stream.channel.delete',
    'stream.playlist.order',
    'stream.playlist.remove',
    'stream.quarantine.release',
  ].map((name): [string, 204] => [name, 204]),
])

/** Reads that return a version as `ETag`. */
export const ETAG_OPERATIONS: ReadonlySet<string> = new Set([
  'admin.theme.get',
  'catalogue.curation.list',
  'catalogue.video.get',
  'stream.playlist.list',
])

/** Writes that accept such a version as `If-Match`. They respond 412 without a change if it is not the current one. */
export const IF_MATCH_OPERATIONS: ReadonlySet<string> = new Set([
  'admin.theme.save',
  'catalogue.curation.update',
  'catalogue.video.edit',
  'stream.playlist.add',
  'stream.playlist.order',
  'stream.playlist.remove',
  'stream.playlist.remove_many',
  'stream.playlist.save',
])
