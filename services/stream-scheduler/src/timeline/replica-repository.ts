import { sql } from 'kysely'
import type { Store } from '../db/schema.ts'

/** A replica without a heartbeat for this time (s, by the database's clock) loses its channels. */
const LEASE_S = 4

/** Writes a replica's heartbeat, by the database's clock. */
export async function writeHeartbeat(db: Store, replica: string): Promise<void> {
  await sql`
      insert into replicas (id, seen_at) values (${replica}, clock_timestamp())
      on conflict (id) do update set seen_at = clock_timestamp()`.execute(db)
}

/** How the channels that are on the air are distributed. */
export interface Distribution {
  /** Replicas with a recent heartbeat. */
  alive: number
  /** Channels that the replica leads. */
  led: number
  /** Channels without a leader, or whose leader has no recent heartbeat. */
  orphaned: number
  total: number
}

/** The distribution of channels, as seen by a replica. */
export async function countLed(db: Store, replica: string): Promise<Distribution> {
  const { rows } = await sql<Distribution>`
      with alive as (select id from replicas where seen_at > clock_timestamp() - ${LEASE_S} * interval '1 s')
      select (select count(*) from alive) as alive,
             count(*) filter (where c.leader = ${replica}) as led,
             count(*) filter (where c.leader is null or a.id is null) as orphaned,
             count(*) as total
      from channels c left join alive a on a.id = c.leader
      where c.status <> 'idle'`.execute(db)
  return rows[0] ?? { alive: 0, led: 0, orphaned: 0, total: 0 }
}

/** Makes a replica the leader of up to `max` orphaned channels. Channels that others lock are skipped. */
export async function takeChannels(db: Store, replica: string, max: number): Promise<void> {
  await sql`
      update channels set leader = ${replica} where id in (
        select c.id from channels c
        where c.status <> 'idle' and not exists (
          select from replicas r
          where r.id = c.leader and r.seen_at > clock_timestamp() - ${LEASE_S} * interval '1 s')
        order by c.id limit ${max} for update skip locked)`.execute(db)
}

/** Leaves up to `max` of a replica's channels without a leader. */
export async function releaseChannels(db: Store, replica: string, max: number): Promise<void> {
  await sql`
      update channels set leader = null where id in (
        select id from channels where leader = ${replica} and status <> 'idle'
        order by id desc limit ${max} for update skip locked)`.execute(db)
}

/** Deletes a replica's heartbeat. */
export async function deleteHeartbeat(db: Store, replica: string): Promise<void> {
  await sql`delete from replicas where id = ${replica}`.execute(db)
}

/** Deletes the heartbeats of replicas that ended without deleting them. */
export async function pruneReplicas(db: Store): Promise<void> {
  await sql`delete from replicas where seen_at < clock_timestamp() - interval '1 hour'`.execute(db)
}
