import { type Kysely, sql } from 'kysely'

/**
 * A channel knows by which ways its slots choose requests: turns, votes or both. Null: published by the previous release,
 * which does not know it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table channels add column request_slots text[]`.execute(db)
  await sql`update channels set request_slots = array_remove(array[
      case when v.document @? '$.clocks.*[*] ? (@.source == "requests")' and not v.document @? '$.sources.requests'
        then 'turns' end,
      case when v.document @? '$.clocks.*[*] ? (@.source == "votes")' and not v.document @? '$.sources.votes'
        then 'votes' end], null)
    from schedule_versions v
    where v.channel_id = channels.id and v.version = channels.schedule_version`.execute(db)
}
