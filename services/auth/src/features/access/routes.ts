import { authAccessRead } from '@looptide/contracts/operations/auth/users'
import { type Route, route } from '@looptide/service-kit/routes/route'
import { accessSnapshot } from './access-snapshot.ts'

/** The route of what other processes need to verify tokens. */
export const accessRoutes = (deps: Parameters<typeof accessSnapshot>[0]): Route[] => [
  route(authAccessRead, () => accessSnapshot(deps)),
]
