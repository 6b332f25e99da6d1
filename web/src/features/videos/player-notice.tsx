import type { Video } from '@looptide/contracts/http/videos'
import type { ReactNode } from 'react'
import type { FrameFault } from '../../lib/media/frame.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { NewTabLink } from './new-tab-link.tsx'
import type { FramePlayer } from './use-frame.ts'

const FAULTS: Record<FrameFault, string> = {
  'invalid-source': 'Its URL is invalid.',
  unplayable: 'This browser cannot play it.',
  'not-found': 'It was removed, or it is private.',
  'not-embeddable': 'Its owner allows it on YouTube only.',
  'not-identified': 'YouTube did not recognise this site.',
  unreachable: 'The player is not responding. It may be blocked, or the connection may be down.',
}

/** The message over a video that does not play: loading, a required user gesture, the end, or an error. */
export function PlayerNotice({ player, video }: { player: FramePlayer; video: Video }) {
  if (player.status === 'loading') {
    return (
      <Cover>
        <Spinner text="Loading video..." />
      </Cover>
    )
  }
  if (player.status === 'blocked') {
    return (
      <Cover>
        <Button tone="primary" icon="play" className="px-6 text-base" onClick={player.play}>
          Press to play
        </Button>
      </Cover>
    )
  }
  if (player.status === 'ended') {
    return (
      <Cover>
        <Button tone="primary" icon="again" className="px-6 text-base" onClick={player.replay}>
          Play again
        </Button>
      </Cover>
    )
  }
  if (player.status === 'failed') {
    return (
      <Cover>
        <div role="alert" className="grid justify-items-center gap-2 text-center">
          <p className="text-lg font-semibold">This video cannot be played here</p>
          <p className="max-w-md text-muted">{FAULTS[player.fault ?? 'unplayable']}</p>
        </div>
        <div className="flex flex-wrap justify-center gap-3">
          <Button icon="again" onClick={player.retry}>
            Try again
          </Button>
          <NewTabLink video={video} hasLabel />
        </div>
      </Cover>
    )
  }
  return null
}

function Cover({ children }: { children: ReactNode }) {
  return (
    <div className="absolute inset-0 grid animate-fade place-content-center justify-items-center gap-5 overflow-y-auto bg-black p-4">
      {children}
    </div>
  )
}
