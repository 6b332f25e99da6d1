import { ACCOUNTS_PER_NETWORK } from '@looptide/fairness/network-limit'
import { inBatches } from '@looptide/service-kit/db/batches'
import type { Db } from '@looptide/service-kit/db/db'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { networkOn } from '../networks/network-repository.ts'

/** The votes of a request as one user sees them. */
export interface VoteCount {
  requestId: string
  /** At most {@link ACCOUNTS_PER_NETWORK} of each network. */
  votes: number
  hasVoted: boolean
}

/** The votes of these requests on a day (UTC date). Requests without votes are missing. */
export async function countVotes(
  db: Db<Database>,
  requestIds: readonly string[],
  { userId, day }: { userId: string | null; day: string },
): Promise<VoteCount[]> {
  const { rows } = await sql<VoteCount>`
    select request_id, sum(least(accounts, ${ACCOUNTS_PER_NETWORK}))::integer as votes,
           bool_or(has_voted) as has_voted
    from (
      select v.request_id, ${networkOn(day, sql`v.user_id`)} as network, count(*) as accounts,
             coalesce(bool_or(v.user_id = ${userId}::uuid), false) as has_voted
      from votes v left join networks n on n.user_id = v.user_id
      where v.request_id = any(${[...requestIds]}::uuid[])
      group by 1, 2
    ) by_network
    group by request_id`.execute(db)
  return rows
}

/** Stores a vote. Returns false, and changes nothing, if it is stored already. */
export async function insertVote(
  db: Db<Database>,
  vote: { requestId: string; userId: string; votedAt: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('votes')
    .values(vote)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Deletes a vote. Returns false if there is none. */
export async function deleteVote(db: Db<Database>, requestId: string, userId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('votes')
    .where('requestId', '=', requestId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Notes in the transaction of a change that the votes of a request have changed. */
export async function markVotesChanged(trx: Transaction<Database>, requestId: string): Promise<void> {
  await trx.insertInto('voteChanges').values({ requestId }).execute()
}

/** Notes that the votes have changed of all requests for which a user has voted. */
export async function markVotesOf(trx: Transaction<Database>, userId: string): Promise<void> {
  await sql`insert into vote_changes (request_id) select request_id from votes where user_id = ${userId}`.execute(
    trx,
  )
}

/**
 * Takes up to `limit` requests whose votes have changed. Votes that are counted afterwards contain these changes. Other replicas
 * wait for the end of the transaction: an older number would else be published after a newer one.
 */
export async function takeChangedVotes(
  trx: Transaction<Database>,
  limit: number,
): Promise<{ id: string; channelId: string }[]> {
  await sql`select pg_advisory_xact_lock(hashtext('audience.votes'))`.execute(trx)
  const { rows } = await sql<{ id: string; channelId: string }>`
    with recursive changed as (
      (select request_id from vote_changes order by request_id limit 1)
      union all
      select (select v.request_id from vote_changes v where v.request_id > c.request_id order by v.request_id limit 1)
      from changed c where c.request_id is not null
    ), taken as (
      delete from vote_changes where request_id = any(array(
        select request_id from changed where request_id is not null limit ${limit}))
      returning request_id
    )
    select id, channel_id from requests where id in (select request_id from taken)`.execute(trx)
  return rows
}

/** Deletes all votes of requests that do not wait any more, in batches. */
export async function deleteVotesOf(db: Db<Database>, requestIds: readonly string[]): Promise<void> {
  await inBatches((limit) =>
    sql`delete from votes where (request_id, user_id) in (
      select request_id, user_id from votes where request_id = any(${[...requestIds]}::uuid[]) limit ${limit})`.execute(
      db,
    ),
  )
}

/** Before all accounts. */
export const FIRST_VOTER = '00000000-0000-0000-0000-000000000000'

/**
 * Looks at the next `limit` accounts with votes after one, and deletes the votes of those that have no watched hour that began
 * after `since`. Returns the last account, null if there was none, and the channels of the requests. Reads one index entry for
 * each account, however many votes it has.
 */
export async function deleteVotesOfAbsent(
  trx: Transaction<Database>,
  since: Date,
  { after, limit }: { after: string; limit: number },
): Promise<{ last: string | null; channelIds: string[] }> {
  const { rows } = await sql<{ last: string | null; channelIds: string[] | null }>`
    with recursive voters as (
      (select user_id from votes where user_id > ${after}::uuid order by user_id limit 1)
      union all
      select (select v.user_id from votes v where v.user_id > b.user_id order by v.user_id limit 1)
      from voters b where b.user_id is not null
    ), page as (
      select user_id from voters where user_id is not null limit ${limit}
    ), gone as (
      delete from votes where user_id = any(array(
        select p.user_id from page p
        where not exists (select from watch_hours w where w.user_id = p.user_id and w.starts_at > ${since})))
      returning request_id
    ), marked as (
      insert into vote_changes (request_id) select distinct request_id from gone
    )
    select (select user_id from page order by user_id desc limit 1) as last,
      array_agg(distinct channel_id) as channel_ids
    from requests where id in (select request_id from gone)`.execute(trx)
  return { last: rows[0]?.last ?? null, channelIds: rows[0]?.channelIds ?? [] }
}

export interface ExportedVote {
  requestId: string
  channelId: string
  title: string
  votedAt: Date
}

/** A page of a user's votes after a request, by the ids of the requests, with one row more than `limit` if there is one. */
export async function votesOf(
  db: Db<Database>,
  userId: string,
  afterId: string,
  limit: number,
): Promise<ExportedVote[]> {
  return db
    .selectFrom('votes as v')
    .innerJoin('requests as r', 'r.id', 'v.requestId')
    .select(['v.requestId', 'r.channelId', 'r.title', 'v.votedAt'])
    .where('v.userId', '=', userId)
    .where('v.requestId', '>', afterId)
    .orderBy('v.requestId')
    .limit(limit + 1)
    .execute()
}
