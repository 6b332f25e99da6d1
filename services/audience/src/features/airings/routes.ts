import { Readable } from 'node:stream'
import {
  type AiringFactsPage,
  type AiringsQuery,
  MAX_AIRINGS_MS,
} from '@looptide/contracts/http/airing-details'
import {
  audienceAiringGet,
  audienceAiringList,
  audienceAiringReactionList,
  audienceAiringStatisticsExport,
  audienceAiringStatisticsList,
} from '@looptide/contracts/operations/audience/airings'
import type { Db } from '@looptide/service-kit/db/db'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import { errors } from '@looptide/service-kit/http/errors'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { Static } from 'typebox'
import type { Database } from '../../db/schema.ts'
import { requesterOf } from '../requests/request-reader.ts'
import type { RequireVisible } from '../rules/request-check.ts'
import { type AiringRow, findAiring, findPace, listAirings } from './airing-repository.ts'
import type { FindProgramme } from './programme.ts'
import { paceOf, sumOf } from './reaction-sums.ts'
import { rangeOf, statisticsCsv, statisticsPage } from './statistics.ts'

const WHAT = 'This programme'

interface Deps {
  db: Db<Database>
  now: () => number
  requireVisible: RequireVisible
  findProgramme: FindProgramme
}

/** The routes of what viewers did during programmes that were on the air. */
export const airingRoutes = ({ db, now, requireVisible, findProgramme }: Deps): Route[] => [
  route(audienceAiringGet, async ({ params, user }) => {
    await requireVisible(params.id, user)
    const row = await findAiring(db, params.id, seqOf(params))
    const programme = row && (await findProgramme(params.id, row.startsAt.getTime()))
    if (row === undefined || programme === undefined) throw errors.notFound(WHAT)
    return { id: row.airingId, programme, ...factsOf(row, now()) }
  }),
  route(audienceAiringReactionList, async ({ params, user }) => {
    await requireVisible(params.id, user)
    const found = await findPace(db, params.id, seqOf(params))
    if (found === undefined) throw errors.notFound(WHAT)
    const gateways = found.gateways.map(({ beganAt, pace }) => ({ beganAtMs: beganAt.getTime(), pace }))
    return { steps: paceOf(found.startsAt.getTime(), gateways) }
  }),
  route(audienceAiringList, async ({ params, query, user }) => {
    await requireVisible(params.id, user)
    return listPage(db, params.id, query, now())
  }),
  route(audienceAiringStatisticsList, ({ params, query }) => statisticsPage(db, params.id, query, now())),
  route(audienceAiringStatisticsExport, ({ params, query, reply }) => {
    const range = rangeOf(params.id, query, now())
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="statistics-${params.id}.csv"`)
      .header('cache-control', 'no-store')
      .send(Readable.from(statisticsCsv(db, range)))
  }),
]

/** The number in the air log of an id `<channel>.<seq>`, with or without the version of the timeline. Throws `not_found`. */
function seqOf({ id, airingId }: { id: string; airingId: string }): number {
  const [channelId, seq] = airingId.split('.')
  if (channelId !== id) throw errors.notFound(WHAT)
  return Number(seq)
}

/** A page of the list. Throws `validation_failed` for a range that is empty or too long, and `invalid_cursor`. */
async function listPage(
  db: Db<Database>,
  channelId: string,
  { fromMs, toMs, limit = 100, cursor }: Static<typeof AiringsQuery>,
  nowMs: number,
): Promise<AiringFactsPage> {
  if (toMs <= fromMs || toMs - fromMs > MAX_AIRINGS_MS)
    throw errors.validation('The range is from one instant to a later one, at most a day.')
  const [lastMs] = cursor === undefined ? [fromMs - 1] : decodeCursor(cursor, ['number'])
  const range = { from: new Date(Math.max(fromMs, lastMs + 1)), to: new Date(toMs) }
  return toPage(
    await listAirings(db, channelId, range, limit),
    limit,
    (row) => ({ id: row.airingId, startedAtMs: row.startsAt.getTime(), ...factsOf(row, nowMs) }),
    (row) => [row.startsAt.getTime()],
  )
}

const factsOf = (row: AiringRow, nowMs: number) => ({
  reactions: sumOf(row.reactions),
  likes: row.likes,
  requestedBy: requesterOf(row, null),
  viewersAtStart: row.viewersAtStart,
  viewersAtEnd: row.endsAt.getTime() > nowMs ? null : row.viewersAtEnd,
  messages: row.messages,
})
