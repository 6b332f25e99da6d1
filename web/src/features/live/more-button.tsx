import { Suspense, useId, useRef } from 'react'
import { part } from '../../lib/browser/part.tsx'
import { PartBoundary } from '../../lib/browser/part-boundary.tsx'
import { Button } from '../../ui/button.tsx'
import { syncText } from './connection-quality.ts'
import type { LivePageState } from './live-page-state.ts'

export const MoreMenu = part(async () => (await import('./more-menu.tsx')).MoreMenu)

/** The button of the menu with what is seldom needed. It shows when the page is not connected. */
export function MoreButton({ page }: { page: LivePageState }) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const isOpen = page.panel === 'more'
  const isJoined = page.channel.connection === 'joined'
  return (
    <div className="relative">
      <Button
        ref={button}
        id={id}
        tone="plain"
        icon="more"
        className="px-2.5 tv:text-base"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-describedby={`${id}-sync`}
        onClick={() => page.setPanel(isOpen ? null : 'more')}
      >
        More
        {!isJoined && <span aria-hidden="true" className="size-2 animate-breathe rounded-full bg-accent" />}
      </Button>
      <span id={`${id}-sync`} hidden>
        {syncText(page.channel.connection)}
      </span>
      {isOpen && (
        <PartBoundary onFailure={page.closePanel}>
          <Suspense>
            <MoreMenu page={page} button={button} />
          </Suspense>
        </PartBoundary>
      )}
    </div>
  )
}
