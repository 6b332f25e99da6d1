import type { ViewerRequest } from '@looptide/contracts/http/requests'
import type { ReactNode } from 'react'
import { serverClock } from '../../lib/clients.ts'
import { stateText } from '../../lib/requests/request-times.ts'
import { RequesterLink } from '../../lib/requests/requester-link.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'

/** One request that waits: its video, who requested it, what becomes of it, and its actions. */
export function RequestRow({ request, children }: { request: ViewerRequest; children: ReactNode }) {
  const { video, isPinned } = request
  return (
    <li className="flex flex-wrap items-center gap-3 py-3">
      <Thumbnail url={video.thumbnailUrl} className="w-24 shrink-0 rounded-sm sm:w-28" />
      <div className="min-w-0 flex-1 basis-40 text-sm">
        <p className="line-clamp-2 font-medium wrap-anywhere">
          <bdi>{video.title}</bdi>
        </p>
        <p className="wrap-anywhere text-muted">
          <bdi>{video.artistName}</bdi>
        </p>
        <p className="text-muted tabular-nums">
          {isPinned && 'Pinned. '}
          {stateText(request, serverClock.nowMs())}
          {' · '}
          by <RequesterLink requestedBy={request.requestedBy} />
        </p>
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
    </li>
  )
}
