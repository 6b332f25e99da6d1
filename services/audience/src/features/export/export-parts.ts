import { audienceLikeExport } from '@looptide/contracts/operations/audience/likes'
import { audiencePollVoteExport } from '@looptide/contracts/operations/audience/polls'
import {
  audiencePushSubscriptionExport,
  audienceReminderExport,
} from '@looptide/contracts/operations/audience/reminders'
import {
  audienceLoadExport,
  audienceRequestExport,
  audienceVoteExport,
} from '@looptide/contracts/operations/audience/requests'
import type { Db } from '@looptide/service-kit/db/db'
import { FIRST_ID } from '@looptide/service-kit/db/ids'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import { type ExportPart, exportPart } from '@looptide/service-kit/routes/export-part'
import type { Database } from '../../db/schema.ts'
import { loadsOf } from '../decisions/load-repository.ts'
import { likesOf } from '../likes/like-repository.ts'
import { pollVotesOf } from '../polls/poll-repository.ts'
import { subscriptionsAfter } from '../push/push-repository.ts'
import { remindersOf } from '../reminders/reminder-repository.ts'
import { requestsOf } from '../requests/own-request-repository.ts'
import { votesOf } from '../requests/vote-repository.ts'

const PAGE_SIZE = 500

const afterOf = (cursor: string | undefined): string =>
  cursor === undefined ? FIRST_ID : decodeCursor(cursor, ['string'])[0]

/** One page of a user's requests, oldest first. Errors: `invalid_cursor`. */
async function readRequests(db: Db<Database>, userId: string, cursor?: string) {
  return toPage(
    await requestsOf(db, userId, afterOf(cursor), PAGE_SIZE),
    PAGE_SIZE,
    ({ id, channelId, videoId, title, requestedAt, state, finishedAt, reason, plannedAt, airedAt }) => ({
      id,
      channelId,
      videoId,
      title,
      requestedAt: requestedAt.toISOString(),
      state,
      finishedAt: finishedAt?.toISOString() ?? null,
      reason,
      plannedAt: plannedAt?.toISOString() ?? null,
      airedAt: airedAt?.toISOString() ?? null,
    }),
    ({ id }) => [id],
  )
}

/** One page of a user's votes, by request. Errors: `invalid_cursor`. */
async function readVotes(db: Db<Database>, userId: string, cursor?: string) {
  return toPage(
    await votesOf(db, userId, afterOf(cursor), PAGE_SIZE),
    PAGE_SIZE,
    ({ votedAt, ...vote }) => ({ ...vote, votedAt: votedAt.toISOString() }),
    ({ requestId }) => [requestId],
  )
}

/** One page of a user's likes, by video. Errors: `invalid_cursor`. */
async function readLikes(db: Db<Database>, userId: string, cursor?: string) {
  return toPage(
    await likesOf(db, userId, afterOf(cursor), PAGE_SIZE),
    PAGE_SIZE,
    ({ videoId, likedAt }) => ({ videoId, likedAt: likedAt.toISOString() }),
    ({ videoId }) => [videoId],
  )
}

/** One page of a user's votes in polls, by poll. Errors: `invalid_cursor`. */
async function readPollVotes(db: Db<Database>, userId: string, cursor?: string) {
  return toPage(
    await pollVotesOf(db, userId, afterOf(cursor), PAGE_SIZE),
    PAGE_SIZE,
    ({ votedAt, ...vote }) => ({ ...vote, votedAt: votedAt.toISOString() }),
    ({ pollId }) => [pollId],
  )
}

/** One page of a user's reminders, oldest first. Errors: `invalid_cursor`. */
async function readReminders(db: Db<Database>, userId: string, cursor?: string) {
  return toPage(
    await remindersOf(db, userId, afterOf(cursor), PAGE_SIZE),
    PAGE_SIZE,
    ({ id, kind, channelId, title, minutesBefore, createdAt }) => ({
      ...{ id, kind, channelId, title, minutesBefore },
      createdAt: createdAt.toISOString(),
    }),
    ({ id }) => [id],
  )
}

/** One page of the browsers that receive a user's reminders, oldest first. Errors: `invalid_cursor`. */
async function readPushSubscriptions(db: Db<Database>, userId: string, cursor?: string) {
  return toPage(
    await subscriptionsAfter(db, userId, afterOf(cursor), PAGE_SIZE),
    PAGE_SIZE,
    ({ id, deviceName, host, createdAt, lastUsedAt }) => ({
      ...{ id, deviceName, pushService: host, createdAt: createdAt.toISOString() },
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    }),
    ({ id }) => [id],
  )
}

/** One page of a user's loads, by channel. Errors: `invalid_cursor`. */
async function readRequestLoads(db: Db<Database>, userId: string, cursor?: string) {
  const after = cursor === undefined ? null : decodeCursor(cursor, ['string', 'string'])
  return toPage(
    await loadsOf(db, userId, after, PAGE_SIZE),
    PAGE_SIZE,
    (load) => load,
    ({ channelId, currency }) => [channelId, currency],
  )
}

/** What a user has stored, for their export and for `looptide users export`. */
export const exportParts: readonly ExportPart<Database>[] = [
  exportPart(audienceRequestExport, readRequests),
  exportPart(audienceVoteExport, readVotes),
  exportPart(audienceLoadExport, readRequestLoads),
  exportPart(audienceLikeExport, readLikes),
  exportPart(audiencePollVoteExport, readPollVotes),
  exportPart(audienceReminderExport, readReminders),
  exportPart(audiencePushSubscriptionExport, readPushSubscriptions),
]
