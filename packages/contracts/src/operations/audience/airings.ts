import {
  AiringDetails,
  AiringFactsPage,
  AiringParams,
  AiringsQuery,
  ReactionPace,
} from '../../http/airing-details.ts'
import {
  AiringStatistics,
  AiringStatisticsQuery,
  StatisticsRangeQuery,
} from '../../http/airing-statistics.ts'
import { ChannelParams } from '../../http/channels.ts'
import { file, operation } from '../../operation.ts'

/** `not_found` for one that is not in the air log, or during which audience did not run; 503 without the scheduler. */
export const audienceAiringGet = operation({
  name: 'audience.airing.get',
  summary: 'Get a programme that was on the air, with what viewers did meanwhile',
  call: 'GET /api/channels/:id/airings/:airingId',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { params: AiringParams },
  output: { 200: AiringDetails },
})

/** Errors: `not_found` for an unknown channel, `validation_failed` for an empty range or one above a day. */
export const audienceAiringList = operation({
  name: 'audience.airing.list',
  summary: 'List what viewers did during the programmes of a channel',
  call: 'GET /api/channels/:id/airings',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { params: ChannelParams, query: AiringsQuery },
  output: { 200: AiringFactsPage },
})

export const audienceAiringReactionList = operation({
  name: 'audience.airing_reaction.list',
  summary: 'Get the reactions to a programme, in the order of time',
  call: 'GET /api/channels/:id/airings/:airingId/reactions',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { params: AiringParams },
  output: { 200: ReactionPace },
})

/** Errors: `validation_failed` for an empty range, one above 93 days, or an unknown time zone; `invalid_cursor`. */
export const audienceAiringStatisticsList = operation({
  name: 'audience.airing_statistics.list',
  summary: 'Count what viewers did during the programmes of a channel, by airing, hour or day',
  call: 'GET /api/channels/:id/airings/statistics',
  audience: 'schedules:edit',
  token: 'read',
  anonymous: 'allowed',
  input: { params: ChannelParams, query: AiringStatisticsQuery },
  output: { 200: AiringStatistics },
})

/** All rows, the oldest first. Errors as for {@link audienceAiringStatisticsList}. */
export const audienceAiringStatisticsExport = operation({
  name: 'audience.airing_statistics.export',
  summary: 'Export what viewers did during the programmes of a channel',
  call: 'GET /api/channels/:id/airings/statistics.csv',
  audience: 'schedules:edit',
  token: 'read',
  anonymous: 'allowed',
  input: { params: ChannelParams, query: StatisticsRangeQuery },
  output: { 200: file('text/csv') },
})
