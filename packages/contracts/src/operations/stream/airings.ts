import { AiringList, AiringRangeQuery, AiringReport } from '../../http/airings.ts'
import { ChannelParams } from '../../http/channels.ts'
import { LookUpVideosQuery } from '../../http/videos.ts'
import { file, operation } from '../../operation.ts'

export const streamAiringList = operation({
  name: 'stream.airing.list',
  summary: 'Count how often videos were on the air',
  call: 'GET /api/channels/airings',
  audience: 'videos:edit',
  token: 'read',
  input: { query: LookUpVideosQuery },
  output: { 200: AiringList },
})

/** Counted from the air log. Errors: `not_found`, `validation_failed` for an empty range or one above 93 days. */
export const streamAiringReport = operation({
  name: 'stream.airing.report',
  summary: 'Count the airings of a channel by video, artist and hour',
  call: 'GET /api/channels/:id/airings/report',
  audience: 'schedules:edit',
  token: 'read',
  anonymous: 'allowed',
  input: { params: ChannelParams, query: AiringRangeQuery },
  output: { 200: AiringReport },
})

/**
 * Every programme with start, title, artist, duration and average number of viewers, for collecting societies. Errors as
 * for {@link streamAiringReport}.
 */
export const streamAiringRoyaltyLog = operation({
  name: 'stream.airing.royalty_log',
  summary: 'Export what a channel has aired',
  call: 'GET /api/channels/:id/airings/royalties.csv',
  audience: 'schedules:edit',
  token: 'read',
  anonymous: 'allowed',
  input: { params: ChannelParams, query: AiringRangeQuery },
  output: { 200: file('text/csv') },
})
