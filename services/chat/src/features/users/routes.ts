import { chatPermissionsGet } from '@looptide/contracts/operations/chat'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { PermissionService } from './permission-service.ts'

/** The route of what users may do in a chat. */
export const permissionRoutes = ({ permissions }: { permissions: PermissionService }): Route[] => [
  route(chatPermissionsGet, ({ user, params }) => permissions.find(user, params.id)),
]
