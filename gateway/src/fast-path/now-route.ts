import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { ChannelParams } from '@looptide/contracts/http/channels'
import type { App } from '@looptide/service-kit/http/app'
import { willCompress } from '@looptide/service-kit/http/cached-text'
import { errors } from '@looptide/service-kit/http/errors'
import type { ChannelStateCache } from '../channels/channel-state-cache.ts'
import type { LocalLimits } from '../http/local-limits.ts'
import { Memo } from '../http/memo.ts'
import { JSON_TYPE } from './prepared-response.ts'

const compress = promisify(gzip)
/** Time for which clients share one compressed state, in ms. Its `serverNowMs` is off by at most this, which is network jitter. */
const COMPRESSED_TTL_MS = 20
const MAX_COMPRESSED = 100

interface NowRouteDeps {
  states: ChannelStateCache
  limits: LocalLimits
}

/** GET /api/channels/:id/now, from memory. Works while the scheduler is down, for any number of viewers. */
export async function nowRoute(app: App, { states, limits }: NowRouteDeps): Promise<void> {
  const compressed = new Memo<Buffer>({
    ttlMs: () => COMPRESSED_TTL_MS,
    maxEntries: MAX_COMPRESSED,
    now: () => performance.now(),
  })
  app.get(
    '/api/channels/:id/now',
    {
      schema: { params: ChannelParams },
      config: { operation: 'gateway.now.read' },
      onRequest: limits.hook('now'),
    },
    async (request, reply) => {
      const { id } = request.params
      const result = await states.load(id)
      if (result === 'absent') throw errors.notFound('This channel')
      const json = states.json(id)
      if (json === null) throw errors.unavailable('The programme')
      reply.headers({ 'cache-control': 'no-cache', vary: 'accept-encoding' }).type(JSON_TYPE)
      if (!willCompress(request, json)) return reply.send(json)
      const key = JSON.stringify([id, states.get(id)?.timelineVersion, states.get(id)?.status])
      const bytes = await compressed.get(key, () => compress(json))
      return reply.header('content-encoding', 'gzip').send(bytes)
    },
  )
}
