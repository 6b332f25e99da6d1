import type { Guard } from '@looptide/service-kit/audit/guard'
import type { App } from '@looptide/service-kit/http/app'
import type { RestrictionService } from '../restriction-service.ts'
import { addRestriction } from './add-restriction.ts'
import { removeRestriction } from './remove-restriction.ts'

export interface RestrictionRoutesDeps {
  restrictions: RestrictionService
  guard: Guard
}

/** `/api/users/:id/restrictions` */
export async function addRestrictionRoutes(app: App, deps: RestrictionRoutesDeps): Promise<void> {
  await app.register(addRestriction, deps)
  await app.register(removeRestriction, deps)
}
