import type { Guard } from '@looptide/service-kit/guard'
import { requireAdmin } from '@looptide/service-kit/request-user'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** More than this many at once is a guarded action (decisions, "Guarded actions"). */
const UNGUARDED_DELETES = 20

/** Refuses anybody but admins; more than 20 videos at once are a guarded action. */
export async function checkDelete(
  request: FastifyRequest,
  reply: FastifyReply,
  guard: Guard,
  count: number,
): Promise<void> {
  // The guard refuses people who are not admins, and records that they tried.
  if (count > UNGUARDED_DELETES) await guard.check(request, 'video.delete.admin')
  else await requireAdmin(request, reply)
}
