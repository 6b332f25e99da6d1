import type { Currency } from '@looptide/fairness/ranking'
import type { TurnState } from '@looptide/fairness/turns'
import type { VoteState } from '@looptide/fairness/votes'
import type { Db } from '@looptide/service-kit/db/db'
import { type Selectable, sql, type Transaction } from 'kysely'
import type { Database, TurnAccountsTable } from '../../db/schema.ts'
import type { Loads } from './charge.ts'

const DAY_MS = 86_400_000

/** The loads of a channel, and its airings by turns since a day before `nowMs`. Networks are not known: each account has its own. */
export async function readLoads(
  trx: Transaction<Database>,
  channelId: string,
  nowMs: number,
): Promise<Loads> {
  const votes = await trx
    .selectFrom('voteLoads')
    .select(['userId as account', 'userId as network', 'load'])
    .where('channelId', '=', channelId)
    .orderBy('userId')
    .execute()
  const channel = await trx
    .selectFrom('channels')
    .select('turnBaseMs')
    .where('id', '=', channelId)
    .executeTakeFirst()
  const rows = await trx
    .selectFrom('turnAccounts')
    .selectAll()
    .where('channelId', '=', channelId)
    .orderBy('userId')
    .execute()
  const airings = await readAirings(trx, channelId, new Date(nowMs - DAY_MS))
  const toAccount = ({ userId, loadMs, isWaiting }: Selectable<TurnAccountsTable>) => ({
    ...{ account: userId, network: userId, loadMs, isWaiting },
    airings: airings.get(userId) ?? [],
  })
  return { votes, turns: { baseMs: channel?.turnBaseMs ?? 0, accounts: rows.map(toAccount) } }
}

/** What was aired by turns after `after`, by account. */
async function readAirings(trx: Transaction<Database>, channelId: string, after: Date) {
  const rows = await trx
    .selectFrom('requests')
    .select(['userId', 'airedAt', 'durationMs'])
    .where('channelId', '=', channelId)
    .where('currency', '=', 'turn')
    .where('airedAt', '>', after)
    .where('userId', 'is not', null)
    .orderBy('airedAt')
    .execute()
  const byAccount = Map.groupBy(rows, ({ userId }) => userId ?? '')
  return new Map(
    [...byAccount].map(([account, own]) => [
      account,
      own.map(({ airedAt, durationMs }) => ({ startsAtMs: airedAt?.getTime() ?? 0, durationMs })),
    ]),
  )
}

/** Replaces the loads of votes of a channel. */
export async function saveVoteLoads(
  trx: Transaction<Database>,
  channelId: string,
  state: VoteState,
): Promise<void> {
  await trx.deleteFrom('voteLoads').where('channelId', '=', channelId).execute()
  await sql`insert into vote_loads (channel_id, user_id, load)
    select ${channelId}, given.user_id, given.load
    from unnest(${state.map(({ account }) => account)}::uuid[], ${state.map(({ load }) => load)}::bigint[])
      as given (user_id, load)`.execute(trx)
}

/** Whether a debt was deleted with its account since the last decision by votes. Then the loads do not follow from that one. */
export async function hasForgottenDebt(trx: Transaction<Database>, channelId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('channels')
    .select('hasForgottenDebt')
    .where('id', '=', channelId)
    .executeTakeFirst()
  return row?.hasForgottenDebt ?? false
}

/** Notes whether the loads after a decision by votes lack a debt. */
export async function setForgottenDebt(
  trx: Transaction<Database>,
  channelId: string,
  hasForgotten: boolean,
): Promise<void> {
  await trx
    .updateTable('channels')
    .set({ hasForgottenDebt: hasForgotten })
    .where('id', '=', channelId)
    .execute()
}

/** Replaces the loads of turns of a channel. */
export async function saveTurnLoads(
  trx: Transaction<Database>,
  channelId: string,
  { baseMs, accounts }: TurnState,
): Promise<void> {
  await trx.updateTable('channels').set({ turnBaseMs: baseMs }).where('id', '=', channelId).execute()
  await trx.deleteFrom('turnAccounts').where('channelId', '=', channelId).execute()
  await sql`insert into turn_accounts (channel_id, user_id, load_ms, is_waiting)
    select ${channelId}, given.user_id, given.load_ms, given.is_waiting
    from unnest(${accounts.map(({ account }) => account)}::uuid[], ${accounts.map(({ loadMs }) => loadMs)}::bigint[],
      ${accounts.map(({ isWaiting }) => isWaiting)}::boolean[]) as given (user_id, load_ms, is_waiting)`.execute(
    trx,
  )
}

/** Those of these accounts that were deleted. */
export async function deletedAmong(
  trx: Transaction<Database>,
  accounts: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ userId: string }>`
    select user_id from profiles where user_id = any(${[...accounts]}::uuid[]) and handle is null`.execute(
    trx,
  )
  return new Set(rows.map(({ userId }) => userId))
}

/** Deletes the loads of a deleted account, and notes the channels on which it was in debt for votes. */
export async function forgetLoads(trx: Transaction<Database>, userId: string): Promise<void> {
  await sql`with gone as (delete from vote_loads where user_id = ${userId} returning channel_id, load)
    update channels set has_forgotten_debt = true
    where id in (select channel_id from gone where load > 0)`.execute(trx)
  await trx.deleteFrom('turnAccounts').where('userId', '=', userId).execute()
}

interface ExportedLoad {
  channelId: string
  currency: Currency
  load: number
}

/** A page of a user's loads after one of a channel and a currency, with one row more than `limit` if there is one. */
export async function loadsOf(
  db: Db<Database>,
  userId: string,
  after: readonly [channelId: string, currency: string] | null,
  limit: number,
): Promise<ExportedLoad[]> {
  const [channelId, currency] = after ?? ['', '']
  const { rows } = await sql<ExportedLoad>`
    select * from (
      select channel_id, 'turn' as currency, load_ms as load from turn_accounts
      where user_id = ${userId} and channel_id >= ${channelId}
      union all
      select channel_id, 'vote', load from vote_loads where user_id = ${userId} and channel_id >= ${channelId}
    ) own
    where (channel_id, currency) > (${channelId}, ${currency})
    order by channel_id, currency limit ${limit + 1}`.execute(db)
  return rows
}
