import type { ViewerRequest } from '@looptide/contracts/http/requests'
import { Link } from 'react-router-dom'
import { paths } from '../paths.ts'

/** Who has made a request: a link to their page, or no name if the account was deleted or does not show it. */
export function RequesterLink({ requestedBy }: Pick<ViewerRequest, 'requestedBy'>) {
  if (requestedBy?.handle == null) return 'a viewer'
  return (
    <Link to={paths.member(requestedBy.handle)} className="rounded-sm underline underline-offset-4">
      @{requestedBy.handle}
    </Link>
  )
}
