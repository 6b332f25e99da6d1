import { withClient } from '@looptide/backing/database/set-up'

/**
 * Makes all recorded guarded actions an hour older, so that an admin can again do ten. No setting changes that limit,
 * so tests that need more move the recorded times instead.
 */
export async function letAnHourPass({ databaseUrl }: { databaseUrl: string }): Promise<void> {
  await withClient(databaseUrl, (client) =>
    client.query(`update admin_audit.guard_grants set granted_at = granted_at - interval '1 hour'`),
  )
}
