import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { presentUser } from '../../features/accounts/present-user.ts'
import { readCaller } from '../bearer.ts'
import type { AuthRoutesDeps } from './index.ts'

/** `GET /user` */
export const getUser: FastifyPluginAsyncTypebox<AuthRoutesDeps> = async (app, deps) => {
  app.get('/user', { config: { operation: 'auth.user.read' } }, async (request) =>
    presentUser((await readCaller(request, deps)).user),
  )
}
