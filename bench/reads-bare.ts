import { once } from 'node:events'
import { fastify } from 'fastify'

/** Baseline of `reads.ts`: one route that serialises an object. */
const [message] = (await once(process, 'message')) as [{ body: unknown }]
const app = fastify()
app.get('/', async () => message.body)
const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ url })
