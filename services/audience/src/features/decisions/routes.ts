import type { AiredRequestAnswer } from '@looptide/contracts/http/requests'
import { audienceRequestAired, audienceRequestReceipt } from '@looptide/contracts/operations/audience'
import type { Db } from '@looptide/service-kit/db/db'
import { errors } from '@looptide/service-kit/http/errors'
import { answer, type Route, route } from '@looptide/service-kit/routes/route'
import type { Database } from '../../db/schema.ts'
import { requesterOf } from '../requests/request-reader.ts'
import { findAired, findReceipt, titlesOf } from './receipt-repository.ts'

/** A receipt never changes. Caches keep it for a day only, because it is deleted with the request. */
const CACHED = 'public, max-age=86400'

/** The routes of what was aired and why. */
export const receiptRoutes = (db: Db<Database>): Route[] => [
  route(audienceRequestReceipt, async ({ params }) => {
    const receipt = await findReceipt(db, params.requestId)
    if (receipt === undefined) throw errors.notFound('The receipt of this request')
    return answer(200, receipt, { 'cache-control': CACHED })
  }),
  route(audienceRequestAired, async ({ params }) => ({
    request: await readAired(db, params.id, params.programmeId),
  })),
]

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
