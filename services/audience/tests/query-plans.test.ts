import { randomUUID } from 'node:crypto'
import { type PlannedDb, plannedDb } from '@looptide/testkit/query-plans'
import { type Kysely, sql, type Transaction } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../src/db/schema.ts'
import {
  deleteAiringsBefore,
  deleteAiringsOf,
  findAiring,
  findPace,
  insertAiring,
  listAirings,
  listUncounted,
  saveAiringCounts,
} from '../src/features/airings/airing-repository.ts'
import { listStatistics } from '../src/features/airings/statistics-repository.ts'
import {
  deleteBodiesBefore,
  deleteDecisions,
  findBody,
  listDecisions,
  saveDecisions,
} from '../src/features/decisions/decision-repository.ts'
import { deletedAmong, forgetLoads, loadsOf, readLoads } from '../src/features/decisions/load-repository.ts'
import { findAired, findReceipt, listAired, titlesOf } from '../src/features/decisions/receipt-repository.ts'
import {
  countLikes,
  countShownLikes,
  deleteLike,
  deleteLikesOf,
  deleteRemovedBefore,
  findLikedVideo,
  insertLike,
  isLiked,
  likesOf,
  listLikes,
  recountAfter,
  saveShown,
  setRemoved,
  setShown,
  takeChanged,
} from '../src/features/likes/like-repository.ts'
import { networkKeysOf } from '../src/features/networks/network-keys.ts'
import { deleteNetworksBefore, saveNetwork } from '../src/features/networks/network-repository.ts'
import {
  countAnswers,
  deleteMarks,
  deletePoll,
  deletePollsBefore,
  deletePollsOf,
  deletePollVotesOf,
  deleteVotesInClosed,
  findAnswer,
  findChangedPolls,
  findDuePolls,
  findPoll,
  listPolls,
  lockPoll,
  pollVotesOf,
  saveCounts,
} from '../src/features/polls/poll-repository.ts'
import {
  deleteSubscription,
  deleteSubscriptionsOfSessions,
  listSubscriptions,
  subscriptionIdsOf,
  subscriptionsAfter,
  takeDuePushes,
} from '../src/features/push/push-repository.ts'
import {
  beginSequence,
  findChangedQueues,
  markQueuesOf,
  networksOf,
  readBallots,
  readQueue,
  setRanks,
} from '../src/features/queue/queue-repository.ts'
import { deleteReactionsBefore, deleteReactionsOf } from '../src/features/reactions/reaction-repository.ts'
import { guideChanged, lockGuide, takeStaleGuides } from '../src/features/reminders/guide-repository.ts'
import {
  countReminders,
  deleteReminder,
  deleteStartsBefore,
  endRemindersOf,
  listReminders,
  lockDue,
  lockReminder,
  lockRemindersOf,
  plannedStarts,
  remindersOf,
} from '../src/features/reminders/reminder-repository.ts'
import { readSettings } from '../src/features/reminders/settings-repository.ts'
import {
  countWaiting,
  findOwnWaiting,
  listOwn,
  requestsOf,
} from '../src/features/requests/own-request-repository.ts'
import {
  deleteFinishedBefore,
  deleteWaitingOf,
  findRequest,
  finishRequest,
  forgetRequester,
  isRequestDecided,
  listWaiting,
  refuseWaiting,
  setPlanned,
  updateVideos,
} from '../src/features/requests/request-repository.ts'
import {
  countVotes,
  deleteVote,
  deleteVotesOf,
  deleteVotesOfAbsent,
  FIRST_VOTER,
  insertVote,
  markVotesOf,
  takeChangedVotes,
  votesOf,
} from '../src/features/requests/vote-repository.ts'
import {
  excludedAmong,
  findExclusion,
  listExclusions,
  waitingOf,
} from '../src/features/settings/settings-repository.ts'
import {
  countAttempt,
  deleteExpiredRestrictions,
  findRegisteredAt,
  isRestricted,
  mayChat,
} from '../src/features/users/user-repository.ts'
import {
  countWatching,
  deleteWatchHoursBefore,
  watchedSince,
} from '../src/features/watching/watch-repository.ts'
import { type AudienceHarness, startAudienceHarness } from './_harness.ts'

