import { ACCOUNTS_PER_NETWORK } from '@looptide/fairness/network-limit'
import { inBatches } from '@looptide/service-kit/db/batches'
import type { Db } from '@looptide/service-kit/db/db'
import { type Insertable, type Selectable, sql, type Transaction } from 'kysely'
import type { Database, PollsTable } from '../../db/schema.ts'
import { networkOn } from '../networks/network-repository.ts'

export type PollRow = Selectable<PollsTable>

/** Polls that one run of the publisher closes or counts. */
const MAX_POLLS = 1000

/** Stores a new poll; undefined if its channel has an open one. */
export const insertPoll = (
  trx: Transaction<Database>,
  poll: Insertable<PollsTable>,
): Promise<PollRow | undefined> =>
  trx
    .insertInto('polls')
    .values(poll)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

/** A poll; undefined if there is none. */
export const findPoll = (db: Db<Database>, id: string): Promise<PollRow | undefined> =>
  db.selectFrom('polls').selectAll().where('id', '=', id).executeTakeFirst()

/**
 * Locks a poll until the transaction ends: to vote, so that it is not closed meanwhile; to count its votes, while others
 * vote; or to close it, once all votes that were accepted are stored.
 */
export async function lockPoll(
  trx: Transaction<Database>,
  id: string,
  to: 'vote' | 'count' | 'close',
): Promise<PollRow | undefined> {
  const poll = trx.selectFrom('polls').selectAll().where('id', '=', id)
  const locked = { vote: poll.forKeyShare(), count: poll.forNoKeyUpdate(), close: poll.forUpdate() }[to]
  return locked.executeTakeFirst()
}

/** Up to `limit` polls of a channel, newest first, before one of them. */
export function listPolls(
  db: Db<Database>,
  channelId: string,
  beforeId: string | null,
  limit: number,
): Promise<PollRow[]> {
  let query = db.selectFrom('polls').selectAll().where('channelId', '=', channelId)
  if (beforeId !== null) query = query.where('id', '<', beforeId)
  return query.orderBy('id', 'desc').limit(limit).execute()
}

/** Stores the vote of an account, which replaces an earlier one and keeps its time. */
export async function saveVote(
  trx: Transaction<Database>,
  vote: { pollId: string; userId: string; answer: number; votedAt: Date },
): Promise<void> {
  await trx
    .insertInto('pollVotes')
    .values(vote)
    .onConflict((conflict) => conflict.columns(['pollId', 'userId']).doUpdateSet({ answer: vote.answer }))
    .execute()
}

