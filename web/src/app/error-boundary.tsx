import { Component, type ReactNode, useEffect } from 'react'
import { renewFailedParts } from '../lib/browser/failed-parts.ts'
import { reloadForNewRelease } from '../lib/browser/new-release.ts'
import { useIsOnline } from '../lib/browser/use-is-online.ts'
import { Button } from '../ui/button.tsx'

interface Props {
  children: ReactNode
  /** The path of the page inside; a change resets the error. */
  page?: string
}
interface State {
  failedPage: string | undefined
  hasFailed: boolean
}

/**
 * Replaces a page that threw with a message and a reload button. The usual cause is a deploy that replaced the page's
 * scripts. In that case the page reloads by itself, once, because it then runs the new scripts. While the browser is
 * offline, scripts cannot be loaded: the page reloads when it is online again.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failedPage: undefined, hasFailed: false }

  static getDerivedStateFromError(): Partial<State> {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    if (!state.hasFailed) return { failedPage: props.page }
    return state.failedPage === props.page ? null : { hasFailed: false, failedPage: props.page }
  }

  override componentDidCatch(): void {
    renewFailedParts()
    reloadForNewRelease()
  }

  override render() {
    return this.state.hasFailed ? <Failure /> : this.props.children
  }
}

function Failure() {
  const isOnline = useIsOnline()
  useEffect(() => {
    const reload = () => window.location.reload()
    window.addEventListener('online', reload)
    return () => window.removeEventListener('online', reload)
  }, [])
  return (
    <main
      id="main"
      className="grid min-h-[70dvh] place-content-center justify-items-center gap-4 p-6 text-center"
    >
      <h1 className="text-2xl font-semibold">{isOnline ? 'Something went wrong' : 'You are offline'}</h1>
      <p className="text-muted">
        {isOnline ? 'Reloading the page usually helps.' : 'This page opens when you are online again.'}
      </p>
      {isOnline && (
        <Button tone="primary" onClick={() => window.location.reload()}>
          Reload
        </Button>
      )}
    </main>
  )
}
