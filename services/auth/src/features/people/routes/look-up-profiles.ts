import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { LookUpProfilesQuery, ProfileLookUp } from '@looptide/contracts/http/users'
import { requireUser } from '@looptide/service-kit/request-user'
import { presentProfile } from '../new-profile.ts'
import { profileRepository } from '../profile-repository.ts'
import type { PeopleRoutesDeps } from './index.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** `GET /api/profiles/lookup`: several people by their ids, e.g. to call those by name whom a list knows by id. */
export const lookUpProfiles: FastifyPluginAsyncTypebox<PeopleRoutesDeps> = async (app, { db }) => {
  app.get(
    '/api/profiles/lookup',
    {
      schema: { querystring: LookUpProfilesQuery, response: { 200: ProfileLookUp } },
      config: { operation: 'auth.profile.look_up' },
      onRequest: requireUser,
    },
    async (request) => {
      const ids = request.query.ids.split(',').filter((id) => UUID.test(id))
      return { items: (await profileRepository.byIds(db, ids)).map(presentProfile) }
    },
  )
}
