import { Component, lazy, type ReactNode, Suspense, useState } from 'react'
import { hasNewRelease } from '../../../app/new-release.ts'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import type { Section } from './sections.tsx'

/** A section, or a notice in its place when its code cannot be fetched: the rest of the page stays as it is. */
export function SectionContent({ section }: { section: Section }) {
  const [{ attempt, Content }, setContent] = useState({ attempt: 0, Content: section.Content })
  const retry = async () => {
    // Scripts of an earlier release are gone: only a reload gets the new ones.
    if (await hasNewRelease()) window.location.reload()
    // React keeps the failure of a lazy component, so another try needs another one.
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
    return <ErrorNotice text="This section could not be loaded." onRetry={this.props.onRetry} />
  }
}