let harness: AudienceHarness
let db: Kysely<Database>
let planned: PlannedDb<Database>
const [userId, videoId, requestId] = [randomUUID(), randomUUID(), randomUUID()]
const now = new Date()
const DAY = '2026-11-28'
const LAST = { plannedAt: null, pinnedAt: now, rank: 3, id: requestId }
const refusal = { reason: 'x', finishedAt: now, limit: 10 }
const target = { userId, channelId: 'c1', kind: 'programme' as const, ref: 'p' }
const decision = {
  ...{ requestId, sequence: 1, currency: 'vote' as const, startsAtMs: 0, decidedAtMs: 0, earlier: [] },
}

const text = { title: 't', artistName: 'a' }
const started = { channelId: 'c1', seq: 1, airingId: 'c1.1.1', videoId, startsAt: now, endsAt: now, ...text }
const quarter = {
  channelId: 'c1',
  from: new Date(Date.now() - 93 * 86_400_000),
  to: now,
  now,
  days: [new Date(0)],
}
const mostLiked = { sort: 'likes' as const, isAscending: false }

// Enough rows that the planner never prefers a sequential scan.
beforeAll(async () => {
  harness = await startAudienceHarness()
  planned = plannedDb<Database>(harness.config.databaseUrl)
  db = planned.db
  await sql`insert into channels (id) select 'c' || n from generate_series(1, 20000) n`.execute(db)
  await sql`insert into requests (id, channel_id, user_id, video_id, title, artist_name, duration_ms, requested_at,
      state, pinned_at, finished_at, aired_at)
    select gen_random_uuid(), 'c' || (n % 200 + 1), gen_random_uuid(), gen_random_uuid(), 't', 'a', 1000, now(),
      case when n % 5 = 0 then 'waiting' else 'aired' end, case when n % 500 = 0 then now() end,
      case when n % 5 <> 0 then now() end, case when n % 5 <> 0 then now() end
    from generate_series(1, 50000) n`.execute(db)
  await sql`insert into votes (request_id, user_id, voted_at)
    select id, gen_random_uuid(), now() from requests cross join generate_series(1, 2)`.execute(db)
  await sql`insert into networks (user_id, day, network_key, next_network_key)
    select user_id, ${DAY}::date, 'k' || row_number() over (), 'n' from votes`.execute(db)
  await sql`insert into watch_hours (user_id, starts_at, watched_ms, seen_at)
    select gen_random_uuid(), now(), 1, now() from generate_series(1, 20000)`.execute(db)
  await sql`insert into profiles (user_id, version)
    select gen_random_uuid(), 1 from generate_series(1, 20000)`.execute(db)
  await sql`insert into restricted_users (restriction_id, user_id, expires_at)
    select gen_random_uuid(), gen_random_uuid(), now() from generate_series(1, 20000)`.execute(db)
  await sql`insert into exclusions (id, channel_id, video_id, created_at)
    select gen_random_uuid(), 'c' || (n % 200 + 1), gen_random_uuid(), now() from generate_series(1, 20000) n`.execute(
    db,
  )
  await sql`insert into queue_changes (channel_id) select 'c' || (n % 200 + 1) from generate_series(1, 20000) n`.execute(
    db,
  )
  await sql`insert into vote_changes (request_id)
    select id from requests limit 20000`.execute(db)
  await sql`insert into queue_bodies (channel_id, sequence, body, created_at)
    select 'c' || (n % 200 + 1), n, '', now() from generate_series(1, 20000) n`.execute(db)
  await sql`insert into decisions (request_id, channel_id, sequence, currency, starts_at, decided_at, earlier)
    select r.id, q.channel_id, q.sequence, 'vote', now(), now(), '[]'
    from (select id, row_number() over () as n from requests) r join queue_bodies q on q.sequence = r.n`.execute(
    db,
  )
  await sql`insert into airings (channel_id, seq, airing_id, video_id, starts_at, ends_at, is_counted)
    select 'c' || (n % 200 + 1), n, 'a' || n, gen_random_uuid(), now() - n * interval '25 minutes', now(), n > 500
    from generate_series(1, 20000) n`.execute(db)
  await sql`insert into vote_loads (channel_id, user_id, load)
    select 'c' || (n % 200 + 1), gen_random_uuid(), 1 from generate_series(1, 20000) n`.execute(db)
  await sql`insert into turn_accounts (channel_id, user_id, load_ms, is_waiting)
    select 'c' || (n % 200 + 1), gen_random_uuid(), 1, true from generate_series(1, 20000) n`.execute(db)
  await sql`insert into receipts (request_id, body, digest, decided_at)
    select id, '', '', now() from requests limit 20000`.execute(db)
  await sql`insert into liked_videos (video_id, like_count, is_changed, removed_at)
    select gen_random_uuid(), 2, n % 50 = 0, case when n % 50 = 1 then now() end from generate_series(1, 20000) n`.execute(
    db,
  )
  await sql`insert into likes (user_id, video_id, liked_at)
    select gen_random_uuid(), video_id, now() from liked_videos cross join generate_series(1, 2)`.execute(db)
  await sql`insert into reactions (channel_id, airing_id, gateway, counts, total, began_at)
    select 'c' || (n % 200 + 1), 'a' || n, 'g', '{}', 0, now() from generate_series(1, 20000) n`.execute(db)
  await sql`insert into polls (id, channel_id, question, answers, counts, asked_by, asked_at, closes_at, closed_at)
    select gen_random_uuid(), 'c' || n, 'q', '{a,b}', '{0,0}', gen_random_uuid(), now(), now(),
      case when n % 100 <> 0 then now() end from generate_series(1, 20000) n`.execute(db)
  await sql`insert into poll_votes (poll_id, user_id, answer, voted_at)
    select id, gen_random_uuid(), 1, now() from polls cross join generate_series(1, 2)`.execute(db)
  await sql`insert into poll_changes (poll_id) select id from polls`.execute(db)
  await sql`insert into reminders (id, user_id, channel_id, kind, ref, title, minutes_before, created_at)
    select gen_random_uuid(), gen_random_uuid(), 'c' || (n % 200 + 1), 'programme', n, 't', 10, now()
    from generate_series(1, 20000) n`.execute(db)
  await sql`insert into reminder_starts (id, reminder_id, starts_at, title, phase, due_at)
    select gen_random_uuid(), id, now(), 't', 'start', now() + interval '1 day' from reminders`.execute(db)
  await sql`insert into reminder_channels (channel_id, name, refresh_at)
    select 'c' || n, 'n', now() + interval '1 day' from generate_series(1, 20000) n`.execute(db)
  await sql`insert into reminder_settings (user_id) select user_id from reminders`.execute(db)
  await sql`insert into push_subscriptions (id, user_id, endpoint, host, p256dh, auth, is_declarative, created_at,
      session_id)
    select gen_random_uuid(), user_id, id, 'h', 'k', 'a', false, now(), gen_random_uuid() from reminders`.execute(
    db,
  )
  await sql`insert into push_deliveries (id, subscription_id, start_id, payload, next_attempt_at, expires_at)
    select gen_random_uuid(), id, id, '{}', now() + interval '1 day', now() from push_subscriptions`.execute(
    db,
  )
  await sql`analyze`.execute(db)
})
afterAll(async () => {
  await planned.stop()
  await harness.stop()
})

