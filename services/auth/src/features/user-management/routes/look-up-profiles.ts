import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { LookUpProfilesQuery, ProfileLookUp } from '@looptide/contracts/http/users'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { presentProfile } from '../../profiles/new-profile.ts'
import { profileRepository } from '../../profiles/profile-repository.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** `GET /api/profiles/lookup`: several profiles by id, for lists that contain user ids. */
export const lookUpProfiles: FastifyPluginAsyncTypebox<{ db: Kysely<Database> }> = async (app, { db }) => {
  app.get(
    '/api/profiles/lookup',
    {
      schema: { querystring: LookUpProfilesQuery, response: { 200: ProfileLookUp } },
      config: { operation: 'auth.profile.look_up' },
    },
    async (request) => {
      const ids = request.query.ids.split(',').filter((id) => UUID.test(id))
      return { items: (await profileRepository.byIds(db, ids)).map(presentProfile) }
    },
  )
}
