import { once } from 'node:events'
import { fastify } from 'fastify'

/** What `reads.ts` compares with: one route that serialises an object, and nothing else. */
const [message] = (await once(process, 'message')) as [{ body: unknown }]
const app = fastify()
app.get('/', async () => message.body)
const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ url })
