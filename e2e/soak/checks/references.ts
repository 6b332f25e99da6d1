/** A column that holds an id of something elsewhere, and no foreign key of Postgres's watches over it. */
export interface Reference {
  /** `schema.table.column` */
  column: string
  /**
   * A condition that an orphaned row fulfils (`t` is the table), or why it may hold the id of something that is no
   * more.
   */
  orphan?: string
  kept?: string
}

const HISTORY = 'says who did it, also when the account is no more'
const OUTSIDE = 'is an id of YouTube’s'

const missing = (table: string, id: string, key = 'id'): string =>
  `not exists (select from ${table} r where r.${key} = t.${id})`

const personIsGone = (id: string): string => missing('auth.users', id)

/** Every one there is: a test finds a column that is not in this list. */
export const REFERENCES: readonly Reference[] = [
  { column: 'auth.revoked_sessions.user_id', kept: 'outlives the account until its tokens have run out' },
  { column: 'auth.passkeys.credential_id', kept: 'is made up by the authenticator' },
  { column: 'auth.provider_flows.session_id', kept: 'is checked when the flow ends, within ten minutes' },
  { column: 'auth.security_keys.credential_id', kept: 'is made up by the authenticator' },
  {
    column: 'auth.sessions.factor_id',
    orphan: `t.factor_id is not null and ${missing('auth.factors', 'factor_id')}`,
  },
  { column: 'auth.user_roles.granted_by', kept: HISTORY },
  { column: 'auth.user_restrictions.created_by', kept: HISTORY },
  { column: 'auth.kept_restrictions.created_by', kept: HISTORY },

  { column: 'catalogue.videos.user_id', orphan: `t.user_id is not null and ${personIsGone('user_id')}` },
  { column: 'catalogue.videos.youtube_id', kept: OUTSIDE },
  { column: 'catalogue.video_edits.edit_id', kept: 'is made up by the client' },
  {
    column: 'catalogue.deleted_videos.user_id',
    orphan: `t.user_id is not null and ${personIsGone('user_id')}`,
  },
  { column: 'catalogue.deleted_videos.youtube_id', kept: OUTSIDE },
  { column: 'catalogue.deleted_playlist_items.added_by', orphan: personIsGone('added_by') },
  { column: 'catalogue.deleted_curation.created_by', kept: HISTORY },
  { column: 'catalogue.submitters.user_id', orphan: personIsGone('user_id') },
  {
    column: 'catalogue.submissions.decided_by',
    orphan: `t.decided_by is not null and ${personIsGone('decided_by')}`,
  },
  { column: 'catalogue.view_marks.viewer_id', orphan: personIsGone('viewer_id') },
  { column: 'catalogue.video_reports.channel_id', orphan: missing('scheduler.channels', 'channel_id') },
  { column: 'catalogue.home_screen_curation.created_by', kept: HISTORY },
  { column: 'catalogue.video_filters.created_by', kept: HISTORY },
  { column: 'catalogue.followed_lists.created_by', kept: HISTORY },
  { column: 'catalogue.followed_lists.playlist_id', kept: OUTSIDE },
  { column: 'catalogue.followed_items.youtube_id', kept: OUTSIDE },
  {
    column: 'catalogue.video_documents.partition_id',
    orphan: missing('catalogue.search_partitions', 'partition_id'),
  },
  { column: 'catalogue.youtube_playlists.user_id', orphan: personIsGone('user_id') },
  { column: 'catalogue.youtube_playlist_items.added_by', orphan: personIsGone('added_by') },
  { column: 'catalogue.restricted_users.user_id', orphan: personIsGone('user_id') },
  {
    column: 'catalogue.restricted_users.restriction_id',
    orphan: missing('auth.user_restrictions', 'restriction_id'),
  },

  {
    column: 'scheduler.videos.id',
    orphan: `t.removed_at is null and ${missing('catalogue.videos', 'id')}`,
  },
  { column: 'scheduler.videos.youtube_id', kept: OUTSIDE },
  {
    column: 'scheduler.videos.quarantine_channel_id',
    orphan: `t.quarantine_channel_id is not null and ${missing('scheduler.channels', 'quarantine_channel_id')}`,
  },
  { column: 'scheduler.channels.created_by', kept: HISTORY },
  {
    column: 'scheduler.channels.leader',
    orphan: `t.leader is not null and ${missing('scheduler.replicas', 'leader')}`,
  },
  {
    column: 'scheduler.channel_playlists.video_id',
    orphan: `not exists (select from scheduler.videos r where r.id = t.video_id and r.removed_at is null)`,
  },
  { column: 'scheduler.channel_playlists.created_by', kept: HISTORY },
  {
    column: 'scheduler.removed_playlist_items.video_id',
    kept: 'is where the video was until it was deleted',
  },
  { column: 'scheduler.removed_playlist_items.created_by', kept: HISTORY },
  { column: 'scheduler.programmes.item_id', kept: 'the item may have left the playlist since' },
  { column: 'scheduler.air_log.item_id', kept: 'what was on stays in the log' },
  { column: 'scheduler.air_log.video_id', kept: 'what was on stays in the log' },
  { column: 'scheduler.timeline_changes.actor_id', kept: HISTORY },
  { column: 'scheduler.schedule_drafts.saved_by', kept: HISTORY },
  { column: 'scheduler.schedule_versions.published_by', kept: HISTORY },
  { column: 'scheduler.takeovers.started_by', kept: HISTORY },

  {
    column: 'chat.channels.id',
    orphan: `not t.is_deleted and ${missing('scheduler.channels', 'id')}`,
  },
  {
    column: 'chat.live_chat_messages.user_id',
    orphan: missing('chat.profiles', 'user_id', 'user_id'),
  },
  { column: 'chat.live_chat_messages.client_id', kept: 'is the sender’s own name for the message' },
  { column: 'chat.live_chat_messages.removed_by', kept: HISTORY },
  { column: 'chat.chatters.user_id', orphan: missing('chat.profiles', 'user_id', 'user_id') },
  {
    // A row without names belongs to a deleted account.
    column: 'chat.profiles.user_id',
    orphan: `t.handle is not null and ${personIsGone('user_id')}`,
  },
  { column: 'chat.restrictions.user_id', orphan: `not t.is_lifted and ${personIsGone('user_id')}` },
  {
    column: 'chat.restrictions.id',
    orphan: `not t.is_lifted and ${missing('auth.user_restrictions', 'id')}`,
  },

  { column: 'admin_audit.audit_log.admin_user_id', kept: HISTORY },
  { column: 'admin_audit.audit_log.target_id', kept: HISTORY },
  { column: 'admin_audit.audit_log.target_user_id', kept: HISTORY },
  { column: 'admin_audit.audit_log.correlation_id', kept: 'is a request’s' },
  { column: 'admin_audit.removed_accounts.user_id', kept: 'outlives the account for 30 days' },
  {
    column: 'admin_audit.audit_chain.entry_id',
    orphan: `t.entry_id is not null and ${missing('admin_audit.audit_log', 'entry_id')}`,
  },
  { column: 'admin_audit.refused_attempts.user_id', kept: HISTORY },
  { column: 'admin_audit.guard_grants.admin_user_id', kept: HISTORY },
  { column: 'admin_audit.guard_grants.target_user_id', kept: HISTORY },
  { column: 'admin_audit.theme_settings.created_by', kept: HISTORY },
  { column: 'admin_audit.theme_assets.created_by', kept: HISTORY },
]

