/** Every action of an admin that the audit log records, as `<entity>.<verb>`. The admin pages have a text for each. */
export const ADMIN_ACTIONS = [
  'user.role.set',
  'user.restriction.add',
  'user.restriction.remove',
  'user.restriction.carry_over',
  'video.add',
  'video.export',
  'video.delete',
  'video.move',
  'video.accept',
  'video.reject',
  'video.update_metadata',
  'metadata.retry',
  'metadata.retry_all',
  'home.add',
  'home.update',
  'home.remove',
  'channel.create',
  'channel.update',
  'channel.delete',
  'playlist.add',
  'playlist.remove',
  'playlist.remove_many',
  'playlist.order',
  'playlist.clear',
  'quarantine.release',
  'quarantine.replace',
  'stream.start',
  'stream.stop',
  'stream.reset',
  'chat_message.remove',
  'chat_settings.update',
  'theme.activate',
  'theme.upload',
  'dead_letter.replay',
  'dead_letter.drop',
  'audit.export',
] as const

/** The security events of the viewer specification §8. */
export const SECURITY_EVENTS = [
  'security_unauthorized_admin_attempt',
  'security_admin_rate_limit_exceeded',
  'security_permission_check_error',
  'security_high_activity_detected',
] as const

export type SecurityEvent = (typeof SECURITY_EVENTS)[number]
export type AuditAction = (typeof ADMIN_ACTIONS)[number] | SecurityEvent
