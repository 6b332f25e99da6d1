import { randomUUID } from 'node:crypto'
import { minIdAt } from '@looptide/service-kit/ids'
import { type PlannedDb, plannedDb } from '@looptide/testkit/query-plans'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ChatDb } from '../src/db/schema.ts'
import { projectChannel, setSlowMode, stateOf } from '../src/features/channels/channel-repository.ts'
import {
  deleteMessagesBefore,
  findMessage,
  findSenders,
  insertMessages,
  listMessages,
  listRemovedIds,
  lockChannel,
  markRemoved,
} from '../src/features/messages/message-repository.ts'
import {
  addRestriction,
  deleteLiftedBefore,
  forgetPerson,
  isKnown,
  liftRestriction,
  paceOf,
  projectProfile,
  restrictionsOf,
} from '../src/features/people/people-repository.ts'
import { type ChatStage, setStage } from './fixtures.ts'

let stage: ChatStage
let db: Kysely<ChatDb>
let planned: PlannedDb<ChatDb>

// Many enough that reading a table from end to end is never the planner's choice.
beforeAll(async () => {
  stage = await setStage()
  planned = plannedDb<ChatDb>(stage.config.databaseUrl)
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
  await sql`analyze channels, live_chat_messages, profiles, restrictions, chatters`.execute(db)
})
afterAll(async () => {
  await planned.stop()
  await stage.stop()
})

const plansOf = (work: () => Promise<unknown>) => planned.plansOf(work)

const someone = randomUUID()
const draft = { userId: someone, clientId: randomUUID() }

it.each<[string, () => Promise<unknown>]>([
  ['the newest page', () => listMessages(db, 'c1', { limit: 50 })],
  ['the page after a message', () => listMessages(db, 'c1', { after: 49_000, limit: 50 })],
  ['the page before a message', () => listMessages(db, 'c1', { before: 49_000, limit: 50 })],
  ['what was removed', () => listRemovedIds(db, 'c1')],
  ['one message', () => findMessage(db, 'c1', randomUUID())],
  ['a channel’s counter and settings', () => stateOf(db, 'c1')],
  ['how fast somebody writes', () => paceOf(db, 'c1', someone)],
  ['somebody’s restrictions', () => restrictionsOf(db, someone)],
  ['a person', () => isKnown(db, someone)],
  ['what is to be forgotten', () => deleteMessagesBefore(db, minIdAt(0))],
  [
    'a profile event',
    () => projectProfile(db, { userId: someone, handle: 'a', artistName: null, version: 2 }),
  ],
])('%s is found by an index', async (_what, work) => {
  expect(await plansOf(work)).not.toContain('Seq Scan')
})

it.each<[string, (trx: Parameters<typeof lockChannel>[0]) => Promise<unknown>]>([
  ['the lock', (trx) => lockChannel(trx, 'c1')],
  ['the senders', (trx) => findSenders(trx, 'c1', [draft, { ...draft, clientId: randomUUID() }])],
  [
    'the insert',
    (trx) =>
      insertMessages(
        trx,
        'c1',
        new Date(),
        [{ ...draft, id: randomUUID(), seq: 60_000, message: 'x' }],
        new Map([[someone, { tokens: 1, postedAtMs: 0 }]]),
      ),
  ],
  ['the removal', (trx) => markRemoved(trx, randomUUID(), someone)],
  ['slow mode', (trx) => setSlowMode(trx, 'c1', 1)],
  ['a channel event', (trx) => projectChannel(trx, { id: 'c1', isDeleted: false, version: 2 })],
  [
    'a restriction',
    (trx) =>
      addRestriction(trx, {
        id: randomUUID(),
        userId: someone,
        restrictionType: 'restricted',
        expiresAt: null,
      }),
  ],
  [
    'the end of a restriction',
    (trx) =>
      liftRestriction(trx, {
        id: randomUUID(),
        userId: someone,
        restrictionType: 'restricted',
        liftedAt: new Date(),
      }),
  ],
  ['what was lifted long ago', (trx) => deleteLiftedBefore(trx, new Date())],
  ['somebody who leaves', (trx) => forgetPerson(trx, someone, 9)],
])('%s of a change is found by an index', async (_what, work) => {
  expect(await plansOf(() => db.transaction().execute(work))).not.toContain('Seq Scan')
})
