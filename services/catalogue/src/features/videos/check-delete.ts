import { GUARDED_ACTIONS } from '@looptide/contracts/guarded-actions'
import { requirePermission } from '@looptide/service-kit/identity/request-user'
import type { Guard } from '@looptide/service-kit/limits/guard'
import type { FastifyRequest } from 'fastify'

/** Deleting more videos than this at once is a guarded action. */
const MAX_UNGUARDED_DELETES = 20

/**
 * Allows only users with the permission of `action`. Deleting more than {@link MAX_UNGUARDED_DELETES} videos at once also
 * asks the guard.
 */
export async function checkDelete(
  request: FastifyRequest,
  guard: Guard,
  action: 'video.delete.admin' | 'video.purge.admin',
  count: number,
): Promise<void> {
  // The guard checks the permission as well, and records the attempt of a user without it.
  if (count > MAX_UNGUARDED_DELETES) await guard.check(request, action)
  else requirePermission(request, GUARDED_ACTIONS[action])
}
