import { databaseOwnerNames, databaseOwners } from '@looptide/runner/database/owners'
import { KEPT_DAYS } from '../fast-station.ts'

/** What a table forgets. */
export interface Retention {
  table: string
  /** SQL expression for a row's time; rows for which it is older than `hours` must have been deleted. */
  at: string
  hours: number
}

const DAY = 24
/** What waits for the hourly round, and for the round after an outage (simulated hours). */
export const PATIENCE_HOURS = 12

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
    // The newest of a stream is kept for good.
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
  { table: 'auth.auth_codes', at: 'created_at', hours: 1 },
  { table: 'auth.user_restrictions', at: 'expires_at', hours: 0 },
  { table: 'admin_audit.guard_grants', at: 'granted_at', hours: 2 },
  { table: 'admin_audit.refused_attempts', at: 'hour', hours: 3 },
  { table: 'admin_audit.removed_accounts', at: 'deleted_at', hours: 31 * DAY },
  { table: 'admin_audit.security_marks', at: 'until', hours: 0 },
]

const PEOPLE = 'grows with the number of accounts; rows are deleted with their account'
const LIBRARY = 'grows with the library'
const CHANNELS = 'grows with the channels, and goes with each'

/** Tables that time alone does not empty, with what bounds them. A test finds a table that is in neither list. */
export const BOUNDED_OTHERWISE: Readonly<Record<string, string>> = {
  'auth.users': PEOPLE,
  'auth.profiles': PEOPLE,
  'auth.avatars': PEOPLE,
  'auth.user_roles': PEOPLE,
  'auth.passkeys': 'at most ten for each person; deleted with their account',
  'auth.identities': 'one for each provider and person; deleted with their account',
  'auth.factors': 'at most ten for each person; one that is not verified goes after 15 minutes',
  'auth.recovery_codes': 'ten for each person',
  'auth.security_keys': 'at most one for each factor; deleted with it',
  'auth.sessions': 'at most SESSIONS_PER_USER for each person; idle ones go after 90 days',
  'auth.revoked_sessions': 'go when their tokens have run out, those of the banned after 30 days',
  'auth.signing_keys': 'a retired one goes soon after the tokens it has signed',
  'catalogue.videos': 'is the library',
  'catalogue.metadata_reminders': 'one for each video that waits for its metadata or duration',
  'catalogue.submissions':
    'one for each video that was submitted; a rejected one in no playlist goes 30 days after the decision',
  'catalogue.submitters': `${PEOPLE}; a person submits a limited number in an hour`,
  'catalogue.video_documents': LIBRARY,
  'catalogue.video_reports': `${LIBRARY} and the channels`,
  'catalogue.search_partitions': `${LIBRARY}: one for 16,384 videos`,
  'catalogue.artists': 'one for each name that there ever was a video of',
  'catalogue.video_totals': 'one for each category',
  'catalogue.home_screen_curation': 'is what admins have put there',
  'catalogue.video_filters': 'at most MAX_SAVED_FILTERS, saved by admins',
  'catalogue.followed_lists': 'at most MAX_FOLLOWED_LISTS, followed by admins',
  'catalogue.followed_items': 'at most 20,000 for each followed list; goes with it',
  'catalogue.youtube_playlists': `${PEOPLE}; a deleted one is deactivated and kept (docs/product/admin.md §4)`,
  'catalogue.youtube_playlist_items': PEOPLE,
  'catalogue.deleted_playlist_items': 'goes with the deleted video, after 30 days',
  'catalogue.deleted_curation': 'goes with the deleted video, after 30 days',
  'catalogue.restricted_users': PEOPLE,
  'scheduler.channels': 'are what admins have made',
  'scheduler.channel_playlists': CHANNELS,
  'scheduler.loops': CHANNELS,
  'scheduler.schedule_drafts': CHANNELS,
  'scheduler.schedule_versions': 'the newest 500 of each channel',
  'scheduler.schedule_states': CHANNELS,
  'scheduler.last_airings': 'one for each video that a channel has shown; goes with either',
  'scheduler.takeovers': CHANNELS,
  'scheduler.timeline_changes': 'are kept for 30 days, and the newest of each channel',
  'scheduler.replicas': 'one for each process; those that ended go after a (real) hour',
  'scheduler.backfills': 'one for each list that was read through once',
  'chat.channels': 'one for each channel there ever was',
  'chat.profiles': 'one for each person there ever was, without a name when they have left',
  'chat.restrictions': 'those in force, and for 8 days those that were lifted',
  'admin_audit.audit_log': 'is kept for good, and refuses to forget',
  'admin_audit.audit_chain': 'has a row for each entry of the log',
  'admin_audit.audit_digests': 'has a row for each entry of the log',
  'admin_audit.audit_pseudonym_secret': 'has one row',
  'admin_audit.theme_settings': 'are the themes that admins have saved',
  'admin_audit.theme_assets': 'those that a theme shows; others go after a day',
}

/** Of each schema. The outbox and the dead letters must be empty; a lease has one row for each name. */
export const EVENT_TABLES: readonly string[] = [
  'outbox',
  'published_events',
  'leases',
  'inbox',
  'dead_letters',
]
