import type { Programme } from '@looptide/contracts/http/channels'
import { programmeAt } from '@looptide/playhead/programme'
import { useState } from 'react'
import { serverClock } from '../../lib/clients.ts'
import { shellPictureUrl } from '../../lib/shell-picture.ts'

/** The current programme's thumbnail until the player has a picture. Renders nothing if it fails to load. */
export function FirstPicture({ programmes }: { programmes: readonly Programme[] | undefined }) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  const current = programmes && programmeAt(programmes, serverClock.nowMs())
  const url = programmes === undefined ? shellPictureUrl : (current?.video?.thumbnailUrl ?? null)
  if (url === null || url === failedUrl) return null
  return (
    <img
      src={url}
      alt=""
      className="pointer-events-none absolute inset-0 size-full object-contain opacity-60"
      onError={() => setFailedUrl(url)}
    />
  )
}