/** Rows that a projection should have and has not, or has otherwise: a query for each that must find none. */
export const PROJECTIONS: Readonly<Record<string, string>> = {
  'the scheduler knows every accepted video as the catalogue has it': `
    select id from catalogue.videos c where c.review_state is null and not exists (
      select from scheduler.videos s where s.id = c.id and s.removed_at is null
        and (s.title, s.artist_name, s.duration_ms, s.duration_assumed, s.is_public, s.metadata_status, s.category,
             s.tags, s.start_at_ms, s.end_at_ms)
          is not distinct from
            (c.title, c.artist_name, c.duration_ms, c.duration_assumed, c.is_public, c.metadata_status, c.category,
             c.tags, c.start_at_ms, c.end_at_ms))`,
  'the scheduler knows no video under review': `
    select id from scheduler.videos s where s.removed_at is null and exists (
      select from catalogue.videos c where c.id = s.id and c.review_state is not null)`,
  'a video is in the state that its submission says': `
    select video_id as id from catalogue.submissions s join catalogue.videos v on v.id = s.video_id
    where s.state <> coalesce(v.review_state, 'accepted')`,
  'a video under review has a submission': `
    select id from catalogue.videos v where v.review_state is not null and not exists (
      select from catalogue.submissions s where s.video_id = v.id)`,
  'a submission that waits for a decision has a submitter or is from a followed list': `
    select video_id as id from catalogue.submissions s
    where s.state = 'submitted' and s.followed_list is null and not exists (
      select from catalogue.submitters r where r.video_id = s.video_id)`,
  'chat knows every channel': `
    select id from scheduler.channels c where not exists (
      select from chat.channels r where r.id = c.id and not r.is_deleted)`,
  'chat knows everybody by name': `
    select p.user_id as id from auth.profiles p where not exists (
      select from chat.profiles r where r.user_id = p.user_id and r.handle = p.handle)`,
  'chat knows every restriction': `
    select id from auth.user_restrictions a where not exists (
      select from chat.restrictions r where r.id = a.id and not r.is_lifted)`,
  'the catalogue knows who is restricted': `
    select id from auth.user_restrictions a where restriction_type = 'restricted' and not exists (
      select from catalogue.restricted_users r where r.restriction_id = a.id)`,
  'an artist is in the list as long as there is a video': `
    select name as id from catalogue.artists a where video_count <> (
      select count(*) from catalogue.videos v
      where v.artist_name = a.name and v.is_public and v.metadata_status <> 'unavailable')`,
  'the kept totals are those of the library': `
    select t.category as id from catalogue.video_totals t where (video_count, unavailable_count) <> (
      select count(*), count(*) filter (where metadata_status = 'unavailable') from catalogue.videos v
      where v.review_state is null and coalesce(v.category, '') = t.category and v.is_public = t.is_public)`,
  'active playlists count their entries': `
    select id from catalogue.youtube_playlists p where p.is_active and item_count <> (
      select count(*) from catalogue.youtube_playlist_items i where i.playlist_id = p.id)`,
  'what is public and can be played has a document of the search': `
    select id from catalogue.videos v where (v.is_public and v.metadata_status <> 'unavailable')
      <> exists (select from catalogue.video_documents d where d.video_id = v.id)`,
}
