import type {
  AiredRequestAnswer,
  AiredRequestPage,
  AiredRequestsQuery,
} from '@looptide/contracts/http/requests'
import {
  audienceRequestAired,
  audienceRequestAiredList,
  audienceRequestReceipt,
} from '@looptide/contracts/operations/audience/requests'
import type { Db } from '@looptide/service-kit/db/db'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import { errors } from '@looptide/service-kit/http/errors'
import { answer, type Route, route } from '@looptide/service-kit/routes/route'
import type { Static } from 'typebox'
import type { Database } from '../../db/schema.ts'
import { requesterOf } from '../requests/request-reader.ts'
import type { RequireVisible } from '../rules/request-check.ts'
import { findAired, findReceipt, listAired, titlesOf } from './receipt-repository.ts'

/** A receipt never changes. Caches keep it for a day only, because it is deleted with the request. */
const CACHED = 'public, max-age=86400'
/** The list grows, and lasts as long as a channel is shown that was hidden. */
const LIST_CACHED = 'public, max-age=10'

interface Deps {
  db: Db<Database>
  requireVisible: RequireVisible
}

/** The routes of what was aired and why. */
export const receiptRoutes = ({ db, requireVisible }: Deps): Route[] => [
  route(audienceRequestReceipt, async ({ params }) => {
    const receipt = await findReceipt(db, params.requestId)
    if (receipt === undefined) throw errors.notFound('The receipt of this request')
    return answer(200, receipt, { 'cache-control': CACHED })
  }),
  route(audienceRequestAired, async ({ params, user }) => {
    await requireVisible(params.id, user)
    return { request: await readAired(db, params.id, params.programmeId) }
  }),
  route(audienceRequestAiredList, async ({ params, query, user }) => {
    await requireVisible(params.id, user)
    const page = await listPage(db, params.id, query)
    return answer(200, page, user === null ? { 'cache-control': LIST_CACHED } : {})
  }),
]

/** A page of what was aired. Throws `invalid_cursor`, and `validation_failed` for an empty range. */
async function listPage(
  db: Db<Database>,
  channelId: string,
  { limit = 100, cursor, ...range }: Static<typeof AiredRequestsQuery>,
): Promise<AiredRequestPage> {
  const [from, to] = [new Date(range.from), new Date(range.to)]
  if (from >= to) throw errors.validation('The range is from one instant to a later one.')
  const after = cursor === undefined ? null : readPosition(cursor)
  return toPage(
    await listAired(db, channelId, { from, to, after }, limit),
    limit,
    ({ title, artistName, airingId, airedAt, ...row }) => ({
      ...row,
      programmeId: airingId ?? '',
      startedAt: airedAt.toISOString(),
      video: { title, artistName },
    }),
    (row) => [row.airedAt.getTime(), row.id],
  )
}

function readPosition(cursor: string) {
  const [airedAtMs, id] = decodeCursor(cursor, ['number', 'string'])
  return { airedAt: new Date(airedAtMs), id }
}

async function readAired(
  db: Db<Database>,
  channelId: string,
  programmeId: string,
): Promise<AiredRequestAnswer['request']> {
  const row = await findAired(db, channelId, programmeId)
  if (row === undefined) return null
  const receipt = await findReceipt(db, row.id)
  const passedOver = receipt?.passedOver ?? []
  const titles = await titlesOf(
    db,
    passedOver.map(({ request }) => request),
  )
  return {
    id: row.id,
    requestedBy: requesterOf(row, null),
    requestedAt: row.requestedAt.toISOString(),
    currency: row.currency,
    hasReceipt: receipt !== undefined,
    passedOver: passedOver.map(({ request, rule }) => ({ rule, video: titles.get(request) ?? null })),
  }
}