/** For which answer an account votes; null without a vote. */
export async function findAnswer(db: Db<Database>, pollId: string, userId: string): Promise<number | null> {
  const row = await db
    .selectFrom('pollVotes')
    .select('answer')
    .where('pollId', '=', pollId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row?.answer ?? null
}

/** Notes in the transaction of a vote that the poll must be counted. */
export async function markPollChanged(trx: Transaction<Database>, pollId: string): Promise<void> {
  await trx.insertInto('pollChanges').values({ pollId }).execute()
}

/** Deletes the marks of a poll. Votes that are counted afterwards contain all changes of these marks. */
export async function deleteMarks(trx: Transaction<Database>, pollId: string): Promise<void> {
  await trx.deleteFrom('pollChanges').where('pollId', '=', pollId).execute()
}

/**
 * The votes for each answer on a day (UTC date). Of the accounts of one network those count that have voted first, at most
 * {@link ACCOUNTS_PER_NETWORK}, so that no vote stops counting when another one comes.
 */
export async function countAnswers(
  trx: Transaction<Database>,
  { id, answers }: Pick<PollRow, 'id' | 'answers'>,
  day: string,
): Promise<number[]> {
  const { rows } = await sql<{ answer: number; votes: number }>`
    select answer, count(*)::integer as votes
    from (
      select v.answer, row_number() over (
        partition by ${networkOn(day, sql`v.user_id`)} order by v.voted_at, v.user_id) as place
      from poll_votes v left join networks n on n.user_id = v.user_id
      where v.poll_id = ${id}
    ) counted
    where place <= ${ACCOUNTS_PER_NETWORK}
    group by answer`.execute(trx)
  const votesOf = new Map(rows.map(({ answer, votes }) => [answer, votes]))
  return answers.map((_, index) => votesOf.get(index) ?? 0)
}

/** Stores counted votes, and that the poll is closed unless `closedAt` is null. Returns the poll with its next version. */
export const saveCounts = (
  trx: Transaction<Database>,
  id: string,
  { counts, closedAt }: Pick<PollRow, 'counts' | 'closedAt'>,
): Promise<PollRow> =>
  trx
    .updateTable('polls')
    .set((eb) => ({ counts, closedAt, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

/** Open polls whose time is over at `now`. */
export const findDuePolls = async (db: Db<Database>, now: Date): Promise<string[]> =>
  idsOf(
    await db
      .selectFrom('polls')
      .select('id')
      .where('closedAt', 'is', null)
      .where('closesAt', '<=', now)
      .orderBy('channelId')
      .limit(MAX_POLLS)
      .execute(),
  )

/** Open polls with votes that were not counted yet. Reads one mark of each, however many votes it has. */
export async function findChangedPolls(db: Db<Database>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p.id from polls p
    cross join lateral (select from poll_changes c where c.poll_id = p.id limit 1) changed
    where p.closed_at is null order by p.channel_id limit ${MAX_POLLS}`.execute(db)
  return idsOf(rows)
}

/** Deletes these polls. Their votes, of which there may be many, in batches. */
async function deletePolls(db: Db<Database>, ids: readonly string[]): Promise<void> {
  await inBatches((limit) =>
    sql`delete from poll_votes where (poll_id, user_id) in (
      select poll_id, user_id from poll_votes where poll_id = any(${[...ids]}::uuid[]) limit ${limit})`.execute(
      db,
    ),
  )
  await sql`delete from polls where id = any(${[...ids]}::uuid[])`.execute(db)
}

/** Deletes a poll with its votes. */
export const deletePoll = (trx: Transaction<Database>, id: string): Promise<void> => deletePolls(trx, [id])

/** Deletes the polls of a channel with their votes. */
export async function deletePollsOf(trx: Transaction<Database>, channelId: string): Promise<void> {
  for (;;) {
    const rows = await listPolls(trx, channelId, null, MAX_POLLS)
    await deletePolls(trx, idsOf(rows))
    if (rows.length < MAX_POLLS) return
  }
}

/** Deletes the polls that were asked before an instant. */
export async function deletePollsBefore(db: Db<Database>, before: Date): Promise<void> {
  for (;;) {
    const rows = await db
      .selectFrom('polls')
      .select('id')
      .where('askedAt', '<', before)
      .orderBy('askedAt')
      .limit(MAX_POLLS)
      .execute()
    await deletePolls(db, idsOf(rows))
    if (rows.length < MAX_POLLS) return
  }
}

/** Deletes the votes in polls that were closed before an instant, in batches. Their results stay. */
export async function deleteVotesInClosed(db: Db<Database>, before: Date): Promise<void> {
  await inBatches((limit) =>
    sql`delete from poll_votes where (poll_id, user_id) in (
      select v.poll_id, v.user_id from polls p join poll_votes v on v.poll_id = p.id
      where p.closed_at < ${before} limit ${limit})`.execute(db),
  )
}

/** Deletes all votes of a user. Open polls are counted again; the results of closed ones stay. */
export async function deletePollVotesOf(trx: Transaction<Database>, userId: string): Promise<void> {
  await sql`
    insert into poll_changes (poll_id)
    select p.id from poll_votes v join polls p on p.id = v.poll_id
    where v.user_id = ${userId} and p.closed_at is null`.execute(trx)
  await inBatches((limit) =>
    sql`delete from poll_votes where (poll_id, user_id) in (
      select poll_id, user_id from poll_votes where user_id = ${userId} limit ${limit})`.execute(trx),
  )
}

export interface ExportedPollVote {
  pollId: string
  channelId: string
  question: string
  answer: string
  votedAt: Date
}

/** A page of a user's votes after a poll, by the ids of the polls, with one row more than `limit` if there is one. */
export const pollVotesOf = (
  db: Db<Database>,
  userId: string,
  afterId: string,
  limit: number,
): Promise<ExportedPollVote[]> =>
  db
    .selectFrom('pollVotes as v')
    .innerJoin('polls as p', 'p.id', 'v.pollId')
    .select([
      'v.pollId',
      'p.channelId',
      'p.question',
      sql<string>`p.answers[v.answer + 1]`.as('answer'),
      'v.votedAt',
    ])
    .where('v.userId', '=', userId)
    .where('v.pollId', '>', afterId)
    .orderBy('v.pollId')
    .limit(limit + 1)
    .execute()
