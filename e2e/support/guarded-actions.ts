import { withClient } from '@looptide/runner/database/set-up'

/**
 * Lets the station's guard see everything it has allowed as an hour older: an admin may again do ten guarded actions. No
 * setting lifts that limit, so tests that do more move what is counted instead.
 */
export async function letAnHourPass({ databaseUrl }: { databaseUrl: string }): Promise<void> {
  await withClient(databaseUrl, (client) =>
    client.query(`update admin_audit.guard_grants set granted_at = granted_at - interval '1 hour'`),
  )
}