it.each<[string, () => Promise<unknown>]>([
  ['the requests of a video on a channel', () => listWaiting(db, 'c1', { after: null, videoId, limit: 1 })],
  ['the first page of a channel', () => listWaiting(db, 'c1', { after: null, limit: 100 })],
  ['a later page', () => listWaiting(db, 'c1', { after: { ...LAST, pinnedAt: null }, limit: 100 })],
  ['a page after a pinned request', () => listWaiting(db, 'c1', { after: LAST, limit: 100 })],
  ['channels whose queue has changed', () => findChangedQueues(db)],
  ['one request', () => findRequest(db, requestId)],
  ['a user’s own request of a video', () => findOwnWaiting(db, 'c1', userId, videoId)],
  ['the number of a user’s requests', () => countWaiting(db, userId)],
  ['the votes of requests', () => countVotes(db, [requestId, randomUUID()], { userId, day: DAY })],
  ['the newest requests of a user', () => listOwn(db, userId, null, 100)],
  ['older requests of a user', () => listOwn(db, userId, requestId, 100)],
  ['a page of a user’s requests', () => requestsOf(db, userId, requestId, 500)],
  ['a page of a user’s votes', () => votesOf(db, userId, requestId, 500)],
  ['taking a vote back', () => deleteVote(db, requestId, userId)],
  ['the watched time of a user', () => watchedSince(db, userId, now)],
  ['a report of watching', () => countWatching(db, userId, now, 1)],
  ['the network of a user', () => saveNetwork(db, userId, networkKeysOf('198.51.100.7', 's', 0))],
  ['the age of an account', () => findRegisteredAt(db, userId)],
  ['an attempt to request', () => countAttempt(db, userId, { kind: 'request', now, windowMs: 60_000 })],
  ['a restriction', () => isRestricted(db, userId, now)],
  [
    'excluded requests',
    () => excludedAmong(db, [{ id: requestId, channelId: 'c1', videoId, artistName: 'x' }]),
  ],
  ['requests that an exclusion is about', () => waitingOf(db, { channelId: 'c1', videoId, artistKey: null })],
  ['an exclusion', () => findExclusion(db, 'c1', requestId)],
  ['the exclusions of a channel', () => listExclusions(db, 'c1')],
  ['old finished requests', () => deleteFinishedBefore(db, new Date(0))],
  ['old watched hours', () => deleteWatchHoursBefore(db, new Date(0))],
  ['the request that a programme was', () => findAired(db, 'c1', 'c1.1.1')],
  [
    'requests that were on the air',
    () => listAired(db, 'c1', { from: new Date(0), to: now, after: { airedAt: now, id: requestId } }, 100),
  ],
  ['titles of requests', () => titlesOf(db, [requestId])],
  ['a receipt', () => findReceipt(db, requestId)],
  ['a page of a user’s loads', () => loadsOf(db, userId, ['c1', 'turn'], 500)],
  ['old queues', () => deleteBodiesBefore(db, new Date(0))],
  ['old networks', () => deleteNetworksBefore(db, '2020-01-01')],
  ['the number of likes of a video', () => findLikedVideo(db, videoId)],
  ['a video that is shown', () => saveShown(db, videoId)],
  ['whether a user likes a video', () => isLiked(db, userId, videoId)],
  ['taking a like back', () => deleteLike(db, userId, videoId)],
  ['the number of a user’s likes', () => countLikes(db, userId)],
  ['the number of a user’s shown likes', () => countShownLikes(db, userId)],
  ['the first page of a user’s likes', () => listLikes(db, { userId, limit: 100 })],
  [
    'a later page of a user’s likes',
    () => listLikes(db, { userId, limit: 100, after: { at: now, id: videoId } }),
  ],
  ['a user’s likes among videos', () => listLikes(db, { userId, limit: 100, ids: [videoId] })],
  ['a page of all likes of a user', () => likesOf(db, userId, videoId, 500)],
  ['old reactions', () => deleteReactionsBefore(db, new Date(0))],
  ['the reactions of a channel', () => deleteReactionsOf(db, 'c1')],
  ['likes of videos deleted long ago', () => deleteRemovedBefore(db, new Date(0))],
  ['a poll', () => findPoll(db, videoId)],
  ['a page of a channel’s polls', () => listPolls(db, 'c1', videoId, 100)],
  ['a user’s vote in a poll', () => findAnswer(db, videoId, userId)],
  ['polls whose time is over', () => findDuePolls(db, new Date(0))],
  ['polls with new votes', () => findChangedPolls(db)],
  ['a page of a user’s votes in polls', () => pollVotesOf(db, userId, videoId, 500)],
  ['old polls', () => deletePollsBefore(db, new Date(0))],
  ['votes in polls that were closed long ago', () => deleteVotesInClosed(db, new Date(0))],
  ['whether a user may chat', () => mayChat(db, userId, now)],
  ['the number of a user’s reminders', () => countReminders(db, userId)],
  ['the reminders of a user', () => listReminders(db, userId)],
  ['a page of a user’s reminders', () => remindersOf(db, userId, requestId, 500)],
  ['a reminder that is removed', () => deleteReminder(db, target)],
  ['the starts of reminders', () => plannedStarts(db, [requestId])],
  ['starts of yesterday', () => deleteStartsBefore(db, new Date(0))],
  ['guides that have changed', () => takeStaleGuides(db, now.getTime(), 8)],
  ['how accounts are reminded', () => readSettings(db, [userId])],
  ['the browsers of a user', () => listSubscriptions(db, userId)],
  ['a page of a user’s browsers', () => subscriptionsAfter(db, userId, requestId, 500)],
  ['the browsers of users', () => subscriptionIdsOf(db, [userId])],
  ['a browser that is removed', () => deleteSubscription(db, userId, requestId)],
  ['the browsers of sessions', () => deleteSubscriptionsOfSessions(db, [requestId])],
  ['pushes that are due', () => takeDuePushes(db, { now, until: now, busyHosts: ['x'], limit: 20 })],
  ['expired restrictions', () => deleteExpiredRestrictions(db, new Date(0))],
])('%s: found by an index', async (_what, work) => {
  expect(await planned.plansOf(work)).not.toContain('Seq Scan')
})

