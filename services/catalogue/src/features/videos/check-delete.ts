import { GUARDED_ACTIONS } from '@looptide/contracts/guarded-actions'
import { requirePermission } from '@looptide/service-kit/identity/request-user'
import type { Guard } from '@looptide/service-kit/limits/guard'
import type { FastifyRequest } from 'fastify'

/** Deleting more videos than this at once is a guarded action. */
const MAX_UNGUARDED_DELETES = 20

/** Videos whose deletion counts as one action. */
const VIDEOS_PER_ACTION = 500

/**
 * Allows only users with the permission of `action`. Deleting more than {@link MAX_UNGUARDED_DELETES} videos at once also
 * asks the guard, once for every {@link VIDEOS_PER_ACTION}.
 */
export async function checkDelete(
  request: FastifyRequest,
  guard: Guard,
  action: 'video.delete.admin' | 'video.purge.admin',
  count: number,
): Promise<void> {
  if (count <= MAX_UNGUARDED_DELETES) return requirePermission(request, GUARDED_ACTIONS[action])
  // The guard checks the permission as well, and records the attempt of a user without it.
  for (let counted = 0; counted < count; counted += VIDEOS_PER_ACTION) await guard.check(request, action)
}
