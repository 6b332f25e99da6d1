import { randomUUID } from 'node:crypto'
import { minIdAt } from '@looptide/service-kit/db/ids'
import { type PlannedDb, plannedDb } from '@looptide/testkit/query-plans'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../src/db/schema.ts'
import {
  countWaiting,
  decisionsAbout,
  deleteCasesBefore,
  findCaseRow,
  findOtherBan,
  listCases,
  messagesAround,
} from '../src/features/cases/case-repository.ts'
import {
  findReport,
  reportsBy,
  reportsOfCase,
  reportTimesSince,
} from '../src/features/cases/report-repository.ts'
import { findChannelState, projectChannel, setSlowMode } from '../src/features/channels/channel-repository.ts'
import { messagesOf } from '../src/features/export/export-repository.ts'
import {
  countHeld,
  countWaitingHeld,
  deleteHeldBefore,
  deleteHeldOfChannel,
  heldOf,
  insertHeld,
  listHeld,
  lockHeld,
  rejectHeldOf,
  setHeldState,
} from '../src/features/held/held-repository.ts'
import { countMessages } from '../src/features/messages/message-count-repository.ts'
import {
  deleteMessagesBefore,
  eraseMessagesOf,
  findMessage,
  insertMessages,
  listMessages,
  listRemovedIds,
  lockChannel,
  markRemoved,
  removeNewestOf,
} from '../src/features/messages/message-repository.ts'
import { establish, findSenders, hasStood } from '../src/features/messages/sender-repository.ts'
import {
  addRestriction,
  deleteLiftedRestrictions,
  deleteUserData,
  findActiveRestrictions,
  findRateState,
  hasProfile,
  liftRestriction,
  projectProfile,
} from '../src/features/users/user-repository.ts'
import { type ChatHarness, startChatHarness } from './_harness.ts'

let harness: ChatHarness
let db: Kysely<Database>
let planned: PlannedDb<Database>

// Enough rows that the planner never prefers a sequential scan.
beforeAll(async () => {
  harness = await startChatHarness()
  planned = plannedDb<Database>(harness.config.databaseUrl)
  db = planned.db
  await sql`insert into channels (id, version, last_seq)
    select 'c' || n, 1, 2000 from generate_series(1, 5000) n`.execute(db)
  await sql`insert into live_chat_messages
      (id, channel_id, seq, user_id, client_id, message, created_at, is_deleted, removed_at)
    select gen_random_uuid(), 'c' || (n % 50 + 1), n, gen_random_uuid(), gen_random_uuid(), 'hello', now(),
      n % 100 = 0, case when n % 100 = 0 then now() end
    from generate_series(1, 50000) n`.execute(db)
  await sql`insert into profiles (user_id, version)
    select gen_random_uuid(), 1 from generate_series(1, 20000)`.execute(db)
  await sql`insert into restrictions (id, user_id, restriction_type, is_lifted)
    select gen_random_uuid(), gen_random_uuid(), 'chat_banned', false from generate_series(1, 20000)`.execute(
    db,
  )
  await sql`insert into chatters (channel_id, user_id, tokens, posted_at)
    select 'c1', gen_random_uuid(), 1, now() from generate_series(1, 20000)`.execute(db)
  await sql`insert into report_cases
      (id, channel_id, message_id, seq, author_user_id, message, posted_at, opened_at, state, decision)
    select gen_random_uuid(), 'c1', gen_random_uuid(), n, gen_random_uuid(), 'hello', now(), now(),
      case when n % 2 = 0 then 'decided' else 'open' end, case when n % 2 = 0 then 'none' end
    from generate_series(1, 20000) n`.execute(db)
  await sql`insert into message_reports (case_id, reporter_user_id, reason, reported_at)
    select id, gen_random_uuid(), 'spam', now() from report_cases`.execute(db)
  await sql`insert into held_messages (id, channel_id, user_id, client_id, message, reason, state, held_at)
    select gen_random_uuid(), 'c' || (n % 50 + 1), gen_random_uuid(), gen_random_uuid(), 'hello', 'word',
      case when n % 2 = 0 then 'waiting' else 'posted' end, now() from generate_series(1, 20000) n`.execute(
    db,
  )
  await sql`analyze held_messages, channels, live_chat_messages, profiles, restrictions, chatters, report_cases,
    message_reports`.execute(db)
})
afterAll(async () => {
  await planned.stop()
  await harness.stop()
})

const plansOf = (work: () => Promise<unknown>) => planned.plansOf(work)

const userId = randomUUID()
const draft = { userId, clientId: randomUUID() }
const held = { ...draft, channelId: 'c1', message: 'x', reason: 'word', state: 'waiting' } as const