it.each<[string, (trx: Transaction<Database>) => Promise<unknown>]>([
  [
    'finishing a request',
    (trx) =>
      finishRequest(trx, requestId, { state: 'aired', reason: null, finishedAt: now, endedByStaff: false }),
  ],
  ['deleting the votes of a request', (trx) => deleteVotesOf(trx, [requestId])],
  [
    'taking back the votes of absent voters',
    (trx) => deleteVotesOfAbsent(trx, now, { after: FIRST_VOTER, limit: 200 }),
  ],
  ['deleting the waiting requests of a user', (trx) => deleteWaitingOf(trx, userId)],
  ['beginning a queue', (trx) => beginSequence(trx, 'c1', 1)],
  ['reading a queue', (trx) => readQueue(trx, 'c1', { day: DAY, without: [requestId] })],
  ['reading the ballots of a queue', (trx) => readBallots(trx, 'c1', { day: DAY, without: [requestId] })],
  ['storing places in a queue', (trx) => setRanks(trx, [{ id: requestId, rank: 1 }])],
  ['noting that queues of a user have changed', (trx) => markQueuesOf(trx, userId)],
  ['noting that votes of a user have changed', (trx) => markVotesOf(trx, userId)],
  ['requests whose votes have changed', (trx) => takeChangedVotes(trx, 500)],
  [
    'refusing the requests of a video',
    (trx) => refuseWaiting(trx, { by: 'videoId', ids: [videoId] }, refusal),
  ],
  ['refusing requests', (trx) => refuseWaiting(trx, { by: 'id', ids: [requestId] }, refusal)],
  [
    'updating the requests of a video',
    (trx) =>
      updateVideos(
        trx,
        [{ id: videoId, title: 't', artistName: 'a', thumbnailUrl: null, durationMs: 1000 }],
        1,
      ),
  ],
  ['the stored queue of a sequence', (trx) => findBody(trx, 'c1', 1)],
  ['the decisions of a channel', (trx) => listDecisions(trx, 'c1')],
  ['a decision', (trx) => saveDecisions(trx, 'c1', [decision])],
  ['undone decisions', (trx) => deleteDecisions(trx, [requestId])],
  ['whether a request is decided', (trx) => isRequestDecided(trx, requestId)],
  [
    'the plan of a channel',
    (trx) =>
      setPlanned(trx, 'c1', { planned: [decision], blocked: [{ requestId, rule: 'x', untilMs: null }] }),
  ],
  ['the loads of a channel', (trx) => readLoads(trx, 'c1', 0)],
  ['deleted accounts among voters', (trx) => deletedAmong(trx, [userId])],
  ['the loads of a deleted account', (trx) => forgetLoads(trx, userId)],
  ['networks of voters', (trx) => networksOf(trx, [userId], DAY)],
  ['the likes of a deleted account', (trx) => deleteLikesOf(trx, userId)],
  ['the numbers of likes to publish', (trx) => takeChanged(trx, 500, 1)],
  ['likes of changed videos', (trx) => setShown(trx, [{ id: videoId, isPublic: true }])],
  ['likes of deleted videos', (trx) => setRemoved(trx, [videoId], now)],
  ['an airing that starts', (trx) => insertAiring(trx, started)],
  ['the airings that are counted', (trx) => listUncounted(trx, { startedBy: now, after: started }, 500)],
  ['counts of an airing', (trx) => saveAiringCounts(trx, [{ channelId: 'c1', seq: 1, isCounted: false }])],
  ['an airing', (trx) => findAiring(trx, 'c1', 1)],
  ['the airings of a time', (trx) => listAirings(trx, 'c1', { from: new Date(0), to: now }, 100)],
  ['statistics by airing', (trx) => listStatistics(trx, { ...quarter, by: 'airing' }, mostLiked, 100)],
  ['statistics by hour', (trx) => listStatistics(trx, { ...quarter, by: 'hour' }, mostLiked, 100)],
  ['statistics by day', (trx) => listStatistics(trx, { ...quarter, by: 'day' }, mostLiked, 100)],
  ['the pace of reactions', (trx) => findPace(trx, 'c1', 1)],
  ['old airings', (trx) => deleteAiringsBefore(trx, new Date(0))],
  ['the airings of a channel', (trx) => deleteAiringsOf(trx, 'none')],
  ['counting likes again', (trx) => recountAfter(trx, videoId, 500)],
  ['locking a poll', (trx) => lockPoll(trx, videoId, 'vote')],
  ['counting a poll', (trx) => countAnswers(trx, { id: videoId, answers: ['a', 'b'] }, DAY)],
  ['the marks of a poll', (trx) => deleteMarks(trx, videoId)],
  ['deleting a poll', (trx) => deletePoll(trx, videoId)],
  ['deleting the polls of a channel', (trx) => deletePollsOf(trx, 'c1')],
  ['deleting a user’s votes in polls', (trx) => deletePollVotesOf(trx, userId)],
  ['a reminder of a user', (trx) => lockReminder(trx, target)],
  ['the reminders of a channel', (trx) => lockRemindersOf(trx, 'c1', requestId, 500)],
  ['reminders that are due', (trx) => lockDue(trx, new Date(0), 200)],
  ['reminders of a deleted channel', (trx) => endRemindersOf(trx, 'c1', { now, dueAt: now })],
  ['a changed guide', (trx) => guideChanged(trx, { channelId: 'c1', now })],
  ['the guide of a channel', (trx) => lockGuide(trx, { channelId: 'c1', version: 1 })],
  ['forgetting a requester', (trx) => forgetRequester(trx, userId)],
])('%s: uses an index', async (_what, work) => {
  expect(await planned.plansOf(() => db.transaction().execute(work))).not.toContain('Seq Scan')
})

it('a vote for an existing request uses an index', async () => {
  const { id } = await db.selectFrom('requests').select('id').limit(1).executeTakeFirstOrThrow()
  const plans = await planned.plansOf(() => insertVote(db, { requestId: id, userId, votedAt: now }))
  expect(plans).not.toContain('Seq Scan')
})

it('storing the counted votes of a poll uses an index', async () => {
  const { id } = await db.selectFrom('polls').select('id').limit(1).executeTakeFirstOrThrow()
  const plans = await planned.plansOf(() =>
    db.transaction().execute((trx) => saveCounts(trx, id, { counts: [0, 0], closedAt: null })),
  )
  expect(plans).not.toContain('Seq Scan')
})

it('a like of a known video uses an index', async () => {
  const { videoId: liked } = await db
    .selectFrom('likedVideos')
    .select('videoId')
    .limit(1)
    .executeTakeFirstOrThrow()
  const plans = await planned.plansOf(() => insertLike(db, { userId, videoId: liked, likedAt: now }))
  expect(plans).not.toContain('Seq Scan')
})
