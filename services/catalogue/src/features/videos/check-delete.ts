import type { Guard } from '@looptide/service-kit/audit/guard'
import { requireAdmin } from '@looptide/service-kit/identity/request-user'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Deleting more videos than this at once is a guarded action. */
const MAX_UNGUARDED_DELETES = 20

/** Allows admins only. Deleting more than {@link MAX_UNGUARDED_DELETES} videos at once also asks the guard. */
export async function checkDelete(
  request: FastifyRequest,
  reply: FastifyReply,
  guard: Guard,
  count: number,
): Promise<void> {
  // The guard checks the role as well, and records the attempt of a user who is not an admin.
  if (count > MAX_UNGUARDED_DELETES) await guard.check(request, 'video.delete.admin')
  else await requireAdmin(request, reply)
}
