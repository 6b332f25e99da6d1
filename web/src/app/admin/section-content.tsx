import { Component, lazy, type ReactNode, Suspense, useState } from 'react'
import { hasNewRelease } from '../../lib/browser/new-release.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import type { Section } from './sections.tsx'

/** Renders a section, or an error notice if its code cannot be fetched, without affecting the rest of the page. */
export function SectionContent({ section }: { section: Section }) {
  const [{ attempt, Content }, setContent] = useState({ attempt: 0, Content: section.Content })
  const retry = async () => {
    // After a new release the old scripts no longer exist; only a reload fetches the new ones.
    if (await hasNewRelease()) window.location.reload()
    // React caches the failure of a lazy component, so a retry needs a new one.
    else setContent({ attempt: attempt + 1, Content: lazy(section.load) })
  }
  return (
    <SectionBoundary key={attempt} onRetry={() => void retry()}>
      <Suspense fallback={<Spinner text="Loading..." className="text-muted" />}>
        <Content />
      </Suspense>
    </SectionBoundary>
  )
}

class SectionBoundary extends Component<
  { onRetry: () => void; children: ReactNode },
  { hasFailed: boolean }
> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return <ErrorNotice text="Failed to load this section." onRetry={this.props.onRetry} />
  }
}
