import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RedirectQuery, UpdateUserBody } from '@looptide/contracts/http/auth'
import { clientIp } from '@looptide/service-kit/client-ip'
import { presentUser } from '../../features/accounts/present-user.ts'
import type { UserChange } from '../../features/accounts/update-service.ts'
import { readCaller } from '../bearer.ts'
import { readEmail, readMetadata, readPkce } from '../read-body.ts'
import { refuseAdminAction } from '../refuse-admin-action.ts'
import type { AuthRoutesDeps } from './index.ts'

/** `PUT /user` */
export const updateUser: FastifyPluginAsyncTypebox<AuthRoutesDeps> = async (app, deps) => {
  app.put(
    '/user',
    {
      schema: { body: UpdateUserBody, querystring: RedirectQuery },
      config: { operation: 'auth.user.update' },
    },
    async (request) => {
      const caller = await readCaller(request, deps)
      await deps.limits.take(['update-account', caller.user.id])
      if (setsAppMetadata(request.body)) {
        const message = 'Updating app_metadata requires admin privileges'
        throw await refuseAdminAction(request, caller, deps, message)
      }
      const change = readChange(request.body, request.query.redirect_to)
      if (change.email !== null) await deps.limits.takeMail(clientIp(request))
      const cause = { actorId: caller.user.id, correlationId: request.id }
      return presentUser(await deps.updates.update(caller, change, cause))
    },
  )
}

const setsAppMetadata = ({ app_metadata: given }: UpdateUserBody): boolean =>
  given !== undefined && given !== null

function readChange(body: UpdateUserBody, redirectTo: unknown): UserChange {
  const given = (text: string | null | undefined): string | null => (text === '' ? null : (text ?? null))
  const email = given(body.email)
  return {
    email: email === null ? null : readEmail(email),
    password: given(body.password),
    currentPassword: given(body.current_password),
    data: readMetadata(body.data),
    wishes: { redirectTo, challenge: readPkce(body) },
  }
}
