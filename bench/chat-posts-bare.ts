import { fastify } from 'fastify'

/** Baseline of `chat-posts.ts`: one route that parses the body, answers and stores nothing. */
const app = fastify()
app.post('/api/chat/channels/:id/messages', async (request, reply) => {
  reply.status(201)
  return request.body
})
const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ url })
