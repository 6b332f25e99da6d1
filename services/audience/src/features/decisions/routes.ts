import { audienceRequestReceipt } from '@looptide/contracts/operations/audience'
import type { Db } from '@looptide/service-kit/db/db'
import { errors } from '@looptide/service-kit/http/errors'
import { answer, type Route, route } from '@looptide/service-kit/routes/route'
import type { Database } from '../../db/schema.ts'
import { findReceipt } from './receipt-repository.ts'

/** A receipt never changes. Caches keep it for a day only, because it is deleted with the request. */
const CACHED = 'public, max-age=86400'

/** The routes of receipts. */
export const receiptRoutes = (db: Db<Database>): Route[] => [
  route(audienceRequestReceipt, async ({ params }) => {
    const receipt = await findReceipt(db, params.requestId)
    if (receipt === undefined) throw errors.notFound('The receipt of this request')
    return answer(200, receipt, { 'cache-control': CACHED })
  }),
]
