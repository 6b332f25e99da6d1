import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'

/** `GET /health` */
export const getHealth: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/health', { config: { operation: 'auth.health.read' } }, async () => ({
    version: '0.1.0',
    name: 'Looptide auth',
    description: 'Accounts and sessions of the station',
  }))
}