it.each<[string, () => Promise<unknown>]>([
  ['the newest page', () => listMessages(db, 'c1', { limit: 50 })],
  ['the page after a message', () => listMessages(db, 'c1', { after: 49_000, limit: 50 })],
  ['the page before a message', () => listMessages(db, 'c1', { before: 49_000, limit: 50 })],
  ['messages of a time', () => listMessages(db, 'c1', { from: new Date(0), to: new Date(1), limit: 50 })],
  ['numbers of messages', () => countMessages(db, [{ channelId: 'c1', fromMs: 0, toMs: 1 }])],
  ['removed messages', () => listRemovedIds(db, 'c1')],
  ['one message', () => findMessage(db, 'c1', randomUUID())],
  ['a channel’s last sequence number and settings', () => findChannelState(db, 'c1')],
  ['a user’s rate-limit bucket', () => findRateState(db, 'c1', userId)],
  ['a user’s held messages', () => heldOf(db, 'c1', userId)],
  ['held messages', () => listHeld(db, { exceptAuthor: userId, after: randomUUID(), limit: 51 })],
  ['the number of held messages', () => countWaitingHeld(db, userId, 100)],
  ['messages held for too long', () => deleteHeldBefore(db, minIdAt(0))],
  ['a page of a user’s messages', () => messagesOf(db, userId, randomUUID())],
  ['a user’s restrictions', () => findActiveRestrictions(db, userId)],
  ['messages of a user that have stood', () => hasStood(db, userId)],
  ['a profile', () => hasProfile(db, userId)],
  ['waiting cases', () => listCases(db, { state: 'waiting', exceptAuthor: userId, limit: 51 })],
  [
    'decided cases',
    () => listCases(db, { state: 'done', exceptAuthor: userId, after: randomUUID(), limit: 51 }),
  ],
  ['all cases', () => listCases(db, { state: 'all', exceptAuthor: userId, limit: 51 })],
  ['another ban of a user', () => findOtherBan(db, userId, randomUUID())],
  ['the number of waiting cases', () => countWaiting(db, userId, 100)],
  ['a case', () => findCaseRow(db, randomUUID())],
  ['decisions about a user', () => decisionsAbout(db, userId, { limit: 51, against: true })],
  ['messages around another one', () => messagesAround(db, 'c1', 40_000)],
  ['cases past their retention time', () => deleteCasesBefore(db, minIdAt(0))],
  ['a user’s reports', () => reportsBy(db, userId, { limit: 51 })],
  ['a user’s report of a message', () => findReport(db, userId, randomUUID())],
  ['reports of a case', () => reportsOfCase(db, randomUUID(), 20)],
  ['messages past their retention time', () => deleteMessagesBefore(db, minIdAt(0))],
  [
    'a profile event',
    () => projectProfile(db, { userId, handle: 'a', artistName: null, registeredAt: null, version: 2 }),
  ],
])('%s: found by an index', async (_what, work) => {
  expect(await plansOf(work)).not.toContain('Seq Scan')
})

it.each<[string, (trx: Parameters<typeof lockChannel>[0]) => Promise<unknown>]>([
  ['the latest reports of a user', (trx) => reportTimesSince(trx, userId, new Date(0), 20)],
  ['locking a channel', (trx) => lockChannel(trx, 'c1')],
  ['reading the senders', (trx) => findSenders(trx, 'c1', [draft, { ...draft, clientId: randomUUID() }])],
  [
    'inserting messages',
    (trx) =>
      insertMessages(trx, 'c1', {
        createdAt: new Date(),
        lastSeq: 60_000,
        messages: [{ ...draft, id: randomUUID(), seq: 60_000, message: 'x' }],
        buckets: new Map([[userId, { tokens: 1, postedAtMs: 0 }]]),
      }),
  ],
  ['removing a message', (trx) => markRemoved(trx, randomUUID(), userId)],
  ['counting held messages', (trx) => countHeld(trx, 'c1', [userId])],
  ['holding a message', (trx) => insertHeld(trx, [{ ...held, id: randomUUID(), heldAt: new Date() }])],
  ['reading a held message', (trx) => lockHeld(trx, randomUUID())],
  ['deciding about a held message', (trx) => setHeldState(trx, randomUUID(), 'posted')],
  ['rejecting what is held of a user', (trx) => rejectHeldOf(trx, userId)],
  ['deleting what is held of a channel', (trx) => deleteHeldOfChannel(trx, 'c7')],
  ['marking established accounts', (trx) => establish(trx, [userId])],
  ['setting slow mode', (trx) => setSlowMode(trx, 'c1', 1)],
  ['applying a channel event', (trx) => projectChannel(trx, { id: 'c1', isDeleted: false, version: 2 })],
  [
    'adding a restriction',
    (trx) =>
      addRestriction(trx, {
        id: randomUUID(),
        userId: userId,
        restrictionType: 'restricted',
        expiresAt: null,
      }),
  ],
  [
    'lifting a restriction',
    (trx) =>
      liftRestriction(trx, {
        id: randomUUID(),
        userId: userId,
        restrictionType: 'restricted',
        liftedAt: new Date(),
      }),
  ],
  ['deleting lifted restrictions', (trx) => deleteLiftedRestrictions(trx, new Date())],
  ['deleting the data of a user', (trx) => deleteUserData(trx, userId, 9)],
  ['removing the newest messages of a user', (trx) => removeNewestOf(trx, userId)],
  ['deleting the messages of a user', (trx) => eraseMessagesOf(trx, userId)],
])('%s: uses an index', async (_what, work) => {
  expect(await plansOf(() => db.transaction().execute(work))).not.toContain('Seq Scan')
})
