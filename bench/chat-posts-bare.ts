import { fastify } from 'fastify'

/** What `chat-posts.ts` compares with: one route that parses the body, answers and keeps nothing. */
const app = fastify()
app.post('/api/chat/channels/:id/messages', async (request, reply) => {
  reply.status(201)
  return request.body
})
const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ url })
