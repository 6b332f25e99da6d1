import { databaseOwnerNames, databaseOwners } from '@looptide/backing/database/owners'
import { KEPT_DAYS } from '../fast-station.ts'

/** The retention period of a table. */
export interface Retention {
  table: string
  /** SQL expression for a row's time; rows for which it is older than `hours` must have been deleted. */
  at: string
  hours: number
}

const DAY = 24
/** Tolerance for the hourly housekeeping, also after an outage (simulated hours). */
export const TOLERANCE_HOURS = 12

/** Relays prune every 30 real seconds, which are 30 hours of a clock that runs an hour a second. */
const RELAY_HOURS = 48

const epoch = (column: string): string => `to_timestamp(${column} / 1000.0)`

export const RETENTIONS: readonly Retention[] = [
  ...databaseOwnerNames.map((owner) => ({
    table: `${databaseOwners[owner].schema}.inbox`,
    at: 'received_at',
    hours: 8 * DAY,
  })),
  ...databaseOwnerNames.map((owner) => {
    const table = `${databaseOwners[owner].schema}.published_events`
    // The newest event of a stream is never deleted.
    const isOlder = `stream_seq < (select max(n.stream_seq) from ${table} n where n.stream = ${table}.stream)`
    return { table, at: `case when ${isOlder} then published_at end`, hours: RELAY_HOURS }
  }),
  { table: 'scheduler.air_log', at: epoch('started_at_ms'), hours: KEPT_DAYS.airLog * DAY },
  { table: 'scheduler.programmes', at: epoch('ends_at_ms'), hours: 3 },
  { table: 'scheduler.playback_reports', at: 'reported_at', hours: 7 * DAY },
  { table: 'scheduler.videos', at: 'removed_at', hours: 8 * DAY },
  { table: 'scheduler.removed_playlist_items', at: 'removed_at', hours: 31 * DAY },
  { table: 'scheduler.stale_channels', at: 'since', hours: 0 },
  { table: 'chat.live_chat_messages', at: 'created_at', hours: KEPT_DAYS.chat * DAY },
  { table: 'chat.chatters', at: 'posted_at', hours: DAY },
  { table: 'catalogue.video_edits', at: 'edited_at', hours: 1 },
  { table: 'catalogue.deleted_videos', at: 'deleted_at', hours: 30 * DAY },
  { table: 'catalogue.view_marks', at: 'counted_at', hours: 0 },
  { table: 'auth.mail_outbox', at: 'expires_at', hours: 0 },
  { table: 'auth.mail_throttle', at: 'asked_at', hours: DAY },
  { table: 'auth.one_time_tokens', at: 'expires_at', hours: 0 },
  { table: 'auth.earlier_tokens', at: 'expires_at', hours: 0 },
  { table: 'auth.factor_challenges', at: 'created_at', hours: 2 },
  { table: 'auth.account_networks', at: 'last_used_at', hours: 90 * DAY },
  { table: 'auth.sign_ins', at: 'created_at', hours: 90 * DAY },
  { table: 'auth.kept_restrictions', at: 'kept_until', hours: 0 },
  { table: 'auth.revoked_keys', at: 'until', hours: 0 },
  { table: 'auth.spent_passkey_challenges', at: 'expires_at', hours: 0 },
  { table: 'auth.provider_flows', at: 'created_at', hours: 1 },
  { table: 'auth.personal_tokens', at: 'expires_at', hours: 30 * DAY },
  { table: 'auth.outdated_sessions', at: 'until', hours: 0 },
  { table: 'auth.auth_codes', at: 'created_at', hours: 1 },
  { table: 'auth.user_restrictions', at: 'expires_at', hours: 0 },
  { table: 'admin_audit.guard_grants', at: 'granted_at', hours: 2 },
  { table: 'admin_audit.refused_attempts', at: 'hour', hours: 3 },
  { table: 'admin_audit.refused_attempts_of_networks', at: 'hour', hours: 3 },
  { table: 'admin_audit.removed_accounts', at: 'deleted_at', hours: 31 * DAY },
  { table: 'admin_audit.security_marks', at: 'until', hours: 0 },
]

const PEOPLE = 'grows with the number of accounts; rows are deleted with their account'
const LIBRARY = 'grows with the library'
const CHANNELS = 'grows with the number of channels; rows are deleted with their channel'

