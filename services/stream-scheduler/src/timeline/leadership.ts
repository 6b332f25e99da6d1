import { newId } from '@looptide/service-kit/db/ids'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'

/** A replica without a heartbeat for this time (s, by the database's clock) loses its channels. */
const LEASE_S = 4

/**
 * The channels that this process leads. Each replica writes one heartbeat row a second for all its channels.
 * The channels of a replica whose heartbeat stops are taken over by the others, each up to an equal share. A new replica
 * receives channels from those that lead more than their share.
 *
 * Leadership only avoids duplicate work. A timeline is protected by the lock on its channel's row and by constraints, so
 * a leader that was suspended and has lost its channels cannot damage them.
 */
export class Leadership {
  readonly id = newId()
  readonly #db: Kysely<Database>

  constructor(db: Kysely<Database>) {
    this.#db = db
  }

  /** Writes the heartbeat, then acquires or releases channels. */
  async heartbeat(): Promise<void> {
    await sql`
      insert into replicas (id, seen_at) values (${this.id}, clock_timestamp())
      on conflict (id) do update set seen_at = clock_timestamp()`.execute(this.#db)
    const { rows } = await sql<{ alive: number; led: number; orphaned: number; total: number }>`
      with alive as (select id from replicas where seen_at > clock_timestamp() - ${LEASE_S} * interval '1 s')
      select (select count(*) from alive) as alive,
             count(*) filter (where c.leader = ${this.id}) as led,
             count(*) filter (where c.leader is null or a.id is null) as orphaned,
             count(*) as total
      from channels c left join alive a on a.id = c.leader
      where c.status <> 'idle'`.execute(this.#db)
    const count = rows[0]
    if (count === undefined) return
    const fairShare = Math.ceil(count.total / Math.max(1, count.alive))
    if (count.orphaned > 0 && count.led < fairShare) await this.#take(fairShare - count.led)
    if (count.led > fairShare) await this.#release(count.led - fairShare)
  }

  /** Deletes the heartbeat: the other replicas take over at their next one. */
  async leave(): Promise<void> {
    await sql`delete from replicas where id = ${this.id}`.execute(this.#db)
  }

  async #take(max: number): Promise<void> {
    await sql`
      update channels set leader = ${this.id} where id in (
        select c.id from channels c
        where c.status <> 'idle' and not exists (
          select from replicas r
          where r.id = c.leader and r.seen_at > clock_timestamp() - ${LEASE_S} * interval '1 s')
        order by c.id limit ${max} for update skip locked)`.execute(this.#db)
  }

  async #release(max: number): Promise<void> {
    await sql`
      update channels set leader = null where id in (
        select id from channels where leader = ${this.id} and status <> 'idle'
        order by id desc limit ${max} for update skip locked)`.execute(this.#db)
  }
}

/** Deletes the heartbeats of replicas that ended without deleting them. */
export async function pruneReplicas(db: Kysely<Database>): Promise<void> {
  await sql`delete from replicas where seen_at < clock_timestamp() - interval '1 hour'`.execute(db)
}
