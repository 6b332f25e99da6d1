import { once } from 'node:events'
import { fastify } from 'fastify'

/** Baseline of `reads.ts`: one route that sends the same bytes. */
const [message] = (await once(process, 'message')) as [{ body: string }]
const bytes = Buffer.from(message.body)
const app = fastify()
app.get('/', async (_request, reply) => reply.type('application/json; charset=utf-8').send(bytes))
const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ url })
