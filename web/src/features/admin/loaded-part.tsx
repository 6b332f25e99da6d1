import { Component, type ReactNode, Suspense, useState } from 'react'
import { renewFailedParts } from '../../lib/browser/failed-parts.ts'
import { hasNewRelease } from '../../lib/browser/new-release.ts'
import { ErrorNotice } from '../../ui/notice.tsx'

/**
 * Renders a part whose code is fetched on demand: `loading` until it is there, or an error notice with the text `failed` if
 * it cannot be fetched. The rest of the page stays usable.
 */
export function LoadedPart(props: { loading: ReactNode; failed: string; children: ReactNode }) {
  const [attempt, setAttempt] = useState(0)
  const retry = async () => {
    // After a new release the old scripts no longer exist; only a reload fetches the new ones.
    if (await hasNewRelease()) window.location.reload()
    else setAttempt(attempt + 1)
  }
  return (
    <FailedBoundary key={attempt} text={props.failed} onRetry={() => void retry()}>
      <Suspense fallback={props.loading}>{props.children}</Suspense>
    </FailedBoundary>
  )
}

class FailedBoundary extends Component<
  { text: string; onRetry: () => void; children: ReactNode },
  { hasFailed: boolean }
> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch() {
    renewFailedParts()
  }

  override render() {
    const { text, onRetry, children } = this.props
    return this.state.hasFailed ? <ErrorNotice text={text} onRetry={onRetry} /> : children
  }
}
