import { Component, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'

/** The last resort: a page that broke says so and can be loaded anew, e.g. after a deploy replaced its scripts. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <main className="grid min-h-dvh place-content-center justify-items-center gap-4 p-6 text-center">
        <h1 className="text-2xl font-semibold">This page did not work</h1>
        <p className="text-muted">Loading it again usually helps.</p>
        <Button tone="primary" onClick={() => window.location.reload()}>
          Load again
        </Button>
      </main>
    )
  }
}
