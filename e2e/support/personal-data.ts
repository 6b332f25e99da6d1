/** A column that names a user, as `schema.table.column`: the part of the data export that its rows are in, or why in none. */
export const PERSONAL_DATA: Readonly<Record<string, { part: string } | { leftOut: string }>> = (() => {
  const account = { part: 'account' }
  const secret = { leftOut: 'digests and secrets, which say nothing to anybody' }
  const soon = { leftOut: 'is gone within days' }
  const staff = { leftOut: 'who of the staff did it: a record of the station' }
  const copy = { leftOut: 'a copy of what auth exports' }
  return {
    'auth.profiles.user_id': account,
    'auth.avatars.user_id': account,
    'auth.user_roles.user_id': account,
    'auth.user_restrictions.user_id': account,
    'auth.sessions.user_id': account,
    'auth.factors.user_id': account,
    'auth.passkeys.user_id': account,
    'auth.personal_tokens.user_id': account,
    'auth.identities.user_id': account,
    'auth.sign_ins.user_id': account,
    'auth.account_networks.user_id': secret,
    'auth.auth_codes.user_id': secret,
    'auth.one_time_tokens.user_id': secret,
    'auth.earlier_tokens.user_id': secret,
    'auth.mail_outbox.user_id': { leftOut: 'mails that wait, encrypted; the user receives them' },
    'auth.revoked_sessions.user_id': soon,
    'auth.user_roles.granted_by': staff,
    'auth.user_restrictions.created_by': staff,
    'auth.kept_restrictions.created_by': staff,

    'catalogue.youtube_playlists.user_id': { part: 'playlists' },
    'catalogue.youtube_playlist_items.added_by': { part: 'playlists' },
    'catalogue.videos.user_id': { part: 'videos' },
    'catalogue.submitters.user_id': { part: 'videos' },
    'catalogue.view_marks.viewer_id': soon,
    'catalogue.restricted_users.user_id': copy,
    'catalogue.deleted_videos.user_id': { leftOut: 'public videos that an admin has deleted, for 30 days' },
    'catalogue.deleted_playlist_items.added_by': { leftOut: 'places of such videos, for 30 days' },
    'catalogue.deleted_curation.created_by': staff,
    'catalogue.submissions.decided_by': staff,
    'catalogue.home_screen_curation.created_by': staff,
    'catalogue.video_filters.created_by': staff,
    'catalogue.followed_lists.created_by': staff,

    'chat.live_chat_messages.user_id': { part: 'messages' },
    'chat.live_chat_messages.removed_by': staff,
    'chat.chatters.user_id': soon,
    'chat.profiles.user_id': copy,
    'chat.restrictions.user_id': copy,

    'scheduler.channels.created_by': staff,
    'scheduler.channel_playlists.created_by': staff,
    'scheduler.removed_playlist_items.created_by': staff,
    'scheduler.schedule_drafts.saved_by': staff,
    'scheduler.schedule_versions.published_by': staff,
    'scheduler.takeovers.started_by': staff,
    'scheduler.timeline_changes.actor_id': staff,

    'admin_audit.audit_log.admin_user_id': staff,
    'admin_audit.audit_log.target_user_id': staff,
    'admin_audit.guard_grants.admin_user_id': staff,
    'admin_audit.guard_grants.target_user_id': staff,
    'admin_audit.refused_attempts.user_id': staff,
    'admin_audit.removed_accounts.user_id': { leftOut: 'ids of deleted accounts' },
    'admin_audit.theme_settings.created_by': staff,
    'admin_audit.theme_assets.created_by': staff,
  }
})()