/** Tables without a retention period, with their bound. A test finds a table that is in neither list. */
export const BOUNDED_OTHERWISE: Readonly<Record<string, string>> = {
  'auth.users': PEOPLE,
  'auth.profiles': PEOPLE,
  'auth.avatars': PEOPLE,
  'auth.user_roles': PEOPLE,
  'auth.passkeys': 'at most ten per user; deleted with the account',
  'auth.identities': 'one per provider and user; deleted with the account',
  'auth.factors': 'at most ten per user; an unverified one is deleted after 15 minutes',
  'auth.recovery_codes': 'ten per user',
  'auth.security_keys': 'at most one per factor; deleted with it',
  'auth.sessions': 'at most SESSIONS_PER_USER per user; idle ones are deleted after 90 days',
  'auth.revoked_sessions': 'deleted when their tokens have expired, those of banned users after 30 days',
  'auth.signing_keys': 'a retired one is deleted soon after the tokens it has signed',
  'auth.secret_check': 'one row',
  'auth.first_start_steps': 'one row',
  'catalogue.first_start_steps': 'one row',
  'scheduler.first_start_steps': 'one per demo channel',
  'catalogue.videos': 'is the library',
  'catalogue.metadata_reminders': 'one per video without metadata or duration',
  'catalogue.submissions':
    'one per submitted video; a rejected one in no playlist is deleted 30 days after the decision',
  'catalogue.submitters': `${PEOPLE}; a user submits a limited number per hour`,
  'catalogue.video_documents': LIBRARY,
  'catalogue.video_reports': `${LIBRARY} and the number of channels`,
  'catalogue.search_partitions': `${LIBRARY}: one per 16,384 videos`,
  'catalogue.artists': 'one per artist that ever had a video',
  'catalogue.video_totals': 'one per category',
  'catalogue.home_screen_curation': 'edited by admins',
  'catalogue.video_filters': 'at most MAX_SAVED_FILTERS, saved by admins',
  'catalogue.followed_lists': 'at most MAX_FOLLOWED_LISTS, followed by admins',
  'catalogue.followed_items': 'at most 20,000 per followed list; deleted with it',
  'catalogue.youtube_playlists': `${PEOPLE}; a deleted one is deactivated and kept (docs/product/admin.md §4)`,
  'catalogue.youtube_playlist_items': PEOPLE,
  'catalogue.deleted_playlist_items': 'deleted with the deleted video, after 30 days',
  'catalogue.deleted_curation': 'deleted with the deleted video, after 30 days',
  'catalogue.restricted_users': PEOPLE,
  'scheduler.channels': 'created by admins',
  'scheduler.channel_playlists': CHANNELS,
  'scheduler.loops': 'not used any more; dropped in a later release',
  'scheduler.schedule_drafts': CHANNELS,
  'scheduler.schedule_versions': 'the newest 500 per channel',
  'scheduler.schedule_states': CHANNELS,
  'scheduler.last_airings': 'one per video and channel; deleted with either',
  'scheduler.takeovers': CHANNELS,
  'scheduler.timeline_changes': 'kept for 30 days; the newest per channel is never deleted',
  'scheduler.replicas': 'one per process; those of ended processes are deleted after a (real) hour',
  'scheduler.backfills': 'one per list that was read completely once',
  'chat.channels': 'one per channel, deleted ones included',
  'chat.profiles': 'one per user; without a name once the account is deleted',
  'chat.restrictions': 'those in force; lifted ones are deleted after 8 days',
  'admin_audit.audit_log': 'kept forever; rows cannot be deleted',
  'admin_audit.audit_chain': 'one per entry of the log',
  'admin_audit.audit_digests': 'one per entry of the log',
  'admin_audit.audit_pseudonym_secret': 'one row',
  'admin_audit.audit_settings': 'one row',
  'admin_audit.theme_settings': 'saved by admins',
  'admin_audit.theme_assets': 'those that a theme uses; others are deleted after a day',
}

/** Tables of each schema. The outbox and the dead letters must be empty; a lease has one row per name. */
export const EVENT_TABLES: readonly string[] = [
  'outbox',
  'published_events',
  'leases',
  'inbox',
  'dead_letters',
]
