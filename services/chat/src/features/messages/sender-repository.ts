import type { Db } from '@looptide/service-kit/db/db'
import { minIdAt } from '@looptide/service-kit/db/ids'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { HeldRow } from '../held/held-repository.ts'
import type { MessageRow } from './message-repository.ts'
import { type Bucket, STOOD_MESSAGES, STOOD_MS } from './rate-limit.ts'

/** The sender of a message that is about to be stored. */
export interface Sender {
  /** The message already stored with the same client id. */
  existing: MessageRow | null
  /** The message that is held with the same client id. */
  held: Pick<HeldRow, 'id' | 'channelId' | 'message' | 'heldAt'> | null
  /** When the account was created; null for one from before the chat kept that. */
  registeredAt: Date | null
  /** Enough messages of the account are known to have stood. */
  isEstablished: boolean
  isRestricted: boolean
  bucket: Bucket | null
  handle: string | null
  artistName: string | null
}

/** SQL: whether enough messages of the user of profile `p` have stood, of the oldest ones. */
const enoughStood = () => sql<boolean>`(
  select count(*) from (
    select from live_chat_messages s
    where s.user_id = p.user_id and not s.is_deleted and s.id < ${minIdAt(Date.now() - STOOD_MS)}::uuid
    order by s.id limit ${STOOD_MESSAGES}) as stood) = ${STOOD_MESSAGES}`

/** Whether enough messages of a user have stood. */
export async function hasStood(db: Db<Database>, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from profiles p where p.user_id = ${userId} and ${enoughStood()}`.execute(db)
  return rows.length > 0
}

/** Marks and returns those of these users of whom enough messages have stood. */
export async function establish(
  trx: Transaction<Database>,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ userId: string }>`
    update profiles p set is_established = true
    where p.user_id = any(${userIds}::uuid[]) and not p.is_established and ${enoughStood()}
    returning p.user_id`.execute(trx)
  return new Set(rows.map(({ userId }) => userId))
}

/**
 * The senders of these drafts, in the same order, the database's time, and the version of the word list. An account that is
 * not known yet counts as registered just now.
 */
export async function findSenders(
  trx: Transaction<Database>,
  channelId: string,
  drafts: readonly { userId: string; clientId: string }[],
): Promise<{ now: Date; wordListVersion: number; senders: Sender[] }> {
  const userIds = drafts.map((draft) => draft.userId)
  const clientIds = drafts.map((draft) => draft.clientId)
  const { rows } = await sql<SenderRow>`
    select statement_timestamp() as now,
      coalesce((select version from word_list where only_row), 0) as word_list_version,
      m.id, m.seq, m.message, m.created_at, i.user_id,
      h.id as held_id, h.message as held_message, h.held_at,
      p.handle, p.artist_name, c.tokens, c.posted_at,
      case when p.user_id is null then statement_timestamp() else p.registered_at end as registered_at,
      coalesce(p.is_established, false) as is_established,
      exists (
        select 1 from restrictions r
        where r.user_id = i.user_id and not r.is_lifted
          and (r.expires_at is null or r.expires_at > statement_timestamp())
      ) as is_restricted
    from unnest(${userIds}::uuid[], ${clientIds}::uuid[]) with ordinality as i (user_id, client_id, n)
    left join live_chat_messages m
      on m.channel_id = ${channelId} and m.user_id = i.user_id and m.client_id = i.client_id
    left join held_messages h
      on h.channel_id = ${channelId} and h.user_id = i.user_id and h.client_id = i.client_id
    left join profiles p on p.user_id = i.user_id
    left join chatters c on c.channel_id = ${channelId} and c.user_id = i.user_id
    order by i.n`.execute(trx)
  const { now = new Date(), wordListVersion = 0 } = rows[0] ?? {}
  return { now, wordListVersion, senders: rows.map((row) => toSender(row, channelId)) }
}

interface SenderRow {
  now: Date
  wordListVersion: number
  id: string | null
  seq: number
  message: string
  createdAt: Date
  userId: string
  handle: string | null
  artistName: string | null
  tokens: number | null
  postedAt: Date | null
  isRestricted: boolean
  heldId: string | null
  heldMessage: string
  heldAt: Date
  registeredAt: Date | null
  isEstablished: boolean
}

function toSender(row: SenderRow, channelId: string): Sender {
  const { id, seq, userId, message, createdAt, handle, artistName, isRestricted } = row
  const { heldId, heldMessage, heldAt, registeredAt, isEstablished } = row
  const bucket =
    row.tokens === null || row.postedAt === null
      ? null
      : { tokens: row.tokens, postedAtMs: row.postedAt.getTime() }
  const existing = id === null ? null : { id, channelId, seq, userId, message, createdAt, handle, artistName }
  const held = heldId === null ? null : { id: heldId, channelId, message: heldMessage, heldAt }
  const account = { registeredAt, isEstablished, isRestricted, handle, artistName }
  return { existing, held, bucket, ...account }
}
