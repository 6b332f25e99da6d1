import { newId } from '@looptide/service-kit/ids'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/schema.ts'

/** A replica that was not seen for this long (s, by the database's clock) has lost its channels. */
const LOST_AFTER_S = 4

/**
 * Which channels this process looks after. Each replica says once a second that it is alive: one row, however
 * many channels. Channels of a replica that fell silent are taken over by the others, each up to its
 * fair share; one that joins is given channels by those who have more.
 *
 * Leading is about not doing the work twice; it protects nothing. What protects a timeline is the lock on its
 * channel's row and the constraints, so a leader that slept through its own deposition does no harm.
 */
export class Leadership {
  readonly id = newId()
  readonly #db: Kysely<Database>

  constructor(db: Kysely<Database>) {
    this.#db = db
  }

  /** Says that this process is alive, and takes, keeps or gives away channels. */
  async beat(): Promise<void> {
    await sql`
      insert into replicas (id, seen_at) values (${this.id}, clock_timestamp())
      on conflict (id) do update set seen_at = clock_timestamp()`.execute(this.#db)
    const { rows } = await sql<{ alive: number; mine: number; orphaned: number; wanted: number }>`
      with alive as (select id from replicas where seen_at > clock_timestamp() - ${LOST_AFTER_S} * interval '1 s')
      select (select count(*) from alive) as alive,
             count(*) filter (where c.leader = ${this.id}) as mine,
             count(*) filter (where c.leader is null or a.id is null) as orphaned,
             count(*) as wanted
      from channels c left join alive a on a.id = c.leader
      where c.status <> 'idle'`.execute(this.#db)
    const count = rows[0]
    if (count === undefined) return
    const fairShare = Math.ceil(count.wanted / Math.max(1, count.alive))
    if (count.orphaned > 0 && count.mine < fairShare) await this.#take(fairShare - count.mine)
    if (count.mine > fairShare) await this.#give(count.mine - fairShare)
  }

  /** Leaves: the others take over at their next look. */
  async leave(): Promise<void> {
    await sql`delete from replicas where id = ${this.id}`.execute(this.#db)
  }

  async #take(most: number): Promise<void> {
    await sql`
      update channels set leader = ${this.id} where id in (
        select c.id from channels c
        where c.status <> 'idle' and not exists (
          select from replicas r
          where r.id = c.leader and r.seen_at > clock_timestamp() - ${LOST_AFTER_S} * interval '1 s')
        order by c.id limit ${most} for update skip locked)`.execute(this.#db)
  }

  async #give(most: number): Promise<void> {
    await sql`
      update channels set leader = null where id in (
        select id from channels where leader = ${this.id} and status <> 'idle'
        order by id desc limit ${most} for update skip locked)`.execute(this.#db)
  }
}

/** Forgets replicas that ended without a word. */
export async function pruneReplicas(db: Kysely<Database>): Promise<void> {
  await sql`delete from replicas where seen_at < clock_timestamp() - interval '1 hour'`.execute(db)
}
