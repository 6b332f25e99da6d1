import { Component, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { hasNewRelease } from './new-release.ts'

type Props = {
  children: ReactNode
  /** The page it stands around; the next page starts afresh. */
  page?: string
}
type State = { failedPage: string | undefined; hasFailed: boolean }

/**
 * The last resort: a page that broke says so and can be loaded anew. When a deploy has replaced its scripts, which is
 * why a page mostly breaks, it loads itself anew, once: afterwards it runs the new ones.
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
    void hasNewRelease().then((isNew) => {
      if (isNew) window.location.reload()
    })
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <main
        id="main"
        className="grid min-h-[70dvh] place-content-center justify-items-center gap-4 p-6 text-center"
      >
        <h1 className="text-2xl font-semibold">This page did not work</h1>
        <p className="text-muted">Loading it again usually helps.</p>
        <Button tone="primary" onClick={() => window.location.reload()}>
          Load again
        </Button>
      </main>
    )
  }
}
